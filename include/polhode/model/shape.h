#pragma once

#include "polhode/math/types.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Solids that bodies look like. Each kind is one file in src/model/shapes and one line in src/model/shape_types.cpp; it says
/// its keys in model files, the mass and the inertia of a homogeneous one, and the outline by which the page draws it. A
/// solid is centred at the body's centre of mass, its axes along the body's. A user's own kind travels in its shape.
namespace polhode {

struct ShapeType;

/// A solid of some kind with its lengths, in the order of the kind's keys: Shape{"cylinder", {radius, height}}.
struct Shape {
  std::string type;
  std::vector<double> lengths;  // metres, positive; three for a key that has one along each axis

  /// A kind that a user has written, in place of a named one.
  std::shared_ptr<const ShapeType> own{};
};

struct MassProperties {
  double mass;
  Matrix3 inertia;  // about the centre of mass, body axes
};

/// A part of the outline of a solid that is turned about the z axis: from (r, z) to (r, z), straight, or an arc of a circle
/// around a point of the axis.
struct OutlinePart {
  Eigen::Vector2d from, to;
  std::optional<double> centre{};  // z of the arc's centre
};

/// What is seen of a solid: a box, or the turned parts from the lowest to the highest, stretched along x, y and z then.
struct Outline {
  std::optional<Vector3> box{};  // its edges along x, y and z
  std::vector<OutlinePart> turned{};
  Vector3 stretch = Vector3::Ones();
};

/// A key of a model file, and of how many lengths its value is: one, or three along x, y and z.
struct ShapeKey {
  std::string name;
  std::size_t lengths = 1;
};

struct ShapeType {
  std::string name;
  std::string summary;  // one sentence for `polhode list shapes`
  std::vector<ShapeKey> keys;
  std::function<MassProperties(const std::vector<double>& lengths, double density)> homogeneous;
  std::function<Outline(const std::vector<double>& lengths)> outline;

  /// How many lengths all keys have together.
  std::size_t lengths() const;
};

/// All kinds of shapes that model files know, in the order in which they are explained.
const std::vector<ShapeType>& shapeTypes();

/// The type of a shape, its own or that of its name; null if there is none.
const ShapeType* typeOf(const Shape& shape);

/// Mass and inertia of a homogeneous solid. Throws InputError where there is no such kind, or it has another number of
/// lengths (model/validation.h says the same of a model's bodies).
MassProperties massProperties(const Shape& shape, double density);

}  // namespace polhode
