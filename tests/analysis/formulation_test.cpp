#include "analysis/formulation.h"

#include "analysis/engine_registry.h"
#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/io/model_file.h"

#include <gtest/gtest.h>

namespace polhode::formulation_test {
namespace {

/// Every entry of the table moves mechanisms and one body alone, by the integrator that solves them all; so does the next.
TEST(Formulations, EachMovesWhatTheUsualOneMoves) {
  for (const char* name : {"spatial-double-pendulum", "four-bar-loop", "heavy-top"}) {
    ModelFile file = readModelText(findExample(name)->text, name);
    SimulationSettings& settings = file.simulation;
    settings.coordinates = "quaternion";
    settings.projection = "none";
    settings.step.reset();
    settings.integrator = "dop853";
    settings.formulation = formulationTypes().front()->name;
    settings.tolerance = 1e-10;
    settings.end = 0.2;
    const RunResult usual = simulate(file.model, settings);
    settings.integrator = "bdf";
    settings.tolerance = 1e-8;
    for (const FormulationType* type : formulationTypes()) {
      SCOPED_TRACE(std::string(name) + " in " + type->name);
      settings.formulation = type->name;
      const RunResult result = simulate(file.model, settings);
      EXPECT_EQ(result.failure, "");
      for (std::size_t i = 0; i < result.final.bodies.size(); ++i)
        EXPECT_LT((result.final.bodies[i].position - usual.final.bodies[i].position).norm(), 1e-4);
    }
  }
}

TEST(Formulations, SayWhatDoesNotGoTogether) {
  SimulationSettings settings;
  settings.integrator = "dop853";
  settings.formulation = "index-3";
  EXPECT_NE(formulationObstacle(settings).find("choose integrator 'bdf'"), std::string::npos);
  settings.integrator = "bdf";
  EXPECT_EQ(formulationObstacle(settings), "");
  settings.baumgarte = Baumgarte{1.0, 1.0};
  EXPECT_NE(formulationObstacle(settings).find("use it with 'absolute' or 'index-1'"), std::string::npos);
  settings.formulation = "absolute";
  EXPECT_EQ(formulationObstacle(settings), "");
  settings.coordinates = "cardan";
  EXPECT_NE(formulationObstacle(settings).find("cardan angles"), std::string::npos);
  EXPECT_NE(unknownFormulation("null-spice").find("null-space"), std::string::npos);
}

}  // namespace
}  // namespace polhode::formulation_test
