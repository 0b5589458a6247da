#include "polhode/integrate/odex.h"

#include "polhode/error.h"

#include <cmath>

#include "support/allocation_count.h"
#include "support/lang_top.h"
#include <gtest/gtest.h>

namespace polhode {
namespace {

using namespace test;

IntegratorOptions tolerance(double tol) {
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = tol;
  return options;
}

template <class Ode>
void runTo(double end, Odex<Ode>& odex) {
  while (odex.time() < end) odex.step();
}

/// The control logic is that of the original to the last branch, so the counts agree unless rounding decides a
/// branch differently: 0.5 % leaves room for other compilers and processors, and for the evaluation that the original
/// repeats where a step is halved. The errors at t = 60 sum up many steps; 10 % leaves the same room.
template <class Top>
void expectSameAsOriginal(const OriginalRun& original) {
  const Top top;
  Odex<Top> odex(top, 0.0, Top::initial(), lang_top::endTime, tolerance(original.tol));
  runTo(lang_top::endTime, odex);

  EXPECT_EQ(odex.time(), lang_top::endTime);
  EXPECT_NEAR(odex.work().rhsEvaluations, original.evaluations, 0.005 * original.evaluations);
  EXPECT_NEAR(odex.work().steps, original.accepted, 0.005 * original.accepted);
  const double rotationError = (Top::rotation(odex.state()) - lang_top::rotationAtEnd()).cwiseAbs().maxCoeff();
  const double velocityError =
      (Top::angularVelocity(odex.state()) - lang_top::angularVelocityAtEnd()).cwiseAbs().maxCoeff();
  EXPECT_NEAR(rotationError, original.rotationError, 0.1 * original.rotationError);
  EXPECT_NEAR(velocityError, original.velocityError, 0.1 * original.velocityError);
}

TEST(Odex, DoesTheSameWorkAsTheOriginalInQuaternions) {
  expectSameAsOriginal<QuaternionTop>({1e-6, 19350, 454, 3.684013e-3, 2.488906e-3});
  expectSameAsOriginal<QuaternionTop>({1e-9, 31073, 431, 2.596513e-6, 1.766216e-6});
}

TEST(Odex, DoesTheSameWorkAsTheOriginalInDirectors) {
  expectSameAsOriginal<DirectorTop>({1e-6, 24418, 572, 7.195785e-3, 7.063931e-4});
  expectSameAsOriginal<DirectorTop>({1e-9, 41313, 729, 5.196379e-6, 5.140142e-7});
}

// The only formulation in which steps are halved, by the test of the first slopes.
TEST(Odex, DoesTheSameWorkAsTheOriginalInEulerAngles) {
  expectSameAsOriginal<EulerAngleTop>({1e-6, 19981, 475, 2.035342e-3, 1.508244e-3});
  expectSameAsOriginal<EulerAngleTop>({1e-9, 31483, 449, 1.231391e-6, 8.773222e-7});
}

TEST(Odex, DoesTheSameWorkAsTheOriginalInAbsoluteCoordinates) {
  expectSameAsOriginal<QuaternionVelocityTop>({1e-6, 22795, 573, 1.098292e-2, 1.017685e-2});
  expectSameAsOriginal<QuaternionVelocityTop>({1e-9, 38280, 676, 2.805087e-5, 2.593612e-5});
  expectSameAsOriginal<DirectorVelocityTop>({1e-6, 26924, 630, 4.359308e-1, 3.131414e-1});
  expectSameAsOriginal<DirectorVelocityTop>({1e-9, 44982, 622, 6.039829e-3, 5.3932e-3});
}

// The order follows the tolerance: from 1e-4 to 1e-12 the error falls by 1e8 and the work no more than fourfold,
// where a method of order 5 would need forty times as much.
TEST(Odex, RaisesItsOrderForTightTolerances) {
  const QuaternionTop top;
  Odex<QuaternionTop> loose(top, 0.0, QuaternionTop::initial(), 5.0, tolerance(1e-4));
  Odex<QuaternionTop> tight(top, 0.0, QuaternionTop::initial(), 5.0, tolerance(1e-12));
  runTo(5.0, loose);
  runTo(5.0, tight);
  EXPECT_LT(tight.work().rhsEvaluations, 5 * loose.work().rhsEvaluations);
}

// ---------------------------------------------------------------------------------------------------------
// Dense output

struct Interpolation {
  double error = 0.0;  // the largest, within steps
  long evaluations = 0;
};

/// Compares dense output with steps of their own, in steps of a run to t = 2.
Interpolation interpolate(double tol) {
  const QuaternionTop top;
  Odex<QuaternionTop> odex(top, 0.0, QuaternionTop::initial(), 2.0, tolerance(tol));
  Interpolation result;
  QuaternionTop::State start, y;
  while (odex.time() < 2.0) {
    start = odex.state();
    odex.step();
    for (const double s : {0.1, 0.3, 0.5, 0.8}) {
      const double t = odex.previousTime() + s * (odex.time() - odex.previousTime());
      odex.interpolate(t, y);
      Odex<QuaternionTop> exact(top, odex.previousTime(), start, t, tolerance(1e-14));
      runTo(t, exact);
      result.error = std::max(result.error, (y - exact.state()).cwiseAbs().maxCoeff());
    }
  }
  result.evaluations = odex.work().rhsEvaluations;
  return result;
}

// Rows are added to the interpolant until it is as good as the steps themselves: a few times the tolerance.
TEST(Odex, InterpolatesAsAccuratelyAsItSteps) {
  for (const double tol : {1e-3, 1e-6, 1e-9, 1e-12}) EXPECT_LT(interpolate(tol).error, 4.0 * tol) << "tol " << tol;
}

TEST(Odex, InterpolatesContinuouslyWithContinuousSlopes) {
  const QuaternionTop top;
  Odex<QuaternionTop> odex(top, 0.0, QuaternionTop::initial(), 60.0, tolerance(1e-6));
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
  Odex<QuaternionTop> asked(top, 0.0, QuaternionTop::initial(), 60.0, tolerance(1e-6));
  Odex<QuaternionTop> plain(top, 0.0, QuaternionTop::initial(), 60.0, tolerance(1e-6));
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

// ---------------------------------------------------------------------------------------------------------
// Behaviour at the edges

TEST(Odex, StartsWithTheInitialValueAndStopsAtTheEnd) {
  const QuaternionTop top;
  Odex<QuaternionTop> odex(top, 0.0, QuaternionTop::initial(), 0.3, tolerance(1e-6));
  QuaternionTop::State y;
  odex.interpolate(0.0, y);
  EXPECT_EQ(y, QuaternionTop::initial());
  runTo(0.3, odex);
  EXPECT_EQ(odex.time(), 0.3);
  const long evaluations = odex.work().rhsEvaluations;
  odex.step();
  EXPECT_EQ(odex.work().rhsEvaluations, evaluations);
}

TEST(Odex, GoesOnFromAReplacedState) {
  const QuaternionTop top;
  Odex<QuaternionTop> odex(top, 0.0, QuaternionTop::initial(), 1.0, tolerance(1e-8));
  for (int i = 0; i < 4; ++i) odex.step();
  const double t = odex.time();
  const QuaternionTop::State other = 1.01 * odex.state();
  const QuaternionTop::State computed = odex.state();
  odex.replaceState(other);
  EXPECT_EQ(odex.state(), other);

  // dense output still shows the step as it was computed
  QuaternionTop::State y;
  odex.interpolate(t, y);
  EXPECT_LT((y - computed).norm(), 1e-10);
  runTo(1.0, odex);

  Odex<QuaternionTop> fresh(top, t, other, 1.0, tolerance(1e-12));
  runTo(1.0, fresh);
  EXPECT_LT((odex.state() - fresh.state()).norm(), 1e-6);
}

/// y' = y^2, y(0) = 1, with a pole at t = 1.
struct Pole {
  static constexpr int Size = 1;
  using State = Vector<double, 1>;
  int size() const { return 1; }
  void derivative(double, const State& y, State& dydt) const { dydt[0] = y[0] * y[0]; }
};

TEST(Odex, SaysWhereItCannotGoOn) {
  const Pole pole;
  Odex<Pole> odex(pole, 0.0, Pole::State(1.0), 2.0, tolerance(1e-8));
  try {
    runTo(2.0, odex);
    FAIL() << "integrated through a pole";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), 1.0, 1e-6);
    EXPECT_NE(std::string(error.what()).find("step size"), std::string::npos) << error.what();
  }
}

TEST(Odex, StopsWhenTheStepsRunOut) {
  const QuaternionTop top;
  IntegratorOptions options = tolerance(1e-6);
  options.mostSteps = 10;
  Odex<QuaternionTop> odex(top, 0.0, QuaternionTop::initial(), 60.0, options);
  EXPECT_THROW(runTo(60.0, odex), SimulationError);
  EXPECT_EQ(odex.work().steps, 10);
}

/// The top as a system whose size is known at run time only.
class DynamicTop : public OdeSystem {
 public:
  int size() const override { return 7; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    QuaternionTop::State f;
    top_.derivative(t, y, f);
    dydt = f;
  }

 private:
  QuaternionTop top_;
};

TEST(Odex, AllocatesNothingAfterConstruction) {
  const DynamicTop top;
  const VectorX initial = QuaternionTop::initial();
  Odex<OdeSystem> odex(top, 0.0, initial, 60.0, tolerance(1e-9));
  VectorX y = initial;
  const long before = allocationCount();
  for (int i = 0; i < 50; ++i) {
    odex.step();
    odex.interpolate(0.5 * (odex.previousTime() + odex.time()), y);
    odex.replaceState(odex.state());
  }
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace polhode
