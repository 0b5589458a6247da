#include "analysis/modes.h"

#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "support/linkages.h"
#include "support/mechanisms.h"
#include "system/instant_dynamics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace polhode::modes_test {
namespace {

Modes modesOf(const Model& model) {
  EquilibriumSearch search(model);
  return modesAbout(search.fromStart(), search.size());
}

/// Point masses of 1 kg on rods of 1 m without mass, hinges between them; hangs askew.
Model pointChain(int count) {
  Model model;
  model.name = "point chain";
  model.gravity = Vector3(0.0, 0.0, -9.81);
  Vector3 end = Vector3::Zero();
  for (int i = 0; i < count; ++i) {
    const double angle = 0.3 + 0.1 * i;
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = "revolute";
    joint.first = i == 0 ? "ground" : model.bodies.back().name;
    joint.point = end;
    joint.axis = Vector3::UnitY();
    end += Vector3(std::sin(angle), 0.0, -std::cos(angle));
    Body body;
    body.name = "mass" + std::to_string(i);
    body.inertia = Matrix3::Zero();
    body.position = end;
    joint.second = body.name;
    model.bodies.push_back(body);
    model.joints.push_back(joint);
  }
  return model;
}

/// A mass on a guide, with a spring and a damper.
Model oscillator(double damping, double stiffness = 50.0) {
  Model model;
  model.name = "oscillator";
  model.gravity = Vector3(0.0, 0.0, -9.81);
  Body body;
  body.name = "mass";
  body.mass = 2.0;
  model.bodies = {body};
  Joint guide;
  guide.name = "guide";
  guide.type = "prismatic";
  guide.first = "ground";
  guide.second = "mass";
  model.joints = {guide};
  Force spring;
  spring.name = "spring";
  spring.type = "joint-spring";
  spring.joint = "guide";
  spring.law = ForceLaw::polynomial({stiffness});
  spring.damping = damping;
  model.forces = {spring};
  return model;
}

double value(const std::vector<double>& polynomial, double x) {
  double sum = 0.0;
  for (auto c = polynomial.rbegin(); c != polynomial.rend(); ++c) sum = sum * x + *c;
  return sum;
}

// omega^2 l / g are the zeros of Laguerre's polynomial: 1 - 2x + x^2/2 for two masses, and so on.
TEST(Modes, OfAChainOfPointMassesAreZerosOfLaguerrePolynomials) {
  const Modes two = modesOf(pointChain(2));
  ASSERT_EQ(two.modes.size(), 2u);
  const double turns = 2.0 * std::numbers::pi;
  EXPECT_NEAR(two.modes[0].frequency * turns, std::sqrt(9.81 * (2.0 - std::sqrt(2.0))), 1e-10);
  EXPECT_NEAR(two.modes[1].frequency * turns, std::sqrt(9.81 * (2.0 + std::sqrt(2.0))), 1e-10);
  ASSERT_EQ(two.eigenvalues.size(), 4u);
  EXPECT_EQ(two.eigenvalues[1], std::conj(two.eigenvalues[0]));
  EXPECT_GT(two.eigenvalues[0].imag(), 0.0);
  EXPECT_FALSE(two.isUnstable());
  EXPECT_FALSE(two.isAsymptoticallyStable());

  for (const int count : {3, 5, 8}) {
    std::vector<double> laguerre;  // sum_k binomial(n, k) (-x)^k / k!
    double coefficient = 1.0;
    for (int k = 0; k <= count; ++k) {
      laguerre.push_back(coefficient);
      coefficient *= -static_cast<double>(count - k) / ((k + 1.0) * (k + 1.0));
    }
    const Modes modes = modesOf(pointChain(count));
    ASSERT_EQ(modes.modes.size(), static_cast<std::size_t>(count));
    for (const Mode& mode : modes.modes) {
      const double x = std::norm(mode.eigenvalue) / 9.81;
      const double slope = (value(laguerre, x * (1 + 1e-6)) - value(laguerre, x * (1 - 1e-6))) / 2e-6;  // by log x
      EXPECT_LT(std::abs(value(laguerre, x) / slope), 1e-10) << count << " masses, x = " << x;
    }
  }
}

TEST(Modes, OfADampedOscillatorAreInClosedForm) {
  const auto light = modesOf(oscillator(3.0));
  ASSERT_EQ(light.eigenvalues.size(), 2u);
  EXPECT_NEAR(light.eigenvalues[0].real(), -0.75, 1e-11);
  EXPECT_NEAR(light.eigenvalues[0].imag(), std::sqrt(25.0 - 0.75 * 0.75), 1e-11);
  EXPECT_NEAR(light.modes.at(0).damping, 0.75 / 5.0, 1e-11);
  EXPECT_TRUE(light.isAsymptoticallyStable());

  const auto heavy = modesOf(oscillator(40.0));  // creeps back
  ASSERT_EQ(heavy.modes.size(), 2u);
  EXPECT_NEAR(heavy.eigenvalues[0].real(), -10.0 + std::sqrt(75.0), 1e-10);
  EXPECT_NEAR(heavy.eigenvalues[1].real(), -10.0 - std::sqrt(75.0), 1e-10);
  EXPECT_EQ(heavy.modes[0].damping, 1.0);
}

// Ziegler's column: two rods with springs in their hinges and masses 2 and 1 at their ends, pressed by a force that turns with
// the outer rod. It begins to flutter at P = (7/2 - sqrt 2) stiffness / length.
TEST(Modes, OfZieglersColumnFlutterAtItsCriticalLoad) {
  Model model = pointChain(2);
  model.gravity = Vector3::Zero();
  model.bodies[0].mass = 2.0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vector3 end(static_cast<double>(i) + 1.0, 0.0, 0.0);
    model.bodies[i].position = end;
    model.joints[i].point = end - Vector3::UnitX();
    Force spring;
    spring.name = "spring" + std::to_string(i);
    spring.type = "joint-spring";
    spring.joint = model.joints[i].name;
    spring.law = ForceLaw::polynomial({1.0});
    model.forces.push_back(spring);
  }
  Force press;
  press.name = "press";
  press.type = "load";
  press.second = model.bodies[1].name;
  press.secondPoint = model.bodies[1].position;
  press.inBody = true;
  const double critical = 3.5 - std::sqrt(2.0);
  for (const double load : {critical - 1e-6, critical + 1e-6}) {
    press.vector = Vector3(-load, 0.0, 0.0);
    model.forces.push_back(press);
    const Modes modes = modesOf(model);
    ASSERT_EQ(modes.modes.size(), 2u);
    EXPECT_EQ(modes.isUnstable(), load > critical);
    EXPECT_EQ(EquilibriumSearch(model).fromStart().flutter, load > critical);
    model.forces.pop_back();
  }
}

