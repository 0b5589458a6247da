#include "parts.h"
#include "system/forces/load.h"

namespace polhode::forces {

ForceType torque() {
  return {
      .name = "torque",
      .summary = "A torque on a body, in space or turning with the body, times a scale over time.",
      .actsOn = ActsOn::body,
      .keys = {body(), vector("torque"), scale()},
      .make = [](const Force& force, const ForceSite& site) -> Made {
        const int body = site.body(force, force.second);
        return std::make_shared<TorqueLoad>(force.name, body, givenVector(force, body, site), force.inBody,
                                            force.scale);
      },
      .unnoticed = [](const Force& force) { return turns(force) ? allTranslations() : motionsOfTorque(force.vector); },
      .bringsEnergy = true};
}

}  // namespace polhode::forces
