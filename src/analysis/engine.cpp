#include "analysis/engine.h"

#include "analysis/sensor_watch.h"
#include "polhode/error.h"
#include "system/ode.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

[[noreturn]] void refuse(const char* what) {
  throw InputError(fmt::format("this integrator {}; choose 'director-em' or 'linear-implicit-euler'", what));
}

}  // namespace

Engine::Engine(const EngineCapabilities& capabilities) : capabilities_(capabilities) {}
Engine::~Engine() = default;

void Engine::tellSteps(int order, bool choosesSteps) {
  capabilities_.order = order;
  capabilities_.choosesSteps = choosesSteps;
}

Observation Engine::observe(double t, const VectorX& y, Detail detail) const {
  Observation observation = observed(t, y, detail);
  if (sensors_) sensors_->tell(observation);
  return observation;
}

void Engine::addSensors(const Model& model) {
  sensors_.reset();
  if (!model.sensors.empty())
    sensors_ = std::make_unique<const SensorWatch>(model, observe(stepper().time(), stepper().state()));
}

void Engine::advanceTo(double end) {
  while (stepper().time() < end) {
    stepper().step();
    projectState();
  }
}

void Engine::projectOnto(const OdeSystem& equations) {
  VectorX y = stepper().state();
  if (equations.project(stepper().time(), y)) stepper().replaceState(y);
}

void Engine::setLoad(std::size_t, const Vector3&, const Vector3&, const Vector3&) {
  refuse("does not let bodies be pulled");
}

HandRack& Engine::hands() {
  refuse("does not let a hand lead bodies");
}

void Engine::goOnFrom(double, const std::vector<Body>&) {
  refuse("does not go on from elsewhere");
}

Observation observeWithin(const Engine& engine, double time, Detail detail) {
  const Stepper& stepper = engine.stepper();
  const double t = std::clamp(time, stepper.previousTime(), stepper.time());
  if (t == stepper.time()) return engine.observe(t, stepper.state(), detail);
  VectorX y = stepper.state();
  stepper.interpolate(t, y);
  Observation between = engine.observe(t, y, detail);
  if (engine.capabilities().denseOutput) return between;
  Observation observation = engine.observe(stepper.time(), stepper.state(), detail);
  observation.time = t;
  observation.bodies = std::move(between.bodies);
  observation.sensors = std::move(between.sensors);
  return observation;
}

}  // namespace polhode
