#include "integrate/hamilton_midpoint.h"

#include "polhode/error.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::hamilton_midpoint_test {
namespace {

// With the true inverse of M the two midpoint rules are one, except for the velocities at the ends of steps.
TEST(HamiltonMidpoint, HasCoordinatesAndMomentaOfTheLivensMidpointRule) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  HamiltonMidpoint hamilton(*system, 0, named.initialState(), 1, 0.01);
  LivensMidpoint livens(*system, 0, named.initialState(), 1, 0.01);
  MatrixX M(3, 3);
  while (hamilton.time() < 1) {
    hamilton.step();
    livens.step();
    ASSERT_LT((hamilton.q() - livens.q()).norm(), 1e-12);
    ASSERT_LT((hamilton.p() - livens.p()).norm(), 1e-12);
    system->mass(hamilton.q(), M);
    ASSERT_LT((M * hamilton.v() - hamilton.p()).norm(), 1e-13);
  }
  EXPECT_GT((hamilton.v() - livens.v()).norm(), 1e-6);
}

TEST(HamiltonMidpoint, RefusesASingularMassMatrix) {
  const NamedSystem& named = namedSystem("mass-spring");
  const auto system = named.make();
  EXPECT_THROW(HamiltonMidpoint(*system, 0, named.initialState(), 1, 0.01), InputError);
}

}  // namespace
}  // namespace polhode::hamilton_midpoint_test
