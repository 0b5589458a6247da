#include "analysis/engines/releasing_engine.h"

#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

/// Drives that are let go on the way.
namespace polhode::releasing_engine_test {
namespace {

/// A wheel on the ground that is spun up along t^2 for three seconds.
const std::string wheel = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "wheel"
mass = 2
inertia = [0.1, 0.1, 0.2]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "wheel"]
point = [0, 0, 0]
axis = [0, 0, 1]
drive = { angle = { formula = "t^2", until = 3 } }
)toml";

Model read(const std::string& text) {
  return readModelText(text, "test.toml").model;
}

SimulationSettings by(const std::string& integrator, double end, const std::string& formulation = "null-space") {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.formulation = formulation;
  settings.end = end;
  settings.tolerance = 1e-10;
  if (integrator.starts_with("director") || integrator.starts_with("linear")) settings.step = 1e-3;
  return settings;
}

// The wheel goes on with what it has: six radians a second, counted on over its turns, and nothing pulls at it any more.
TEST(ReleasingEngine, WhatIsLetGoGoesOn) {
  for (const auto& [integrator, formulation] :
       {std::pair("director-em", "null-space"), std::pair("director-em-4", "null-space"),
        std::pair("director-gauss-8", "null-space"), std::pair("linear-implicit-euler", "null-space"),
        std::pair("dop853", "null-space"), std::pair("radau5", "absolute"), std::pair("bdf", "index-2")}) {
    const std::string where = std::string(integrator) + " " + formulation;
    // what the schemes of order one and two, and bdf at its tolerance, lose of a rotation on the way
    const double accurate = where.starts_with("linear")         ? 0.02
                            : where.starts_with("director-em ") ? 2e-4
                            : where.starts_with("bdf")          ? 1e-5
                                                                : 1e-6;
    Simulation simulation(read(wheel), by(integrator, 6.0, formulation));
    simulation.observe();
    simulation.advanceTo(2.0);
    EXPECT_NEAR(simulation.joint("axle").coordinate(), 4.0, accurate) << where;
    EXPECT_NEAR(simulation.observe().joints[1].torque.z(), 0.4, 0.05) << where;
    simulation.advanceTo(6.0);
    EXPECT_NEAR(simulation.joint("axle").rate(), 6.0, accurate) << where;
    EXPECT_NEAR(simulation.joint("axle").coordinate(), 9.0 + 6.0 * 3.0, accurate) << where;
    EXPECT_EQ(simulation.observe().joints[1].name, "axle drive") << where;
    EXPECT_EQ(simulation.observe().joints[1].torque.norm(), 0.0) << where;
    EXPECT_NEAR(simulation.work(), 0.5 * 0.2 * 36.0, 20.0 * accurate) << where;
    EXPECT_NEAR(simulation.energy(), simulation.work(), accurate) << where;
  }
}

// The hammer falls alike by integrators that conserve and by one that is accurate, and its energy stays.
TEST(ReleasingEngine, TheHammerFalls) {
  const Model model = read(findExample("trip-hammer")->text);
  Simulation accurate(model, by("dop853", 2.0));
  accurate.advanceTo(2.0);
  EXPECT_NEAR(accurate.energy() - accurate.work(), Simulation(model).energy(), 1e-7);
  for (const auto& [integrator, error] : {std::pair("director-em", 1e-4), std::pair("director-gauss-8", 1e-9)}) {
    Simulation conserving(model, by(integrator, 2.0));
    conserving.advanceTo(0.9);
    conserving.step();
    const double energy = conserving.energy();
    conserving.advanceTo(2.0);
    EXPECT_NEAR(conserving.energy(), energy, 1e-12 * std::abs(energy) + 1e-12) << integrator;
    EXPECT_NEAR(conserving.energy() - conserving.work(), Simulation(model).energy(), 1e-12) << integrator;
    EXPECT_LT((conserving.body("head").position() - accurate.body("head").position()).norm(), error) << integrator;
  }
  const double angle = accurate.joint("bearing").coordinate(), led = -0.6 * (1.0 - std::cos(M_PI * 2.0));
  EXPECT_GT(std::abs(angle - led), 0.1);  // it is not led any more
}

// Velocities at the ends of collocation's steps miss joints by h^s; what is free behind a release has the order 2s all the same.
TEST(ReleasingEngine, CollocationKeepsItsOrder) {
  const Model model = read(findExample("trip-hammer")->text);
  SimulationSettings tight = by("dop853", 1.6);
  tight.tolerance = 1e-14;
  Simulation accurate(model, tight);
  accurate.advanceTo(1.6);
  const auto errorAt = [&](double step) {
    SimulationSettings settings = by("director-gauss-6", 1.6);
    settings.step = step;
    Simulation simulation(model, settings);
    simulation.advanceTo(1.6);
    return (simulation.body("head").position() - accurate.body("head").position()).norm();
  };
  const double coarse = errorAt(0.02), fine = errorAt(0.01);
  EXPECT_GT(fine, 1e-12);  // above rounding
  EXPECT_NEAR(std::log2(coarse / fine), 6.0, 0.2);
}

// A checkpoint from before or from behind goes on bit by bit.
TEST(ReleasingEngine, GoesOnFromCheckpoints) {
  const Model model = read(findExample("trip-hammer")->text);
  for (const char* integrator : {"director-em", "director-gauss-6", "linear-implicit-euler", "dop853", "radau5"})
    for (const double saved : {0.4, 1.3}) {
      SimulationSettings settings = by(integrator, 1.6);
      Simulation first(model, settings);
      while (first.time() < saved) first.step();
      const std::string state = first.state();
      first.advanceTo(1.6);
      Simulation second(model, settings);
      second.restore(state);
      second.advanceTo(1.6);
      EXPECT_EQ(first.body("head").position(), second.body("head").position()) << integrator << saved;
      EXPECT_EQ(first.joint("bearing").coordinate(), second.joint("bearing").coordinate()) << integrator << saved;
      EXPECT_EQ(first.work(), second.work()) << integrator << saved;
    }
}

// What acts from outside acts on.
TEST(ReleasingEngine, LoadsActOn) {
  Simulation simulation(read(wheel), by("director-em", 5.0));
  simulation.apply({.body = "wheel", .torque = Vector3(0.0, 0.0, 0.1)});
  simulation.advanceTo(5.0);
  EXPECT_NEAR(simulation.joint("axle").rate(), 6.0 + 0.5 * 2.0, 1e-9);
}

TEST(ReleasingEngine, Refuses) {
  const auto sentence = [](const std::string& until, const std::string& integrator) -> std::string {
    std::string text = wheel;
    text.replace(text.find("until = 3"), 9, until);
    try {
      Simulation(read(text), by(integrator, 5.0));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(sentence("until = 0", "director-em").find("lets its angle go at t = 0; give a time above zero"),
            std::string::npos);
  EXPECT_NE(sentence("until = nan", "director-em").find("angle"), std::string::npos);
  EXPECT_NE(sentence("untill = 3", "director-em").find("untill"), std::string::npos);
  EXPECT_EQ(sentence("until = 3", "mpl"), "integrator 'mpl' does not let drives go; choose 'director-em' or 'dop853'");
  EXPECT_EQ(sentence("until = 3", "dop853"), "");
}

}  // namespace
}  // namespace polhode::releasing_engine_test
