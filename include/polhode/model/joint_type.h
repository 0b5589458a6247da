#pragma once

#include "polhode/model/joint_equation.h"

#include <functional>
#include <string>
#include <vector>

/// The kinds of joints. Each is one file in src/model/joints and one line in src/model/joint_types.cpp; it says on the
/// level of directors what it forbids (constraints) and what it leaves free (motions), and everything else follows. A user's
/// own type travels in its joint (docs/user-joints.md).
namespace polhode {

/// A frame fixed in a body: a point and three orthonormal axes, the columns; the joint's axis is the third.
struct JointFrame {
  Vector3 point = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();

  Vector3 x() const { return axes.col(0); }
  Vector3 y() const { return axes.col(1); }
  Vector3 z() const { return axes.col(2); }
};

/// The joint's frame in each of its two bodies. In the position that the joint was given in the two coincide (those of a
/// universal joint have their z axes at right angles).
struct JointGeometry {
  JointFrame first, second;
  double length = 0.0;  // of a distance joint
};

enum class MotionKind { rotation, translation };

/// A motion of the second body against the first that a joint leaves free: about or along an axis (column 0, 1 or 2) of
/// the joint's frame in the first body, or in the second.
struct JointMotion {
  MotionKind kind;
  int axis;
  bool fixedInSecond = false;
};

/// A number that describes where the joint stands: how far the second frame has turned about the third axis of the
/// first, or how far it has moved along an axis of the first.
struct JointCoordinateInfo {
  std::string name;  // "angle", "displacement"
  MotionKind kind;
  int axis;
};

/// What a model file must say about a joint of this type.
enum class JointNeeds { point, pointAndAxis, pointAndTwoAxes, twoPoints };

struct JointType {
  std::string name;
  std::string summary;  // one sentence for `polhode list joints`
  JointNeeds needs;
  std::function<std::vector<JointEquation>(const JointGeometry& geometry)> equations;
  std::vector<JointMotion> motions;  // in the order root to leaf; 6 minus the number of equations, or none:
  bool spansTree;  // whether `motions` describe all that is left free, so that a tree can be built on it
  std::vector<JointCoordinateInfo> coordinates;
};

/// All joint types, in the order in which they are explained.
const std::vector<JointType>& jointTypes();

/// The joint type of that name; null if there is none.
const JointType* findJointType(const std::string& name);

/// The type of a joint, its own or that of its name; null if there is none.
struct Joint;
const JointType* typeOf(const Joint& joint);

}  // namespace polhode
