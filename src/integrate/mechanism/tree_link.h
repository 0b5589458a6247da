#pragma once

#include "math/cross.h"
#include "polhode/model/placement.h"

#include <type_traits>

/// What tree_kernel.h knows of each body, over any scalar.
namespace polhode {

/// Where a body is and how it moves, as MovingPlacement.
template <class T>
struct MotionOfScalar {
  struct {
    Vector<T, 3> x;
    Matrix33<T> D;
  } at;
  struct {
    Vector<T, 3> v;
    Matrix33<T> W;
  } rate;
};
template <class T>
using MotionOver = std::conditional_t<std::is_same_v<T, double>, MovingPlacement, MotionOfScalar<T>>;

/// What does not change: geometry and mass of a body and of the joint to its parent.
template <class T>
struct TreeLink {
  Vector<T, 3> arm, parentArm;  // the joint in the body and in its parent
  Vector<T, 3> secondMoments;
  T mass;
  int body, parent;  // number in the mechanism; node of the parent, where the last node is the ground
  bool isHinge;
  int joint;                         // number among the balls or among the hinges
  int beyond = 0, parentBeyond = 0;  // which of the sums collects what hangs on it, and on its parent
};

/// What pulls at a body from outside through a whole step, at its centre of mass, in space.
template <class T>
struct TreeLoad {
  Vector<T, 3> force = Vector<T, 3>::Zero(), torque = Vector<T, 3>::Zero();
};

}  // namespace polhode
