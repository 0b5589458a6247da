#include "cost_curve.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::cost_curve_test {
namespace {

using namespace schemes;

CostCurve curveOf(const std::string& integrator, double factor) {
  return {"", integrator, {{1e-2, factor, 2.0 * factor, 0.0}, {1e-6, 100.0 * factor, 20.0 * factor, 0.0}}};
}

// Straight in logarithms: halfway between errors of 1e-2 and 1e-6 the cost is the geometric mean.
TEST(CostCurve, IsStraightInLogarithmsBetweenItsPoints) {
  const CostCurve curve = curveOf("dop853", 1.0);
  EXPECT_NEAR(curve.costFor(1e-4, &Cost::evaluations), 10.0, 1e-12);
  EXPECT_EQ(curve.costFor(1e-1, &Cost::evaluations), 1.0);
  EXPECT_TRUE(std::isinf(curve.costFor(1e-7, &Cost::evaluations)));
}

TEST(CostCurve, TheWinnerIsTheCheapestOfAllButTheLast) {
  Table table = winnerTable();
  addWinners(table, "top", {curveOf("director-em", 5.0), curveOf("gauss-8", 3.0), curveOf("dop853", 2.0)},
             {1e-4, 1e-9});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"top", "1e-04", "1.50 by gauss-8", "1.50 by gauss-8"}));
  EXPECT_EQ(table.rows[1][2], "not reached by both");
}

// A tighter tolerance gives a smaller error, and what is left of the energy without the work of dampers is exact for both a
// tree and a stiff loop with dampers. director-gauss is director-gauss-12.
TEST(CostCurve, ByToleranceOfATreeAndOfAStiffLoopWithDampers) {
  struct Motion {
    const char *example, *integrator;
    double end;
  };
  for (const Motion& motion : {Motion{"spatial-double-pendulum", "director-gauss", 0.5},
                               Motion{"flyball-governor", "director-gauss-8", 0.05}}) {
    const Model model = exampleModel(motion.example);
    const CostCurve curve =
        toleranceCurve("", model, motion.integrator, motion.end, 9.0, placementError(model, motion.end));
    ASSERT_EQ(curve.points.size(), 13u) << motion.example;
    EXPECT_LT(curve.points.back().error, 1e-7) << motion.example;
    EXPECT_LT(curve.points.back().error, curve.points.front().error) << motion.example;
    EXPECT_LT(curve.points.back().energyError, 1e-12) << motion.example;
    EXPECT_GT(curve.points.back().evaluations, 0.0) << motion.example;
  }
}

// Behind a run that takes longer than one is ready to wait no other is begun.
TEST(CostCurve, EndsWherePatienceDoes) {
  const Model model = exampleModel("spatial-double-pendulum");
  EXPECT_EQ(toleranceCurve("", model, "dop853", 0.1, 9.0, placementError(model, 0.1), 0.0).points.size(), 1u);
}

}  // namespace
}  // namespace polhode::cost_curve_test
