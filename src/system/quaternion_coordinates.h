#pragma once

#include "system/body_chart.h"
#include "system/quaternion_mechanism.h"

/// What coordinates q = (x_1, p_1, x_2, p_2, ...) and their rates say of a body, for the files of quaternion_mechanism.h.
namespace polhode::quaternion_coordinates {

constexpr int perBody = QuaternionMechanism::perBody;

/// Where a body's x and p stand in q.
inline int atX(int body) {
  return perBody * body;
}
inline int atP(int body) {
  return perBody * body + 3;
}

inline Vector3 xOf(const VectorX& q, int body) {
  return q.segment<3>(atX(body));
}
inline Quaternion pOf(const VectorX& q, int body) {
  return q.segment<4>(atP(body));
}

/// z = (x, phi(p)), stretched off the unit sphere.
inline Placement placement(const VectorX& q, int body) {
  if (body == groundIndex) return {};
  return {xOf(q, body), rotationMatrix(pOf(q, body))};
}

}  // namespace polhode::quaternion_coordinates
