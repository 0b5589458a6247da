#include "server/live_simulation.h"

#include "analysis/engine_registry.h"
#include "analysis/present_model.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode::live {

namespace {

/// Single bodies too are moved by an engine that lets itself be pulled, where there is one.
std::unique_ptr<Engine> endless(const Model& model, SimulationSettings settings) {
  settings.end = Simulation::noEnd;
  return makeEngine(model, settings, Loads::wanted);
}

}  // namespace

LiveSimulation::LiveSimulation(Model model, SimulationSettings settings)
    : model_(std::move(model)), settings_(std::move(settings)), engine_(endless(model_, settings_)) {}

void LiveSimulation::step() {
  engine_->stepper().step();
  engine_->projectState();
  if (!engine_->stepper().state().allFinite())
    throw SimulationError(reached(),
                          fmt::format("the state is not finite any more at t = {:.6g}; go back to the beginning, "
                                      "and look at the loads that act by then",
                                      reached()));
}

Observation LiveSimulation::observe(double time, Detail detail) const {
  Observation observation = observeWithin(*engine_, time - offset_, detail);
  observation.time += offset_;
  observation.work += workBefore_;
  return observation;
}

void LiveSimulation::reset(const SimulationSettings& settings) {
  engine_ = endless(model_, settings);
  settings_ = settings;
  offset_ = workBefore_ = 0.0;
}

void LiveSimulation::goOnFrom(double time, const SimulationSettings& settings) {
  const Observation now = observe(time);
  const auto isFinite = [](const Body& body) {
    return body.position.allFinite() && body.orientation.allFinite() && body.velocity.allFinite() &&
           body.angularVelocity.allFinite();
  };
  if (!std::all_of(now.bodies.begin(), now.bodies.end(), isFinite))
    throw InputError("nothing can go on from a state that is not finite; go back to the beginning");
  std::unique_ptr<Engine> next = endless(model_, settings);
  const bool knowsTheBeginning = next->capabilities().goesOn;
  if (knowsTheBeginning)
    next->goOnFrom(now.time, now.bodies);
  else
    next = endless(presentModel(model_, now.time, now.bodies), settings);
  engine_ = std::move(next);
  settings_ = settings;
  offset_ = knowsTheBeginning ? 0.0 : now.time;
  workBefore_ = now.work;
}

}  // namespace polhode::live
