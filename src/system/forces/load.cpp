#include "system/forces/load.h"

#include "parts.h"

namespace polhode::forces {

ForceType load() {
  return {.name = "load",
          .summary = "A force on a point of a body, in space or turning with the body, times a scale over time.",
          .actsOn = ActsOn::body,
          .keys = {body(),
                   vector("force"),
                   {"point", [](Force& force, const Vector3& point) { force.secondPoint = point; }},
                   scale()},
          .make = [](const Force& force, const ForceSite& site) -> Made {
            const int body = site.body(force, force.second);
            return std::make_shared<PointLoad>(force.name, body, site.pointInBody(body, force.secondPoint),
                                               givenVector(force, body, site), force.inBody, force.scale);
          },
          .unnoticed = [](const Force& force) { return turns(force) ? noMotions() : motionsOfField(force.vector); },
          .bringsEnergy = true};
}

}  // namespace polhode::forces
