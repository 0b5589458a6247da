#include "system/linear_motion.h"

#include "analysis/equilibrium.h"
#include "analysis/modes.h"
#include "math/rotation_maps.h"
#include "polhode/io/load_model.h"
#include "support/linkages.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace polhode::linear_motion_test {
namespace {

constexpr double g = 9.81;

LinearMotion startOf(const Model& model) {
  const auto mechanism = std::make_shared<const Mechanism>(model);
  return MotionLineariser(mechanism).about(0.0, initialMotion(*mechanism));
}

std::vector<double> frequenciesOf(const LinearMotion& motion) {
  std::vector<double> result;
  for (const Mode& mode : modesOf(motion, 1.0).modes)
    if (mode.eigenvalue != 0.0) result.push_back(std::abs(mode.eigenvalue.imag()));
  return result;
}

/// A symmetric top on a ball joint at the origin, its centre of mass at a distance l; A about the tip across the axis.
struct Top {
  double mass = 1.3, l = 0.2, A = 0.09, C = 0.02;

  /// Inclined by theta, its axis carried around the vertical with `precession`, spinning with n along its axis in all.
  Model model(double theta, double precession, double n) const {
    Model model;
    model.name = "top";
    model.gravity = Vector3(0.0, 0.0, -g);
    Body top;
    top.name = "top";
    top.mass = mass;
    const double across = A - mass * l * l;
    top.inertia = Vector3(across, across, C).asDiagonal();
    top.orientation = expS3(Vector3(theta, 0.0, 0.0));
    const Vector3 axis(0.0, -std::sin(theta), std::cos(theta));
    top.position = l * axis;
    const Vector3 vertical(0.0, 0.0, precession);
    const Vector3 omega = vertical - axis.dot(vertical) * axis + n * axis;
    top.velocity = omega.cross(top.position);
    top.angularVelocity = expSO3(Vector3(-theta, 0.0, 0.0)) * omega;
    model.bodies = {top};
    Joint tip;
    tip.name = "tip";
    tip.type = "spherical";
    tip.first = "ground";
    tip.second = "top";
    model.joints = {tip};
    return model;
  }

  double gravity() const { return mass * g * l; }

  /// With which the top precesses steadily: A Omega^2 cos(theta) - C n Omega + m g l = 0.
  double spinFor(double theta, double precession) const {
    return (A * precession * precession * std::cos(theta) + gravity()) / (C * precession);
  }
};

// Whittaker 1937, art. 73: the frequency of nutation about a steady precession.
TEST(LinearMotion, OfAPrecessingTopNutates) {
  const Top top;
  for (const double theta : {0.4, 1.2, 2.0})
    for (const double precession : {0.8, 5.0}) {
      const LinearMotion motion = startOf(top.model(theta, precession, top.spinFor(theta, precession)));
      ASSERT_TRUE(motion.isSteady) << motion.unsteadiness;
      EXPECT_NEAR(motion.turning.z(), precession, 1e-10 * precession);
      EXPECT_LT(motion.unsteadiness, 1e-10);
      const double W = precession, m = top.gravity() / top.A;
      const double expected = std::sqrt(W * W * W * W - 2.0 * m * W * W * std::cos(theta) + m * m) / W;
      const std::vector<double> found = frequenciesOf(motion);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_NEAR(found[0], expected, 1e-10 * expected) << theta << ", " << precession;
      const Modes modes = modesOf(motion, 1.0);
      EXPECT_EQ(modes.zeroModes, 2);  // where it stands, about the vertical and about itself
      EXPECT_EQ(std::count(modes.eigenvalues.begin(), modes.eigenvalues.end(), std::complex<double>(0.0)), 4);
      EXPECT_FALSE(modes.isUnstable());
    }
  EXPECT_FALSE(startOf(top.model(0.4, 5.0, 1.001 * top.spinFor(0.4, 5.0))).isSteady);
  EXPECT_FALSE(startOf(loadModel("bruls-top").model).isSteady);
  EXPECT_TRUE(startOf(loadModel("heavy-top").model).isSteady);  // a cone with the same inertia about all axes
}

// z = x + i y of the axis obeys A z'' - i C n z' - m g l z = 0: nutation and precession, until C^2 n^2 = 4 A m g l.
TEST(LinearMotion, OfASleepingTopIsStableAsLongAsItSpinsFastEnough) {
  const Top top;
  const double limit = std::sqrt(4.0 * top.A * top.gravity()) / top.C;
  const double n = 1.5 * limit, half = 0.5 * top.C * n / top.A, root = std::sqrt(half * half - top.gravity() / top.A);
  const LinearMotion motion = startOf(top.model(0.0, 0.0, n));
  ASSERT_TRUE(motion.isSteady);
  EXPECT_TRUE(motion.turning.isZero(0.0));
  const std::vector<double> found = frequenciesOf(motion);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], half - root, 1e-10 * half);
  EXPECT_NEAR(found[1], half + root, 1e-10 * half);
  EXPECT_FALSE(modesOf(startOf(top.model(0.0, 0.0, limit * (1.0 + 1e-7))), 1.0).isUnstable());
  EXPECT_TRUE(modesOf(startOf(top.model(0.0, 0.0, limit * (1.0 - 1e-7))), 1.0).isUnstable());
}

