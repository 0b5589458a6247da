#include "polhode/integrate/adaptive_conserving.h"

#include "polhode/error.h"
#include "polhode/integrate/composition.h"
#include "polhode/integrate/single_body/all_schemes.h"

#include "integrate/single_body/cases.h"
#include <gtest/gtest.h>

namespace polhode::adaptive_conserving_test {
namespace {

using namespace single_body;

/// A heavy body let go nearly upright: slow at the top, fast below.
Case toppling() {
  Case c;
  c.top = {{1.0, 0.9, 0.3}, {0.0, 0.02, 0.5}, {0.0, 0.0, -10.0}};
  c.start.Omega = {0.05, 0.0, 0.4};
  return c;
}

template <class Scheme>
double errorAt(double tolerance, const Quaternion& exact) {
  const Case body = toppling();
  const Scheme scheme(body.top);
  AdaptiveConserving run(scheme, scheme.start(body.start), {.tolerance = tolerance});
  run.advanceTo(2.0);
  EXPECT_EQ(run.time(), 2.0);
  return angleBetween(scheme.top(run.state()).q, exact);
}

TEST(AdaptiveConserving, FollowsTheTolerance) {
  const Case body = toppling();
  const Composition<QuaternionEm, 8> exact(body.top);
  auto end = exact.start(body.start);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(exact.step(end, 0.002).converged);

  const double coarse = errorAt<Composition<DirectorEm, 6>>(1e-7, end.q);
  const double fine = errorAt<Composition<DirectorEm, 6>>(1e-10, end.q);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_LT(fine, 1e-8);
  EXPECT_GT(coarse, 100.0 * fine);
  EXPECT_LT(errorAt<DirectorEm>(1e-9, end.q), 1e-4);
}

TEST(AdaptiveConserving, KeepsEveryConservationLaw) {
  const Case body = toppling();
  const Composition<DirectorEm, 4> scheme(body.top);
  AdaptiveConserving run(scheme, scheme.start(body.start), {.tolerance = 1e-8});
  const double energy = scheme.energy(run.state()), momentum = scheme.angularMomentum(run.state())[2];
  double shortest = 1.0, longest = 0.0;
  while (run.time() < 5.0) {
    const double before = run.time();
    run.step(5.0);
    if (run.time() < 5.0) {
      shortest = std::min(shortest, run.time() - before);
      longest = std::max(longest, run.time() - before);
    }
    EXPECT_NEAR(scheme.energy(run.state()) / energy, 1.0, 1e-13);
    EXPECT_NEAR(scheme.angularMomentum(run.state())[2] / momentum, 1.0, 1e-13);
  }
  EXPECT_GT(longest, 3.0 * shortest);  // it has something to adapt to
}

// quaternion-vi has no solution at this first step: the step is tried again, shorter, and the run goes on.
TEST(AdaptiveConserving, TriesAStepThatFailsAgainShorter) {
  const Case body = heavyTop();
  const QuaternionVi scheme(body.top);
  AdaptiveConserving run(scheme, scheme.start(body.start), {.tolerance = 1e-3, .firstStep = 0.05});
  run.advanceTo(0.1);
  EXPECT_EQ(run.time(), 0.1);
  EXPECT_GT(run.work().rejected, 0);
}

TEST(AdaptiveConserving, GivesUpWithASentenceAndKeepsTheLastState) {
  const Case body = heavyTop();
  const QuaternionVi scheme(body.top);
  AdaptiveConserving run(scheme, scheme.start(body.start), {.firstStep = 0.05, .smallestStep = 0.04});
  try {
    run.step(1.0);
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_EQ(error.time(), 0.0);
    EXPECT_NE(std::string(error.what()).find("quaternion-vi"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("smaller step"), std::string::npos);
  }
  EXPECT_EQ(run.time(), 0.0);
  EXPECT_EQ(run.state().q, body.start.q);
}

TEST(AdaptiveConserving, SaysWhenTheToleranceCannotBeMet) {
  const Case body = heavyTop();
  const DirectorEm scheme(body.top);
  AdaptiveConserving run(scheme, scheme.start(body.start),
                         {.tolerance = 1e-15, .firstStep = 0.01, .smallestStep = 0.005});
  try {
    run.step(1.0);
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("tolerance of 1e-15"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace polhode::adaptive_conserving_test
