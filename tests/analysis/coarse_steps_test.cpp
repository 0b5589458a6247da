#include "analysis/engine_registry.h"
#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "support/joint_residual.h"
#include "support/sanitized.h"
#include "system/mechanism_observation.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// Whatever the step or the tolerance, the conserving engine either gives rows that hold (joints closed to 1e-10 of the
/// size, the balance of energy to 1e-10 of the largest energy) or stops with an error, all rows before it so. Gaps are
/// computed from the bodies alone, by the definitions of the joints (support/joint_residual.h).
namespace polhode::coarse_steps_test {
namespace {

constexpr double closed = 1e-10, balanced = 1e-10;

const std::vector<double> allSteps = test::isSanitized ? std::vector<double>{1e-3, 3e-2, 0.3}
                                                       : std::vector<double>{1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3};

std::vector<ModelFile> unsteeredExamples() {
  std::vector<ModelFile> all;
  for (const Example& each : examples()) {
    all.push_back(readModelText(each.text, each.name));
    all.back().model.name = each.name;
    if (!all.back().model.actuators.empty()) all.pop_back();
  }
  return all;
}

struct Rows {
  int count = 0;
  std::string failure;
};

/// Runs it and looks at every row; `what` is said of a bad one.
Rows look(const Model& model, const SimulationSettings& settings, int most, const std::string& what) {
  const double size = mechanismSize(Mechanism(model));
  Rows rows;
  double start = 0.0, largest = 0.0, worstBalance = 0.0, worstGap = 0.0;
  const auto note = [](double value, double& worst) {
    if (!(value <= worst)) worst = value;
  };
  try {
    const auto run = makeEngine(model, settings);
    const Stepper& stepper = run->stepper();
    for (;; run->stepper().step(), ++rows.count) {
      const Observation o = run->observe(stepper.time(), stepper.state());
      const double balance = o.kineticEnergy + o.potentialEnergy - o.work;
      if (rows.count == 0) start = balance;
      for (const double energy : {o.kineticEnergy, o.potentialEnergy, o.work}) note(std::abs(energy), largest);
      note(std::abs(balance - start), worstBalance);
      note(test::residualOf(model, o.bodies, o.time, size).gap, worstGap);
      if (stepper.time() >= settings.end || rows.count == most) break;
    }
  } catch (const SimulationError& error) {
    rows.failure = error.what();
  }
  EXPECT_LT(worstGap, closed) << what << " after " << rows.count << " rows; " << rows.failure;
  EXPECT_LE(worstBalance, balanced * largest) << what << " after " << rows.count << " rows; " << rows.failure;
  return rows;
}

SimulationSettings by(const std::string& integrator) {
  SimulationSettings settings;
  settings.integrator = integrator;
  return settings;
}

Rows stepped(const Model& model, const std::string& integrator, double h, int steps) {
  SimulationSettings settings = by(integrator);
  settings.step = h;
  settings.end = steps * h;
  return look(model, settings, std::numeric_limits<int>::max(), fmt::format("{} {} h = {}", model.name, integrator, h));
}

Rows controlled(const Model& model, const std::string& integrator, double tolerance, double end, int most) {
  SimulationSettings settings = by(integrator);
  settings.tolerance = tolerance;
  settings.end = end;
  return look(model, settings, most, fmt::format("{} {} tolerance {}", model.name, integrator, tolerance));
}

Model example(const std::string& name) {
  return readModelText(findExample(name)->text, name).model;
}

// (Where everything begins at rest the first energies are so small that positions rounded to 1e-16 m show in them.)
TEST(CoarseSteps, HoldOrFail) {
  for (const ModelFile& file : unsteeredExamples()) {
    const int steps = file.model.bodies.size() > 30 ? 10 : file.model.bodies.size() > 6 || test::isSanitized ? 30 : 200;
    for (const double h : allSteps) stepped(file.model, "director-em", h, steps);
  }
}

TEST(CoarseSteps, OfCompositionsHoldOrFail) {
  for (const ModelFile& file : unsteeredExamples()) {
    if (file.model.bodies.size() > 30) continue;
    stepped(file.model, "director-em-4", 0.1, 5);
    stepped(file.model, "director-em-6", 0.03, 3);
    stepped(file.model, "director-em-8", 0.3, 2);
  }
}

TEST(CoarseSteps, LooseTolerancesHoldOrFail) {
  for (const ModelFile& file : unsteeredExamples())
    for (const double tolerance : test::isSanitized ? std::vector{1e-2} : std::vector{0.1, 1e-2, 1e-5})
      controlled(file.model, "director-em", tolerance, std::min(file.simulation.end, 2.0), 30);
}

// Fifty steps of 0.2 s end 4e-15 s before t = 10; what is left is not a step of its own.
TEST(CoarseSteps, ChosenOnesLeaveNoSplinterBeforeTheEnd) {
  for (const char* const integrator : {"director-em", "director-em-4", "director-em-8"})
    EXPECT_EQ(controlled(example("four-bar-loop"), integrator, 1e-2, 10.0, 1000).failure, "");
}

// What was torn before: a step whose joints cannot be closed, or that other solutions lie beside, is no step.
TEST(CoarseSteps, OfLoopsThatToreAreTakenOrRefused) {
  stepped(example("peaucellier"), "director-em", 0.08, 13);
  stepped(example("peaucellier"), "director-em", 0.06, 9);
  stepped(example("andrews-squeezer"), "director-em", 1e-3, 60);
  stepped(example("jansen-walker"), "director-em", 0.3, 60);
  stepped(example("six-bar"), "director-em", 0.3, 60);
  stepped(example("spring-top"), "director-em", 0.3, 200);
  EXPECT_EQ(controlled(example("bennett"), "director-em", 0.1, 2.0, 1000).failure, "");
}

// The spring of the wheel swings by three radians in a step of 0.3 s.
TEST(CoarseSteps, OfCollocationThatAreTooLongForASpringAreWarnedOf) {
  SimulationSettings settings = by("director-gauss-8");
  settings.end = 0.9;
  settings.step = 0.3;
  const std::string warning = simulate(example("car-axis"), settings).warning;
  EXPECT_NE(warning.find("so long for the springs"), std::string::npos) << warning;
  settings.step = 0.03;
  EXPECT_EQ(simulate(example("car-axis"), settings).warning, "");
}

TEST(CoarseSteps, AFailureSaysWhenAndWhy) {
  // half a turn of the crank in a step, and more: no solution, or none that is near
  const Rows rows = stepped(example("six-bar"), "director-em", 0.3, 200);
  ASSERT_NE(rows.failure, "");
  EXPECT_NE(rows.failure.find("director-em: the step from t = "), std::string::npos) << rows.failure;
  EXPECT_NE(rows.failure.find("take a smaller step"), std::string::npos) << rows.failure;
}

TEST(CoarseSteps, AFailureNamesTheBodyWhoseMotionLeftTheRangeOfNumbers) {
  // each of three bodies once, free and in a chain: a force without bound acts on it
  const std::string force =
      "type = \"load\"\nforce = [1e200, 0, 0]\nscale = { formula = \"1e200*step(t - 0.05)\" }\nbody = ";
  for (const bool chained : {false, true})
    for (const char* const culprit : {"a", "b", "c"}) {
      std::string text = "[model]\ngravity = [0, 0, -9.81]\n";
      for (const char name : {'a', 'b', 'c'}) {
        const int x = name - 'a';
        text +=
            fmt::format("[[body]]\nname = \"{}\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [{}.5, 0, 0]\n", name, x);
        if (chained)
          text += fmt::format(
              "[[joint]]\nname = \"to {0}\"\ntype = \"spherical\"\nbodies = [\"{1}\", \"{0}\"]\npoint = "
              "[{2}, 0, 0]\n",
              name, x == 0 ? std::string("ground") : std::string(1, static_cast<char>(name - 1)), x);
      }
      text += fmt::format("[[force]]\nname = \"bad\"\n{}\"{}\"\n", force, culprit);
      const Rows rows = stepped(readModelText(text, "three bodies").model, "director-em", 0.01, 20);
      EXPECT_EQ(rows.count, 5) << text;
      EXPECT_NE(rows.failure.find(fmt::format("the motion of body '{}' left the range", culprit)), std::string::npos)
          << rows.failure;
    }
}

// A bob on a cord whose law ends at 1.4 m falls until there, at t = 0.4453 by all integrators with an estimate of their errors.
TEST(CoarseSteps, AMotionThatComesToTheEndOfALawEndsThere) {
  const ModelFile file = readModelText(
      "[model]\ngravity = [0, 0, -9.81]\n"
      "[[body]]\nname = \"bob\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, -1]\n"
      "[[force]]\nname = \"cord\"\ntype = \"spring\"\nbodies = [\"ground\", \"bob\"]\n"
      "points = [[0, 0, 0], [0, 0, -1]]\nlaw = { formula = \"10*sqrt(1.4 - x)\" }\n",
      "cord");
  for (const char* const integrator :
       {"director-em", "director-em-4", "dop853", "radau5", "bdf", "linear-implicit-euler"}) {
    SimulationSettings settings = by(integrator);
    settings.end = 5.0;
    if (std::string_view(integrator).starts_with("director") || integrator == std::string_view("linear-implicit-euler"))
      settings.step = 0.01;
    const RunResult result = simulate(file.model, settings);
    EXPECT_NE(result.failure, "") << integrator;
    EXPECT_GT(result.final.time, 0.42) << integrator;
    EXPECT_LT(result.final.time, 0.4454) << integrator;
    EXPECT_TRUE(std::isfinite(result.final.energy())) << integrator;
    if (settings.step && integrator != std::string_view("linear-implicit-euler")) {
      EXPECT_NE(result.failure.find("'bob'"), std::string::npos) << result.failure;
    }
  }
}

// A point mass on a rod that begins at rest: nothing but roundings is there to turn it, and these are in no proportion.
TEST(FineSteps, FromRestAreTaken) {
  for (const char* const integrator : {"director-em", "director-em-4", "director-em-6", "director-em-8"})
    EXPECT_EQ(stepped(example("simple-pendulum"), integrator, 1e-5, 50).failure, "");
}

// Half an hour.
TEST(CoarseStepsLongRun, EveryExampleAndCompositionHoldsOrFails) {
  for (const char* const integrator : {"director-em", "director-em-4", "director-em-6", "director-em-8"})
    for (const ModelFile& file : unsteeredExamples())
      for (const double h : allSteps) stepped(file.model, integrator, h, 200);
}

TEST(CoarseStepsLongRun, EveryToleranceHoldsOrFails) {
  for (const char* const integrator : {"director-em", "director-em-4", "director-em-6", "director-em-8"})
    for (const ModelFile& file : unsteeredExamples())
      for (const double tolerance : {0.1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12})
        controlled(file.model, integrator, tolerance, file.simulation.end, 200);
}

}  // namespace
}  // namespace polhode::coarse_steps_test