// A free body about a principal axis, seen from itself: (omega')^2 = omega^2 (J2 - J1)(J3 - J1) / (J2 J3) about axis 1.
TEST(LinearMotion, OfAFreeBodyIsUnstableAboutItsMiddleAxis) {
  const Vector3 J(1.0, 2.0, 2.5);
  for (int axis = 0; axis < 3; ++axis) {
    Model model;
    model.name = "free";
    Body body;
    body.name = "body";
    body.inertia = J.asDiagonal();
    body.orientation = expS3(Vector3(0.3, -0.4, 0.5));
    body.angularVelocity = 7.0 * Vector3::Unit(axis);
    body.velocity = Vector3(0.0, 0.0, 0.0);
    model.bodies = {body};
    const LinearMotion motion = startOf(model);
    ASSERT_TRUE(motion.isSteady) << axis;
    const Modes modes = modesOf(motion, 1.0);
    const double j = J[axis], k = J[(axis + 1) % 3], l = J[(axis + 2) % 3];
    const double square = 49.0 * (k - j) * (l - j) / (k * l);
    EXPECT_EQ(modes.isUnstable(), axis == 1);
    const auto isThis = [&](std::complex<double> mu) {
      return std::abs(mu * mu - std::complex<double>(-square)) < 1e-9;
    };
    EXPECT_EQ(std::count_if(modes.eigenvalues.begin(), modes.eigenvalues.end(), isThis), 2) << axis;
  }
}

/// Two balls on massless arms of length l, hinged to a shaft on its axis, which turns freely or by a drive.
Model governor(double theta, double speed, double inertia, bool driven) {
  Model model;
  model.name = "governor";
  model.gravity = Vector3(0.0, 0.0, -g);
  Body shaft;
  shaft.name = "shaft";
  shaft.inertia = Vector3(0.1, 0.2, inertia).asDiagonal();
  shaft.angularVelocity = Vector3(0.0, 0.0, speed);
  model.bodies = {shaft};
  Joint bearing;
  bearing.name = "bearing";
  bearing.type = "revolute";
  bearing.first = "ground";
  bearing.second = "shaft";
  if (driven) bearing.drives = {{"angle", Signal::formula(std::to_string(speed) + "*t")}};
  model.joints = {bearing};
  for (const double side : {1.0, -1.0}) {
    Body ball;
    ball.name = side > 0.0 ? "right" : "left";
    ball.mass = 2.0;
    ball.inertia = Matrix3::Zero();
    ball.position = 0.6 * Vector3(side * std::sin(theta), 0.0, -std::cos(theta));
    ball.velocity = Vector3(0.0, 0.0, speed).cross(ball.position);
    ball.angularVelocity = Vector3(0.0, 0.0, speed);
    Joint hinge = bearing;
    hinge.name = ball.name + " hinge";
    hinge.first = "shaft";
    hinge.second = ball.name;
    hinge.axis = Vector3::UnitY();
    hinge.drives.clear();
    model.bodies.push_back(ball);
    model.joints.push_back(hinge);
  }
  return model;
}

// Hanging down it is stable until Omega^2 = g / l. Beyond, cos(theta) = g / (l Omega^2), and the arms swing about it with
// Omega sin(theta) where they do so against each other, or where the shaft is driven; where it is free and they swing alike,
// omega^2 = Omega^2 sin^2(theta) (1 + 8 m l^2 cos^2(theta) / (I + 2 m l^2 sin^2(theta))).
TEST(LinearMotion, OfAFlyballGovernorIsStableUntilItSpreads) {
  const double l = 0.6, m = 2.0, inertia = 0.7, limit = std::sqrt(g / l);
  for (const bool driven : {false, true}) {
    for (const double speed : {limit - 1e-5, limit + 1e-5}) {
      const double written = std::stod(std::to_string(speed));
      const LinearMotion hanging = startOf(governor(0.0, written, inertia, driven));
      ASSERT_TRUE(hanging.isSteady) << hanging.unsteadiness;
      EXPECT_EQ(modesOf(hanging, 1.0).isUnstable(), speed > limit) << driven;
    }
    const double speed = 6.25, c = g / (l * speed * speed), s = std::sqrt(1.0 - c * c);
    const LinearMotion motion = startOf(governor(std::acos(c), speed, inertia, driven));
    ASSERT_TRUE(motion.isSteady) << motion.unsteadiness;
    EXPECT_EQ(modesOf(motion, 1.0).zeroModes, driven ? 0 : 1);
    const std::vector<double> found = frequenciesOf(motion);
    ASSERT_EQ(found.size(), 2u);
    const double alike =
        driven ? speed * s : speed * s * std::sqrt(1.0 + 8.0 * m * l * l * c * c / (inertia + 2.0 * m * l * l * s * s));
    EXPECT_NEAR(found[0], speed * s, 1e-10 * speed);
    EXPECT_NEAR(found[1], alike, 1e-10 * speed);
    EXPECT_NEAR(motion.turning.z(), speed, 1e-9);
  }
}

