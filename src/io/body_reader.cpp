#include "body_reader.h"

#include "math/euler_map.h"
#include "model/validation.h"
#include "orientation_reader.h"
#include "shape_reader.h"

namespace polhode {
namespace {

/// Three principal inertias or a full tensor. A tensor symmetric but for a rounding becomes symmetric.
Matrix3 readInertia(const Field& field) {
  const Value::Array* array = field.value().array();
  if (!array || array->size() != 3)
    field.fail("must be an array of three numbers or of three rows of three, not " + field.value().description());
  if (!array->front().array()) return field.vector3().asDiagonal();
  const Matrix3 inertia = field.matrix3();
  const double asymmetry = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
  const bool isRounding = asymmetry <= writtenRounding * inertia.cwiseAbs().maxCoeff();
  return isRounding ? Matrix3((inertia + inertia.transpose()) / 2.0) : inertia;
}

/// Mass and inertia from mass and inertia, from shape and density, or from shape and mass.
MassProperties readMassProperties(const ModelSection& section, const std::optional<Shape>& shape) {
  const auto mass = section.find("mass"), inertia = section.find("inertia"), density = section.find("density");
  if (density) {
    if (!shape) section.failAtKey("density", "has a density but no shape; add shape = { sphere = { radius = 0.1 } }");
    if (mass) section.failAtKey("density", "has both a mass and a density; give only one of them");
    if (inertia) section.failAtKey("density", "has both an inertia and a density; give only one of them");
    return massProperties(*shape, density->positiveNumber());
  }
  if (!mass) section.fail("has no 'mass'; add mass = 1.5, or a shape with a density");
  if (inertia) return {mass->number(), readInertia(*inertia)};
  if (!shape)
    section.fail("has a mass but no 'inertia'; add inertia = [1, 1, 1], or [0, 0, 0] for a point mass, or a shape");

  // the shape gives the inertia of a unit of mass
  const MassProperties unitDensity = massProperties(*shape, 1.0);
  return {mass->number(), mass->number() * (unitDensity.inertia / unitDensity.mass)};
}

/// The angular velocity in the body frame.
Vector3 readAngularVelocity(const Field& field, const Quaternion& orientation) {
  const ModelSection section = field.section({"body", "space"}, "{ body = [..] } or { space = [..] }");
  const Vector3 given = section.exactlyOne({"body", "space"}).vector3();
  return section.has("body") ? given : Vector3(rotationMatrix(orientation).transpose() * given);
}

}  // namespace

const std::vector<std::string>& bodyKeys() {
  static const std::vector<std::string> keys = {"name",     "mass",        "inertia",          "position",
                                                "velocity", "orientation", "angular_velocity", "shape",
                                                "density",  "start"};
  return keys;
}

Body readBody(const ModelSection& section) {
  Body body;
  body.name = section.require("name", "name = \"top\"").text();
  if (const auto shape = section.find("shape")) body.shape = readShape(*shape);
  const MassProperties properties = readMassProperties(section, body.shape);
  body.mass = properties.mass;
  body.inertia = properties.inertia;
  if (const auto position = section.find("position")) body.position = position->vector3();
  if (const auto velocity = section.find("velocity")) body.velocity = velocity->vector3();
  if (const auto orientation = section.find("orientation")) body.orientation = readOrientation(*orientation);
  if (const auto angularVelocity = section.find("angular_velocity"))
    body.angularVelocity = readAngularVelocity(*angularVelocity, readStart(section, body).orientation);
  return body;
}

Body readStart(const ModelSection& section, Body body) {
  const auto field = section.find("start");
  if (!field) return body;
  const ModelSection start = field->section({"position", "orientation"}, "{ position = [..], orientation = {..} }");
  if (const auto position = start.find("position")) body.position = position->vector3();
  if (const auto orientation = start.find("orientation")) body.orientation = readOrientation(*orientation);
  return body;
}

}  // namespace polhode
