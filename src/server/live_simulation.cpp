#include "server/live_simulation.h"

#include "analysis/engine_registry.h"
#include "analysis/mechanism_observation.h"
#include "analysis/present_model.h"
#include "control/pose.h"
#include "integrate/archive.h"
#include "integrate/catalogue.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"
#include "server/led_force.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace polhode::live {

namespace {

/// Single bodies too are moved by an engine that lets itself be pulled, where there is one.
std::unique_ptr<Engine> endless(const Model& model, SimulationSettings settings) {
  settings.end = Simulation::noEnd;
  return makeEngine(model, settings, Loads::wanted);
}

std::shared_ptr<const WayToSimulate> wayOf(WayToSimulate way) {
  return std::make_shared<const WayToSimulate>(std::move(way));
}

}  // namespace

LiveSimulation::LiveSimulation(Model model, SimulationSettings settings) : model_(std::move(model)) {
  reset(settings);
}

void LiveSimulation::begin(std::shared_ptr<const WayToSimulate> way, std::unique_ptr<Engine> engine) {
  way_ = std::move(way);
  engine_ = std::move(engine);
  persons_ = 0;
  wasPulled_ = false;
}

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
  Observation observation = observeWithin(*engine_, time - way_->offset, detail);
  observation.time += way_->offset;
  observation.work += way_->workBefore;
  return observation;
}

Hand& LiveSimulation::ofPerson(Hand& hand) {
  ++persons_;
  wasPulled_ = true;
  return hand;
}

Hand& LiveSimulation::grab(std::size_t body, const Vector3& point, const HandLaw& law) {
  return ofPerson(engine_->hands().grab(body, point, law));
}

Hand& LiveSimulation::grabOrientation(std::size_t body, const Quaternion& orientation, const HandLaw& law) {
  return ofPerson(engine_->hands().grabOrientation(body, orientation, law));
}

Hand& LiveSimulation::grabCoordinate(std::size_t joint, std::size_t coordinate, const HandLaw& law) {
  return ofPerson(engine_->hands().grabCoordinate(joint, coordinate, law));
}

void LiveSimulation::takeOver(std::size_t actuator, const std::optional<Vector3>& wish, bool atOnce) {
  if (actuator >= model_.actuators.size())
    throw InputError(fmt::format("the model has no actuator of the number {}", actuator));
  engine_->hands()[actuator].takeOver(reached(), wish, atOnce);
  wasPulled_ = true;
}

bool LiveSimulation::leadForce(std::size_t force, const std::optional<double>& factor, double time) {
  if (force >= model_.forces.size() || !sizeOf(model_.forces[force], model_))
    throw InputError(fmt::format("the model has no load, torque or motor of the number {}", force));
  Factor& led = factors_.try_emplace(force, std::make_shared<std::optional<double>>()).first->second;
  const std::optional<double> before = std::exchange(*led, factor);
  if (before.has_value() == factor.has_value()) {
    // integrators that remember more than the state begin anew with it
    if (factor && !capabilities().takesHands) engine_->stepper().replaceState(VectorX(engine_->stepper().state()));
    return false;
  }
  try {
    if (time == 0.0 && !capabilities().goesOn)
      reset(settings());
    else
      goOnFrom(time, settings());
  } catch (...) {
    *led = before;
    throw;
  }
  return true;
}

void LiveSimulation::letForcesGo() {
  for (const auto& [force, factor] : factors_) factor->reset();
}

/// With the factors of forces that are led in place of their scales over time.
Model LiveSimulation::ledModel(const Model& model) const {
  Model led = model;
  for (const auto& [force, ledBy] : factors_) {
    const auto factor = ledBy;  // clang 14 lets no function keep a part of a pair
    if (!*factor || force >= led.forces.size()) continue;
    const Signal own = led.forces[force].scale;
    led.forces[force].scale = Signal::function([factor, own](double t) { return factor->value_or(own.value(t)); },
                                               [factor, own](double t) { return *factor ? 0.0 : own.rate(t); });
  }
  return led;
}

void LiveSimulation::release(Hand& hand) {
  engine_->hands().release(hand);
  --persons_;
}

