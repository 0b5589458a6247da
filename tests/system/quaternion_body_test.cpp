#include "system/quaternion_body.h"

#include "polhode/error.h"
#include "support/constrained_system_checks.h"
#include "support/rigid_bodies.h"

#include <gtest/gtest.h>

namespace polhode::test::quaternion_body_test {
namespace {

class QuaternionBodyTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { srand(1); }
  QuaternionBody system_ = unsymmetricalBodyWithWeight<QuaternionBody>(GetParam());
};

INSTANTIATE_TEST_SUITE_P(FixedAndFree, QuaternionBodyTest, testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Free" : "Fixed"; });

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
  RigidBodyData data = unsymmetricalBody(false);
  data.inertia[1] = 0.0;
  EXPECT_THROW(QuaternionBody(data, nullptr), InputError);
}

}  // namespace
}  // namespace polhode::test::quaternion_body_test
