#include "polhode/analysis/run.h"
#include "support/linkages.h"
#include "system/redundancy.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// Linkages that move only because their joints repeat each other, written with few digits: they move as the exact ones.
namespace polhode::rounded_linkages_test {
namespace {

using test::written;

struct Way {
  const char* integrator;
  double step;  // 0: by tolerance
  double tolerance;
};

const std::vector<Way> ways = {{"dop853", 0.0, 1e-10},
                               {"radau5", 0.0, 1e-9},
                               {"bdf", 0.0, 1e-9},
                               {"director-em", 2e-3, 0.0},
                               {"linear-implicit-euler", 1e-3, 0.0}};

std::vector<Body> moved(const Model& model, const Way& way, double end, std::string& failure) {
  SimulationSettings settings;
  settings.integrator = way.integrator;
  settings.end = end;
  if (way.step > 0.0)
    settings.step = way.step;
  else
    settings.tolerance = way.tolerance;
  try {
    const RunResult result = simulate(model, settings);
    failure = result.failure;
    return result.final.bodies;
  } catch (const std::exception& error) {
    failure = error.what();
    return model.bodies;
  }
}

double distance(const std::vector<Body>& a, const std::vector<Body>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double now = (a[i].position - b[i].position).norm();
    if (!(now <= largest)) largest = now;
  }
  return largest;
}

/// The same integrator with the same step on both, so that its own error does not count; what is left of that of
/// integrators that choose their steps is below a thousand tolerances.
void expectSameMotion(const Model& exact, int digits, const Way& way, double end, const std::string& name) {
  const Model rounded = written(exact, digits);
  const double rounding = test::rounding(exact, rounded);
  std::string failure, exactFailure;
  const std::vector<Body> there = moved(exact, way, end, exactFailure), here = moved(rounded, way, end, failure);
  const std::string what = fmt::format("{} with {} digits by {}", name, digits, way.integrator);
  EXPECT_EQ(exactFailure, "") << what;
  EXPECT_EQ(failure, "") << what;
  EXPECT_GT(distance(exact.bodies, there), 0.002) << what << ": nothing moved";
  EXPECT_LT(distance(here, there), 100.0 * rounding + 1000.0 * way.tolerance + 1e-10)
      << what << ", rounding " << rounding;
}

struct Linkage {
  const char* name;
  std::function<Model()> make;
  int redundant;
  double end;
};

const std::vector<Linkage> linkages = {
    {"four-bar", test::fourBar, 3, 0.6},         {"six-bar", test::sixBar, 6, 0.6},
    {"slider-crank", test::sliderCrank, 3, 0.6}, {"Jansen leg", test::jansenLeg, 9, 0.6},
    {"Bennett", test::bennettLoop, 3, 0.5},      {"Bricard", test::bricardLoop, 1, 0.8}};

}  // namespace

TEST(RoundedLinkages, HaveTheFreedomsOfTheExactOnes) {
  for (const Linkage& linkage : linkages)
    for (int digits = 5; digits <= 15; ++digits)
      for (unsigned plane = 0; plane < 4; ++plane) {
        const Mechanism mechanism(written(test::inRandomPlane(linkage.make(), plane), digits));
        const Redundancy found(mechanism);
        EXPECT_EQ(found.freedoms(), 1) << linkage.name << " with " << digits << " digits in plane " << plane;
        EXPECT_EQ(found.rows().size(), static_cast<std::size_t>(linkage.redundant)) << linkage.name << digits;
        EXPECT_LT(found.largestRounding(), 10.0 * std::pow(10.0, 1 - digits)) << linkage.name << digits;
      }
}

TEST(RoundedLinkages, MoveAsTheExactOnes) {
  unsigned plane = 0;
  for (const Linkage& linkage : linkages)
    for (const int digits : {5, 7, 9})
      for (const std::size_t way : {std::size_t{0}, std::size_t{3}, std::size_t{4}})
        expectSameMotion(test::inRandomPlane(linkage.make(), ++plane), digits, ways[way], linkage.end, linkage.name);
}

TEST(RoundedLinkagesLongRun, MoveAsTheExactOnesByEveryWay) {
  unsigned plane = 0;
  for (const Linkage& linkage : linkages)
    for (int digits = 5; digits <= 15; ++digits)
      for (const Way& way : ways)
        expectSameMotion(test::inRandomPlane(linkage.make(), ++plane), digits, way, linkage.end, linkage.name);
}

TEST(RoundedLinkagesLongRun, RandomPlanarOnesMoveAsTheExactOnes) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const int loops = 1 + static_cast<int>(seed % 3);
    const Model exact = test::inRandomPlane(test::randomPlanarLinkage(seed, loops), seed);
    for (const int digits : {5, 6, 7, 9, 15}) {
      const Model rounded = written(exact, digits);
      EXPECT_EQ(Redundancy(Mechanism(rounded)).freedoms(), 1) << "seed " << seed << ", " << digits << " digits";
      for (const Way& way : ways)
        expectSameMotion(exact, digits, way, 0.4, fmt::format("random linkage {} of {} loops", seed, loops));
    }
  }
}

}  // namespace polhode::rounded_linkages_test
