#include "analysis/state_space.h"

#include "polhode/error.h"
#include "polhode/io/load_model.h"

#include <Eigen/LU>
#include <complex>

#include <gtest/gtest.h>

namespace polhode::state_space_test {
namespace {

using Complex = std::complex<double>;

/// y / u at a complex frequency.
Eigen::MatrixXcd transfer(const StateSpace& system, Complex s) {
  const Eigen::MatrixXcd left = s * Eigen::MatrixXcd::Identity(system.A.rows(), system.A.cols()) - system.A;
  return system.C.cast<Complex>() * left.partialPivLu().solve(system.B.cast<Complex>()) + system.D.cast<Complex>();
}

StateSpace ofRest(const Model& model, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  const auto mechanism = std::make_shared<const Mechanism>(model);
  MotionLineariser lineariser(mechanism);
  return stateSpace(model, mechanism, lineariser.about(0.0, initialMotion(*mechanism)), inputs, outputs);
}

/// Two carts on a rail: to the ground by a spring and a damper, to each other by a spring.
Model carts() {
  return readModelText(R"toml(
[[body]]
name = "first"
mass = 2
inertia = [1, 1, 1]
[[body]]
name = "second"
mass = 3
inertia = [1, 1, 1]
position = [1, 0, 0]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "first"]
point = [0, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["first", "second"]
point = [1, 0, 0]
axis = [1, 0, 0]
[[force]]
name = "spring"
type = "joint-spring"
joint = "rail"
stiffness = 50
damping = 4
[[force]]
name = "coupling"
type = "joint-spring"
joint = "slide"
stiffness = 20
[[force]]
name = "motor"
type = "joint-motor"
joint = "slide"
effort = 7
scale = { formula = "sin(t)" }
)toml",
                       "carts")
      .model;
}

TEST(StateSpace, OfTwoCartsHasTheirTransferFunctions) {
  const StateSpace system = ofRest(carts(), {"load:second.force.x", "motor", "motor:rail"},
                                   {"second.position.x", "first.velocity.x", "second.acceleration.x",
                                    "joint.slide.displacement", "coupling.effort"});
  EXPECT_EQ(system.states.size(), 4u);
  ASSERT_EQ(system.C.rows(), 5);
  ASSERT_EQ(system.B.cols(), 3);
  for (const Complex s : {Complex(0.0, 2.0), Complex(0.3, 5.0)}) {
    // (2 s^2 + 4 s + 70) x1 - 20 x2 = f1,  -20 x1 + (3 s^2 + 20) x2 = f2
    Eigen::Matrix2cd left;
    left << 2.0 * s * s + 4.0 * s + 70.0, -20.0, -20.0, 3.0 * s * s + 20.0;
    Eigen::Matrix<Complex, 2, 3> right;  // columns: the load, the motor between the carts, the motor on the rail
    right << 0.0, -1.0, 1.0, 1.0, 1.0, 0.0;
    const Eigen::Matrix<Complex, 2, 3> x = left.partialPivLu().solve(right);
    Eigen::Matrix<Complex, 5, 3> expected;
    expected << x.row(1), s * x.row(0), s * s * x.row(1), x.row(1) - x.row(0), -20.0 * (x.row(1) - x.row(0));
    EXPECT_LT((transfer(system, s) - expected).norm(), 1e-13) << s << "\n" << transfer(system, s) << "\n\n" << expected;
  }
}

TEST(StateSpace, RefusesWhatItDoesNotKnow) {
  const auto words = [](const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) -> std::string {
    try {
      ofRest(carts(), inputs, outputs);
    } catch (const InputError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_NE(words({"moter"}, {}).find("did you mean 'motor'"), std::string::npos) << words({"moter"}, {});
  EXPECT_NE(words({"spring"}, {}).find("is no input"), std::string::npos);
  EXPECT_NE(words({"load:first.force"}, {}).find("three components"), std::string::npos);
  EXPECT_NE(words({"load:first.pull.x"}, {}).find("neither force nor torque"), std::string::npos);
  EXPECT_NE(words({"load:third.force.x"}, {}).find("no body"), std::string::npos);
  EXPECT_NE(words({}, {"first.position.w"}).find("there is no output"), std::string::npos);
  EXPECT_EQ(words({}, {}), "taken");
}

}  // namespace
}  // namespace polhode::state_space_test
