#include "orientation_reader.h"

#include "math/projection.h"
#include "math/quaternion.h"
#include "math/rotation_maps.h"
#include "math/spurrier_klumpp.h"
#include "model/validation.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace polhode {
namespace {

Quaternion readAxisAndAngle(const ModelSection& section) {
  const Field axisField = section.require("axis", "axis = [0, 0, 1]");
  const Vector3 axis = axisField.vector3();
  if (axis.stableNorm() == 0.0) axisField.fail("must not be zero; give the direction to turn about");
  if (!section.has("degrees") && !section.has("radians"))
    section.failAtKey("axis", "has an axis but no angle; add degrees = 60 or radians = 1.0472");
  const Field angleField = section.exactlyOne({"degrees", "radians"});
  const double angle = angleField.number() * (section.has("degrees") ? std::numbers::pi / 180.0 : 1.0);
  return expS3<double>(angle * axis.stableNormalized());
}

Quaternion readQuaternion(const Field& field) {
  const std::vector<double> entries = field.numbers(4);
  const Quaternion quaternion(entries[0], entries[1], entries[2], entries[3]);
  const double length = quaternion.stableNorm();
  if (length == 0.0) field.fail("must not be zero; [1, 0, 0, 0] is no rotation");
  if (!(std::abs(length - 1.0) <= writtenRounding))
    field.fail(fmt::format("has length {:.9g} instead of 1; normalise it", length));
  return quaternion.normalized();
}

Quaternion readMatrix(const Field& field) {
  const Matrix3 matrix = field.matrix3();
  const double error = (matrix.transpose() * matrix - Matrix3::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= 2.0 * writtenRounding))
    field.fail(fmt::format("is not a rotation: its columns are orthonormal only to {:.3g}; correct it", error));
  if (matrix.determinant() < 0.0) field.fail("is a reflection, not a rotation; turn one column around");
  return unitQuaternionFromRotation(projectFrameToNearest(matrix));
}

/// Turns about three moving axes, one after the other, in radians.
Quaternion turns(const Vector3& angles, const Vector3& first, const Vector3& second, const Vector3& third) {
  const Quaternion beforeLast = multiply(expS3<double>(angles[0] * first), expS3<double>(angles[1] * second));
  return multiply(beforeLast, expS3<double>(angles[2] * third));
}

}  // namespace

Quaternion readOrientation(const Field& field) {
  const ModelSection section =
      field.section({"axis", "degrees", "radians", "quaternion", "euler313", "cardan", "matrix"},
                    "such as { axis = [0, 0, 1], degrees = 60 } or { quaternion = [1, 0, 0, 0] }");
  for (const char* angle : {"degrees", "radians"})
    if (section.has(angle) && !section.has("axis"))
      section.failAtKey(angle, "has an angle but no axis; add axis = [0, 0, 1]");

  const Field form = section.exactlyOne({"axis", "quaternion", "euler313", "cardan", "matrix"});
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  if (section.has("axis")) return readAxisAndAngle(section);
  if (section.has("quaternion")) return readQuaternion(form);
  if (section.has("euler313")) return turns(form.vector3(), z, x, z);
  if (section.has("cardan")) return turns(form.vector3(), x, y, z);
  return readMatrix(form);
}

}  // namespace polhode
