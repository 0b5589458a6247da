#include "analysis/engine_registry.h"

#include "integrate/catalogue.h"
#include "io/examples.h"
#include "math/euler_map.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::engine_registry_test {
namespace {

ModelFile read(const Example& example) {
  return readModelText(example.text, example.name + ".toml");
}

const ModelFile& file(const std::string& name) {
  static std::map<std::string, ModelFile> files;
  const auto [found, isNew] = files.try_emplace(name);
  if (isNew) found->second = read(*findExample(name));
  return found->second;
}

SimulationSettings by(const std::string& integrator, double step = 0.001) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = step;
  return settings;
}

std::string engineOf(const std::string& example, const std::string& integrator, Loads loads = Loads::none) {
  return engineFor(file(example).model, by(integrator), loads).name;
}

TEST(EngineRegistry, FindsTheOneThatIsMeant) {
  EXPECT_EQ(engineOf("heavy-top", "dop853"), "classical body");
  EXPECT_EQ(engineOf("heavy-top", "director-em-8"), "conserving body");
  EXPECT_EQ(engineOf("heavy-top", "emh-4"), "conserving body");
  EXPECT_EQ(engineOf("spring-top", "director-em"), "conserving mechanism");
  EXPECT_EQ(engineOf("spring-top", "eml"), "Livens mechanism");
  EXPECT_EQ(engineOf("four-bars", "director-em"), "conserving mechanism");
  EXPECT_EQ(engineOf("four-bars", "mpl-4"), "Livens mechanism");
  EXPECT_EQ(engineOf("four-bars", "radau5"), "classical mechanism");
  EXPECT_EQ(engineOf("steered-chain", "director-em"), "conserving mechanism");
  EXPECT_EQ(engineOf("steered-chain", "linear-implicit-euler"), "real time");
  SimulationSettings settings = by("bdf");
  settings.formulation = "index-2";
  EXPECT_STREQ(engineFor(file("heavy-top").model, settings).name, "index body");
  EXPECT_STREQ(engineFor(file("four-bars").model, settings).name, "classical mechanism");
}

TEST(EngineRegistry, PrefersOneThatTakesLoadsWhereTheseAreWanted) {
  EXPECT_EQ(engineOf("heavy-top", "director-em", Loads::wanted), "conserving mechanism");
  EXPECT_EQ(engineOf("heavy-top", "null-eml", Loads::wanted), "conserving body");
  EXPECT_EQ(engineOf("heavy-top", "dop853", Loads::wanted), "classical body");
}

// Both engines of director-em move a body alone by the same scheme, energy and turns agree to roundings. (Angular velocities
// at the ends of steps do not: alone it is told from the momentum, of mechanisms from the rates of the directors.)
TEST(EngineRegistry, DirectorEmIsOneScheme) {
  for (const char* name : {"heavy-top", "heavy-top-nutating", "free-body"})
    for (const char* integrator : {"director-em", "director-em-4"}) {
      const Model& model = file(name).model;
      const auto alone = makeEngine(model, by(integrator)),
                 amongOthers = makeEngine(model, by(integrator), Loads::wanted);
      for (int i = 0; i < 200; ++i) {
        alone->stepper().step();
        amongOthers->stepper().step();
      }
      const auto end = [](const Engine& engine) {
        return engine.observe(engine.stepper().time(), engine.stepper().state());
      };
      const Observation a = end(*alone), b = end(*amongOthers);
      EXPECT_EQ(a.time, b.time);
      EXPECT_NEAR(a.energy() / b.energy(), 1.0, 1e-12) << name;
      const Matrix3 between = rotationMatrix(a.bodies[0].orientation) - rotationMatrix(b.bodies[0].orientation);
      EXPECT_LT(between.cwiseAbs().maxCoeff(), 1e-11) << name << " by " << integrator;
    }
}

// What the menu of the page offers can be made, and what it does not offer cannot, for the reason that is told.
TEST(EngineRegistry, ObstaclesAreWhatMakingThemSays) {
  for (const char* name : {"heavy-top", "spring-top", "four-bars", "crane", "steered-chain", "simple-pendulum"})
    for (const char* formulation : {"null-space", "absolute", "index-2"})
      for (const char* coordinates : {"quaternion", "cardan"}) {
        SimulationSettings settings = by("dop853", 0.01);
        settings.formulation = formulation;
        settings.coordinates = coordinates;
        const std::vector<std::string> fitting = fittingIntegrators(file(name).model, settings);
        const std::set<std::string> offered(fitting.begin(), fitting.end());
        for (const IntegratorInfo& info : integrators()) {
          settings.integrator = info.name;
          const std::string where = fmt::format("{} {} {} {}", name, formulation, coordinates, info.name);
          const std::string obstacle = obstacleOf(file(name).model, settings);
          EXPECT_EQ(obstacle.empty(), offered.contains(info.name)) << where;
          try {
            makeEngine(file(name).model, settings);
            EXPECT_EQ(obstacle, "") << where;
          } catch (const InputError& error) {
            EXPECT_EQ(obstacle, error.what()) << where;
          }
        }
      }
}

