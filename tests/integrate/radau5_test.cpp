#include "integrate/radau5.h"

#include "polhode/error.h"
#include "support/allocation_count.h"
#include "support/original_codes.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace polhode::test::radau5_test {
namespace {

// The original, too, accepts every step.
template <class Top>
void expectSameWithoutRejections(const OriginalRun& original) {
  const WorkCounts work = expectSameAsOriginal<Radau5<OdeSystem>, Top>(original);
  EXPECT_EQ(work.rejected, 0);
}

TEST(Radau5, DoesTheSameWorkAsTheOriginalInQuaternions) {
  expectSameWithoutRejections<QuaternionTop>({1e-6, 37956, 3980, 5.853769e-4, 3.930622e-4});
  expectSameWithoutRejections<QuaternionTop>({1e-9, 92702, 12673, 1.657925e-6, 1.144786e-6});
}

TEST(Radau5, DoesTheSameWorkAsTheOriginalInDirectors) {
  expectSameWithoutRejections<DirectorTop>({1e-6, 44366, 4751, 1.990074e-3, 1.315134e-4});
  expectSameWithoutRejections<DirectorTop>({1e-9, 112223, 15008, 6.012097e-6, 6.449964e-7});
}

TEST(Radau5, DoesTheSameWorkAsTheOriginalInEulerAngles) {
  expectSameWithoutRejections<EulerAngleTop>({1e-6, 40485, 4038, 4.865829e-4, 3.500856e-4});
  expectSameWithoutRejections<EulerAngleTop>({1e-9, 93586, 12946, 1.622593e-6, 1.140556e-6});
}

// Normalising the quaternion after each step moves it by less than the tolerance, so that nothing is formed
// anew: the original needed 37956 evaluations with the projection, too.
TEST(Radau5, ProjectionCostsNoEvaluation) {
  IntegratorOptions options = withTolerance(1e-6);
  options.initialStep = 1e-4;
  const QuaternionTop top;
  Radau5<QuaternionTop> radau(top, 0.0, QuaternionTop::initial(), 60.0, options);
  while (radau.time() < 60.0) {
    radau.step();
    QuaternionTop::State y = radau.state();
    y.head<4>().normalize();
    radau.replaceState(y);
  }
  EXPECT_NEAR(radau.work().rhsEvaluations, 37956, 0.005 * 37956);
  EXPECT_NEAR(radau.state().head<4>().norm(), 1.0, 1e-15);
}

// Every evaluation has its place: one a step, n a Jacobian, three an iteration of Newton's method.
TEST(Radau5, CountsAddUp) {
  const QuaternionTop top;
  Radau5<QuaternionTop> radau(top, 0.0, QuaternionTop::initial(), 5.0, withTolerance(1e-6));
  runTo(5.0, radau);
  const WorkCounts& work = radau.work();
  ASSERT_EQ(work.rejected, 0);
  EXPECT_EQ(work.rhsEvaluations, work.steps + 7 * work.jacobians + 3 * work.newtonIterations);
  EXPECT_GE(work.factorisations, work.jacobians);
  EXPECT_LT(work.factorisations, work.steps);
}

// ---------------------------------------------------------------------------------------------------------
// Order.

/// y1' = y2, y2' = -y1: linear, so that one Newton iteration solves the stages to 1e-8 of their size.
struct Oscillator {
  static constexpr int Size = 2;
  using State = Vector<double, Size>;
  int size() const { return Size; }
  void derivative(double, const State& y, State& dydt) const { dydt = State(y[1], -y[0]); }
  static State exact(double t) { return {std::cos(t), -std::sin(t)}; }
};

/// A tolerance so loose that all steps have the size h.
IntegratorOptions fixedStep(double h) {
  IntegratorOptions options = withTolerance(1.0);
  options.initialStep = options.largestStep = h;
  return options;
}

TEST(Radau5, ConvergesWithOrderFive) {
  const auto error = [](double h) {
    const Oscillator oscillator;
    Radau5<Oscillator> radau(oscillator, 0.0, Oscillator::exact(0.0), 8.0, fixedStep(h));
    runTo(8.0, radau);
    EXPECT_EQ(radau.work().steps, std::lround(8.0 / h));
    return (radau.state() - Oscillator::exact(8.0)).norm();
  };
  EXPECT_NEAR(std::log2(error(0.5) / error(0.25)), 5.0, 0.2);
  EXPECT_NEAR(std::log2(error(0.25) / error(0.125)), 5.0, 0.2);
}

// A collocation polynomial of degree 3: its error within one step is h^4.
TEST(Radau5, DenseOutputHasOrderThree) {
  const auto error = [](double h) {
    const Oscillator oscillator;
    Radau5<Oscillator> radau(oscillator, 0.0, Oscillator::exact(0.0), 8.0, fixedStep(h));
    radau.step();
    double largest = 0.0;
    for (double t = 0.0; t <= h; t += h / 64.0) {
      Oscillator::State y;
      radau.interpolate(t, y);
      largest = std::max(largest, (y - Oscillator::exact(t)).norm());
    }
    return largest;
  };
  EXPECT_NEAR(std::log2(error(0.2) / error(0.1)), 4.0, 0.15);
  EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), 4.0, 0.15);
}

