#include "analysis/small_motions.h"

#include "analysis/instant_watch.h"
#include "analysis/mechanism_observation.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

/// As a run has it at a time.
MechanismMotion reachedAt(double time, const Model& model, const Mechanism& mechanism, SimulationSettings settings) {
  if (time == 0.0) return initialMotion(mechanism);
  settings.end = std::max(settings.end, time);
  Simulation run(model, settings);
  run.advanceTo(time);
  return mechanismMotion(mechanism, run.observe(Detail::motion).bodies);
}

/// Nothing where no time was asked for and the model starts in no steady motion.
std::optional<SmallMotions> aboutMotion(const Model& model, const SimulationSettings& settings,
                                        const SmallMotionsAsked& asked) {
  const bool moves = std::any_of(model.bodies.begin(), model.bodies.end(), [](const Body& body) {
    return !body.velocity.isZero(0.0) || !body.angularVelocity.isZero(0.0);
  });
  if (!asked.at && (asked.atStart || !moves)) return std::nullopt;
  const double time = asked.at.value_or(0.0);
  if (!(time >= 0.0))
    throw InputError(fmt::format("small motions are asked for at t = {}; give a time from 0 on", time));
  SmallMotions found;
  found.mechanism = std::make_shared<const Mechanism>(model);
  found.reach = springReach(model);
  MotionLineariser lineariser(found.mechanism, found.reach);
  found.motion = lineariser.about(time, reachedAt(time, model, *found.mechanism, settings));
  const LinearMotion& motion = *found.motion;
  if (!asked.at && !motion.isSteady) return std::nullopt;
  found.about = !motion.isSteady                          ? SmallMotions::About::instant
                : velocitiesOf(motion.bodies).isZero(0.0) ? SmallMotions::About::equilibrium
                                                          : SmallMotions::About::steadyMotion;
  found.time = time;
  found.isStart = time == 0.0;
  if (!model.actuators.empty()) found.held.emplace_back("actuators do not pull");
  found.size = lineariser.size();
  found.modes = modesOf(motion, found.size);
  found.observation = observeMechanism(*found.mechanism, time, motion.bodies);
  InstantWatch(found.mechanism).tell(found.observation, motion.bodies, Detail::forces);
  return found;
}

}  // namespace

LinearMotion SmallMotions::linearised() const {
  return motion ? *motion : MotionLineariser(mechanism, reach).about(0.0, equilibrium->bodies);
}

SmallMotions smallMotions(const Model& model, const SimulationSettings& settings, const SmallMotionsAsked& asked) {
  if (auto found = aboutMotion(model, settings, asked)) return *found;
  EquilibriumSearch search(model);
  SmallMotions found;
  found.equilibrium = asked.atStart ? search.atStart() : search.fromStart();
  found.isStart = found.equilibrium->atStart;
  found.held = heldWords(model);
  found.mechanism = std::make_shared<const Mechanism>(search.model());
  found.reach = springReach(search.model());
  found.size = search.size();
  found.modes = modesAbout(*found.equilibrium, found.size);
  found.observation = found.equilibrium->observation;
  return found;
}

}  // namespace polhode