/// A load of 2 kg on a cable that only pulls.
Model onACable(const std::string& law) {
  Model model;
  model.name = "load on a cable that only pulls";
  model.gravity = Vector3(0.0, 0.0, -9.81);
  Body load;
  load.name = "load";
  load.mass = 2.0;
  load.position = Vector3(0.5, 0.0, -1.0);
  model.bodies = {load};
  Force cable;
  cable.name = "cable";
  cable.type = "spring";
  cable.second = "load";
  cable.secondPoint = load.position;
  cable.law = ForceLaw::formula(law);
  cable.rest = 1.0;
  model.forces = {cable};
  return model;
}

TEST(Modes, AreRightBesideAKink) {
  const Modes modes = modesOf(onACable("20000*max(x, 0)"));
  ASSERT_EQ(modes.modes.size(), 6u);
  EXPECT_EQ(modes.zeroModes, 3);
  const double length = 1.0 + 2.0 * 9.81 / 20000.0;  // a thousandth stretched
  EXPECT_NEAR(std::norm(modes.modes[3].eigenvalue), 9.81 / length, 1e-8);
  EXPECT_NEAR(std::norm(modes.modes[5].eigenvalue), 10000.0, 1e-5);
}

TEST(Modes, OfASpringWithoutALength) {
  Model model = onACable("800*x");
  model.gravity.setZero();
  model.bodies[0].position.setZero();
  model.forces[0].secondPoint.setZero();
  model.forces[0].rest = 0.0;
  const Modes modes = modesOf(model);
  ASSERT_EQ(modes.modes.size(), 6u);
  for (int k = 3; k < 6; ++k)  // alike in all directions
    EXPECT_NEAR(std::norm(modes.modes[static_cast<std::size_t>(k)].eigenvalue), 400.0, 1e-11);
}