TEST(Radau5, DenseOutputMeetsBothEndsOfTheStep) {
  const QuaternionTop top;
  Radau5<QuaternionTop> radau(top, 0.0, QuaternionTop::initial(), 1.0, withTolerance(1e-6));
  QuaternionTop::State y, before;
  radau.interpolate(0.0, y);
  EXPECT_EQ(y, QuaternionTop::initial());
  for (int i = 0; i < 20; ++i) {
    before = radau.state();
    radau.step();
  }
  radau.interpolate(radau.time(), y);
  EXPECT_EQ(y, radau.state());
  radau.interpolate(radau.previousTime(), y);
  EXPECT_LT((y - before).norm(), 1e-13);  // rounding of numbers of size 20

  // a replaced state is where the next step begins, not where the last one ended
  const QuaternionTop::State end = radau.state();
  radau.replaceState(before);
  radau.interpolate(radau.time(), y);
  EXPECT_EQ(y, end);
}

// ---------------------------------------------------------------------------------------------------------
// Stiffness.

/// Van der Pol's equation with eps = 1e-6.
struct VanDerPol {
  static constexpr int Size = 2;
  using State = Vector<double, Size>;
  int size() const { return Size; }
  void derivative(double, const State& y, State& dydt) const {
    dydt = State(y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6);
  }
};

// The reference value is that of the Test Set for Initial Value Problem Solvers (Mazzia & Magherini 2008,
// problem vdpol), for y(0) = (2, 0). The errors are about the tolerance; 10 covers the jump at t = 0.8.
// An explicit method would need about 1e6 steps.
TEST(Radau5, SolvesVanDerPolsEquation) {
  const VanDerPol::State reference(0.1706167732170483e1, -0.8928097010247975e0);
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const VanDerPol vanDerPol;
    Radau5<VanDerPol> radau(vanDerPol, 0.0, {2.0, 0.0}, 2.0, withTolerance(tol));
    runTo(2.0, radau);
    EXPECT_LT((radau.state() - reference).norm(), 10.0 * tol) << "tol = " << tol;
    EXPECT_LT(radau.work().steps, 2500) << "tol = " << tol;
  }
}

/// y' = -rate (y - cos t), of any size: what a stiff damper does to a coordinate.
struct Damper : OdeSystem {
  explicit Damper(int n, double rate) : n_(n), rate_(rate) {}
  int size() const override { return n_; }
  void derivative(double t, const State& y, State& dydt) const override {
    for (int i = 0; i < n_; ++i) dydt[i] = -rate_ * (y[i] - std::cos(t));
  }
  int n_;
  double rate_;
};

// The initial value is off the slow solution. The transient is damped, and then the step no longer depends on
// the stiffness.
TEST(Radau5, StepsDoNotShrinkWithStiffness) {
  for (const double rate : {1e2, 1e4, 1e6, 1e8}) {
    const Damper damper(3, rate);
    Radau5<OdeSystem> radau(damper, 0.0, VectorX::Constant(3, 2.0), 10.0, withTolerance(1e-6));
    runTo(10.0, radau);
    // y = cos t + sin t / rate + O(1 / rate^2)
    const double exact = std::cos(10.0) + std::sin(10.0) / rate;
    EXPECT_NEAR(radau.state()[0], exact, 1e-5 + 2.0 / (rate * rate)) << "rate = " << rate;
    EXPECT_LT(radau.work().steps, 200) << "rate = " << rate;
  }
}

// A jump of the state is forgotten like an initial transient, at the cost of a new Jacobian.
TEST(Radau5, RecoversFromAJump) {
  const Damper damper(1, 1e4);
  Radau5<OdeSystem> radau(damper, 0.0, VectorX::Constant(1, 1.0), 10.0, withTolerance(1e-6));
  while (radau.time() < 5.0) radau.step();
  const long jacobians = radau.work().jacobians;
  radau.replaceState(VectorX::Constant(1, 3.0));
  radau.step();
  EXPECT_GT(radau.work().jacobians, jacobians);
  runTo(10.0, radau);
  EXPECT_NEAR(radau.state()[0], std::cos(10.0) + 1e-4 * std::sin(10.0), 1e-5);
}

// ---------------------------------------------------------------------------------------------------------
// Memory.

