#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "system/mechanism_observation.h"
#include "system/mobility.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// The mechanisms of examples/, checked and run.
namespace polhode::example_mechanisms_test {
namespace {

ModelFile example(const std::string& name) {
  const Example* found = findExample(name);
  if (!found) throw InputError("no example " + name);
  return readModelText(found->text, name + ".toml");
}

/// The bodies of an example at a time, by a composition of the director scheme.
std::map<std::string, Body> at(const std::string& name, double end, const std::string& integrator, double step) {
  ModelFile file = example(name);
  file.simulation.integrator = integrator;
  file.simulation.step = step;
  file.simulation.end = end;
  const RunResult result = simulate(file.model, file.simulation);
  EXPECT_EQ(result.failure, "");
  std::map<std::string, Body> bodies;
  for (const Body& body : result.final.bodies) bodies.emplace(body.name, body);
  return bodies;
}

}  // namespace

TEST(ExampleMechanisms, HaveTheirDegreesOfFreedom) {
  struct Expected {
    const char* name;
    int freedoms, redundant;
  };
  for (const auto& [name, freedoms, redundant] : std::vector<Expected>{{"andrews-squeezer", 1, 9},
                                                                       {"bennett", 1, 3},
                                                                       {"bricard", 1, 1},
                                                                       {"four-bar-loop", 12, 0},
                                                                       {"four-bars", 1, 6},
                                                                       {"hexapod", 6, 0},
                                                                       {"jansen-walker", 1, 54},
                                                                       {"peaucellier", 1, 9},
                                                                       {"six-bar", 1, 6},
                                                                       {"spatial-slider-crank", 1, 0}}) {
    const Mobility found = mobilityOf(Mechanism(example(name).model));
    EXPECT_EQ(found.freedoms, freedoms) << name;
    EXPECT_EQ(found.redundant(), redundant) << name;
  }
}

/// By the conserving engine, whatever the file says.
RunResult conserving(const Example& each, int steps) {
  const ModelFile file = readModelText(each.text, each.name + ".toml");
  SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = file.simulation.step.value_or(0.01);
  settings.end = steps * *settings.step;
  return simulate(file.model, settings);
}

/// All but those that are steered, which the real-time scheme does.
std::vector<Example> unsteeredExamples() {
  std::vector<Example> all = examples();
  std::erase_if(all, [](const Example& each) { return !example(each.name).model.actuators.empty(); });
  return all;
}

void expectKept(const Example& each, const RunResult& result, double tolerance) {
  EXPECT_EQ(result.failure, "") << each.name;
  EXPECT_LT(result.balanceError, tolerance) << each.name;
  EXPECT_LT(result.positionViolation, tolerance * mechanismSize(Mechanism(example(each.name).model))) << each.name;
  for (const MomentumDrift& momentum : result.conservedMomenta)
    EXPECT_LT(momentum.drift, tolerance) << each.name << ": " << momentum.momentum.name();
}

TEST(ExampleMechanisms, KeepJointsEnergyAndMomenta) {
  for (const Example& each : unsteeredExamples()) expectKept(each, conserving(each, 50), 1e-12);
}

// A few minutes.
TEST(ExampleMechanisms, LongRunKeepsJointsEnergyAndMomentaFor100000Steps) {
  for (const Example& each : unsteeredExamples()) {
    const RunResult result = conserving(each, 100000);
    double momenta = 0.0;
    for (const MomentumDrift& momentum : result.conservedMomenta) momenta = std::max(momenta, momentum.drift);
    fmt::print("{:24} energy {:8.1e}   joints {:8.1e}   {} momenta {:8.1e}\n", each.name, result.balanceError,
               result.positionViolation, result.conservedMomenta.size(), momenta);
    std::fflush(stdout);
    expectKept(each, result, 1e-11);
  }
}

// A quarter of an hour.
TEST(ExampleMechanisms, LongRunOfTheWalkerForAnHour) {
  const Example& walker = *findExample("jansen-walker");
  const double step = *example("jansen-walker").simulation.step;
  const RunResult result = conserving(walker, static_cast<int>(std::lround(3600.0 / step)));
  fmt::print("energy {:8.1e}   joints {:8.1e}\n", result.balanceError, result.positionViolation);
  expectKept(walker, result, 1e-10);
}

// Values of the IFToMM library of benchmarks, computed in extended precision (tests/data/README.md).

TEST(ExampleMechanisms, SimplePendulum) {
  const Vector3 bob = at("simple-pendulum", 1.0, "director-em-8", 0.02).at("bob").position;
  EXPECT_LT((bob - Vector3(0.9862917511318753, -0.1650108531255412, 0)).norm(), 1e-9);
}

TEST(ExampleMechanisms, FourBars) {
  const Body crank = at("four-bars", 1.0, "director-em-8", 0.02).at("crank0");
  EXPECT_LT((2.0 * crank.position - Vector3(-0.1950203019494351, -0.9807992056621738, 0)).norm(), 1e-9);
}

TEST(ExampleMechanisms, Bricard) {
  const auto bodies = at("bricard", 0.5, "director-em-8", 0.02);
  // the end of rod 2: its x axis runs along it
  const Body& rod = bodies.at("rod2");
  const Eigen::Quaterniond q(rod.orientation[0], rod.orientation[1], rod.orientation[2], rod.orientation[3]);
  const Vector3 end = rod.position + q * Vector3(0.5, 0, 0);
  EXPECT_LT((end - Vector3(0.774717808039, -0.979815047656, -0.199906158953)).norm(), 1e-9);
}

TEST(ExampleMechanisms, SpatialSliderCrank) {
  const Body slider = at("spatial-slider-crank", 0.5, "director-em-8", 0.01).at("slider");
  EXPECT_NEAR(slider.position[0], 0.184952629778, 1e-9);
}

TEST(ExampleMechanisms, AndrewsSqueezer) {
  // beta, the angle of K1, at the end; published to 1e-9 only
  const Quaternion q = at("andrews-squeezer", 0.03, "director-em-6", 1e-4).at("K1").orientation;
  const double angle = 2.0 * std::atan2(q[3], q[0]), beta = 15.81077119629904;
  EXPECT_NEAR(std::remainder(angle - beta, 2.0 * std::numbers::pi), 0.0, 1e-8);
}

TEST(ExampleMechanisms, FlyballGovernor) {
  const auto bodies = at("flyball-governor", 0.5, "director-em", 5e-4);
  EXPECT_NEAR(bodies.at("slider").position[2], 0.743249424786, 1e-6);
  EXPECT_NEAR(bodies.at("shaft").angularVelocity[2], 5.103415421971, 1e-5);
}

}  // namespace polhode::example_mechanisms_test