// no difference would be short enough: the derivatives are those of the law
TEST(Modes, AreRightAMillionthBesideAKink) {
  const Modes modes = modesOf(onACable("2e7*max(x, 0)"));
  ASSERT_EQ(modes.modes.size(), 6u);
  EXPECT_NEAR(std::norm(modes.modes[5].eigenvalue), 1e7, 1e-5);
  EXPECT_NEAR(std::norm(modes.modes[3].eigenvalue), 9.81 / (1.0 + 2.0 * 9.81 / 2e7), 1e-6);
}

TEST(Modes, CountMotionsOfAllBodiesAsOne) {
  Model model;
  model.name = "two boxes in space";
  Body box;
  box.inertia = Vector3(1.0, 2.0, 2.5).asDiagonal();
  for (const char* name : {"left", "right"}) {
    box.name = name;
    model.bodies.push_back(box);
    box.position = Vector3(2.0, 0.3, 0.0);
  }
  Force bushing;
  bushing.name = "rubber";
  bushing.type = "bushing";
  bushing.first = "left";
  bushing.second = "right";
  bushing.firstPoint = bushing.secondPoint = Vector3(1.0, 0.0, 0.1);
  bushing.stiffnesses = Vector3(100.0, 200.0, 300.0);
  bushing.turningStiffnesses = Vector3(10.0, 20.0, 30.0);
  model.forces = {bushing};
  for (const double damping : {0.0, 0.5}) {
    model.forces[0].dampings = Vector3::Constant(damping);
    const Modes modes = modesOf(model);
    EXPECT_EQ(modes.zeroModes, 6);
    EXPECT_EQ(modes.rigidBodyModes, 6);
    EXPECT_EQ(modes.modes.size(), 12u);
    ASSERT_EQ(modes.eigenvalues.size(), 24u);
    EXPECT_EQ(std::count(modes.eigenvalues.begin(), modes.eigenvalues.end(), std::complex<double>(0.0)), 12);
    EXPECT_FALSE(modes.isUnstable());
  }
  EXPECT_EQ(modesOf(loadModel("four-bar-loop").model).rigidBodyModes, 6);
  EXPECT_EQ(modesOf(loadModel("spatial-double-pendulum").model).rigidBodyModes, 1);  // about the vertical
}

/// What the equations of motion say, by code of its own: how the accelerations of all bodies change when the mechanism is let
/// go at rest a little to either side.
double frequencyByAccelerations(const Model& model) {
  EquilibriumSearch search(model);
  const Equilibrium found = search.fromStart();
  const auto mechanism = std::make_shared<const Mechanism>(search.model());
  const MotionReducer reducer(mechanism);
  InstantDynamics dynamics(mechanism);
  const VectorX direction = found.reduced.basis.col(0);
  const double h = 1e-4;
  VectorX change = VectorX::Zero(direction.size());
  for (const double side : {1.0, -1.0}) {
    const auto& accelerations =
        dynamics.at(0.0, reducer.moved(found.bodies, side * h * direction).value()).accelerations;
    for (std::size_t b = 0; b < accelerations.size(); ++b) {
      const auto at = 6 * static_cast<Eigen::Index>(b);
      change.segment<3>(at) += side * accelerations[b].linear;
      change.segment<3>(at + 3) += side * accelerations[b].angular;
    }
  }
  return std::sqrt(-change.dot(direction) / (2.0 * h * direction.squaredNorm())) / (2.0 * std::numbers::pi);
}

TEST(Modes, OfLoopsAreThoseOfTheirMotion) {
  for (const Model& model : {test::fourBar(), test::sixBar(), test::jansenLeg(), test::bennettLoop(),
                             test::bricardLoop(), loadModel("jansen-walker").model}) {
    const Modes modes = modesOf(model);
    ASSERT_EQ(modes.modes.size(), 1u) << model.name;
    const double expected = frequencyByAccelerations(model);
    EXPECT_NEAR(modes.modes[0].frequency, expected, 1e-6 * expected) << model.name;
  }
}

TEST(Modes, AtTheStartOnlyWhereThatIsAnEquilibrium) {
  EquilibriumSearch swinging(pointChain(2));
  EXPECT_THROW(swinging.atStart(), SimulationError);
  EquilibriumSearch standing(loadModel("four-bars").model);
  const Modes modes = modesAbout(standing.atStart(), standing.size());
  EXPECT_TRUE(modes.isUnstable());
  ASSERT_EQ(modes.eigenvalues.size(), 2u);
  EXPECT_NEAR(modes.eigenvalues[0].real(), -modes.eigenvalues[1].real(), 1e-12);
}

}  // namespace
}  // namespace polhode::modes_test
