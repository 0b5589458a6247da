#include "polhode/analysis/simulation.h"

#include "analysis/engine_registry.h"
#include "control/hand_rack.h"
#include "integrate/archive.h"
#include "integrate/catalogue.h"
#include "model/number_of.h"
#include "model/usual_settings.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "system/assembly.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace polhode {

struct Simulation::Parts {
  Model model;
  SimulationSettings settings;
  std::unique_ptr<Engine> engine;
  double time = 0.0;
  std::map<std::size_t, Load> loads;  // that act, by body

  // what was observed last, until something changes
  mutable std::optional<Observation> observed;
  mutable Detail detail = Detail::motion;

  Parts(const Model& given, const SimulationSettings& itsSettings)
      : model(checked(given)), settings(itsSettings), engine(makeEngine(model, settings, Loads::wanted)) {}

  void step() {
    if (engine->stepper().time() >= settings.end)
      throw InputError(
          fmt::format("the simulation has reached its end at t = {:g}; give its settings a later end, or "
                      "Simulation::noEnd",
                      settings.end));
    observed.reset();
    engine->stepper().step();
    engine->projectState();
    time = engine->stepper().time();
  }

  void load(std::size_t body, const Load& load) {
    engine->setLoad(body, load.point, load.force, load.torque);
    observed.reset();
  }
};

Simulation::Simulation(const Model& model)
    : Simulation(model, [&] {
        SimulationSettings settings = withUsualIntegrator(model);
        settings.end = noEnd;
        return settings;
      }()) {}

