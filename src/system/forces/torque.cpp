#include "polhode/system/force_type.h"
#include "polhode/system/forces/load.h"

namespace polhode::forces {

ForceType torque() {
  return {"torque",
          "A torque on a body, in space or turning with the body, times a scale over time.",
          {"body", "torque"},
          {"scale"},
          [](const Force& force, const ForceSite& site) -> std::shared_ptr<const ForceElement> {
            const int body = site.body(force, force.second);
            const VectorSignal vector = force.vectorOverTime ? *force.vectorOverTime
                                        : force.inBody       ? site.inPrincipalAxes(body, force.vector)
                                                             : force.vector;
            return std::make_shared<TorqueLoad>(force.name, body, vector, force.inBody, force.scale);
          }};
}

}  // namespace polhode::forces
