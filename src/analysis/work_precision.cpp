#include "polhode/analysis/work_precision.h"

#include "polhode/analysis/single_body_run.h"
#include "polhode/error.h"
#include "polhode/math/largest.h"

#include <cmath>

namespace polhode {

WorkPrecision measureWorkPrecision(const Model& model, const SimulationSettings& settings,
                                   const BodyMotion& reference) {
  SingleBodyRun simulation(model, settings);
  Stepper& stepper = simulation.stepper();
  const double initialEnergy = simulation.observe(0.0, stepper.state()).energy();

  WorkPrecision result;
  try {
    simulation.advanceTo(settings.end);
  } catch (const SimulationError& error) {
    result.failure = error.what();
  }
  const BodyMotion motion = simulation.motion(stepper.state());
  result.work = stepper.work();
  result.rotationError = largestSizeOrNaN(motion.directors - reference.directors);
  result.angularVelocityError = largestSizeOrNaN(motion.angularVelocity - reference.angularVelocity);
  const Observation end = simulation.observe(stepper.time(), stepper.state());
  result.energyError = (end.energy() - initialEnergy) / std::abs(initialEnergy);
  result.drift = end.positionViolation;
  return result;
}

BodyMotion accurateMotion(const Model& model, double end) {
  SimulationSettings settings;
  settings.coordinates = "quaternion";
  settings.formulation = "null-space";
  settings.integrator = "dop853";
  settings.projection = "explicit";
  settings.tolerance = 1e-14;
  settings.end = end;
  SingleBodyRun simulation(model, settings);
  simulation.advanceTo(end);
  return simulation.motion(simulation.stepper().state());
}

}  // namespace polhode
