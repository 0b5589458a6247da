#pragma once

#include "polhode/model/simulation.h"
#include "system/constrained_system.h"
#include "system/dae.h"

#include <memory>
#include <string>

namespace polhode {

/// On which level the constraints enter the equations.
enum class ConstraintLevel { position, velocity, acceleration, stabilised };

/// "index-3", "index-2", "index-1" or "ggl".
std::string formulationName(ConstraintLevel level);

/// The differential-algebraic equations of a constrained mechanical system in y = (q, v, lambda):
///
///     q' = v
///     M(q) v' = psi(q, v, t) - G(q)^T lambda
///     0 = g(q)                                 position:     index 3, Lang (1)
///     0 = G(q) v                               velocity:     index 2, Lang (3)
///     0 = G(q) v' + g^II(q, v)                 acceleration: index 1, Lang (4)
///
/// (with g_t besides G v where the constraints depend on time) and in y = (q, v, lambda, mu) the form that Gear, Gupta and Leimkuhler stabilise, of index 2,
///
///     q' = v - G(q)^T mu,   M(q) v' = psi - G^T lambda,   0 = g(q),   0 = G(q) v,
///
/// whose multiplier mu vanishes in the exact solution. With it q and v both stay on their constraints; in
/// index 2 the position drifts linearly in time and in index 1 quadratically. M may be singular where G makes
/// up for it; along such directions the index is one lower than stated (QuaternionBody).
///
/// References: Lang 2010, section 2; Gear, Leimkuhler & Gupta 1985, J. Comp. Appl. Math. 12&13, 77-90.
class IndexFormulation : public DaeSystem {
 public:
  /// Baumgarte's stabilisation adds 2 alpha G v + beta^2 g to the constraints on the level of acceleration.
  IndexFormulation(std::shared_ptr<const ConstrainedSystem> system, ConstraintLevel level,
                   const Baumgarte& baumgarte = {});

  int size() const override;
  int index() const override;
  void residual(double t, const VectorX& y, const VectorX& ydot, VectorX& r) const override;
  std::vector<bool> differential() const override;
  std::vector<int> componentIndex() const override;

  /// From q and v: the multipliers and v' that solve (4), mu = 0, q' = v; derivatives of multipliers are set
  /// to zero.
  void complete(double t, VectorX& y, VectorX& ydot) const override;

  /// y of a position and a velocity, with consistent multipliers.
  VectorX initialValue(double t, const VectorX& q, const VectorX& v) const;

  const ConstrainedSystem& system() const { return *system_; }

 private:
  std::shared_ptr<const ConstrainedSystem> system_;
  ConstraintLevel level_;
  Baumgarte baumgarte_;
  int n_, m_;  // numbers of coordinates and of constraints
};

}  // namespace polhode
