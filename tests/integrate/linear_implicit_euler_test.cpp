#include "integrate/linear_implicit_euler.h"

#include "polhode/error.h"
#include "support/allocation_count.h"
#include "system/joint_gaps.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::linear_implicit_euler_test {
namespace {

Body rod(const std::string& name, const Vector3& centre, const Vector3& inertia) {
  Body body;
  body.name = name;
  body.mass = 1.0;
  body.inertia = inertia.asDiagonal();
  body.position = centre;
  return body;
}

Joint joint(const std::string& type, const std::string& first, const std::string& second, const Vector3& point,
            const Vector3& axis) {
  Joint j;
  j.name = first + "-" + second;
  j.type = type;
  j.first = first;
  j.second = second;
  j.point = point;
  j.axis = axis;
  return j;
}

/// Two rods of 1 m that fall from the horizontal about axes along y.
Model doublePendulum() {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  const Vector3 inertia(1e-3, 0.0843, 0.0843);
  model.bodies = {rod("upper", {0.5, 0, 0}, inertia), rod("lower", {1.5, 0, 0}, inertia)};
  model.joints = {joint("revolute", "ground", "upper", {0, 0, 0}, {0, 1, 0}),
                  joint("revolute", "upper", "lower", {1, 0, 0}, {0, 1, 0})};
  return model;
}

/// A square of four rods with revolute joints along z: one loop, three equations too many.
Model fourBar() {
  Model model;
  const Vector3 alongX(1e-3, 0.0843, 0.0843), alongY(0.0843, 1e-3, 0.0843);
  model.bodies = {rod("left", {0, 0.5, 0}, alongY), rod("top", {0.5, 1, 0}, alongX), rod("right", {1, 0.5, 0}, alongY)};
  const Vector3 z(0, 0, 1);
  model.joints = {joint("revolute", "ground", "left", {0, 0, 0}, z), joint("revolute", "left", "top", {0, 1, 0}, z),
                  joint("revolute", "top", "right", {1, 1, 0}, z), joint("revolute", "right", "ground", {1, 0, 0}, z)};
  // the parallelogram swings about z at 2 rad/s
  const Vector3 w(0, 0, 2);
  for (Body& body : model.bodies) {
    if (body.name == "top") {
      body.velocity = w.cross(Vector3(0, 1, 0));
    } else {
      body.angularVelocity = w;
      body.velocity = w.cross(Vector3(0, 0.5, 0));
    }
  }
  return model;
}

struct Fall {
  Vector3 end;  // of the last body
  double gap = 0.0, energyChange = 0.0;
};

Fall fall(const Mechanism& mechanism, double h, double seconds) {
  LinearImplicitEuler stepper(mechanism, h);
  const auto energy = [&] {
    return kineticEnergy(mechanism, stepper.bodies()) + potentialEnergy(mechanism, stepper.bodies());
  };
  const double before = energy();
  Fall result;
  for (long k = 0; k < std::lround(seconds / h); ++k) {
    stepper.advance();
    result.gap = std::max(result.gap, JointGaps(mechanism).at(stepper.time(), stepper.bodies())[0].size);
  }
  result.end = stepper.bodies().back().at.x;
  result.energyChange = std::abs(energy() - before);
  return result;
}

TEST(LinearImplicitEuler, ConvergesWithOrderOneAndOpensJointsWithOrderTwo) {
  const Mechanism mechanism(doublePendulum());
  const Fall coarse = fall(mechanism, 1e-3, 0.5), middle = fall(mechanism, 5e-4, 0.5),
             fine = fall(mechanism, 2.5e-4, 0.5);
  EXPECT_NEAR(std::log2((coarse.end - middle.end).norm() / (middle.end - fine.end).norm()), 1.0, 0.1);
  EXPECT_NEAR(std::log2(coarse.energyChange / middle.energyChange), 1.0, 0.2);
  EXPECT_NEAR(std::log2(coarse.gap / middle.gap), 2.0, 0.2);
  EXPECT_LT(coarse.gap, 1e-3);
}

TEST(LinearImplicitEuler, LoopsWithRedundantJointsHold) {
  const Mechanism mechanism(fourBar());
  const Fall result = fall(mechanism, 1e-3, 2.0);
  EXPECT_LT(result.gap, 1e-4);
  EXPECT_LT(result.energyChange, 0.05 * 4.0);  // of about 4 J; the scheme is of first order
}

TEST(LinearImplicitEuler, WrenchesActAsForcesDo) {
  Model model;
  model.bodies = {rod("body", {0, 0, 0}, {1, 2, 3})};
  const Mechanism mechanism(model);
  LinearImplicitEuler stepper(mechanism, 1e-2);
  const BodyWrench push{0, {Vector3(2, 0, 0), Vector3(0, 0, 3)}};
  for (int k = 0; k < 100; ++k) stepper.advance({&push, 1});
  EXPECT_NEAR(stepper.velocity(0)[0], 2.0, 1e-12);
  EXPECT_NEAR(stepper.angularVelocity(0)[2], 1.0, 1e-12);
  EXPECT_NEAR(stepper.bodies()[0].at.x[0], 1.0 - 1e-2, 1e-12);  // the position is a step behind
  EXPECT_NEAR(stepper.time(), 1.0, 1e-12);
}

TEST(LinearImplicitEuler, AStepDoesNotAllocate) {
  const Mechanism mechanism(fourBar());
  LinearImplicitEuler stepper(mechanism, 1e-3);
  const BodyWrench push{1, {Vector3(1, 0, 0), Vector3::Zero()}};
  stepper.advance({&push, 1});
  const auto before = test::allocationCount();
  for (int k = 0; k < 100; ++k) stepper.advance({&push, 1});
  EXPECT_EQ(test::allocationCount(), before);
}

TEST(LinearImplicitEuler, StiffSpringsAndDampersDoNotLimitTheStep) {
  // a body on a spring and a damper to the ground whose time constants are far below the step
  for (const auto& [stiffness, damping] : {std::pair{1e8, 0.0}, std::pair{1e8, 1e6}, std::pair{0.0, 1e6}}) {
    Model model;
    model.bodies = {rod("body", {1, 0, 0}, {1, 2, 3})};
    model.bodies[0].velocity = Vector3(0.1, 0.0, 0.0);
    Force force;
    force.name = "strut";
    force.type = stiffness > 0.0 ? "spring" : "damper";
    force.second = "body";
    force.secondPoint = Vector3(1, 0, 0);
    force.rest = 1.0;
    if (stiffness > 0.0) force.law = ForceLaw::polynomial({stiffness});
    force.damping = damping;
    model.forces = {force};
    const Mechanism mechanism(model);
    LinearImplicitEuler stepper(mechanism, 1e-2);
    for (int k = 0; k < 1000; ++k) {
      stepper.advance();
      // the first step moves by h v, and the spring then swings with no more than the energy of that stretch
      ASSERT_LT(stepper.bodies()[0].at.x[0], 1.0 + 0.1 * 1e-2 * 1.5) << stiffness << " " << damping << " " << k;
      ASSERT_GT(stepper.bodies()[0].at.x[0], 1.0 - 0.1 * 1e-2 * 1.5) << stiffness << " " << damping << " " << k;
    }
    if (damping > 0.0) {
      EXPECT_LT(stepper.velocity(0).norm(), 1e-6) << stiffness << " " << damping;
    }
  }
}

TEST(LinearImplicitEuler, RefusesStepsThatAreNone) {
  const Mechanism mechanism(doublePendulum());
  EXPECT_THROW(LinearImplicitEuler(mechanism, 0.0), InputError);
  EXPECT_THROW(LinearImplicitEuler(mechanism, 1e-3, 1.5), InputError);
}

}  // namespace
}  // namespace polhode::linear_implicit_euler_test
