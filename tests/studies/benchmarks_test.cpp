#include "cost_curve.h"
#include "standard_problems.h"

#include <cmath>

#include <gtest/gtest.h>

/// The standard problems, as the study of them sees them.
namespace polhode::standard::benchmarks_test {
namespace {

TEST(BenchmarksStudy, RequirementsAreMet) {
  for (const Problem& problem : problems()) {
    const Claim claim = required(problem, problem.instants.front());
    EXPECT_TRUE(claim.holds) << claim.statement << ": " << claim.measured;
    if (!problem.others || problem.label == "A02") continue;  // long runs, those of tests/integrate/mechanism
    for (const Claim& other : problem.others()) EXPECT_TRUE(other.holds) << other.statement << ": " << other.measured;
  }
}

// A requirement that is not met is told as such.
TEST(BenchmarksStudy, ALooseRunDoesNotPass) {
  Problem pendulum = problems()[1];
  pendulum.accurate = {"dopri5", 1e-4};
  EXPECT_FALSE(required(pendulum, pendulum.instants.back()).holds);
}

TEST(BenchmarksStudy, AnglesAreComparedWithoutTurnsAndNothingHidesANan) {
  const Problem& slider = problems().back();
  Problem one = slider;
  one.instants = {{1.0, {0.5, 0.25}}};
  Observation at;
  at.time = 1.0;
  one.observe = [](const Observation&) -> std::vector<Observed> { return {{0.5}, {0.25 + 4.0 * M_PI, true}}; };
  EXPECT_NEAR(one.error(at), 0.0, 1e-14);
  one.observe = [](const Observation&) -> std::vector<Observed> { return {{std::nan("")}, {0.25, true}}; };
  EXPECT_TRUE(std::isnan(one.error(at)));
}

TEST(BenchmarksStudy, CostForAnErrorIsStraightInLogarithms) {
  const schemes::CostCurve curve{"", "", {{1e-2, 100, 1, 0}, {1e-4, 1000, 2, 0}, {std::nan(""), 5, 3, 0}}};
  EXPECT_NEAR(curve.costFor(1e-3, &schemes::Cost::evaluations), std::sqrt(1e5), 1e-9);
  EXPECT_EQ(curve.costFor(1e-1, &schemes::Cost::evaluations), 100);
  EXPECT_TRUE(std::isinf(curve.costFor(1e-5, &schemes::Cost::evaluations)));
}

}  // namespace
}  // namespace polhode::standard::benchmarks_test
