#include "ensemble/ensemble.h"

#include "ensemble/gpu/gpu_trees.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"
#include "support/mechanisms.h"

#include <gtest/gtest.h>

namespace polhode::ensemble_test {
namespace {

using ensemble::Ensemble;
using ensemble::EnsembleOptions;

Ensemble::Models varied(const Model& model) {
  return [model](std::size_t member) {
    auto own = std::make_shared<Model>(model);
    for (Body& body : own->bodies) body.mass *= 1.0 + 0.1 * static_cast<double>(member);
    return own;
  };
}

// Trees go in lanes, a loop alone; each as a simulation of its own, pulled at from outside.
TEST(Ensemble, MembersMoveAsSimulations) {
  for (const Model& model : {test::spatialDoublePendulum(), test::bricard()}) {
    const Ensemble::Models models = varied(model);
    Ensemble members(11, models, {.step = 1e-3, .threads = 2});
    const std::string body = model.bodies.back().name;
    std::vector<double> forces, torques, places;
    for (int i = 0; i < 11; ++i) {
      forces.insert(forces.end(), {0.1 * i, 0.0, 0.2});
      torques.insert(torques.end(), {0.0, 0.01 * i, 0.0});
    }
    members.apply(body, forces, torques);
    members.step(100);
    EXPECT_EQ(members.observe(body + ".position", places), 3u);
    for (const std::size_t m : {0u, 4u, 10u}) {
      SimulationSettings settings;
      settings.integrator = "director-em";
      settings.step = 1e-3;
      settings.end = 1.0;
      Simulation alone(*models(m), settings);
      alone.apply({.body = body, .force = Vector3(forces.data() + 3 * m), .torque = Vector3(torques.data() + 3 * m)});
      for (int i = 0; i < 100; ++i) alone.step();
      EXPECT_LT((alone.body(body).position() - Vector3(places.data() + 3 * m)).norm(), 1e-11) << m;
      EXPECT_EQ(members.failure(m), "");
    }
  }
}

TEST(Ensemble, ThreadsChangeNoBit) {
  const Ensemble::Models models = varied(test::mixedChain());
  std::vector<double> one, three;
  Ensemble first(30, models, {.step = 1e-3, .threads = 1}), second(30, models, {.step = 1e-3, .threads = 3});
  EXPECT_TRUE(first.isInLanes());
  first.step(50), second.step(50);
  first.observe("energy", one), second.observe("energy", three);
  EXPECT_EQ(one, three);
}

// A member that begins anew goes the way that it went.
TEST(Ensemble, ResetsMembers) {
  Ensemble members(5, varied(test::ballChain(3)), {.step = 1e-3, .threads = 2});
  std::vector<double> then, begun, now;
  members.step(60);
  members.observe("energy", then);
  const std::size_t some[] = {1, 4};
  std::vector<double> places;
  members.observe("kinetic_energy", places);
  members.reset(some);
  members.observe("kinetic_energy", begun);
  EXPECT_EQ(begun[0], places[0]);
  EXPECT_NE(begun[1], places[1]);
  members.step(60);
  members.observe("kinetic_energy", now);
  EXPECT_NEAR(now[1], places[1], 1e-9 * (1.0 + places[1]));
  EXPECT_NEAR(now[4], places[4], 1e-9 * (1.0 + places[4]));
}

std::vector<double> seen(const Ensemble& members, const std::string& quantity) {
  std::vector<double> values;
  members.observe(quantity, values);
  return values;
}

// Pulled at, and some of them put back to their start, as the processor moves them.
TEST(Ensemble, MovesOnAGpuAsOnTheProcessor) {
  if (const std::string why = ensemble::GpuTrees::obstacle(); !why.empty()) GTEST_SKIP() << why;
  constexpr std::size_t size = 70;
  std::vector<Ensemble> both;
  for (const auto device : {ensemble::Device::processor, ensemble::Device::gpu}) {
    Ensemble& members = both.emplace_back(size, varied(test::spatialDoublePendulum()),
                                          EnsembleOptions{.step = 1e-3, .threads = 2, .device = device});
    std::vector<double> forces, torques;
    for (std::size_t m = 0; m < size; ++m) {
      forces.insert(forces.end(), {0.01 * static_cast<double>(m), 0.0, 0.2});
      torques.insert(torques.end(), {0.0, 0.001 * static_cast<double>(m), 0.0});
    }
    members.step(100);
    members.apply(test::spatialDoublePendulum().bodies.back().name, forces, torques);
    members.step(200);
    const std::size_t some[] = {3, 33, 69};
    members.reset(some);
    members.step(300);
  }
  for (const std::string quantity : {"energy", "angular_momentum"}) {
    const std::vector<double> here = seen(both[0], quantity), there = seen(both[1], quantity);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i)
      EXPECT_NEAR(there[i], here[i], 1e-10 * (1.0 + std::abs(here[i]))) << quantity << ' ' << i;
  }
}

// Without a GPU, or without the part for it, that is said.
TEST(Ensemble, AsksForAGpu) {
  if (ensemble::GpuTrees::obstacle().empty()) GTEST_SKIP() << "this machine has one";
  const EnsembleOptions onGpu{.step = 1e-3, .device = ensemble::Device::gpu};
  try {
    const Ensemble members(2, varied(test::ballChain(2)), onGpu);
    FAIL() << "it moves";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "no GPU moves this ensemble: " + ensemble::GpuTrees::obstacle());
  }
}

TEST(Ensemble, MembersAreAlike) {
  const Ensemble::Models models = [](std::size_t member) {
    return std::make_shared<const Model>(test::rodChain(3, member == 9 ? "revolute" : "spherical"));
  };
  EXPECT_THROW(Ensemble(11, models, {.step = 1e-3}), InputError);
  EXPECT_NO_THROW(Ensemble(9, models, {.step = 1e-3}));
}

}  // namespace
}  // namespace polhode::ensemble_test
