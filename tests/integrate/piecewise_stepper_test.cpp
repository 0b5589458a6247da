#include "integrate/piecewise_stepper.h"

#include "integrate/catalogue.h"
#include "polhode/error.h"
#include "support/integration_runs.h"

#include <cmath>

#include <gtest/gtest.h>

/// Steps end where something happens, with every classical integrator.
namespace polhode::test::piecewise_stepper_test {
namespace {

/// A mass on a spring that a load pulls, y = (place, velocity): y'' = -y + s(t).
class LoadedMass : public OdeSystem {
 public:
  explicit LoadedMass(Signal load) : load_(std::move(load)) {}
  int size() const override { return 2; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    dydt[0] = y[1];
    dydt[1] = load_.value(t) - y[0];
  }
  const Signal& load() const { return load_; }

 private:
  Signal load_;
};

VectorX atRest() {
  return VectorX::Zero(2);
}

class InPieces : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Stepper> start(const LoadedMass& mass, double end, double tolerance) {
    return makeOdeStepper(GetParam(), mass, smoothPieces({mass.load()}, 0.0, end), atRest(), withTolerance(tolerance));
  }
};

TEST_P(InPieces, AJumpIsSteppedTo) {
  // behind t = 1 the mass swings about one: y = 1 - cos(t - 1)
  const LoadedMass mass(Signal::formula("step(t - 1)"));
  for (const double tolerance : {1e-4, 1e-8}) {
    const auto stepper = start(mass, 4.0, tolerance);
    bool stepped = false;
    while (stepper->time() < 4.0) {
      stepper->step();
      stepped = stepped || stepper->time() == 1.0;
      if (stepper->time() <= 1.0) {
        EXPECT_EQ(stepper->state(), atRest()) << "before the jump nothing moves";
      }
      EXPECT_LE(stepper->previousTime() < 1.0 ? stepper->time() : 1.0, 1.0) << "no step passes the jump";
    }
    EXPECT_TRUE(stepped);
    EXPECT_NEAR(stepper->state()[0], 1.0 - std::cos(3.0), 100.0 * tolerance);
    EXPECT_NEAR(stepper->state()[1], std::sin(3.0), 100.0 * tolerance);
  }
}

TEST_P(InPieces, ALateBumpIsFelt) {
  // a push of the impulse w sqrt(pi), so short that the mass swings by sin(t - 50) times it
  const double width = 1e-2, impulse = width * std::sqrt(std::acos(-1.0));
  const LoadedMass mass(Signal::formula("exp(-((t - 50)/0.01)^2)"));
  const auto stepper = start(mass, 52.0, 1e-7);
  runTo(52.0, *stepper);
  EXPECT_NEAR(stepper->state()[0], impulse * std::sin(2.0) * std::exp(-0.25 * width * width), 1e-5);
}

TEST_P(InPieces, InterpolatesWithinTheLastStepBeforeABreak) {
  const LoadedMass mass(Signal::formula("t + 10*step(t - 1)"));
  const auto stepper = start(mass, 2.0, 1e-8);
  while (stepper->time() < 1.0) stepper->step();
  VectorX y(2);
  const double t = 0.5 * (stepper->previousTime() + stepper->time());
  stepper->interpolate(t, y);
  EXPECT_NEAR(y[0], t - std::sin(t), 1e-6);
}

TEST_P(InPieces, WithoutABreakIsThePlainIntegrator) {
  const LoadedMass mass(Signal::formula("0.1*t"));
  std::vector<SmoothPiece> whole = smoothPieces({mass.load()}, 0.0, 5.0);
  whole[0].largestStep = std::numeric_limits<double>::infinity();
  const auto pieces = makeOdeStepper(GetParam(), mass, whole, atRest(), withTolerance(1e-6));
  const auto plain = makeOdeStepper(GetParam(), mass, 0.0, atRest(), 5.0, withTolerance(1e-6));
  runTo(5.0, *pieces);
  runTo(5.0, *plain);
  EXPECT_EQ(pieces->state(), plain->state());
  EXPECT_EQ(pieces->work().rhsEvaluations, plain->work().rhsEvaluations);
}

TEST_P(InPieces, CountsTheWorkOfAllPieces) {
  const LoadedMass mass(Signal::formula("step(t - 1) + step(t - 2)"));
  const auto stepper = start(mass, 3.0, 1e-6);
  long steps = 0;
  for (; stepper->time() < 3.0; ++steps) stepper->step();
  EXPECT_EQ(stepper->work().steps, steps);
}

TEST_P(InPieces, StepsStayBelowTheLargestOne) {
  const LoadedMass mass(Signal::formula("step(t - 1)"));
  IntegratorOptions options = withTolerance(1e-3);
  options.largestStep = 0.05;
  const auto stepper = makeOdeStepper(GetParam(), mass, smoothPieces({mass.load()}, 0.0, 2.0), atRest(), options);
  while (stepper->time() < 2.0) {
    stepper->step();
    EXPECT_LE(stepper->time() - stepper->previousTime(), 0.05 * 1.011);  // the last one may be longer by a hundredth
  }
}

/// y' = -10 y, which is not defined at y = 0.05 and below: a long trial step gets there at once.
class Brink : public OdeSystem {
 public:
  int size() const override { return 1; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    if (!(y[0] > 0.05)) {
      ++passed;
      throw SimulationError(t, "there is no motion beyond the brink");
    }
    dydt[0] = -10.0 * y[0];
  }
  mutable int passed = 0;  // how often it was asked beyond
};

TEST_P(InPieces, ATrialBeyondTheDomainIsTriedAgainShorter) {
  const Brink brink;
  IntegratorOptions options = withTolerance(1e-8);
  options.initialStep = 0.25;
  const auto stepper = makeOdeStepper(GetParam(), brink, 0.0, VectorX::Ones(1), 0.25, options);
  ASSERT_NO_THROW(runTo(0.25, *stepper));
  EXPECT_NEAR(stepper->state()[0], std::exp(-2.5), 1e-5);
  if (brink.passed > 0) {
    EXPECT_GT(stepper->work().rejected, 0);
  }
  if (GetParam() == "dopri5") {
    EXPECT_GT(brink.passed, 0);  // others stay above with the step that they choose
  }
}

TEST_P(InPieces, SaysWhatStoppedItWhereNoStepGetsBy) {
  const Brink brink;
  const auto stepper = makeOdeStepper(GetParam(), brink, 0.0, VectorX::Ones(1), 1.0, withTolerance(1e-8));
  try {
    runTo(1.0, *stepper);
    FAIL() << "passed the brink";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("beyond the brink"), std::string::npos) << error.what();
    EXPECT_NEAR(stepper->time(), 0.1 * std::log(20.0), 0.02);  // an end that is extrapolated may lie a little beyond
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, InPieces, testing::Values("dopri5", "dop853", "odex", "radau5", "seulex", "bdf"));

}  // namespace
}  // namespace polhode::test::piecewise_stepper_test