Simulation::Simulation(const Model& model, const SimulationSettings& settings)
    : parts_(std::make_unique<Parts>(model, settings)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

const Model& Simulation::model() const {
  return parts_->model;
}

const SimulationSettings& Simulation::settings() const {
  return parts_->settings;
}

const EngineCapabilities& Simulation::capabilities() const {
  return parts_->engine->capabilities();
}

Engine& Simulation::engine() {
  return *parts_->engine;
}

double Simulation::time() const {
  return parts_->time;
}

void Simulation::step() {
  parts_->step();
}

void Simulation::advanceTo(double time) {
  const Stepper& stepper = parts_->engine->stepper();
  if (!(time >= stepper.previousTime()))
    throw InputError(
        fmt::format("time goes forward: t = {:g} is over, and the simulation is at t = {:g}", time, parts_->time));
  while (stepper.time() < time) parts_->step();
  if (parts_->time != time) parts_->observed.reset();
  parts_->time = time;
}

const Observation& Simulation::observe(Detail detail) const {
  Parts& parts = *parts_;
  if (!parts.observed || (detail == Detail::forces && parts.detail == Detail::motion)) {
    parts.observed = observeWithin(*parts.engine, parts.time, detail);
    parts.detail = detail;
  }
  return *parts.observed;
}

double Simulation::energy() const {
  return observe(Detail::motion).energy();
}

double Simulation::work() const {
  return observe(Detail::motion).work;
}

Vector3 Simulation::momentum() const {
  return observe(Detail::motion).linearMomentum;
}

Vector3 Simulation::angularMomentum() const {
  return observe(Detail::motion).angularMomentum;
}

Simulation::BodyView Simulation::body(std::string_view name) const {
  return {*this, numberOf(parts_->model.bodies, name, "there is no body")};
}

const Vector3& Simulation::BodyView::position() const {
  return simulation_.observe(Detail::motion).bodies[index_].position;
}

const Quaternion& Simulation::BodyView::orientation() const {
  return simulation_.observe(Detail::motion).bodies[index_].orientation;
}

const Vector3& Simulation::BodyView::velocity() const {
  return simulation_.observe(Detail::motion).bodies[index_].velocity;
}

const Vector3& Simulation::BodyView::angularVelocity() const {
  return simulation_.observe(Detail::motion).bodies[index_].angularVelocity;
}

const Vector3& Simulation::BodyView::acceleration() const {
  return simulation_.observe(Detail::forces).accelerations[index_].linear;
}

Simulation::JointView Simulation::joint(std::string_view name) const {
  return {*this, numberOf(parts_->model.joints, name, "there is no joint")};
}

const Vector3& Simulation::JointView::reaction() const {
  return simulation_.observe(Detail::forces).joints[index_].force;
}

const Vector3& Simulation::JointView::torque() const {
  return simulation_.observe(Detail::forces).joints[index_].torque;
}

const JointObservation::Coordinate& Simulation::JointView::find(std::string_view name) const {
  const JointObservation& joint = simulation_.observe(Detail::motion).joints[index_];
  if (joint.coordinates.empty())
    throw InputError(fmt::format("joint {} has no coordinate of its own", quoted(joint.name)));
  if (name.empty()) return joint.coordinates.front();
  return joint.coordinates[numberOf(joint.coordinates, name, "there is no coordinate")];
}

double Simulation::JointView::coordinate(std::string_view name) const {
  return find(name).value;
}

double Simulation::JointView::rate(std::string_view name) const {
  return find(name).rate;
}

void Simulation::apply(const Load& load) {
  const std::size_t body = numberOf(parts_->model.bodies, load.body, "there is no body");
  parts_->load(body, load);
  parts_->loads[body] = load;
}

void Simulation::clearLoads() {
  for (const auto& [body, load] : parts_->loads) parts_->load(body, {});
  parts_->loads.clear();
}

Simulation::HandView Simulation::grab(const Grip& grip) {
  const std::size_t body = numberOf(parts_->model.bodies, grip.body, "there is no body");
  const HandLaw law{grip.method, grip.timeConstant, grip.largestForce.value_or(lawFor(parts_->model).largestForce)};
  if (!(law.timeConstant > 0.0 && law.largestForce > 0.0))
    throw InputError(
        fmt::format("a hand at body {} has the time constant {:g} s and the largest force {:g} N; give both "
                    "above zero",
                    quoted(grip.body), law.timeConstant, law.largestForce));
  HandRack& hands = parts_->engine->hands();
  if (!grip.turns) return {*this, hands.grab(body, grip.point, law)};
  const Observation now =
      parts_->engine->observe(parts_->engine->stepper().time(), parts_->engine->stepper().state(), Detail::motion);
  return {*this, hands.grabOrientation(body, now.bodies[body].orientation, law)};
}

Simulation::HandView Simulation::hand(std::string_view actuator) {
  const std::size_t number = numberOf(parts_->model.actuators, actuator, "there is no actuator");
  Hand& hand = parts_->engine->hands()[number];
  if (!hand.isLive())
    throw InputError(fmt::format("actuator {} follows a signal of its own; give it follow = \"live\" to lead it",
                                 polhode::quoted(parts_->model.actuators[number].name)));
  return {*this, hand};
}

void Simulation::HandView::leadTo(const Vector3& place) {
  hand_.push(simulation_.engine().stepper().time(), place);
}

const Vector3& Simulation::HandView::pull() const {
  return hand_.held().quantity == LedQuantity::orientation ? hand_.pull.torque : hand_.pull.force;
}

void Simulation::HandView::release() {
  simulation_.engine().hands().release(hand_);
}

std::string Simulation::state() {
  if (time() != parts_->engine->stepper().time() && findIntegrator(parts_->settings.integrator).keepsHistory)
    throw InputError(fmt::format(
        "t = {:g} lies within a step, and integrator '{}' begins anew where it is saved; save it after step()", time(),
        parts_->settings.integrator));
  Archive archive;
  parts_->engine->persist(archive);
  archive(parts_->time);
  return archive.bytes();
}

void Simulation::restore(const std::string& state) {
  const auto take = [&](const std::string& bytes) {
    Archive archive(bytes);
    parts_->engine->persist(archive);
    archive(parts_->time);
    archive.requireEnd();
    parts_->observed.reset();
  };
  const std::string before = this->state();
  try {
    take(state);
  } catch (const InputError&) {
    take(before);
    throw;
  }
  if (!capabilities().takesLoads) return;  // those that acted where it was saved give way to those of this one
  for (std::size_t body = 0; body < parts_->model.bodies.size(); ++body) parts_->load(body, {});
  for (const auto& [body, load] : parts_->loads) parts_->load(body, load);
}

RunResult run(Simulation& simulation, const RunOptions& options) {
  RunResult result = run(simulation.engine(), options);
  simulation.parts_->time = simulation.engine().stepper().time();
  simulation.parts_->observed.reset();
  return result;
}

}  // namespace polhode