// Words that do not exist stand against every engine, also one that does not look at them.
TEST(EngineRegistry, RefusesWordsThatDoNotExist) {
  for (const char* integrator : {"dop853", "director-em", "eml"}) {
    SimulationSettings settings = by(integrator);
    EXPECT_NO_THROW(requireFit(file("heavy-top").model, settings));
    settings.formulation = "nul-space";
    EXPECT_EQ(obstacleOf(file("heavy-top").model, settings),
              "there is no formulation 'nul-space'; did you mean 'null-space'?");
    EXPECT_THROW(requireFit(file("heavy-top").model, settings), InputError);
    EXPECT_THROW(makeEngine(file("heavy-top").model, settings), InputError);
  }
}

// An engine without a capability refuses what belongs to it; one that has it takes it.
TEST(EngineRegistry, CapabilitiesAreKept) {
  for (const EngineType* type : engineTypes()) {
    std::unique_ptr<Engine> engine;
    for (const Example& example : examples()) {
      if (engine || example.name.ends_with("-40") || example.name == "rope-bridge") continue;
      for (const IntegratorInfo& info : integrators())
        for (const char* formulation : {"null-space", "index-2"}) {
          SimulationSettings settings = by(info.name);
          settings.formulation = formulation;
          const Model& model = file(example.name).model;
          if (engine || &engineFor(model, settings) != type || !obstacleOf(model, settings).empty()) continue;
          engine = makeEngine(model, settings);
        }
    }
    ASSERT_TRUE(engine) << type->name;
    const EngineCapabilities can = engine->capabilities();
    const auto keeps = [&](bool states, const auto& act) {
      if (states)
        EXPECT_NO_THROW(act()) << type->name;
      else
        EXPECT_THROW(act(), InputError) << type->name;
    };
    engine->stepper().step();
    keeps(can.takesLoads, [&] { engine->setLoad(0, Vector3::Zero(), Vector3::UnitX(), Vector3::Zero()); });
    keeps(can.takesHands, [&] { engine->hands(); });
    keeps(can.goesOn, [&] {
      engine->goOnFrom(0.5, engine->observe(engine->stepper().time(), engine->stepper().state()).bodies);
      EXPECT_EQ(engine->stepper().time(), 0.5);
    });
  }
}

// How an engine steps follows from its integrator and from whether a step is asked for.
TEST(EngineRegistry, CapabilitiesTellOrderAndWhoChoosesSteps) {
  const auto of = [](const char* integrator, std::optional<double> step) {
    SimulationSettings settings = by(integrator);
    settings.step = step;
    return makeEngine(file("heavy-top").model, settings)->capabilities();
  };
  EXPECT_EQ(of("dop853", {}).order, 8);
  EXPECT_EQ(of("gauss-12", {}).order, 12);
  EXPECT_EQ(of("director-em", {}).order, 2);
  EXPECT_EQ(of("emh-6", {}).order, 6);
  EXPECT_EQ(of("eml-8", {}).order, 8);
  EXPECT_EQ(of("director-gauss-10", {}).order, 10);
  EXPECT_EQ(of("linear-implicit-euler", 0.001).order, 1);
  for (const char* integrator : {"bdf", "odex", "director-gauss"}) EXPECT_EQ(of(integrator, {}).order, 0) << integrator;
  for (const char* integrator : {"gauss-12", "director-em", "emh-6", "director-gauss"}) {
    EXPECT_TRUE(of(integrator, {}).choosesSteps) << integrator;
    EXPECT_FALSE(of(integrator, 0.001).choosesSteps) << integrator;
  }
  EXPECT_TRUE(of("dop853", 0.001).choosesSteps);  // that is its first one
  SimulationSettings released = by("director-em-4");
  EXPECT_EQ(makeEngine(file("trip-hammer").model, released)->capabilities().order, 4);
}

// What a conserving scheme has no use for is refused, not passed over; for mechanisms and single bodies alike.
TEST(EngineRegistry, SettingsOfOtherEquationsAreRefused) {
  for (const char* model : {"heavy-top", "four-bars"})
    for (const IntegratorInfo& info : integrators()) {
      const SimulationSettings plain = by(info.name);
      if (info.moves == IntegratorKind::classical || !obstacleOf(file(model).model, plain).empty()) continue;
      SimulationSettings settings = plain;
      settings.baumgarte = Baumgarte{10.0, 10.0};
      EXPECT_EQ(
          obstacleOf(file(model).model, settings),
          fmt::format("baumgarte does not go with integrator '{}', which stays on the constraints by itself; leave "
                      "it out, or choose formulation 'absolute' with 'dop853'",
                      info.name));
      settings = plain;
      settings.formulation = "absolute";
      EXPECT_EQ(obstacleOf(file(model).model, settings),
                fmt::format("formulation 'absolute' does not go with integrator '{}', which has equations of its own; "
                            "leave it out, or choose one of the classical integrators, such as 'dop853'",
                            info.name));
      settings = plain;
      settings.projection = "explicit";
      EXPECT_THROW(makeEngine(file(model).model, settings), InputError) << info.name;
    }
}

// One body is a mechanism too: where Baumgarte's term is asked for it is used, not passed over.
TEST(EngineRegistry, BaumgarteReachesOneBody) {
  SimulationSettings settings = by("dop853");
  settings.formulation = "absolute";
  settings.baumgarte = Baumgarte{10.0, 10.0};
  EXPECT_STREQ(engineFor(file("heavy-top").model, settings).name, "classical mechanism");
  settings.formulation = "null-space";
  EXPECT_THROW(makeEngine(file("heavy-top").model, settings), InputError);
}

}  // namespace
}  // namespace polhode::engine_registry_test