// A rotor whose inertia differs across its axis, on bearings on springs that differ: what is near by feels coefficients that
// come back with every turn. The motion itself is steady, its equations are not.
TEST(LinearMotion, OfAnUnevenRotorOnUnevenBearingsIsNotSteady) {
  Model model;
  model.name = "rotor";
  Body rotor;
  rotor.name = "rotor";
  rotor.inertia = Vector3(0.1, 0.2, 0.25).asDiagonal();
  rotor.angularVelocity = Vector3(0.0, 0.0, 20.0);
  model.bodies = {rotor};
  for (const auto& [name, along] :
       {std::pair{"east", Vector3(1.0, 0.0, 0.0)}, std::pair{"north", Vector3(0.0, 1.0, 0.0)}}) {
    for (const double z : {0.5, -0.5}) {
      Force spring;
      spring.name = name + std::to_string(z);
      spring.type = "spring";
      spring.second = "rotor";
      spring.secondPoint = Vector3(0.0, 0.0, z);
      spring.firstPoint = spring.secondPoint + along;
      spring.law = ForceLaw::polynomial({along.x() > 0.0 ? 100.0 : 300.0});
      spring.rest = 1.0;
      model.forces.push_back(spring);
    }
  }
  EXPECT_FALSE(startOf(model).isSteady);
  model.bodies[0].inertia = Vector3(0.2, 0.2, 0.25).asDiagonal();
  const LinearMotion round = startOf(model);
  ASSERT_TRUE(round.isSteady) << round.unsteadiness;
  EXPECT_TRUE(round.turning.isZero(0.0));
  // (J mu^2 + kx/2)(J mu^2 + ky/2) + (C n)^2 mu^2 = 0 for tilts, with 2 springs at 1/2 m
  const double J = 0.2, H = 0.25 * 20.0, kx = 50.0, ky = 150.0;
  const double b = (J * (kx + ky) + H * H) / (J * J), product = kx * ky / (J * J);
  const std::vector<double> found = frequenciesOf(round);
  for (const double square :
       {0.5 * (b - std::sqrt(b * b - 4.0 * product)), 0.5 * (b + std::sqrt(b * b - 4.0 * product))})
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](double w) {
      return std::abs(w - std::sqrt(square)) < 1e-8;
    })) << std::sqrt(square);
}

// Along a swing: s'' = -(g/l) cos(theta) s whatever its speed, as long as the instant lasts.
TEST(LinearMotion, OfASwingingPendulumIsThatOfTheInstant) {
  Model model;
  model.name = "pendulum";
  model.gravity = Vector3(0.0, 0.0, -g);
  Body bob;
  bob.name = "bob";
  bob.inertia = Matrix3::Zero();
  const double theta = 0.9, l = 0.7, rate = 3.0;
  bob.position = l * Vector3(std::sin(theta), 0.0, -std::cos(theta));
  bob.angularVelocity = Vector3(0.0, -rate, 0.0);
  bob.velocity = bob.angularVelocity.cross(bob.position);
  model.bodies = {bob};
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = "revolute";
  hinge.first = "ground";
  hinge.second = "bob";
  hinge.axis = Vector3::UnitY();
  model.joints = {hinge};
  const LinearMotion motion = startOf(model);
  EXPECT_FALSE(motion.isSteady);
  const std::vector<double> found = frequenciesOf(motion);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0], std::sqrt(g / l * std::cos(theta)), 1e-9);
}

// At rest it says what the reduced stiffness says, by another way.
TEST(LinearMotion, AtRestHasTheModesOfTheEquilibrium) {
  for (const Model& model : {test::fourBar(), test::jansenLeg(), loadModel("jansen-walker").model,
                             loadModel("hexapod").model, loadModel("quarter-car").model}) {
    EquilibriumSearch search(model);
    const Equilibrium found = search.fromStart();
    const Modes expected = modesAbout(found, search.size());
    MotionLineariser lineariser(std::make_shared<const Mechanism>(search.model()));
    const LinearMotion motion = lineariser.about(0.0, found.bodies);
    EXPECT_TRUE(motion.isSteady) << model.name;
    const Modes modes = modesOf(motion, search.size());
    ASSERT_EQ(modes.eigenvalues.size(), expected.eigenvalues.size()) << model.name;
    EXPECT_EQ(modes.zeroModes, expected.zeroModes);
    for (std::size_t i = 0; i < modes.eigenvalues.size(); ++i)
      EXPECT_LT(std::abs(modes.eigenvalues[i] - expected.eigenvalues[i]), 1e-7 * std::abs(expected.eigenvalues.back()))
          << model.name;
  }
  EXPECT_FALSE(startOf(loadModel("four-bars").model).isSteady);
}

}  // namespace
}  // namespace polhode::linear_motion_test
