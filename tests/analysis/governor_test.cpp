#include "analysis/small_motions.h"
#include "polhode/system/forces/user_force.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>

#include <gtest/gtest.h>

/// Watt's governor with its engine, and where it begins to hunt (Vyshnegradsky 1876).
///
/// A flywheel J turns about the vertical; a ball of mass m hangs on it by a rod of length l, at the angle phi from the vertical,
/// with friction b in its hinge. The more the ball rises the less steam the engine gets: its torque is k cos(phi), against the
/// load F. In the steady motion k cos(phi) = F and omega^2 = g/(l cos(phi)); with s = sin(phi), c = cos(phi) and
/// I = J + m l^2 s^2 + j its small motions obey
///
///     (m l^2 + j) I mu^3 + b I mu^2 + m l^2 omega^2 s^2 (I + 4 m l^2 c^2) mu + 2 m l^2 omega k s^2 c = 0,
///
/// where j is the moment of inertia of the ball about its centre. It is stable where friction is large enough.
namespace polhode::governor_test {
namespace {

constexpr double m = 2.0, l = 0.4, j = 0.003, J = 1.5, k = 30.0, g = 9.81, phi = 0.8;
const double s = std::sin(phi), c = std::cos(phi), omega = std::sqrt(g / (l * c)), I = J + m * l * l * s * s + j;
const double a3 = (m * l * l + j) * I, a1 = m * l * l * omega * omega * s * s * (I + 4.0 * m * l * l * c * c),
             a0 = 2.0 * m * l * l * omega * k * s * s * c;

/// The torque of the steam less the load, on the flywheel alone.
struct Steam final : UserForce {
  Steam() : UserForce("steam", 0, 1) {}

  ElementWrenches wrenches(double, const MovingPlacement& wheel, const MovingPlacement& ball) const override {
    const double cosine = (wheel.at.x - ball.at.x).z() / l;
    return {{Vector3::Zero(), Vector3(0.0, 0.0, k * (cosine - c))}, {}};
  }
};

Model governor(double friction) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -g);
  Body wheel, ball;
  wheel.name = "flywheel";
  wheel.inertia = Vector3(1.0, 1.0, J).asDiagonal();
  wheel.angularVelocity = Vector3(0.0, 0.0, omega);
  ball.name = "ball";
  ball.mass = m;
  ball.inertia = j * Matrix3::Identity();
  ball.position = l * Vector3(s, 0.0, -c);
  ball.velocity = Vector3(0.0, omega * l * s, 0.0);
  ball.angularVelocity = Vector3(0.0, 0.0, omega);
  model.bodies = {wheel, ball};
  Joint shaft, hinge;
  shaft.name = "shaft";
  shaft.type = hinge.type = "revolute";
  shaft.first = "ground";
  shaft.second = hinge.first = "flywheel";
  shaft.axis = Vector3::UnitZ();
  hinge.name = "hinge";
  hinge.second = "ball";
  hinge.axis = Vector3::UnitY();
  model.joints = {shaft, hinge};
  Force damper;
  damper.name = "friction";
  damper.type = "joint-damper";
  damper.joint = "hinge";
  damper.damping = friction;
  model.forces = {damper, userForce(std::make_shared<Steam>())};
  return model;
}

TEST(Governor, HuntsWhereVyshnegradskySays) {
  const double least = (m * l * l + j) * a0 / a1;
  for (const double friction : {0.5 * least, 0.999 * least, 1.001 * least, 2.0 * least}) {
    const SmallMotions small = smallMotions(governor(friction), {});
    ASSERT_EQ(small.about, SmallMotions::About::steadyMotion) << friction;
    EXPECT_EQ(small.modes.isUnstable(), friction < least) << friction / least;

    Matrix3 companion = Matrix3::Zero();
    companion << -friction * I / a3, -a1 / a3, -a0 / a3, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
    const Eigen::Vector3cd roots = companion.eigenvalues();
    for (const std::complex<double>& root : roots) {
      double nearest = 1e9;
      for (const std::complex<double>& found : small.modes.eigenvalues)
        nearest = std::min(nearest, std::abs(found - root));
      EXPECT_LT(nearest, 1e-8 * std::abs(root)) << root << " with friction " << friction;
    }
  }
}

}  // namespace
}  // namespace polhode::governor_test