template <class Ode>
long allocationsOf(const Ode& ode, const typename Ode::State& y0) {
  Radau5<Ode> radau(ode, 0.0, y0, 1.0, withTolerance(1e-6));
  typename Ode::State y = y0;
  const long before = allocationCount();
  while (radau.time() < 1.0) {
    radau.step();
    radau.interpolate(radau.time(), y);
    radau.replaceState(y);
  }
  return allocationCount() - before;
}

TEST(Radau5, AllocatesNothingAfterConstruction) {
  volatile int size = 3;  // so that the compiler cannot do without the vector
  const long before = allocationCount();
  const VectorX vector = VectorX::Ones(size);
  ASSERT_EQ(vector.sum(), 3.0);
  ASSERT_EQ(allocationCount() - before, 1) << "allocations of Eigen are not counted";

  EXPECT_EQ(allocationsOf(QuaternionTop{}, QuaternionTop::initial()), 0);
  EXPECT_EQ(allocationsOf(VanDerPol{}, {2.0, 0.0}), 0);
  EXPECT_EQ(allocationsOf<OdeSystem>(Damper(7, 1e3), VectorX::Constant(7, 2.0)), 0);
  EXPECT_EQ(allocationsOf<OdeSystem>(Damper(40, 1e3), VectorX::Constant(40, 2.0)), 0);
}

// ---------------------------------------------------------------------------------------------------------
// Failure.

/// y' = rate y^2 for each component of (1, 1), with sums instead of squares where `linear`.
struct Growth {
  static constexpr int Size = 2;
  using State = Vector<double, Size>;
  int size() const { return Size; }
  void derivative(double, const State& y, State& dydt) const {
    dydt = linear ? State::Constant(rate * y.sum()) : State(rate * y.array().square());
  }
  double rate = 1.0;
  bool linear = false;
};

/// Integrates from (1, 1) at t = 0 to 2 and returns the error; the state must be as it was before.
SimulationError failureOf(const Growth& growth, const IntegratorOptions& options) {
  Radau5<Growth> radau(growth, 0.0, {1.0, 1.0}, 2.0, options);
  for (;;) {
    const double time = radau.time();
    const Growth::State state = radau.state();
    try {
      radau.step();
      if (radau.time() == 2.0) return {2.0, "no error"};
    } catch (const SimulationError& error) {
      EXPECT_EQ(radau.time(), time);
      EXPECT_EQ(error.time(), time);
      EXPECT_EQ(radau.state(), state);
      return error;
    }
  }
}

TEST(Radau5, SaysWhereTheSolutionEnds) {
  const SimulationError error = failureOf({}, withTolerance(1e-6));  // y = 1 / (1 - t)
  EXPECT_NEAR(error.time(), 1.0, 1e-5);
  EXPECT_NE(std::string(error.what()).find("step size"), std::string::npos) << error.what();
}

TEST(Radau5, SaysThatStepsRanOut) {
  IntegratorOptions options = withTolerance(1e-6);
  options.mostSteps = 10;
  const SimulationError error = failureOf({}, options);
  EXPECT_LT(error.time(), 1.0);
  EXPECT_NE(std::string(error.what()).find("10 steps"), std::string::npos) << error.what();
}

// All entries of J are 1e30: gamma/h is lost in rounding, and what remains has rank one.
TEST(Radau5, SaysThatMatricesAreSingular) {
  const SimulationError error = failureOf({1e30, true}, withTolerance(1e-6));
  EXPECT_EQ(error.time(), 0.0);
  EXPECT_NE(std::string(error.what()).find("singular"), std::string::npos) << error.what();
}

TEST(Radau5, SaysThatTheRightHandSideIsNotFinite) {
  const SimulationError error = failureOf({std::numeric_limits<double>::quiet_NaN()}, withTolerance(1e-6));
  EXPECT_EQ(error.time(), 0.0);
  EXPECT_NE(std::string(error.what()).find("finite"), std::string::npos) << error.what();
}

TEST(Radau5, RefusesTolerancesBelowRounding) {
  const Oscillator oscillator;
  EXPECT_THROW(Radau5<Oscillator>(oscillator, 0.0, {1.0, 0.0}, 1.0, withTolerance(1e-16)), InputError);
  EXPECT_THROW(Radau5<Oscillator>(oscillator, 0.0, {1.0, 0.0}, 1.0, withTolerance(0.0)), InputError);
}

TEST(Radau5, StandsStillAtTheEnd) {
  const Oscillator oscillator;
  Radau5<Oscillator> radau(oscillator, 0.0, {1.0, 0.0}, 1.0, withTolerance(1e-6));
  runTo(1.0, radau);
  const long steps = radau.work().steps;
  radau.step();
  EXPECT_EQ(radau.time(), 1.0);
  EXPECT_EQ(radau.work().steps, steps);
}

}  // namespace
}  // namespace polhode::test::radau5_test
