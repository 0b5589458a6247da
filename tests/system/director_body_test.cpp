#include "system/director_body.h"

#include "polhode/error.h"
#include "support/rigid_bodies.h"

#include <gtest/gtest.h>

namespace polhode::test::director_body_test {
namespace {

class DirectorBodyTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { srand(1); }
  DirectorBody system_ = unsymmetricalBodyWithWeight<DirectorBody>(GetParam());
};

INSTANTIATE_TEST_SUITE_P(FixedAndFree, DirectorBodyTest, testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Free" : "Fixed"; });

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
  const auto system = unsymmetricalBodyWithWeight<DirectorBody>(false);
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
  RigidBodyData data = unsymmetricalBody(false);
  data.inertia = Vector3(1.0, 1.0, 3.0);
  EXPECT_THROW(DirectorBody(data, nullptr), InputError);
}

}  // namespace
}  // namespace polhode::test::director_body_test
