#include "model/validation.h"

#include "polhode/error.h"

#include <limits>

#include <gtest/gtest.h>

namespace polhode::validation_test {
namespace {

/// A top on a ball joint that moves as it must, held by a spring.
Model goodModel() {
  Model model;
  Body top;
  top.name = "top";
  top.position = {0, 0, 0.5};
  top.angularVelocity = {1, 0, 20};
  top.velocity = {0, -0.5, 0};
  model.bodies = {top};
  Joint tip;
  tip.name = "tip", tip.type = "spherical", tip.first = "ground", tip.second = "top";
  model.joints = {tip};
  Force cord{"cord", "spring", "ground", "top"};
  cord.firstPoint = {0, 0, 2};
  cord.secondPoint = {0, 0, 0.6};
  cord.law = ForceLaw::polynomial({100.0});
  cord.rest = 0.2;
  model.forces = {cord};
  return model;
}

/// Expects that the model is refused with a sentence that holds `part`.
void expectRefused(const Model& model, const std::string& part) {
  try {
    validate(model);
    ADD_FAILURE() << "accepted, but expected: " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

void expectInertiaRefused(const Matrix3& inertia, const std::string& part) {
  Model model = goodModel();
  model.bodies[0].inertia = inertia;
  expectRefused(model, part);
}

void expectInertiaAccepted(const Vector3& principal) {
  Model model = goodModel();
  model.bodies[0].inertia = principal.asDiagonal();
  EXPECT_NO_THROW(validate(model)) << principal.transpose();
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST(Validation, AcceptsAGoodModel) {
  EXPECT_NO_THROW(validate(goodModel()));
}

TEST(Validation, AcceptsPlatesRodsAndPointMasses) {
  expectInertiaAccepted({1, 1, 2});
  expectInertiaAccepted({0.1, 0.2, 0.1 + 0.2});
  expectInertiaAccepted({0.33333, 0.66667, 1.0});
  expectInertiaAccepted({1, 1, 0});
  expectInertiaAccepted({0, 0, 0});
  expectInertiaAccepted({1e-20, 1e-20, 2e-20});
}

TEST(Validation, JudgesPrincipalInertiasInAnyFrame) {
  const Matrix3 turned = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  const auto inFrame = [&](const Vector3& principal) -> Matrix3 {
    const Matrix3 inertia = turned * principal.asDiagonal() * turned.transpose();
    return (inertia + inertia.transpose()) / 2.0;
  };
  Model model = goodModel();
  model.bodies[0].inertia = inFrame({1, 2, 3});
  EXPECT_NO_THROW(validate(model));
  model.bodies[0].inertia = inFrame({1, 1, 0});
  EXPECT_NO_THROW(validate(model));
  expectInertiaRefused(inFrame({1, 2, 3.1}), "triangle inequality");
  expectInertiaRefused(inFrame({1, 1, -0.1}), "negative principal inertia");
}

TEST(Validation, NamesWhatIsWrongWithABody) {
  const auto refused = [](auto change, const std::string& part) {
    Model model = goodModel();
    change(model.bodies[0]);
    expectRefused(model, part);
  };
  refused([](Body& body) { body.mass = -1; }, "body 'top' has the mass -1");
  refused([](Body& body) { body.mass = nan; }, "mass nan");
  refused([](Body& body) { body.mass = infinity; }, "mass inf");
  refused([](Body& body) { body.inertia(0, 1) = 0.1; }, "not symmetric");
  refused([](Body& body) { body.inertia(0, 0) = nan; }, "not finite");
  refused([](Body& body) { body.orientation *= 2.0; }, "normalise");
  refused([](Body& body) { body.orientation.setZero(); }, "normalise");
  refused([](Body& body) { body.orientation[0] = nan; }, "normalise");
  refused([](Body& body) { body.position[0] = infinity; }, "position");
  refused([](Body& body) { body.velocity[0] = nan; }, "velocity");
  refused([](Body& body) { body.angularVelocity[0] = nan; }, "angular_velocity");
  refused([](Body& body) { body.name = ""; }, "empty name");
  refused([](Body& body) { body.name = "ground"; }, "space itself");
}

TEST(Validation, AcceptsABodyWithoutMassOnlyOnAJoint) {
  Model model = goodModel();
  model.bodies[0].mass = 0.0;
  EXPECT_NO_THROW(validate(model));
  model.joints.clear();
  expectRefused(model, "body 'top' has no mass and no joint");
}

TEST(Validation, NamesWhatIsWrongWithTheWhole) {
  Model model = goodModel();
  model.gravity[2] = nan;
  expectRefused(model, "gravity");
  model = goodModel();
  model.bodies.clear();
  expectRefused(model, "no body");
  model = goodModel();
  model.bodies.push_back(model.bodies[0]);
  expectRefused(model, "name of an earlier one");
}

TEST(Validation, NamesWhatIsWrongWithAJointOrASpring) {
  const auto refused = [](auto change, const std::string& part) {
    Model model = goodModel();
    change(model.joints[0], model.forces[0]);
    expectRefused(model, part);
  };
  refused([](Joint& joint, Force&) { joint.second = "tpo"; }, "joint 'tip' connects an unknown body 'tpo'");
  refused([](Joint& joint, Force&) { joint.first = "top"; }, "connects 'top' to itself");
  refused([](Joint& joint, Force&) { joint.type = "hinge"; }, "unknown type 'hinge'");
  refused([](Joint& joint, Force&) { joint.type = "revolute", joint.axis.setZero(); }, "axis of zero length");
  refused([](Joint& joint, Force&) { joint.type = "universal", joint.secondAxis = Vector3::Zero(); }, "zero length");
  refused([](Joint& joint, Force&) { joint.type = "distance"; }, "keeps two points apart by no distance");
  refused([](Joint& joint, Force&) { joint.point[0] = nan; }, "point that is not finite");
  refused([](Joint&, Force& spring) { spring.law = ForceLaw::polynomial({0.0}); }, "force 'cord' has the stiffness 0");
  refused([](Joint&, Force& spring) { spring.rest = -1; }, "length -1");
  refused([](Joint&, Force& spring) { spring.firstPoint = spring.secondPoint; }, "coincide");
  refused([](Joint&, Force& spring) { spring.second = "ground"; }, "connects 'ground' to itself");
}

}  // namespace polhode::validation_test
