#pragma once

#include "system/body_forces.h"

#include <memory>

namespace polhode::test {

/// An unsymmetrical body whose centre of mass is off its axes, fixed in a point or free.
inline RigidBodyData unsymmetricalBody(bool translates) {
  return {3.0, Vector3(50.0, 42.0, 10.0), Vector3(0.3, -0.2, 0.5), translates, Vector3(1.0, 2.0, 3.0)};
}

/// The same as a constrained system, with a weight that is not along an axis.
template <class Body>
Body unsymmetricalBodyWithWeight(bool translates) {
  const RigidBodyData data = unsymmetricalBody(translates);
  return Body(data, std::make_shared<UniformGravity>(data, Vector3(1.0, 2.0, -9.81)));
}

}  // namespace polhode::test
