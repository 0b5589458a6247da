#include "integrate/odex.h"

#include "support/original_codes.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::test::odex_test {
namespace {

TEST(Odex, DoesTheSameWorkAsTheOriginalInQuaternions) {
  expectSameAsOriginal<Odex<OdeSystem>, QuaternionTop>({1e-6, 19350, 454, 3.684013e-3, 2.488906e-3});
  expectSameAsOriginal<Odex<OdeSystem>, QuaternionTop>({1e-9, 31073, 431, 2.596513e-6, 1.766216e-6});
}

TEST(Odex, DoesTheSameWorkAsTheOriginalInDirectors) {
  expectSameAsOriginal<Odex<OdeSystem>, DirectorTop>({1e-6, 24418, 572, 7.195785e-3, 7.063931e-4});
  expectSameAsOriginal<Odex<OdeSystem>, DirectorTop>({1e-9, 41313, 729, 5.196379e-6, 5.140142e-7});
}

// The only formulation in which steps are halved, by the test of the first slopes.
TEST(Odex, DoesTheSameWorkAsTheOriginalInEulerAngles) {
  expectSameAsOriginal<Odex<OdeSystem>, EulerAngleTop>({1e-6, 19981, 475, 2.035342e-3, 1.508244e-3});
  expectSameAsOriginal<Odex<OdeSystem>, EulerAngleTop>({1e-9, 31483, 449, 1.231391e-6, 8.773222e-7});
}

TEST(Odex, DoesTheSameWorkAsTheOriginalInAbsoluteCoordinates) {
  expectSameAsOriginal<Odex<OdeSystem>, QuaternionVelocityTop>({1e-6, 22795, 573, 1.098292e-2, 1.017685e-2});
  expectSameAsOriginal<Odex<OdeSystem>, QuaternionVelocityTop>({1e-9, 38280, 676, 2.805087e-5, 2.593612e-5});
  expectSameAsOriginal<Odex<OdeSystem>, DirectorVelocityTop>({1e-6, 26924, 630, 4.359308e-1, 3.131414e-1});
  expectSameAsOriginal<Odex<OdeSystem>, DirectorVelocityTop>({1e-9, 44982, 622, 6.039829e-3, 5.3932e-3});
}

// The order follows the tolerance: from 1e-4 to 1e-12 the error falls by 1e8 and the work no more than fourfold,
// where a method of order 5 would need forty times as much.
TEST(Odex, RaisesItsOrderForTightTolerances) {
  const QuaternionTop top;
  Odex<QuaternionTop> loose(top, 0.0, QuaternionTop::initial(), 5.0, withTolerance(1e-4));
  Odex<QuaternionTop> tight(top, 0.0, QuaternionTop::initial(), 5.0, withTolerance(1e-12));
  runTo(5.0, loose);
  runTo(5.0, tight);
  EXPECT_LT(tight.work().rhsEvaluations, 5 * loose.work().rhsEvaluations);
}

// ---------------------------------------------------------------------------------------------------------
// Dense output

// Rows are added to the interpolant until it is as good as the steps themselves: a few times the tolerance.
TEST(Odex, InterpolatesAsAccuratelyAsItSteps) {
  const QuaternionTop top;
  for (const double tol : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const double error = interpolationError<Odex<QuaternionTop>>(top, QuaternionTop::initial(), 2.0, tol, 1e-14);
    EXPECT_LT(error, 4.0 * tol) << "tol " << tol;
  }
}

TEST(Odex, InterpolatesContinuouslyWithContinuousSlopes) {
  const QuaternionTop top;
  Odex<QuaternionTop> odex(top, 0.0, QuaternionTop::initial(), 60.0, withTolerance(1e-6));
  for (int i = 0; i < 20; ++i) odex.step();

  // the end of a step and the start of the next; the slope from differences of second order, h^2 |y'''| < 1e-6
  const double h = 1e-5, t = odex.time();
  const QuaternionTop::State end = odex.state();
  QuaternionTop::State before, beforeThat, after, afterThat, slope;
  odex.interpolate(t, before);
  EXPECT_LT((before - end).norm(), 1e-13);
  odex.interpolate(t - h, before);
  odex.interpolate(t - 2 * h, beforeThat);
  odex.step();
  odex.interpolate(t, after);
  EXPECT_LT((after - end).norm(), 1e-13);
  odex.interpolate(t + h, after);
  odex.interpolate(t + 2 * h, afterThat);
  top.derivative(t, end, slope);
  EXPECT_LT(((3.0 * end - 4.0 * before + beforeThat) / (2 * h) - slope).norm(), 2e-6);
  EXPECT_LT(((4.0 * after - 3.0 * end - afterThat) / (2 * h) - slope).norm(), 2e-6);
}

TEST(Odex, EvaluatesForDenseOutputOnlyOnRequest) {
  const QuaternionTop top;
  Odex<QuaternionTop> asked(top, 0.0, QuaternionTop::initial(), 60.0, withTolerance(1e-6));
  Odex<QuaternionTop> plain(top, 0.0, QuaternionTop::initial(), 60.0, withTolerance(1e-6));
  QuaternionTop::State y;
  for (int i = 0; i < 10; ++i) {
    asked.step();
    plain.step();
  }
  asked.interpolate(asked.previousTime(), y);
  const long once = asked.work().rhsEvaluations;
  EXPECT_GT(once, plain.work().rhsEvaluations);
  asked.interpolate(asked.time(), y);
  EXPECT_EQ(asked.work().rhsEvaluations, once);

  // the slope at the end of the step, evaluated for dense output, is the first of the next step
  const long atEnd = plain.work().rhsEvaluations;
  asked.step();
  plain.step();
  EXPECT_EQ(asked.work().rhsEvaluations - once, plain.work().rhsEvaluations - atEnd - 1);
  EXPECT_EQ(asked.state(), plain.state());
}

}  // namespace
}  // namespace polhode::test::odex_test
