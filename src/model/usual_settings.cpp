#include "model/usual_settings.h"

namespace polhode {

UsualIntegrator usualIntegrator(const Model& model) {
  if (!model.actuators.empty())
    return {"linear-implicit-euler", 1e-3,
            "no integrator is named; this one moves actuators of every method, in steps of 1 ms"};
  return {"dop853", std::nullopt,
          "no integrator is named; this one is the most accurate for its cost where motion is smooth, and chooses its "
          "steps"};
}

UsualIntegrator usualIntegratorOfSystems() {
  return {"livens-em", std::nullopt,
          "no integrator is named; this one keeps the generalised energy and the constraints of any such system"};
}

SimulationSettings withUsualIntegrator(const Model& model, SimulationSettings settings) {
  const UsualIntegrator usual = usualIntegrator(model);
  settings.integrator = usual.name;
  if (!settings.step) settings.step = usual.step;
  return settings;
}

}  // namespace polhode
