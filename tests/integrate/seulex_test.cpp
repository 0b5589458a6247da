#include "polhode/integrate/seulex.h"

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
void runTo(double end, Seulex<Ode>& seulex) {
  while (seulex.time() < end) seulex.step();
}

/// The control logic is that of the original to the last branch, so the counts agree unless rounding decides a
/// branch differently: 0.5 % leaves room for other compilers and processors. The errors at t = 60 sum up many steps;
/// 10 % leaves the same room.
template <class Top>
void expectSameAsOriginal(const OriginalRun& original) {
  const Top top;
  Seulex<Top> seulex(top, 0.0, Top::initial(), lang_top::endTime, tolerance(original.tol));
  runTo(lang_top::endTime, seulex);

  EXPECT_EQ(seulex.time(), lang_top::endTime);
  EXPECT_NEAR(seulex.work().rhsEvaluations, original.evaluations, 0.005 * original.evaluations);
  EXPECT_NEAR(seulex.work().steps, original.accepted, 0.005 * original.accepted);
  const double rotationError = (Top::rotation(seulex.state()) - lang_top::rotationAtEnd()).cwiseAbs().maxCoeff();
  const double velocityError =
      (Top::angularVelocity(seulex.state()) - lang_top::angularVelocityAtEnd()).cwiseAbs().maxCoeff();
  EXPECT_NEAR(rotationError, original.rotationError, 0.1 * original.rotationError);
  EXPECT_NEAR(velocityError, original.velocityError, 0.1 * original.velocityError);
}

TEST(Seulex, DoesTheSameWorkAsTheOriginalInQuaternions) {
  expectSameAsOriginal<QuaternionTop>({1e-6, 46493, 625, 1.615471e-3, 1.034324e-3});
  expectSameAsOriginal<QuaternionTop>({1e-9, 98399, 655, 1.676688e-6, 1.136864e-6});
}

TEST(Seulex, DoesTheSameWorkAsTheOriginalInDirectors) {
  expectSameAsOriginal<DirectorTop>({1e-6, 69013, 1215, 5.374933e-3, 5.754208e-4});
  expectSameAsOriginal<DirectorTop>({1e-9, 137182, 1241, 5.479213e-6, 5.528529e-7});
}

TEST(Seulex, DoesTheSameWorkAsTheOriginalInEulerAngles) {
  expectSameAsOriginal<EulerAngleTop>({1e-6, 44613, 613, 6.945435e-4, 4.502823e-4});
  expectSameAsOriginal<EulerAngleTop>({1e-9, 96124, 645, 5.826238e-7, 4.641654e-7});
}

// Directors with their velocities at 1e-6 are left out: there the last bit of the initial value changes the counts
// by 5 % and the error, which is as large as the solution, by a factor of 4.
TEST(Seulex, DoesTheSameWorkAsTheOriginalInAbsoluteCoordinates) {
  expectSameAsOriginal<QuaternionVelocityTop>({1e-6, 70905, 1303, 6.7671e-2, 6.394448e-2});
  expectSameAsOriginal<QuaternionVelocityTop>({1e-9, 140102, 1275, 4.442868e-5, 4.164494e-5});
  expectSameAsOriginal<DirectorVelocityTop>({1e-9, 162133, 977, 4.084051e-3, 3.797461e-3});
}

// ---------------------------------------------------------------------------------------------------------
// Stiff problems

/// Van der Pol's equation with relaxation time 1e-6.
struct VanDerPol {
  static constexpr int Size = 2;
  using State = Vector<double, 2>;
  int size() const { return 2; }
  void derivative(double, const State& y, State& dydt) const {
    dydt[0] = y[1];
    dydt[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
  }
};

// Reference: Mazzia & Magherini, Test Set for Initial Value Problem Solvers, from (2, 0) at t = 0. The solution jumps
// twice on the way and multiplies local errors there, by about 100.
TEST(Seulex, SolvesVanDerPolsEquation) {
  const VanDerPol equation;
  const VanDerPol::State reference(1.706167732170483, -0.8928097010247975);
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Seulex<VanDerPol> seulex(equation, 0.0, VanDerPol::State(2.0, 0.0), 2.0, tolerance(tol));
    runTo(2.0, seulex);
    EXPECT_LT((seulex.state() - reference).norm(), 100.0 * tol) << "tol " << tol;
    EXPECT_LT(seulex.work().steps, 250) << "tol " << tol;
  }
}

