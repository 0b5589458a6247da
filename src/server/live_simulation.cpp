#include "polhode/server/live_simulation.h"

#include "polhode/analysis/engine_registry.h"
#include "polhode/analysis/present_model.h"
#include "polhode/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode::live {

namespace {

/// As good as no end: eleven days.
constexpr double noEnd = 1e6;

/// Single bodies too are moved by an engine that lets itself be pulled, where there is one.
std::unique_ptr<Engine> endless(const Model& model, SimulationSettings settings) {
  settings.end = noEnd;
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
  const Stepper& stepper = engine_->stepper();
  const double t = std::clamp(time - offset_, stepper.previousTime(), stepper.time());
  const bool isNode = t == stepper.time();
  Observation observation;
  if (isNode || !capabilities().denseOutput) observation = engine_->observe(stepper.time(), stepper.state(), detail);
  if (!isNode) {
    VectorX y = stepper.state();
    stepper.interpolate(t, y);
    Observation between = engine_->observe(t, y, detail);
    if (capabilities().denseOutput)
      observation = std::move(between);
    else
      observation.bodies = std::move(between.bodies);
  }
  observation.time = offset_ + t;
  return observation;
}

void LiveSimulation::reset(const SimulationSettings& settings) {
  engine_ = endless(model_, settings);
  settings_ = settings;
  offset_ = 0.0;
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
}

}  // namespace polhode::live
