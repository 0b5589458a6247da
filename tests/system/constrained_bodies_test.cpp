#include "polhode/error.h"
#include "support/constrained_system_checks.h"
#include "support/rigid_bodies.h"
#include "system/director_body.h"
#include "system/quaternion_body.h"

#include <gtest/gtest.h>

/// What a rigid body must be as a constrained system, fixed in a point or free, in every parametrisation; what is special
/// to one is in director_body_test.cpp and quaternion_body_test.cpp.
namespace polhode::test::constrained_bodies_test {
namespace {

template <class Body>
class ConstrainedBodyTest : public testing::Test {
 protected:
  void SetUp() override { srand(1); }
};
using ConstrainedBodies = testing::Types<QuaternionBody, DirectorBody>;
TYPED_TEST_SUITE(ConstrainedBodyTest, ConstrainedBodies);

// Also off the constraints (quaternions off the unit sphere with radial velocities, directors far from orthonormal),
// where integrators evaluate them too.
TYPED_TEST(ConstrainedBodyTest, ForcesAndConstraintDerivativesFollowFromTheEnergies) {
  for (const bool translates : {false, true}) {
    SCOPED_TRACE(translates ? "free" : "fixed");
    const auto system = unsymmetricalBodyWithWeight<TypeParam>(translates);
    for (int trial = 0; trial < 200; ++trial) {
      const VectorX q = VectorX::Random(system.coordinates()), v = VectorX::Random(system.coordinates());
      expectConsistentDerivatives(system, 0.0, q, v);
    }
  }
}

TYPED_TEST(ConstrainedBodyTest, KineticEnergyIsThatOfTheBody) {
  for (const bool translates : {false, true}) {
    SCOPED_TRACE(translates ? "free" : "fixed");
    const RigidBodyData data = unsymmetricalBody(translates);
    const auto system = unsymmetricalBodyWithWeight<TypeParam>(translates);
    for (int trial = 0; trial < 200; ++trial) {
      const Vector3 xdot = Vector3::Random(), Omega = Vector3::Random();
      const VectorX q = system.position(Vector3::Random(), Quaternion::Random().normalized());
      const VectorX v = system.velocity(q, xdot, Omega);
      const double translation = translates ? 0.5 * data.mass * xdot.squaredNorm() : 0.0;
      const double expected = translation + 0.5 * Omega.dot(data.inertia.cwiseProduct(Omega));
      EXPECT_NEAR(kineticEnergy(system, q, v), expected, 1e-14 * data.inertia.sum());  // round-off
      EXPECT_LT((system.angularVelocity(q, v) - Omega).norm(), 1e-15 * 4);
    }
  }
}

TYPED_TEST(ConstrainedBodyTest, RefusesAFreeBodyWithoutMass) {
  RigidBodyData data = unsymmetricalBody(true);
  data.mass = 0.0;
  EXPECT_THROW(TypeParam(data, nullptr), InputError);
}

}  // namespace
}  // namespace polhode::test::constrained_bodies_test
