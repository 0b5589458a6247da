#include "integrate/catalogue.h"
#include "integrate/event.h"
#include "polhode/error.h"
#include "support/integration_runs.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

/// One suite over all classical integrators: a new one is tested by its entry in the catalogue.
namespace polhode::test::all_integrators_test {
namespace {

/// A pendulum that swings far, y = (angle, rate); smooth, non-linear, with the energy as an invariant.
class Pendulum : public OdeSystem {
 public:
  int size() const override { return 2; }
  void derivative(double, const VectorX& y, VectorX& dydt) const override {
    dydt[0] = y[1];
    dydt[1] = -std::sin(y[0]);
    ++evaluations;
  }
  static double energy(const VectorX& y) { return 0.5 * y[1] * y[1] - std::cos(y[0]); }

  mutable long evaluations = 0;
};

/// y' = y^2 has the solution 1/(1 - t), which does not reach t = 1.
class Explosion : public OdeSystem {
 public:
  int size() const override { return 1; }
  void derivative(double, const VectorX& y, VectorX& dydt) const override { dydt[0] = y[0] * y[0]; }
};

VectorX swing() {
  return Eigen::Vector2d(2.0, 0.0);
}

/// y(t) by DOP853 at the limit of double precision.
VectorX referenceAt(double t) {
  Pendulum pendulum;
  const auto stepper = makeOdeStepper("dop853", pendulum, 0.0, swing(), t, withTolerance(1e-14));
  runTo(t, *stepper);
  return stepper->state();
}

class EveryIntegrator : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Stepper> start(const OdeSystem& ode, const VectorX& y0, double end, double tol) {
    return makeOdeStepper(GetParam(), ode, 0.0, y0, end, withTolerance(tol));
  }
};

TEST_P(EveryIntegrator, ConvergesWithItsTolerance) {
  const double end = 10.0;
  const VectorX exact = referenceAt(end);
  double previous = 1.0;
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Pendulum pendulum;
    const auto stepper = start(pendulum, swing(), end, tol);
    runTo(end, *stepper);
    const double error = (stepper->state() - exact).norm();
    // over ten seconds the error grows by at most a few hundred times what a step may contribute
    EXPECT_LT(error, 1000.0 * tol) << "tolerance " << tol;
    EXPECT_LT(error, 0.5 * previous) << "tolerance " << tol;
    previous = error;
  }
}

TEST_P(EveryIntegrator, LandsOnTheEndExactly) {
  Pendulum pendulum;
  const double end = 0.1 + 0.2;  // not a round number in binary
  const auto stepper = start(pendulum, swing(), end, 1e-6);
  runTo(end, *stepper);
  EXPECT_EQ(stepper->time(), end);
}

TEST_P(EveryIntegrator, LandsOnTheEndWithStepsOfAGivenSize) {
  // 0.1 + 0.1 + ... ten times is a rounding less than one
  Pendulum pendulum;
  IntegratorOptions options = withTolerance(1e-2);
  options.initialStep = options.largestStep = 0.1;
  const auto stepper = makeOdeStepper(GetParam(), pendulum, 0.0, swing(), 1.0, options);
  runTo(1.0, *stepper);
  EXPECT_EQ(stepper->time(), 1.0);
}

TEST_P(EveryIntegrator, CountsEveryEvaluation) {
  Pendulum pendulum;
  const auto stepper = start(pendulum, swing(), 5.0, 1e-7);
  runTo(5.0, *stepper);
  EXPECT_EQ(stepper->work().rhsEvaluations, pendulum.evaluations);
  EXPECT_GT(stepper->work().steps, 3);  // five with order 16
}

TEST_P(EveryIntegrator, HasDenseOutputOfItsAccuracy) {
  Pendulum pendulum;
  const double end = 4.0, tol = 1e-8;
  const auto stepper = start(pendulum, swing(), end, tol);
  VectorX y = swing();
  double worst = 0.0;
  while (stepper->time() < end) {
    stepper->step();
    const double from = stepper->previousTime(), h = stepper->time() - from;
    for (const double s : {0.0, 0.25, 0.5, 0.9, 1.0}) {
      const double t = from + s * h;
      if (t <= 0.0) continue;
      stepper->interpolate(t, y);
      worst = std::max(worst, (y - referenceAt(t)).norm());
    }
  }
  // Dense output may be of lower order than the step: three digits less at this tolerance.
  EXPECT_LT(worst, 3000.0 * tol);
}

