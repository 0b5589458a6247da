#include "polhode/system/director_body.h"

#include "polhode/error.h"
#include "polhode/math/euler_map.h"

#include "support/constrained_system_checks.h"
#include <gtest/gtest.h>

namespace polhode::test {
namespace {

RigidBodyData body(bool translates) {
  return {3.0, Vector3(50.0, 42.0, 10.0), Vector3(0.3, -0.2, 0.5), translates, Vector3(1.0, 2.0, 3.0)};
}

DirectorBody bodyWithWeight(bool translates) {
  const RigidBodyData data = body(translates);
  return DirectorBody(data, std::make_shared<UniformGravity>(data, Vector3(1.0, 2.0, -9.81)));
}

class DirectorBodyTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { srand(1); }
  DirectorBody system_ = bodyWithWeight(GetParam());
};

INSTANTIATE_TEST_SUITE_P(FixedAndFree, DirectorBodyTest, testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Free" : "Fixed"; });

// Also for directors that are far from orthonormal, where integrators evaluate them too.
TEST_P(DirectorBodyTest, ForcesAndConstraintDerivativesFollowFromTheEnergies) {
  for (int trial = 0; trial < 200; ++trial) {
    const VectorX q = VectorX::Random(system_.coordinates()), v = VectorX::Random(system_.coordinates());
    expectConsistentDerivatives(system_, 0.0, q, v);
  }
}

TEST_P(DirectorBodyTest, KineticEnergyIsThatOfTheBody) {
  const RigidBodyData data = body(GetParam());
  for (int trial = 0; trial < 200; ++trial) {
    const Vector3 xdot = Vector3::Random(), Omega = Vector3::Random();
    const VectorX q = system_.position(Vector3::Random(), Quaternion::Random().normalized());
    const VectorX v = system_.velocity(q, xdot, Omega);
    const double translation = GetParam() ? 0.5 * data.mass * xdot.squaredNorm() : 0.0;
    const double expected = translation + 0.5 * Omega.dot(data.inertia.cwiseProduct(Omega));
    EXPECT_NEAR(kineticEnergy(system_, q, v), expected, 1e-14 * data.inertia.sum());  // round-off
    EXPECT_LT((system_.angularVelocity(q, v) - Omega).norm(), 1e-15 * 4);
  }
}

// Rotations lie on the constraints and their velocities are tangential to them.
TEST_P(DirectorBodyTest, RotationsSatisfyTheConstraints) {
  for (int trial = 0; trial < 200; ++trial) {
    const VectorX q = system_.position(Vector3::Random(), Quaternion::Random().normalized());
    const VectorX v = system_.velocity(q, Vector3::Random(), Vector3::Random());
    VectorX g(6);
    MatrixX G(6, system_.coordinates());
    system_.constraint(q, g);
    system_.constraintJacobian(q, G);
    EXPECT_LT(g.norm(), 1e-15 * 4);
    EXPECT_LT((G * v).norm(), 1e-15 * 8);
  }
}

// The order of rows is (11), (22), (33), (12), (31), (23): stretching or shearing one pair of rows shows in
// one row.
TEST(DirectorBody, EachConstraintWatchesOnePairOfRows) {
  const DirectorBody system = bodyWithWeight(false);
  const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {2, 0}, {1, 2}};
  for (int k = 0; k < 6; ++k) {
    Matrix3 R = Matrix3::Identity();
    R(pairs[k][0], pairs[k][1]) += 0.01;
    VectorX g(6);
    system.constraint(R.reshaped(), g);
    for (int row = 0; row < 6; ++row) EXPECT_EQ(std::abs(g[row]) > 1e-3, row == k) << row << ' ' << k;
  }
}

TEST(DirectorBody, RefusesMomentsThatNoBodyHas) {
  RigidBodyData data = body(false);
  data.inertia = Vector3(1.0, 1.0, 3.0);
  EXPECT_THROW(DirectorBody(data, nullptr), InputError);
}

TEST(DirectorBody, RefusesAFreeBodyWithoutMass) {
  RigidBodyData data = body(true);
  data.mass = 0.0;
  EXPECT_THROW(DirectorBody(data, nullptr), InputError);
}

}  // namespace
}  // namespace polhode::test
