#include "polhode/server/live_simulation.h"

#include "polhode/analysis/mechanism_run.h"
#include "polhode/analysis/present_model.h"
#include "polhode/error.h"
#include "polhode/integrate/catalogue.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace polhode::live {

namespace {

/// As good as no end: eleven days.
constexpr double noEnd = 1e6;

/// Single bodies too are moved by the engine of mechanisms where it fits: it lets itself be pulled.
std::unique_ptr<Simulation> endless(const Model& model, SimulationSettings settings) {
  settings.end = noEnd;
  if (isMechanismScheme(settings.integrator) && model.actuators.empty())
    return std::make_unique<MechanismRun>(model, settings);
  return makeSimulation(model, settings);
}

}  // namespace

LiveSimulation::LiveSimulation(Model model, SimulationSettings settings)
    : model_(std::move(model)), settings_(std::move(settings)), simulation_(endless(model_, settings_)) {}

void LiveSimulation::step() {
  simulation_->stepper().step();
  simulation_->projectState();
  if (!simulation_->stepper().state().allFinite())
    throw SimulationError(reached(),
                          fmt::format("the state is not finite any more at t = {:.6g}; go back to the beginning, "
                                      "and look at the loads that act by then",
                                      reached()));
}

Observation LiveSimulation::observe(double time, Detail detail) const {
  const Stepper& stepper = simulation_->stepper();
  const double t = std::clamp(time - offset_, stepper.previousTime(), stepper.time());
  const bool isNode = t == stepper.time();
  Observation observation;
  if (isNode || !hasDenseOutput()) observation = simulation_->observe(stepper.time(), stepper.state(), detail);
  if (!isNode) {
    VectorX y = stepper.state();
    stepper.interpolate(t, y);
    Observation between = simulation_->observe(t, y, detail);
    if (hasDenseOutput())
      observation = std::move(between);
    else
      observation.bodies = std::move(between.bodies);
  }
  observation.time = offset_ + t;
  return observation;
}

bool LiveSimulation::hasDenseOutput() const {
  return findIntegrator(settings_.integrator).adaptive;
}

const MechanismMotion& LiveSimulation::motion() {
  if (!simulation_->motion(motion_)) motion_.clear();
  return motion_;
}

void LiveSimulation::reset(const SimulationSettings& settings) {
  simulation_ = endless(model_, settings);
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
  std::unique_ptr<Simulation> next = endless(model_, settings);
  const bool knowsTheBeginning = next->goOnFrom(now.time, now.bodies);
  if (!knowsTheBeginning) next = endless(presentModel(model_, now.time, now.bodies), settings);
  simulation_ = std::move(next);
  settings_ = settings;
  offset_ = knowsTheBeginning ? 0.0 : now.time;
}

bool LiveSimulation::setForce(std::size_t body, const Vector3& point, const Vector3& force, const Vector3& torque) {
  return simulation_->setLoad(body, point, force, torque);
}

std::vector<std::string> fittingIntegrators(const Model& model, const SimulationSettings& settings) {
  const auto fits = [&](const std::string& name) {
    SimulationSettings trial = settings;
    trial.integrator = name;
    try {
      endless(model, trial);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  };
  // the classical ones solve the same equations, which take long to set up for large mechanisms: one stands for all
  std::optional<bool> classicalFit;
  if (findIntegrator(settings.integrator).adaptive) classicalFit = true;
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) {
    if (info.adaptive && !classicalFit) classicalFit = fits(info.name);
    if (info.adaptive ? *classicalFit : info.name == settings.integrator || fits(info.name)) names.push_back(info.name);
  }
  return names;
}

}  // namespace polhode::live
