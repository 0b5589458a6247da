#include "integrate/mechanism/step_prediction.h"

#include "integrate/archive.h"
#include "integrate/mechanism/contraction.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace polhode::step_prediction_test {

constexpr double h = 1e-3;
constexpr int numbers = 11;  // more than are measured at once, and no multiple of them

/// Steps 0, ..., count - 1 of number(i, n); then how far from step `count` the prediction is.
double missAfter(int count, const std::function<double(int, int)>& number) {
  StepPrediction prediction(numbers, numbers);
  VectorX x(numbers);
  const auto at = [&](int n) {
    for (int i = 0; i < numbers; ++i) x[i] = number(i, n);
  };
  for (int n = 0; n < count; ++n) {
    at(n);
    prediction.begin(h);
    prediction.add(h, x);
  }
  VectorX next;
  prediction.predict(next);
  at(count);
  return (next - x).cwiseAbs().maxCoeff();
}

TEST(StepPrediction, FollowsPolynomials) {
  EXPECT_EQ(missAfter(1, [](int i, int) { return i + 1.0; }), 0.0);
  for (int degree = 0; degree <= 7; ++degree) {
    // roundings of the numbers, times weights whose sum is two to the power of the order
    const double roundings = 512.0 * std::numeric_limits<double>::epsilon() * std::pow(2.0, degree);
    EXPECT_LE(missAfter(20, [&](int i, int n) { return std::pow(0.05 * n + 0.1 * i, degree); }), roundings) << degree;
  }
}

// An oscillation of a thousand steps, on which numbers alternate: extrapolation alone would double them with each order.
TEST(StepPrediction, SeesThroughWhatChangesItsSignInEveryStep) {
  const auto smooth = [](int i, int n) { return std::sin(0.006 * n + i); };
  EXPECT_LE(missAfter(100, smooth), 1e-13);
  EXPECT_LE(missAfter(100, [&](int i, int n) { return smooth(i, n) + (n % 2 ? 1e-3 : -1e-3) * (1.0 + 1e-4 * n); }),
            1e-12);
}

// Of noise the best prediction is of low order: the tenth would miss by hundreds of times as much.
TEST(StepPrediction, DoesNotBlowUpNoise) {
  unsigned seed = 1;
  const auto noise = [&](int, int) {
    return static_cast<double>((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0;
  };
  EXPECT_LE(missAfter(100, noise), 4.0);
}

TEST(StepPrediction, MissesByWhatIsAskedFor) {
  StepPrediction prediction(numbers, numbers);
  VectorX x(numbers), next;
  const auto at = [&](int n) {
    for (int i = 0; i < numbers; ++i) x[i] = std::sin(0.01 * n + i);
  };
  for (int n = 0; n < 40; ++n) {
    at(n);
    prediction.add(h, x);
  }
  at(40);
  for (const double miss : {1e-4, 1e-6, 1e-8}) {
    prediction.predictNoBetterThan(miss, next);
    const double missed = (next - x).cwiseAbs().maxCoeff();
    EXPECT_GE(missed, 0.5 * miss);
    EXPECT_LE(missed, 200.0 * miss);  // the next order would be a hundred times better
  }
}

TEST(StepPrediction, ForgetsStepsOfAnotherLength) {
  StepPrediction prediction(1, 1);
  VectorX x = VectorX::Ones(1);
  prediction.add(h, x);
  prediction.begin(h);
  EXPECT_EQ(prediction.known, 1);
  prediction.begin(0.5 * h);
  EXPECT_EQ(prediction.known, 0);
}

TEST(StepPrediction, GoesOnFromACheckpoint) {
  StepPrediction prediction(numbers, numbers), other(numbers, numbers);
  VectorX x(numbers), next, again;
  const auto add = [&](StepPrediction& to, int n) {
    for (int i = 0; i < numbers; ++i) x[i] = std::sin(0.01 * n + i);
    to.add(h, x);
  };
  for (int n = 0; n < 29; ++n) add(prediction, n);
  Archive saved;
  prediction.persist(saved);
  Archive restored(saved.bytes());
  other.persist(restored);
  for (int n = 29; n < 50; ++n) {
    add(prediction, n);
    add(other, n);
    prediction.predict(next);
    other.predict(again);
    EXPECT_EQ(next, again);
  }
}

// Quadratic convergence, e -> 2 e^2, down to roundings of 1e-18 that look like slow convergence where nothing else is seen.
TEST(Contraction, IsLearnedAboveTheRoundings) {
  constexpr double target = 2e-19, roundings = 1e-16;
  Contraction contraction;
  int iterations = 0;
  for (int step = 0; step < 100; ++step) {
    double now = contraction.learns() ? 1e-9 : 1e-12, before = 0.0;
    while (++iterations && !contraction.suffices(now, before, target, roundings)) {
      before = now;
      now = std::max(2.0 * now * now, 1e-18);
    }
  }
  EXPECT_LE(iterations, 105);
}

}  // namespace polhode::step_prediction_test
