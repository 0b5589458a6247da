#pragma once

#include "polhode/math/types.h"

#include <vector>

/// Rigid motions x -> x + a + b cross x of all bodies together, each a column (a, b): what a model may not notice
/// (conservation.h).
namespace polhode {

using RigidMotions = Eigen::Matrix<double, 6, Eigen::Dynamic>;

RigidMotions translation(const Vector3& direction);
RigidMotions rotation(const Vector3& axis, const Vector3& point);
RigidMotions together(const std::vector<RigidMotions>& parts);

RigidMotions allMotions();
RigidMotions noMotions();
RigidMotions allTranslations();

/// Rotations about a point.
RigidMotions rotationsAbout(const Vector3& point);

/// What a uniform field of force leaves: translations across it, rotations about it. All where it is zero.
RigidMotions motionsOfField(const Vector3& field);

/// What a torque of space leaves: all translations, and rotations across it. All where it is zero.
RigidMotions motionsOfTorque(const Vector3& torque);

/// Three orthonormal axes of which the third is given.
Matrix3 frameAlong(const Vector3& z);

}  // namespace polhode
