#include "polhode/system/forces/load.h"

#include "polhode/system/force_type.h"

namespace polhode::forces {

ForceType load() {
  return {"load",
          "A force on a point of a body, in space or turning with the body, times a scale over time.",
          {"body", "force"},
          {"point", "scale"},
          [](const Force& force, const ForceSite& site) -> std::shared_ptr<const ForceElement> {
            const int body = site.body(force, force.second);
            const VectorSignal vector = force.vectorOverTime ? *force.vectorOverTime
                                        : force.inBody       ? site.inPrincipalAxes(body, force.vector)
                                                             : force.vector;
            return std::make_shared<PointLoad>(force.name, body, site.pointInBody(body, force.secondPoint), vector,
                                               force.inBody, force.scale);
          }};
}

}  // namespace polhode::forces
