#include "system/mass_constraint_solver.h"

#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::test::mass_constraint_solver_test {
namespace {

// A heavy and a light particle on a line, joined rigidly: a = (b1 + b2)/(m1 + m2) for both, whatever the
// ratio of masses.
TEST(MassConstraintSolver, SharesTheForceBetweenJoinedParticles) {
  for (const double ratio : {1.0, 1e-6, 1e-12}) {
    MassConstraintSolver solver(2, 1);
    solver.M.diagonal() << 1e3, 1e3 * ratio;
    solver.G << 1.0, -1.0;
    solver.factorise(0.0);
    VectorX a, l;
    solver.solve(Eigen::Vector2d(2.0, 3.0), VectorX::Zero(1), a, l);
    const double expected = 5.0 / (1e3 * (1.0 + ratio));
    // Round-off of the acceleration that each force alone would give.
    EXPECT_NEAR(a[0], expected, 1e-15 * 2.0 / solver.M(0, 0));
    EXPECT_NEAR(a[1], expected, 1e-15 * 3.0 / solver.M(1, 1));
    EXPECT_NEAR(l[0], 2.0 - 1e3 * expected, 1e-12);
  }
}

TEST(MassConstraintSolver, AcceptsADirectionWithoutMassThatAConstraintFixes) {
  MassConstraintSolver solver(2, 1);
  solver.M(0, 0) = 2.0;
  solver.G << 0.0, 1.0;
  solver.factorise(0.0);
  VectorX a, l;
  solver.solve(Eigen::Vector2d(4.0, 5.0), VectorX::Constant(1, -3.0), a, l);
  EXPECT_DOUBLE_EQ(a[0], 2.0);
  EXPECT_DOUBLE_EQ(a[1], -3.0);
  EXPECT_DOUBLE_EQ(l[0], 5.0);
}

// The same constraint twice: the acceleration is that of the single one, each row carries half of its force.
TEST(MassConstraintSolver, SharesTheConstraintForceBetweenRedundantRows) {
  MassConstraintSolver solver(2, 2);
  solver.M.setIdentity();
  solver.G << 1.0, 1.0, 1.0, 1.0;
  solver.factorise(0.0);
  VectorX a, l;
  solver.solve(Eigen::Vector2d(3.0, 1.0), VectorX::Zero(2), a, l);
  EXPECT_NEAR(a[0], 1.0, 1e-14);
  EXPECT_NEAR(a[1], -1.0, 1e-14);
  EXPECT_NEAR(l[0], 1.0, 1e-14);
  EXPECT_NEAR(l[1], 1.0, 1e-14);
}

TEST(MassConstraintSolver, RefusesADirectionWithoutMassThatNothingFixes) {
  MassConstraintSolver solver(2, 1);
  solver.M(0, 0) = 2.0;
  solver.G << 1.0, 0.0;
  EXPECT_THROW(solver.factorise(0.5), SimulationError);
}

}  // namespace
}  // namespace polhode::test::mass_constraint_solver_test
