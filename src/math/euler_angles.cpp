#include "math/euler_angles.h"

#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode {

namespace {

[[noreturn]] void throwGimbalLock(const char* name, const char* place, double secondAngle) {
  throw InputError(
      fmt::format("{} are not unique where the second angle is {}, and it is {:.10g} rad: the first and the third axis "
                  "coincide (gimbal lock); use quaternions or another kind of angles",
                  name, place, secondAngle));
}

}  // namespace

Vector3 Euler313::fromRotation(const Matrix3& R) {
  const double sine = std::hypot(R(2, 0), R(2, 1));
  const double theta2 = std::atan2(sine, R(2, 2));
  if (sine < gimbalLockTolerance) throwGimbalLock("Euler angles 3-1-3", "0 or pi", theta2);
  return {std::atan2(R(0, 2), -R(1, 2)), theta2, std::atan2(R(2, 0), R(2, 1))};
}

Vector3 Cardan::fromRotation(const Matrix3& R) {
  const double cosine = std::hypot(R(0, 0), R(0, 1));
  const double theta2 = std::atan2(R(0, 2), cosine);
  if (cosine < gimbalLockTolerance) throwGimbalLock("Cardan angles", "-pi/2 or pi/2", theta2);
  return {std::atan2(-R(1, 2), R(2, 2)), theta2, std::atan2(-R(0, 1), R(0, 0))};
}

}  // namespace polhode
