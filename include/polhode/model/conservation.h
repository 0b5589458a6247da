#pragma once

#include "polhode/model/model.h"

#include <array>
#include <vector>

/// Which momenta a model conserves, found from what acts on it.
///
/// By Noether's theorem a . P + b . L (P the linear momentum, L the angular momentum about the origin of space) is
/// conserved where the model does not notice the rigid motion x -> x + a + b cross x of all its bodies. Everything that
/// knows of space leaves only some (a, b):
///
///     gravity                            translations across it and rotations about it
///     a spring to a point of space       rotations about that point
///     a load in space                    translations across it and rotations about its direction
///     a torque in space                  translations, and rotations across it
///     a joint to the ground              those motions that it leaves free in the ground's frame and does not drive
///
/// Joints and springs between bodies leave all. What is left in common is a linear space; it is told in directions that
/// people use: coordinate axes where they lie in it, and axes through a point.
///
/// Where uniform gravity is all that comes from outside, angular momentum about the moving centre of mass is conserved as
/// well, although that is not the momentum of a rigid motion.
namespace polhode {

enum class MomentumKind {
  linear,       // along a direction
  angular,      // about an axis that is fixed in space
  aboutCentre,  // about an axis through the moving centre of mass
};

/// One component of momentum that is conserved.
struct ConservedMomentum {
  MomentumKind kind;
  Vector3 direction;                // unit
  Vector3 point = Vector3::Zero();  // of the axis, where it is fixed in space

  /// The momentum whose component it is, from the linear momentum and the angular momentum about the origin of space.
  template <class T>
  Vector<T, 3> vector(const Vector<T, 3>& linear, const Vector<T, 3>& angular, const Vector<T, 3>& centreOfMass) const {
    if (kind == MomentumKind::linear) return linear;
    return angular - (kind == MomentumKind::angular ? Vector<T, 3>(point.cast<T>()) : centreOfMass).cross(linear);
  }

  /// "linear momentum along x", "angular momentum about (0, 0.6, 0.8) through (1, 0, 0)".
  std::string name() const;
};

/// All that a model conserves.
struct Conservation {
  bool energy = true;
  std::array<bool, 3> linear{};        // components x, y, z of the linear momentum
  std::array<bool, 3> angular{};       // of the angular momentum about the origin
  std::vector<ConservedMomentum> all;  // independent of each other

  /// Directions a in which a system that is not made of bodies conserves a . p.
  std::vector<std::vector<double>> generalised;
};

Conservation conservationOf(const Model& model);

}  // namespace polhode
