// Compositions of the integrators for any constrained system: with a mass matrix that depends on the configuration, and
// with a singular one and a constraint.
#include "integrate/fitting.h"
#include "polhode/error.h"
#include "system/named_system.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::constrained_composition_test {
namespace {

struct SystemMotion {
  VectorX q;
  double energyDrift = 0.0, positionGap = 0.0;
};

SystemMotion runOf(const NamedSystem& named, const std::string& integrator, double end, int steps) {
  const auto system = named.make();
  const auto stepper = makeConstrainedStepper(integrator, *system, 0.0, named.initialState(), end, end / steps);
  EXPECT_EQ(stepper->name(), integrator);
  const double energy = stepper->generalisedEnergy();
  SystemMotion run;
  while (stepper->time() < end) {
    stepper->step();
    run.energyDrift = std::max(run.energyDrift, std::abs(stepper->generalisedEnergy() - energy));
    run.positionGap = std::max(run.positionGap, stepper->positionGap());
  }
  EXPECT_EQ(stepper->work().steps, steps);
  run.q = stepper->q();
  return run;
}

/// The order over two decades of error and more, with the energy still exact.
void expectOrder(const char* name, const std::string& scheme, int order, double end, int coarse, int fine) {
  const NamedSystem& named = namedSystem(name);
  const VectorX exact = runOf(named, "livens-midpoint-8", end, 60).q;  // 1e-13
  const std::string composed = scheme + "-" + std::to_string(order);
  SCOPED_TRACE(std::string(name) + " by " + composed);
  const SystemMotion a = runOf(named, composed, end, coarse), b = runOf(named, composed, end, fine);
  const double before = (a.q - exact).norm(), after = (b.q - exact).norm();
  EXPECT_GT(before / after, 100.0);
  EXPECT_NEAR(std::log(before / after) / std::log(double(fine) / coarse), order, 0.1);
  for (const SystemMotion& run : {a, b}) {
    EXPECT_LT(run.energyDrift, 3e-13);
    EXPECT_LT(run.positionGap, 1e-14);
  }
}

TEST(ConstrainedComposition, ReachesItsOrderAndConserves) {
  for (const std::string scheme : {"livens-em-chain", "livens-em-ggl"}) {
    expectOrder("spring-pendulum", scheme, 4, 1.0, 40, 160);
    expectOrder("spring-pendulum", scheme, 6, 1.0, 30, 90);
    expectOrder("spring-pendulum", scheme, 8, 1.0, 20, 40);
    expectOrder("mass-spring", scheme, 4, 2.0, 20, 80);
    expectOrder("mass-spring", scheme, 6, 2.0, 12, 30);
    expectOrder("mass-spring", scheme, 8, 2.0, 8, 16);
  }
}

TEST(ConstrainedComposition, IsRefusedWithTheReasonOfItsScheme) {
  const NamedSystem& named = namedSystem("mass-spring");
  const auto system = named.make();
  EXPECT_THROW(makeConstrainedStepper("hamilton-em-4", *system, 0.0, named.initialState(), 1.0, 0.1), InputError);
  EXPECT_THROW(makeConstrainedStepper("livens-em-5", *system, 0.0, named.initialState(), 1.0, 0.1), InputError);
}

// A step so long that a sub-step fails leaves everything as it was.
TEST(ConstrainedComposition, LeavesTheStateWhenASubStepFails) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  const auto stepper = makeConstrainedStepper("livens-em-4", *system, 0.0, named.initialState(), 1e4, 50.0);
  const VectorX before = stepper->state();
  EXPECT_THROW(stepper->step(), SimulationError);
  EXPECT_EQ(stepper->state(), before);
  EXPECT_EQ(stepper->time(), 0.0);
  EXPECT_EQ(stepper->work().steps, 0);
}

}  // namespace
}  // namespace polhode::constrained_composition_test
