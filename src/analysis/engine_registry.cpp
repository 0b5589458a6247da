#include "analysis/engine_registry.h"

#include "analysis/engines/classical_body_engine.h"
#include "analysis/engines/classical_mechanism_engine.h"
#include "analysis/engines/conserving_body_engine.h"
#include "analysis/engines/conserving_mechanism_engine.h"
#include "analysis/engines/index_body_engine.h"
#include "analysis/engines/livens_mechanism_engine.h"
#include "analysis/engines/real_time_engine.h"
#include "analysis/engines/releasing_engine.h"
#include "analysis/formulation.h"
#include "integrate/catalogue.h"
#include "model/setting_words.h"
#include "model/suggestion.h"
#include "system/contradiction.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

/// All engines. The first that is meant for a model and its settings moves it.
const EngineType* const types[] = {
    &ReleasingEngine::type,
    &RealTimeEngine::type,
    &ConservingBodyEngine::type,
    &ConservingMechanismEngine::type,
    &ConservingMechanismEngine::gaussType,
    &LivensMechanismEngine::type,
    &IndexBodyEngine::type,
    &ClassicalBodyEngine::type,
    &ClassicalMechanismEngine::type,
};

/// Tolerances that say nothing, or that rounding does not let any integrator meet.
void requireSoundTolerance(double tolerance) {
  constexpr double least = 1e-14, most = 1.0;
  if (!(tolerance >= least && tolerance < most))
    throw InputError(
        fmt::format("the tolerance is {:g}; give one from {:g}, which rounding still allows, to below {:g}", tolerance,
                    least, most));
}

void requireThreads(int threads) {
  if (threads < 1)
    throw InputError(fmt::format("the number of threads is {}; give at least 1, which is the caller", threads));
}

/// A coordinate that jumps would need an infinite force.
void refuseJumps(const Model& model, double end) {
  const auto refuse = [](const Joint& joint, const std::string& what, const Signal& signal, double until) {
    for (const SignalBreak& each : signal.breaks(0.0, until))
      if (each.order == 0)
        throw InputError(
            fmt::format("joint {} drives its {} along a signal that jumps at t = {:.9g}, from {:.6g} to "
                        "{:.6g}, which no force can follow; lead it there in a finite time",
                        quoted(joint.name), what, each.time, signal.value(std::nextafter(each.time, 0.0)),
                        signal.value(each.time)));
  };
  for (const Joint& joint : model.joints) {
    if (joint.length) refuse(joint, "length", *joint.length, end);
    for (const CoordinateDrive& drive : joint.drives)
      refuse(joint, drive.coordinate, drive.follow, std::min(end, drive.until));
  }
}

bool followsSignals(const Model& model) {
  return std::any_of(model.joints.begin(), model.joints.end(), [](const Joint& joint) {
    return !joint.drives.empty() || (joint.length && !joint.length->isConstant());
  });
}

/// As long as all drives lead: what is let go later is looked at as the mechanism moves.
void refuseContradiction(const Model& model, double end) {
  if (!followsSignals(model)) return;
  for (const Joint& joint : model.joints)
    for (const CoordinateDrive& drive : joint.drives) end = std::min(end, drive.until);
  if (const std::string found = contradictionOf(Mechanism(model), end); !found.empty()) throw InputError(found);
}

/// Words that do not exist, what the capabilities of an engine say against a model, then what the engine itself says.
std::string obstacleOf(const EngineType& type, const Model& model, const SimulationSettings& settings) {
  if (const std::string unknown = unknownSettingWord(settings); !unknown.empty()) return unknown;
  if (const std::string unknown = unknownFormulation(settings.formulation); !unknown.empty()) return unknown;
  if (!type.capabilities.takesHands && !model.actuators.empty())
    return fmt::format("integrator '{}' does not move actuators, and the model has '{}'; choose '{}', or director-em",
                       settings.integrator, model.actuators.front().name, RealTimeEngine::integrator);
  if (!type.capabilities.movesDrives && followsSignals(model))
    return fmt::format("integrator '{}' does not move joints that follow a formula; choose 'director-em'",
                       settings.integrator);
  if (!type.capabilities.couplesJoints && !model.couplings.empty())
    return fmt::format(
        "integrator '{}' does not move coupled joints, and the model has the {} '{}'; choose 'director-em'",
        settings.integrator, model.couplings.front().type, model.couplings.front().name);
  return type.obstacle(model, settings);
}

}  // namespace

std::span<const EngineType* const> engineTypes() {
  return types;
}

const EngineType& engineFor(const Model& model, const SimulationSettings& settings, Loads loads) {
  findIntegrator(settings.integrator);
  const EngineType* first = nullptr;
  for (const EngineType* type : types) {
    if (!type->isMeant(model, settings)) continue;
    if (loads == Loads::none || type->capabilities.takesLoads) return *type;
    if (!first) first = type;
  }
  return *first;  // the last of the table is meant for everything
}

std::string obstacleOf(const Model& model, const SimulationSettings& settings, Loads loads) {
  return obstacleOf(engineFor(model, settings, loads), model, settings);
}

std::vector<std::string> fittingIntegrators(const Model& model, const SimulationSettings& settings, Loads loads) {
  std::vector<std::string> names;
  SimulationSettings trial = settings;
  for (const IntegratorInfo& info : integrators()) {
    trial.integrator = info.name;
    if (obstacleOf(model, trial, loads).empty()) names.push_back(info.name);
  }
  return names;
}

void requireFit(const Model& model, const SimulationSettings& settings, Loads loads) {
  findIntegrator(settings.integrator);
  requireSoundTolerance(settings.tolerance);
  requireThreads(settings.threads);
  refuseJumps(model, settings.end);
  refuseContradiction(model, settings.end);
  if (const std::string obstacle = obstacleOf(model, settings, loads); !obstacle.empty()) throw InputError(obstacle);
}

std::unique_ptr<Engine> makeEngine(const Model& model, const SimulationSettings& settings, Loads loads) {
  requireFit(model, settings, loads);
  auto engine = engineFor(model, settings, loads).make(model, settings);
  const NamedIntegrator integrator = parseIntegrator(settings.integrator);
  engine->tellSteps(integrator.order, integrator.info.adaptive || !settings.step);
  engine->addSensors(model);
  return engine;
}

}  // namespace polhode