/// Prothero & Robinson: y' = lambda (y - cos t) - sin t, whose smooth solution cos t depends on time alone.
struct ProtheroRobinson {
  static constexpr int Size = 1;
  using State = Vector<double, 1>;
  double lambda = -1e6;
  int size() const { return 1; }
  void derivative(double t, const State& y, State& dydt) const {
    dydt[0] = lambda * (y[0] - std::cos(t)) - std::sin(t);
  }
};

// Without f(t_{i+1}, y_i) the stability check would hold the steps at the size of the tolerance.
TEST(Seulex, SolvesStiffEquationsThatDependOnTime) {
  const ProtheroRobinson equation;
  for (const double tol : {1e-4, 1e-7, 1e-10}) {
    Seulex<ProtheroRobinson> seulex(equation, 0.0, ProtheroRobinson::State(1.0), 2.0, tolerance(tol));
    runTo(2.0, seulex);
    EXPECT_NEAR(seulex.state()[0], std::cos(2.0), 10.0 * tol) << "tol " << tol;
    EXPECT_LT(seulex.work().steps, 40) << "tol " << tol;
  }
}

struct Oscillator {
  static constexpr int Size = 2;
  using State = Vector<double, 2>;
  int size() const { return 2; }
  void derivative(double, const State& y, State& dydt) const { dydt = State(y[1], -4.0 * y[0]); }
};

// J is kept while theta is small: always if f is linear.
TEST(Seulex, KeepsTheJacobianOfALinearEquation) {
  const Oscillator oscillator;
  Seulex<Oscillator> seulex(oscillator, 0.0, Oscillator::State(1.0, 0.0), 10.0, tolerance(1e-5));
  runTo(10.0, seulex);
  EXPECT_NEAR(seulex.state()[0], std::cos(20.0), 1e-3);
  EXPECT_EQ(seulex.work().jacobians, 1);
  EXPECT_GT(seulex.work().steps, 10);
}

// ---------------------------------------------------------------------------------------------------------
// Dense output

/// The largest error of dense output within steps up to t = 2, compared with steps of their own.
double interpolationError(double tol) {
  const QuaternionTop top;
  Seulex<QuaternionTop> seulex(top, 0.0, QuaternionTop::initial(), 2.0, tolerance(tol));
  QuaternionTop::State start, y;
  double error = 0.0;
  while (seulex.time() < 2.0) {
    start = seulex.state();
    seulex.step();
    for (const double s : {0.2, 0.5, 0.7}) {
      const double t = seulex.previousTime() + s * (seulex.time() - seulex.previousTime());
      seulex.interpolate(t, y);
      Seulex<QuaternionTop> exact(top, seulex.previousTime(), start, t, tolerance(1e-12));
      runTo(t, exact);
      error = std::max(error, (y - exact.state()).cwiseAbs().maxCoeff());
    }
  }
  return error;
}

// The order of dense output follows that of the steps but is lower by 2, so that its error exceeds the tolerance,
// the more the larger the steps are; measured 2e-4, 4e-6, 3e-8.
TEST(Seulex, InterpolatesNearlyAsAccuratelyAsItSteps) {
  EXPECT_LT(interpolationError(1e-4), 10.0 * 1e-4);
  EXPECT_LT(interpolationError(1e-6), 20.0 * 1e-6);
  EXPECT_LT(interpolationError(1e-9), 200.0 * 1e-9);
}

TEST(Seulex, InterpolatesContinuouslyWithoutEvaluations) {
  const QuaternionTop top;
  Seulex<QuaternionTop> seulex(top, 0.0, QuaternionTop::initial(), 60.0, tolerance(1e-6));
  for (int i = 0; i < 20; ++i) seulex.step();
  const long evaluations = seulex.work().rhsEvaluations;
  const QuaternionTop::State end = seulex.state();
  QuaternionTop::State y;
  seulex.interpolate(seulex.time(), y);
  EXPECT_LT((y - end).norm(), 1e-11);
  EXPECT_EQ(seulex.work().rhsEvaluations, evaluations);
  seulex.step();
  seulex.interpolate(seulex.previousTime(), y);
  EXPECT_LT((y - end).norm(), 1e-14);
}

