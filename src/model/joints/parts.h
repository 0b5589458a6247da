#pragma once

#include "polhode/model/joint_type.h"

/// What several joints have in common.
namespace polhode::joints {

using Equations = std::vector<JointEquation>;

/// The two points coincide: three equations, one for each direction of space.
inline void coincide(const JointGeometry& g, Equations& equations) {
  for (int k = 0; k < 3; ++k) equations.push_back({pointForm(Vector3::Unit(k), g.first.point, g.second.point)});
}

/// The second point stays where it is along an axis of the first frame.
inline void hold(const JointGeometry& g, int axis, Equations& equations) {
  equations.push_back({axisPointForm(g.first.axes.col(axis), g.first.point, g.second.point)});
}

/// An axis of the first frame stays orthogonal to an axis of the second.
inline void orthogonal(const JointGeometry& g, int firstAxis, int secondAxis, Equations& equations) {
  equations.push_back({axesForm(g.first.axes.col(firstAxis), g.second.axes.col(secondAxis))});
}

/// The third axes stay parallel.
inline void align(const JointGeometry& g, Equations& equations) {
  orthogonal(g, 0, 2, equations);
  orthogonal(g, 1, 2, equations);
}

/// The frames do not turn against each other.
inline void lock(const JointGeometry& g, Equations& equations) {
  align(g, equations);
  orthogonal(g, 0, 1, equations);
}

}  // namespace polhode::joints
