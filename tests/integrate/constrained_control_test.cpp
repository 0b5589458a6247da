// Step-size control of the integrators for any constrained system, which keeps what they keep.
#include "integrate/fitting.h"
#include "polhode/error.h"
#include "system/named_system.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::constrained_control_test {
namespace {

struct ControlledRun {
  VectorX q;
  double energyDrift = 0.0, shortest = 1e9, longest = 0.0;
  long steps = 0;
};

ControlledRun controlledRun(const NamedSystem& named, const std::string& integrator, double end, double tolerance) {
  const auto system = named.make();
  const auto stepper = makeConstrainedStepper(integrator, *system, 0.0, named.initialState(), end, named.step);
  stepper->control(tolerance);
  const double energy = stepper->generalisedEnergy();
  ControlledRun run;
  while (stepper->time() < end) {
    stepper->step();
    const double length = stepper->time() - stepper->previousTime();
    if (stepper->time() < end) run.shortest = std::min(run.shortest, length);
    run.longest = std::max(run.longest, length);
    run.energyDrift = std::max(run.energyDrift, std::abs(stepper->generalisedEnergy() - energy));
  }
  EXPECT_EQ(stepper->time(), end);
  run.steps = stepper->work().steps;
  run.q = stepper->q();
  return run;
}

TEST(ConstrainedControl, FollowsTheToleranceAndKeepsTheEnergy) {
  for (const char* name : {"spring-pendulum", "mass-spring"})
    for (const std::string integrator : {"livens-em-chain", "livens-em-chain-4"}) {
      SCOPED_TRACE(std::string(name) + " by " + integrator);
      const NamedSystem& named = namedSystem(name);
      const VectorX exact = controlledRun(named, "livens-midpoint-8", 1.0, 1e-13).q;
      const ControlledRun coarse = controlledRun(named, integrator, 1.0, 1e-6);
      const ControlledRun fine = controlledRun(named, integrator, 1.0, 1e-9);
      EXPECT_LT((coarse.q - exact).norm(), 1e-3);
      EXPECT_LT((fine.q - exact).norm(), 0.1 * (coarse.q - exact).norm());
      EXPECT_GT(fine.steps, coarse.steps);
      EXPECT_GT(fine.longest, 1.01 * fine.shortest);
      EXPECT_LT(coarse.energyDrift, 1e-12);
      EXPECT_LT(fine.energyDrift, 1e-12);
    }
}

TEST(ConstrainedControl, RetriesAStepThatDoesNotConverge) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  const auto stepper = makeConstrainedStepper("livens-em", *system, 0.0, named.initialState(), 100.0, 50.0);
  stepper->control(1e-6);
  stepper->step();
  EXPECT_GT(stepper->work().rejected, 0);
  EXPECT_LT(stepper->time(), 50.0);
  EXPECT_THROW(stepper->control(0.0), InputError);
}

}  // namespace
}  // namespace polhode::constrained_control_test
