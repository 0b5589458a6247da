#include "analysis/engine_registry.h"
#include "integrate/catalogue.h"
#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "support/sanitized.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

/// A run that goes on from a checkpoint is bit by bit the run that was not stopped.
namespace polhode::resume_test {
namespace {

struct Case {
  std::string example, integrator;
  bool chosenStep = false;  // by the tolerance
  std::string formulation = "null-space", coordinates = "quaternion", projection = "none";
  double end = 0.4;
};

std::string nameOf(const Case& c) {
  std::string name = fmt::format("{}_{}_{}_{}_{}_{}", c.example, c.integrator, c.chosenStep ? "tolerance" : "step",
                                 c.formulation, c.coordinates, c.projection);
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

SimulationSettings settingsOf(const Case& c, const ModelFile& file) {
  SimulationSettings settings = file.simulation;
  settings.integrator = c.integrator;
  settings.formulation = c.formulation;
  settings.coordinates = c.coordinates;
  settings.projection = c.projection;
  settings.tolerance = 1e-6;
  settings.step.reset();
  if (!c.chosenStep) settings.step = 0.004;
  settings.end = c.end;
  settings.stopWhen.clear();
  return settings;
}

class Resume : public testing::TestWithParam<Case> {};

TEST_P(Resume, IsTheRunThatWasNotStopped) {
  const Case& c = GetParam();
  const ModelFile file = readModelText(findExample(c.example)->text, c.example);
  const SimulationSettings settings = settingsOf(c, file);
  // at every step, and between them
  for (const std::optional<double> every : {std::optional<double>(), std::optional<double>(0.0037)}) {
    RunOptions options = runOptions(file.model, settings);
    options.outputEvery = every;
    options.record = true;
    options.checkpointEvery = 0.13;
    std::vector<Checkpoint> checkpoints;
    options.checkpoint = [&](const Checkpoint& checkpoint) { checkpoints.push_back(checkpoint); };
    const RunResult whole = run(*makeEngine(file.model, settings), options);
    ASSERT_EQ(whole.failure, "");
    ASSERT_FALSE(checkpoints.empty());
    if (checkpoints.size() > 2) checkpoints.resize(2);

    for (const Checkpoint& from : checkpoints) {
      options.checkpoint = [](const Checkpoint&) {};
      options.resumeFrom = &from;
      const RunResult rest = run(*makeEngine(file.model, settings), options);
      ASSERT_EQ(rest.failure, "");
      const auto width = static_cast<std::ptrdiff_t>(whole.recording.columns.size());
      const std::vector<double> expected(whole.recording.values.begin() + from.rows * width,
                                         whole.recording.values.end());
      ASSERT_EQ(rest.recording.values.size(), expected.size()) << "from t = " << from.time;
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(rest.recording.values[i], expected[i])
            << "from t = " << from.time << ", " << rest.recording.columns[i % static_cast<std::size_t>(width)]
            << " in row " << i / static_cast<std::size_t>(width);
      EXPECT_EQ(rest.energyDrift, whole.energyDrift);
      EXPECT_EQ(rest.balanceError, whole.balanceError);
      EXPECT_EQ(rest.angularMomentumDrift, whole.angularMomentumDrift);
      EXPECT_EQ(rest.work.steps, whole.work.steps);
      EXPECT_EQ(rest.work.rhsEvaluations, whole.work.rhsEvaluations);
    }
  }
}

/// Every integrator of the catalogue on a single body, its compositions, and those that move mechanisms on some.
std::vector<Case> allCases() {
  std::vector<Case> all;
  for (const IntegratorInfo& info : integrators()) {
    if (info.name == "linear-implicit-euler") {
      all.push_back({"four-bars", info.name});
    } else if (info.adaptive) {
      all.push_back({"lang-a", info.name, true});
      all.push_back({"lang-a", info.name, true, "absolute", "director", "explicit"});
      all.push_back({"quarter-car", info.name, true});
    } else {
      all.push_back({"heavy-top", info.name});
      all.push_back({"heavy-top", info.name, true});
    }
  }
  for (const char* name : {"director-em-4", "eml-6", "mpl-8"}) all.push_back({"heavy-top", name});
  for (const char* name : {"director-em", "director-em-4", "director-gauss-6", "director-gauss"})
    for (const bool chosen : {false, true})
      for (const char* example : {"ball-chain", "peaucellier", "quarter-car", "bennett", "four-bars"})
        all.push_back({example, name, chosen});
  for (const char* name : {"director-em", "director-gauss-6", "director-gauss"})
    for (const bool chosen : {false, true}) all.push_back({"car-axis", name, chosen});
  for (const char* name : {"eml", "mpl", "eml-4"}) {
    if (test::isSanitized && name == std::string("eml-4")) continue;
    all.push_back({"four-bar-loop", name});
    all.push_back({"four-bar-loop", name, true});
  }
  for (const char* name : {"dop853", "radau5", "bdf"}) {
    all.push_back({"peaucellier", name, true});
    all.push_back({"spatial-slider-crank", name, true, "absolute"});
  }
  for (const bool chosen : {false, true}) {
    all.push_back({"quarter-car", "gauss-8", chosen});
    all.push_back({"free-body", "gauss-8", chosen});
    all.push_back({"free-body", "gauss-12", chosen, "null-space", "director", "polar"});
    all.push_back({"heavy-top", "gauss-12", chosen, "null-space", "director", "polar"});
    all.push_back({"spatial-slider-crank", "gauss-6", chosen, "absolute"});
  }
  all.push_back({"spatial-slider-crank", "bdf", true, "ggl"});
  all.push_back({"lang-a", "bdf", true, "index-2"});
  all.push_back({"steered-chain", "linear-implicit-euler"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Ways, Resume, testing::ValuesIn(allCases()),
                         [](const auto& each) { return nameOf(each.param); });

TEST(ResumeFailure, IsASentence) {
  const ModelFile file = readModelText(findExample("heavy-top")->text, "heavy-top");
  SimulationSettings settings = settingsOf({"heavy-top", "dop853", true}, file);
  RunOptions options = runOptions(file.model, settings);
  options.checkpointEvery = 0.1;
  Checkpoint saved;
  options.checkpoint = [&](const Checkpoint& checkpoint) { saved = checkpoint; };
  run(*makeEngine(file.model, settings), options);

  // another integrator, a part of it, and more than it
  options.resumeFrom = &saved;
  settings.integrator = "radau5";
  EXPECT_THROW(run(*makeEngine(file.model, settings), options), InputError);
  settings.integrator = "dop853";
  const std::string state = saved.state;
  for (const std::size_t length : {std::size_t(0), std::size_t(10), state.size() / 2, state.size() - 1}) {
    saved.state = state.substr(0, length);
    EXPECT_THROW(run(*makeEngine(file.model, settings), options), InputError) << length;
  }
  saved.state = state + "x";
  EXPECT_THROW(run(*makeEngine(file.model, settings), options), InputError);
}

}  // namespace
}  // namespace polhode::resume_test
