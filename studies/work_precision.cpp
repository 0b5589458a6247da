#include "work_precision.h"

#include "analysis/engines/classical_body_engine.h"
#include "math/largest.h"
#include "polhode/error.h"

#include <cmath>

namespace polhode {

WorkPrecision measureWorkPrecision(const Model& model, const SimulationSettings& settings,
                                   const BodyMotion& reference) {
  ClassicalBodyEngine engine(model, settings);
  Stepper& stepper = engine.stepper();
  const double initialEnergy = engine.observe(0.0, stepper.state()).energy();

  WorkPrecision result;
  try {
    engine.advanceTo(settings.end);
  } catch (const SimulationError& error) {
    result.failure = error.what();
  }
  const BodyMotion motion = engine.motion(stepper.state());
  result.work = stepper.work();
  result.rotationError = largestSizeOrNaN(motion.directors - reference.directors);
  result.angularVelocityError = largestSizeOrNaN(motion.angularVelocity - reference.angularVelocity);
  const Observation end = engine.observe(stepper.time(), stepper.state());
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
  ClassicalBodyEngine engine(model, settings);
  engine.advanceTo(end);
  return engine.motion(engine.stepper().state());
}

}  // namespace polhode