TEST_P(EveryIntegrator, LocatesAnEvent) {
  // The pendulum passes its lowest point at a quarter of its period, T/4 = K(sin^2(1)), here by the
  // arithmetic-geometric mean: K(m) = pi / (2 agm(1, sqrt(1 - m))).
  double a = 1.0, b = std::cos(1.0);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double quarter = std::acos(-1.0) / (2.0 * a);

  Pendulum pendulum;
  const double end = 3.0;
  const auto stepper = start(pendulum, swing(), end, 1e-10);
  EventLocator event(*stepper, [](double, const VectorX& y) { return y[0]; });
  std::optional<double> found;
  while (stepper->time() < end && !found) {
    stepper->step();
    found = event.afterStep();
  }
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(*found, quarter, 1e-6);  // the accuracy of dense output at tolerance 1e-10
}

TEST_P(EveryIntegrator, GoesOnFromAReplacedState) {
  // After every step the state is moved onto the energy it began with, along the gradient.
  Pendulum pendulum;
  const double end = 10.0, energy = Pendulum::energy(swing());
  const auto stepper = start(pendulum, swing(), end, 1e-6);
  while (stepper->time() < end) {
    stepper->step();
    VectorX y = stepper->state();
    const Eigen::Vector2d gradient(std::sin(y[0]), y[1]);
    y -= (Pendulum::energy(y) - energy) * gradient / gradient.squaredNorm();
    stepper->replaceState(y);
    EXPECT_EQ(stepper->state(), y);
  }
  // One Newton step leaves the square of the drift of a step, 1e-6 * 1e-6 at worst.
  EXPECT_NEAR(Pendulum::energy(stepper->state()), energy, 1e-10);
  EXPECT_LT((stepper->state() - referenceAt(end)).norm(), 1e-2);
}

TEST_P(EveryIntegrator, SaysWhenTheMotionIsSingular) {
  Explosion explosion;
  const auto stepper = start(explosion, VectorX::Ones(1), 2.0, 1e-8);
  try {
    runTo(2.0, *stepper);
    FAIL() << "y' = y^2 has no solution beyond t = 1";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), 1.0, 1e-3);
    EXPECT_NE(std::string(error.what()).find("t = "), std::string::npos) << error.what();
  }
  EXPECT_TRUE(stepper->state().allFinite());
}

TEST_P(EveryIntegrator, StopsAtItsLimitOfSteps) {
  Pendulum pendulum;
  IntegratorOptions few = withTolerance(1e-9);
  few.mostSteps = 5;
  const auto stepper = makeOdeStepper(GetParam(), pendulum, 0.0, swing(), 100.0, few);
  EXPECT_THROW(runTo(100.0, *stepper), SimulationError);
}

std::vector<std::string> classicalNames() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators())
    if (info.makeOde) names.push_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Classical, EveryIntegrator, testing::ValuesIn(classicalNames()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Catalogue, NamesAreReadOnce) {
  EXPECT_EQ(parseIntegrator("dop853").order, 8);
  EXPECT_FALSE(parseIntegrator("dop853").composed);
  EXPECT_EQ(parseIntegrator("emh-6").info.name, "quaternion-em");
  EXPECT_EQ(parseIntegrator("emh-6").order, 6);
  EXPECT_TRUE(parseIntegrator("emh-6").composed);
  for (const char* none : {"dop853-4", "director-em-5", "director-em-4-4", "linear-implicit-euler-8", "-4", ""})
    EXPECT_THROW(parseIntegrator(none), InputError) << none;
}

// What a name means for a model it means for a system that a user writes.
TEST(Catalogue, OneNameIsOneScheme) {
  EXPECT_EQ(parseConstrainedIntegrator("eml").info.name, "livens-em-chain");  // which moves mechanisms as eml
  EXPECT_EQ(parseConstrainedIntegrator("mpl-8").info.name, "livens-midpoint");
  EXPECT_THROW(parseConstrainedIntegrator("mph"), InputError);  // has a polynomial inverse, for one body
  EXPECT_EQ(parseConstrainedIntegrator("mph-inverse").info.name, "hamilton-midpoint");
}

TEST(Catalogue, SuggestsTheNearestName) {
  try {
    findIntegrator("dopri");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("dopri5"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace polhode::test::all_integrators_test
