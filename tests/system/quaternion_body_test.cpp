#include "polhode/system/quaternion_body.h"

#include "polhode/error.h"

#include "support/constrained_system_checks.h"
#include <gtest/gtest.h>

namespace polhode::test {
namespace {

RigidBodyData body(bool translates) {
  return {3.0, Vector3(50.0, 42.0, 10.0), Vector3(0.3, -0.2, 0.5), translates, Vector3(1.0, 2.0, 3.0)};
}

QuaternionBody bodyWithWeight(bool translates) {
  const RigidBodyData data = body(translates);
  return QuaternionBody(data, std::make_shared<UniformGravity>(data, Vector3(1.0, 2.0, -9.81)));
}

class QuaternionBodyTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { srand(1); }
  QuaternionBody system_ = bodyWithWeight(GetParam());
};

INSTANTIATE_TEST_SUITE_P(FixedAndFree, QuaternionBodyTest, testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Free" : "Fixed"; });

// Also off the unit sphere and with radial velocities, where integrators evaluate them too.
TEST_P(QuaternionBodyTest, ForcesAndConstraintDerivativesFollowFromTheEnergies) {
  for (int trial = 0; trial < 200; ++trial) {
    const VectorX q = VectorX::Random(system_.coordinates()), v = VectorX::Random(system_.coordinates());
    expectConsistentDerivatives(system_, 0.0, q, v);
  }
}

TEST_P(QuaternionBodyTest, KineticEnergyIsThatOfTheBody) {
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

// Lang, after (32): null M_p(p) is the line through p.
TEST_P(QuaternionBodyTest, MassIsSingularAlongTheQuaternion) {
  const VectorX q = system_.position(Vector3::Zero(), Quaternion::Random());
  const VectorX radial = system_.position(Vector3::Zero(), q.tail<4>());
  const MatrixX M = massOf(system_, q);
  EXPECT_LT((M * radial).norm(), 1e-14 * M.norm());
  Eigen::FullPivLU<MatrixX> lu(M);
  EXPECT_EQ(lu.setThreshold(1e-12).rank(), system_.coordinates() - 1);
}

TEST(QuaternionBody, RefusesMomentsOfInertiaThatAreNotPositive) {
  RigidBodyData data = body(false);
  data.inertia[1] = 0.0;
  EXPECT_THROW(QuaternionBody(data, nullptr), InputError);
}

TEST(QuaternionBody, RefusesAFreeBodyWithoutMass) {
  RigidBodyData data = body(true);
  data.mass = 0.0;
  EXPECT_THROW(QuaternionBody(data, nullptr), InputError);
}

}  // namespace
}  // namespace polhode::test