// A stiff component is not allowed to spoil dense output: van der Pol's equation between its jumps.
TEST(Seulex, InterpolatesStiffSolutions) {
  const VanDerPol equation;
  Seulex<VanDerPol> seulex(equation, 0.0, VanDerPol::State(2.0, -0.66), 0.5, tolerance(1e-6));
  VanDerPol::State start, y;
  while (seulex.time() < 0.5) {
    start = seulex.state();
    seulex.step();
    if (seulex.previousTime() < 1e-2) continue;
    const double t = 0.3 * seulex.previousTime() + 0.7 * seulex.time();
    seulex.interpolate(t, y);
    Seulex<VanDerPol> exact(equation, seulex.previousTime(), start, t, tolerance(1e-11));
    runTo(t, exact);
    EXPECT_LT((y - exact.state()).norm(), 1e-4) << "t = " << t;
  }
}

// ---------------------------------------------------------------------------------------------------------
// Behaviour at the edges

TEST(Seulex, StartsWithTheInitialValueAndStopsAtTheEnd) {
  const QuaternionTop top;
  Seulex<QuaternionTop> seulex(top, 0.0, QuaternionTop::initial(), 0.3, tolerance(1e-6));
  QuaternionTop::State y;
  seulex.interpolate(0.0, y);
  EXPECT_EQ(y, QuaternionTop::initial());
  runTo(0.3, seulex);
  EXPECT_EQ(seulex.time(), 0.3);
  const long evaluations = seulex.work().rhsEvaluations;
  seulex.step();
  EXPECT_EQ(seulex.work().rhsEvaluations, evaluations);
}

TEST(Seulex, GoesOnFromAReplacedState) {
  const QuaternionTop top;
  Seulex<QuaternionTop> seulex(top, 0.0, QuaternionTop::initial(), 1.0, tolerance(1e-8));
  for (int i = 0; i < 4; ++i) seulex.step();
  const double t = seulex.time();
  const QuaternionTop::State other = 1.01 * seulex.state();
  const QuaternionTop::State computed = seulex.state();
  seulex.replaceState(other);
  EXPECT_EQ(seulex.state(), other);

  // dense output still shows the step as it was computed
  QuaternionTop::State y;
  seulex.interpolate(t, y);
  EXPECT_LT((y - computed).norm(), 1e-10);
  runTo(1.0, seulex);

  Seulex<QuaternionTop> fresh(top, t, other, 1.0, tolerance(1e-12));
  runTo(1.0, fresh);
  EXPECT_LT((seulex.state() - fresh.state()).norm(), 1e-6);
}

/// y' = y^2, y(0) = 1, with a pole at t = 1.
struct Pole {
  static constexpr int Size = 1;
  using State = Vector<double, 1>;
  int size() const { return 1; }
  void derivative(double, const State& y, State& dydt) const { dydt[0] = y[0] * y[0]; }
};

TEST(Seulex, SaysWhereItCannotGoOn) {
  const Pole pole;
  Seulex<Pole> seulex(pole, 0.0, Pole::State(1.0), 2.0, tolerance(1e-8));
  try {
    runTo(2.0, seulex);
    FAIL() << "integrated through a pole";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), 1.0, 1e-6);
    EXPECT_NE(std::string(error.what()).find("step size"), std::string::npos) << error.what();
  }
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

TEST(Seulex, AllocatesNothingAfterConstruction) {
  const DynamicTop top;
  const VectorX initial = QuaternionTop::initial();
  Seulex<OdeSystem> seulex(top, 0.0, initial, 60.0, tolerance(1e-9));
  VectorX y = initial;
  const long before = allocationCount();
  for (int i = 0; i < 50; ++i) {
    seulex.step();
    seulex.interpolate(0.5 * (seulex.previousTime() + seulex.time()), y);
    seulex.replaceState(seulex.state());
  }
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace polhode
