#include "integrate/conserving_stepper.h"

#include "integrate/single_body/all_schemes.h"
#include "integrate/single_body/cases.h"
#include "integrate/single_body/scheme_stepper.h"
#include "polhode/error.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::conserving_stepper_test {
namespace {

using namespace single_body;

/// A heavy body let go nearly upright: slow at the top, fast below.
Case toppling() {
  Case c;
  c.top = {{1.0, 0.9, 0.3}, {0.0, 0.02, 0.5}, {0.0, 0.0, -10.0}};
  c.start.Omega = {0.05, 0.0, 0.4};
  return c;
}

std::unique_ptr<Stepper> stepperOf(const std::string& name, const Case& body, double end, const SchemeSteps& steps) {
  return makeSchemeStepper(name, body.top, body.start, end, steps);
}

double errorAt(const std::string& name, double tolerance, const Quaternion& exact) {
  const auto run = stepperOf(name, toppling(), 2.0, {.tolerance = tolerance, .firstStep = 1e-3});
  while (run->time() < 2.0) run->step();
  EXPECT_EQ(run->time(), 2.0);
  return angleBetween(SchemeOutput::unpack(run->state()).q, exact);
}

TEST(ConservingStepper, FollowsTheTolerance) {
  const Case body = toppling();
  const Composition<QuaternionEm, 8> exact(body.top);
  auto end = exact.start(body.start);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(exact.step(end, 0.002).converged);

  const double coarse = errorAt("director-em-6", 1e-7, end.q);
  const double fine = errorAt("director-em-6", 1e-10, end.q);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_LT(fine, 1e-8);
  EXPECT_GT(coarse, 100.0 * fine);
  EXPECT_LT(errorAt("director-em", 1e-9, end.q), 1e-4);
}

TEST(ConservingStepper, KeepsEveryConservationLawWithChosenSteps) {
  const auto run = stepperOf("director-em-4", toppling(), 5.0, {.tolerance = 1e-8, .firstStep = 1e-3});
  const SchemeOutput start = SchemeOutput::unpack(run->state());
  double shortest = 1.0, longest = 0.0;
  while (run->time() < 5.0) {
    run->step();
    const double length = run->time() - run->previousTime();
    if (run->time() < 5.0) {
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    const SchemeOutput now = SchemeOutput::unpack(run->state());
    EXPECT_NEAR(now.energy / start.energy, 1.0, 1e-13);
    EXPECT_NEAR(now.angularMomentum[2] / start.angularMomentum[2], 1.0, 1e-13);
  }
  EXPECT_GT(longest, 3.0 * shortest);  // it has something to adapt to
}

// quaternion-vi has no solution at this first step: the step is tried again, shorter, and the run goes on.
TEST(ConservingStepper, TriesAStepThatFailsAgainShorter) {
  const auto run = stepperOf("quaternion-vi", heavyTop(), 0.1, {.tolerance = 1e-3, .firstStep = 0.05});
  while (run->time() < 0.1) run->step();
  EXPECT_EQ(run->time(), 0.1);
  EXPECT_GT(run->work().rejected, 0);
}

TEST(ConservingStepper, GivesUpWithASentenceAndKeepsTheLastState) {
  const Case body = heavyTop();
  const auto run = stepperOf("quaternion-vi", body, 1.0, {.firstStep = 0.05, .smallestStep = 0.04});
  try {
    run->step();
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_EQ(error.time(), 0.0);
    EXPECT_NE(std::string(error.what()).find("quaternion-vi"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("smaller step"), std::string::npos);
  }
  EXPECT_EQ(run->time(), 0.0);
  EXPECT_EQ(SchemeOutput::unpack(run->state()).q, body.start.q);
}

TEST(ConservingStepper, SaysWhenTheToleranceCannotBeMet) {
  const auto run =
      stepperOf("director-em", heavyTop(), 1.0, {.tolerance = 1e-15, .firstStep = 0.01, .smallestStep = 0.005});
  try {
    run->step();
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("tolerance of 1e-15"), std::string::npos) << error.what();
  }
}

/// x' = f(t) by the midpoint rule, where f jumps from 1 to 3 at t = 0.37: a scheme in ten lines.
class Jump final : public ConservingStepperOf<double> {
 public:
  Jump(double end, double length) : ConservingStepperOf("jump", end, length) {
    state_ = 0.0;
    beginAt(0.0);
  }
  int forgotten = 0;

 private:
  StepReport bareStep(double t, double h, int) override {
    state_ += h * (t + 0.5 * h < 0.37 ? 1.0 : 3.0);
    return {true, 1};
  }
  double distance(const double& a, const double& b) const override { return std::abs(a - b); }
  void show(VectorX& y) const override { y = VectorX::Constant(1, state_); }
  void take(const VectorX& y) override { state_ = y[0]; }
  void persistScheme(Archive&) override {}
  void blend(const VectorX& from, const VectorX& to, double, double s, VectorX& y) const override {
    y = (1.0 - s) * from + s * to;
  }
  void forget() override { ++forgotten; }
};

TEST(ConservingStepper, EndsStepsOfAnySchemeWhereSomethingHappens) {
  for (const bool chosen : {false, true})
    for (const int order : {2, 6}) {
      Jump stepper(1.0, 0.1);
      if (order > 2) stepper.compose(order);
      if (chosen) stepper.control(1e-6);
      stepper.endStepsAt({.times = {0.37}});
      const int before = stepper.forgotten;
      bool ended = false;
      while (stepper.time() < 1.0) {
        stepper.step();
        ended = ended || stepper.time() == 0.37;
      }
      EXPECT_TRUE(ended);
      EXPECT_GT(stepper.forgotten, before);
      EXPECT_TRUE(chosen || stepper.work().steps == 11) << order;
      EXPECT_NEAR(stepper.state()[0], 0.37 + 3 * 0.63, 1e-14);
    }
}

}  // namespace
}  // namespace polhode::conserving_stepper_test
