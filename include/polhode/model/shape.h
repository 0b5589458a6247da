#pragma once

#include "polhode/math/types.h"

#include <string>
#include <variant>

namespace polhode {

// Solids that a body may look like. Each is centred at the body's centre of mass, axes along the body's.
struct Sphere {
  double radius;
};
struct Box {
  Vector3 size;  // full edge lengths along x, y, z
};
struct Cylinder {  // axis along z
  double radius;
  double height;
};
struct Cone {  // axis along z, apex at -3/4 height, base at +1/4 height
  double radius;
  double height;
};
struct Capsule {  // axis along z; `length` is that of the cylinder between the two half spheres
  double radius;
  double length;
};
struct Ellipsoid {
  Vector3 semiAxes;
};

using Shape = std::variant<Sphere, Box, Cylinder, Cone, Capsule, Ellipsoid>;

struct MassProperties {
  double mass;
  Matrix3 inertia;  // about the centre of mass, body axes
};

/// Mass and inertia of a homogeneous solid.
MassProperties massProperties(const Shape& shape, double density);

/// The shape's name in a model file: "sphere", "box", ...
std::string shapeName(const Shape& shape);

}  // namespace polhode
