#pragma once

#include "polhode/model/simulation.h"
#include "system/constrained_system.h"
#include "system/mass_constraint_solver.h"
#include "system/ode.h"

#include <memory>

namespace polhode {

/// The index-0 form of a constrained mechanical system, an ordinary differential equation in y = (q, v):
///
///     q' = v,   v' from   ( M  G^T ) ( v'     )   ( psi   )
///                         ( G  0   ) ( lambda ) = ( -g^II )            Lang (4), (6_1), (6_2)
///
/// The multipliers come afterwards, from the same equation (6_3). The constraints are kept on the level of
/// acceleration only, so v drifts from them linearly in time and q quadratically; project() moves y back,
/// Lang (62):
///
///     (P)  M(q) (q - q*) + G(q)^T chi = 0,  g(q) = 0        the nearest position, weighted with the mass
///     (V)  M(q) (v - v*) + G(q)^T eta = 0,  G(q) v = 0      the tangential part of the velocity
///
/// (P) is solved by Newton's method with the matrix of the drifted position, kept as long as it converges
/// fast. M may be singular where G makes up for it. For a body in quaternions (62) then is (63): p is
/// normalised, p' made tangential (Lang, Lemma 6.1).
///
/// With Baumgarte's stabilisation -g^II is -g^II - 2 alpha G v - beta^2 g: drift is damped instead of projected away.
///
/// One object must not be used by two threads at a time: it keeps its workspace.
class Index0Ode : public OdeSystem {
 public:
  explicit Index0Ode(std::shared_ptr<const ConstrainedSystem> system, const Baumgarte& baumgarte = {});

  int size() const override { return 2 * n_; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override;

  /// Lang (62). Throws SimulationError if y is too far from the constraints for Newton's method.
  bool project(double t, VectorX& y) const override;

  /// (P) alone.
  void projectPosition(double t, VectorX& q) const;

  /// lambda of a state, Lang (6_3).
  VectorX multipliers(double t, const VectorX& y) const;

  VectorX initialValue(const VectorX& q, const VectorX& v) const;
  const ConstrainedSystem& system() const { return *system_; }

 private:
  void solveAcceleration(double t, const VectorX& y) const;
  void factoriseAt(double t, const VectorX& q) const;
  void projectVelocity(double t, const VectorX& q, VectorX& v) const;  // with the matrix factorised there

  std::shared_ptr<const ConstrainedSystem> system_;
  Baumgarte baumgarte_;
  int n_, m_;  // numbers of coordinates and of constraints

  mutable MassConstraintSolver solver_;
  mutable VectorX q_, v_, psi_, gII_, g_, acceleration_, lambda_;
};

}  // namespace polhode