void LiveSimulation::reset(const SimulationSettings& settings, const Model* other) {
  const Model model = other ? *other : model_, led = ledModel(model);
  std::unique_ptr<Engine> engine = endless(led, settings);
  begin(wayOf({led, settings}), std::move(engine));
  if (other) take(model);
}

void LiveSimulation::goOnFrom(double time, const SimulationSettings& settings, const Model* other) {
  const Observation now = observe(time);
  goOnAs(now, now.bodies, settings, other ? *other : model_, other ? Change::ofEnergy : Change::none);
}

void LiveSimulation::goOnAs(const Observation& now, const std::vector<Body>& bodies, const SimulationSettings& settings,
                            const Model& as, Change change) {
  const auto isFinite = [](const Body& body) {
    return body.position.allFinite() && body.orientation.allFinite() && body.velocity.allFinite() &&
           body.angularVelocity.allFinite();
  };
  if (!std::all_of(bodies.begin(), bodies.end(), isFinite))
    throw InputError("nothing can go on from a state that is not finite; go back to the beginning");
  const Model model = ledModel(as);
  WayToSimulate way{model, settings, 0.0, now.work};
  std::unique_ptr<Engine> next = endless(model, settings);
  if (next->capabilities().goesOn) {  // it knows how the mechanism stood at the beginning
    next->goOnFrom(now.time, bodies);
  } else {
    way.model = presentModel(model, now.time, bodies);
    way.offset = now.time;
    next = endless(way.model, settings);
  }
  if (change == Change::ofEnergy) {
    const Observation changed = observeWithin(*next, now.time - way.offset, Detail::motion);
    way.workBefore += changed.energy() - now.energy();
  }
  begin(wayOf(std::move(way)), std::move(next));
  if (&as != &model_) take(as);
}

const Mechanism& LiveSimulation::mechanism() {
  if (!mechanism_) mechanism_ = std::make_unique<const Mechanism>(model_);
  return *mechanism_;
}

void LiveSimulation::pose(double time, const Held& held, const Vector3& target) {
  const Observation now = observe(time);
  const Mechanism& all = mechanism();
  MechanismMotion motion = posed(all, mechanismMotion(all, now.bodies), held, target, now.time);
  if (now.time == 0.0)
    for (std::size_t b = 0; b < motion.size(); ++b)
      motion[b] = movingPlacement(motion[b].at, all.bodies()[b].velocity, all.bodies()[b].angularVelocity);
  motion = keepingJoints(all, std::move(motion), now.time);
  std::vector<Body> bodies;
  for (std::size_t b = 0; b < motion.size(); ++b)
    bodies.push_back(all.bodyAt(b, motion[b].at, motion[b].rate.v, angularVelocity(all.bodies()[b], motion[b])));
  goOnAs(now, bodies, settings(), model_, Change::ofEnergy);
}

void LiveSimulation::take(const Model& model) {
  model_ = model;
  mechanism_.reset();
}

Moment LiveSimulation::moment() {
  const std::string& name = settings().integrator;
  if (findIntegrator(name).keepsHistory)
    throw InputError(
        fmt::format("integrator '{}' cannot be gone back with, since it does not tell the history of its steps; "
                    "choose another, radau5 for stiff models",
                    name));
  Archive archive;
  engine_->persist(archive);
  return {reached(), way_, nullptr, archive.bytes(), persons_ > 0};
}

void LiveSimulation::goBackTo(const Moment& moment, const Model* model) {
  if (model) take(*model);
  letForcesGo();
  // an engine that nobody has pulled is the same as one that is made anew, and there at once
  if (moment.way != way_ || wasPulled_) begin(moment.way, endless(moment.way->model, moment.way->settings));
  Archive archive(moment.state);
  engine_->persist(archive);
  archive.requireEnd();
  if (!moment.isHeld || !capabilities().takesLoads) return;
  for (std::size_t body = 0; body < model_.bodies.size(); ++body)  // the person who pulled then does so no more
    engine_->setLoad(body, Vector3::Zero(), Vector3::Zero(), Vector3::Zero());
}

}  // namespace polhode::live
