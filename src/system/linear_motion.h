#pragma once

#include "system/motion_equations.h"

#include <memory>
#include <optional>

/// Small motions about a motion of a mechanism, seen by its true degrees of freedom (free_motions.h).
///
/// Beside the motion x(t), D(t) with velocities u = (v, omega) and accelerations a runs another one: each body displaced by q =
/// (xi, theta) in space, x + xi and exp(theta^) D, with velocities u + du. To first order
///
///     xi' = dv,    theta' = domega + omega x theta,
///     q = N s,     du = N w + P s,    P = -G+ d(G u)/ds,
///     N^T ( d(weight + w + G^T lambda - (m a, J alpha + omega x J omega)) - diag(m, J) da ) = 0,
///     da = N w' - G+ d(G a + curvature),
///
/// where lambda is that which the joints pull with, and everything is seen from frames that turn with `turning` = nu: a frame
/// in which a motion is steady. The result is one equation of second order,
///
///     M s'' + C s' + K s = 0,
///
/// with gyroscopic terms in C and those of centrifugal forces in K. In a **steady motion** (a relative equilibrium: the whole
/// mechanism turns about an axis fixed in space at a constant rate, or glides, while bodies of revolution spin in it as fast as
/// ever) its coefficients are constant, and so are its eigenvalues those of the motion, as seen from the turning frame. In any
/// other motion they are those of the instant ("frozen"), seen from a frame that turns with the bodies as well as one can,
/// and say little beyond it.
///
/// Derivatives are those of the formulas, exact to rounding (varied_motion.h); only forces that a user has written are differenced.
namespace polhode {

struct LinearMotion {
  double time = 0.0;
  MechanismMotion bodies;     // where they are and how they move
  VectorX accelerations;      // six components each
  Vector3 turning;            // nu, of the frame
  bool isSteady = false;      // constant coefficients
  double unsteadiness = 0.0;  // by how much the motion misses a steady one, relative to its rates
  MatrixX basis;              // N
  MatrixX mass, damping, stiffness;
  MatrixX velocities;    // du = N s' + velocities s
  double weakest = 1.0;  // as FreeDirections

  Eigen::Index freedoms() const { return basis.cols(); }

  /// x' = A x with x = (s, s').
  MatrixX systemMatrix() const;
};

/// One object must not be used by two threads at a time.
class MotionLineariser {
 public:
  explicit MotionLineariser(std::shared_ptr<const Mechanism> mechanism, double reach = 0.0);

  const Mechanism& mechanism() const { return *mechanism_; }
  double size() const { return size_; }  // L

  /// About this motion, which is looked at first: a steady one in the frame in which it is, any other as it is at the instant.
  /// Throws SimulationError where a force is not finite.
  LinearMotion about(double t, const MechanismMotion& bodies);

 private:
  struct Steadiness;

  LinearMotion inFrame(double t, const MechanismMotion& bodies, const Vector3& turning, bool isSteady);
  std::optional<Vector3> spinAxis(double t, const MechanismMotion& bodies, std::size_t body) const;
  Steadiness steadiness(double t, const MechanismMotion& bodies);

  std::shared_ptr<const Mechanism> mechanism_;
  Redundancy redundancy_;
  MotionEquations equations_;
  double size_;
};

}  // namespace polhode
