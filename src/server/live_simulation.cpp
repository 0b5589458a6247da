#include "polhode/server/live_simulation.h"

#include "polhode/analysis/present_model.h"
#include "polhode/error.h"
#include "polhode/integrate/catalogue.h"

#include <algorithm>

namespace polhode::live {

namespace {

/// As good as no end: eleven days.
constexpr double noEnd = 1e6;

std::unique_ptr<Simulation> endless(const Model& model, SimulationSettings settings) {
  settings.end = noEnd;
  return makeSimulation(model, settings);
}

}  // namespace

LiveSimulation::LiveSimulation(Model model, SimulationSettings settings)
    : model_(std::move(model)), settings_(std::move(settings)), simulation_(endless(model_, settings_)) {}

void LiveSimulation::step() {
  simulation_->stepper().step();
  simulation_->projectState();
}

Observation LiveSimulation::observe(double time) const {
  const Stepper& stepper = simulation_->stepper();
  const double t = std::clamp(time - offset_, stepper.previousTime(), stepper.time());
  VectorX y = stepper.state();
  if (t < stepper.time()) stepper.interpolate(t, y);
  Observation observation = simulation_->observe(t, y);
  observation.time = offset_ + t;
  return observation;
}

void LiveSimulation::reset(const SimulationSettings& settings) {
  simulation_ = endless(model_, settings);
  settings_ = settings;
  offset_ = 0.0;
}

void LiveSimulation::goOnFrom(double time, const SimulationSettings& settings) {
  const Observation now = observe(time);
  simulation_ = endless(presentModel(model_, now.time, now.bodies), settings);
  settings_ = settings;
  offset_ = now.time;
}

bool LiveSimulation::setForce(std::size_t body, const Vector3& point, const Vector3& force) {
  return simulation_->setLoad(body, point, force, Vector3::Zero());
}

std::vector<std::string> fittingIntegrators(const Model& model, const SimulationSettings& settings) {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) try {
      SimulationSettings trial = settings;
      trial.integrator = info.name;
      endless(model, trial);
      names.push_back(info.name);
    } catch (const InputError&) {
      // this one does not fit
    }
  return names;
}

}  // namespace polhode::live
