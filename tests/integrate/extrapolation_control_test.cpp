#include "integrate/extrapolation_control.h"

#include "integrate/odex.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace polhode::extrapolation_control_test {
namespace {

using Outcome = ExtrapolationControl::Outcome;
constexpr ExtrapolationRules rules = odexRules();
constexpr int k = 5;

/// An attempt with given errors of rows 1, 2, ..., after which `control` knows how it ended.
Outcome attempt(ExtrapolationControl& control, const std::vector<double>& errors, bool anyRow = false) {
  return control.attempt(0.1, anyRow, [&errors](int row) { return errors.at(row - 1); });
}

TEST(ExtrapolationControl, AcceptsTheRowsAroundTheExpectedOne) {
  ExtrapolationControl control(rules, k, 1.0);
  EXPECT_EQ(attempt(control, {0, 1e4, 1e2, 0.5}), Outcome::accepted);
  EXPECT_EQ(control.row(), k - 1);
  EXPECT_EQ(attempt(control, {0, 1e4, 1e3, 20, 0.5}), Outcome::accepted);
  EXPECT_EQ(control.row(), k);
  EXPECT_EQ(attempt(control, {0, 1e4, 1e3, 100, 10, 0.5}), Outcome::accepted);
  EXPECT_EQ(control.row(), k + 1);
}

TEST(ExtrapolationControl, TakesAnyRowInTheFirstStep) {
  ExtrapolationControl control(rules, k, 1.0);
  EXPECT_EQ(attempt(control, {0, 0.9}, true), Outcome::accepted);
  EXPECT_EQ(control.row(), 2);
}

// From row k-1 on an error must be within (n_k n_{k+1}/4)^2, then within (n_{k+1}/2)^2: here 900 and 36.
TEST(ExtrapolationControl, GivesUpWhereThereIsNoHope) {
  ExtrapolationControl early(rules, k, 1.0), late(rules, k, 1.0), hopeful(rules, k, 1.0);
  EXPECT_EQ(attempt(early, {0, 1e6, 1e5, 1000}), Outcome::rejected);
  EXPECT_EQ(early.row(), k - 1);
  EXPECT_EQ(attempt(late, {0, 1e6, 1e5, 800, 37}), Outcome::rejected);
  EXPECT_EQ(late.row(), k);
  EXPECT_EQ(attempt(hopeful, {0, 1e6, 1e5, 800, 35, 1.0}), Outcome::accepted);
  EXPECT_EQ(hopeful.row(), k + 1);
}

TEST(ExtrapolationControl, HalvesTheStepOfADivergingTableau) {
  ExtrapolationControl control(rules, k, 1.0);
  EXPECT_EQ(attempt(control, {0, 2.0, 9.0}), Outcome::unstable);
  EXPECT_DOUBLE_EQ(control.afterUnstable(), 0.05);
  EXPECT_EQ(attempt(control, {0, std::numeric_limits<double>::quiet_NaN()}), Outcome::unstable);
  EXPECT_EQ(attempt(control, {0, std::numeric_limits<double>::infinity()}), Outcome::unstable);
}

TEST(ExtrapolationControl, DoesNotGrowAfterARejection) {
  ExtrapolationControl control(rules, k, 1.0);
  EXPECT_EQ(attempt(control, {0, 1e6, 1e5, 1e4}), Outcome::rejected);
  const double smaller = control.afterRejected();
  EXPECT_LT(smaller, 0.1);
  EXPECT_TRUE(control.afterRejection());
  EXPECT_EQ(attempt(control, {0, 1e-3, 1e-6, 1e-9, 1e-12}), Outcome::accepted);
  EXPECT_LE(control.afterAccepted(), 0.1);
  EXPECT_FALSE(control.afterRejection());
}

TEST(ExtrapolationControl, NeverExceedsTheLargestStep) {
  ExtrapolationControl control(rules, k, 0.12);
  EXPECT_EQ(attempt(control, {0, 1e-2, 1e-4, 1e-8, 0}), Outcome::accepted);
  EXPECT_DOUBLE_EQ(control.afterAccepted(), 0.12);
}

}  // namespace
}  // namespace polhode::extrapolation_control_test
