#include "shape_reader.h"

#include <fmt/format.h>

namespace polhode {
namespace {

/// A length of a solid, positive.
double length(const ModelSection& solid, const std::string& key) {
  return solid.require(key, key + " = 0.1").positiveNumber();
}

/// Three lengths of a solid along x, y and z, all positive.
Vector3 lengths(const ModelSection& solid, const std::string& key) {
  const Field field = solid.require(key, key + " = [0.1, 0.2, 0.3]");
  const Vector3 result = field.vector3();
  if (result.minCoeff() <= 0.0) field.fail(fmt::format("must be positive, not {}", result.minCoeff()));
  return result;
}

ModelSection solidOf(const Field& field, const std::vector<std::string>& keys) {
  return field.section(keys, fmt::format("with {}", fmt::join(keys, " and ")));
}

}  // namespace

Shape readShape(const Field& field) {
  const std::vector<std::string> names = {"sphere", "box", "cylinder", "cone", "capsule", "ellipsoid"};
  const ModelSection section = field.section(names, "such as { sphere = { radius = 0.1 } }");
  const Field form = section.exactlyOne(names);
  if (section.has("sphere")) return Sphere{length(solidOf(form, {"radius"}), "radius")};
  if (section.has("box")) return Box{lengths(solidOf(form, {"size"}), "size")};
  if (section.has("ellipsoid")) return Ellipsoid{lengths(solidOf(form, {"semi_axes"}), "semi_axes")};
  if (section.has("capsule")) {
    const ModelSection solid = solidOf(form, {"radius", "length"});
    return Capsule{length(solid, "radius"), length(solid, "length")};
  }
  const ModelSection solid = solidOf(form, {"radius", "height"});
  const double radius = length(solid, "radius"), height = length(solid, "height");
  if (section.has("cone")) return Cone{radius, height};
  return Cylinder{radius, height};
}

}  // namespace polhode
