#pragma once

#include "system/redundancy.h"

#include <vector>

/// The motions that the joints of a mechanism leave free at an instant. Each body has a velocity and an angular velocity in
/// space, together u; the rows of the joints that do not repeat others (redundancy.h) say G u = 0. With lengths measured by
/// the size L of the mechanism, u = S x,
///
///     basis        the columns of N span all u with G u = 0, x being orthonormal;
///     coordinates  the x of a u along N: N (coordinates u) = u for a u that the joints allow;
///     closing      the smallest x with G S x = r, as u.
///
/// Turns that nothing resists since they have no inertia (a point mass about itself) are left out of the basis.
namespace polhode {

class FreeMotions {
 public:
  FreeMotions(const Mechanism& mechanism, const Redundancy& redundancy, double t, const MechanismMotion& bodies,
              double size);

  const MatrixX& basis() const { return basis_; }  // N: six rows a body
  const MatrixX& mass() const { return mass_; }    // N^T diag(m, J) N
  int idleTurns() const { return idleTurns_; }
  const std::vector<int>& rows() const { return numbers_; }  // those of the mechanism that G has
  const VectorX& scale() const { return scale_; }            // S

  /// How far the rows are from depending on each other: near zero in a singular position.
  double weakest() const { return weakest_; }

  MatrixX coordinates(const MatrixX& u) const;
  MatrixX closing(const MatrixX& r) const;

  /// lambda, of all rows of the mechanism, with which G^T lambda balances loads on the bodies as far as joints can.
  VectorX balancing(const VectorX& loads) const;

 private:
  void removeIdleTurns(const Mechanism& mechanism, const MechanismMotion& bodies);

  std::vector<int> numbers_;
  VectorX scale_, rowScale_;
  MatrixX basis_, mass_;
  MatrixX across_, triangle_;  // G S = triangle^T across^T, rows scaled to length one
  int allRows_, idleTurns_ = 0;
  double weakest_ = 1.0;
};

/// diag(m, J) times columns of velocities, or accelerations.
MatrixX timesInertia(const Mechanism& mechanism, const MechanismMotion& bodies, MatrixX u);

/// Bodies moved and turned by a fraction of a change of six components each, joints as they may.
MechanismMotion displaced(MechanismMotion bodies, const VectorX& change, double fraction);

/// Bodies that move by these velocities.
MechanismMotion movingBy(MechanismMotion bodies, const VectorX& velocities);

/// The velocities of bodies, six components each.
VectorX velocitiesOf(const MechanismMotion& bodies);

/// What acts on each body at its centre of mass: elements, and joints by their multipliers. Weight, which is the same
/// everywhere, is not among it.
VectorX wrenchesOn(const Mechanism& mechanism, double t, const MechanismMotion& bodies, const VectorX& multipliers);

/// d f(x)/dx at zero, a vector: a central difference of eighth order with this step.
template <class Function>
VectorX centralDerivative(double step, const Function& f) {
  constexpr double eighthOrder[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  VectorX sum;
  for (int k = 0; k < 4; ++k) {
    const double x = step * (k + 1);
    const VectorX term = eighthOrder[k] / step * (f(x) - f(-x));
    sum = k == 0 ? term : VectorX(sum + term);
  }
  return sum;
}

/// The same for columns by(step), with steps that are short enough for two of them to agree: where a law has a kink near by, or
/// a spring is short. `large` is what the result counts as small against.
template <class Columns>
MatrixX agreedDerivative(double large, const Columns& by) {
  constexpr double longest = 0.01, same = 1e-9;  // rad, or sizes of the mechanism
  constexpr int shorter = 5;                     // each an eighth
  double step = longest, apart = -1.0;
  MatrixX before = by(step), best = before;
  for (int k = 0; k < shorter; ++k) {
    const MatrixX next = by(step /= 8.0);
    const double now = (next - before).norm();
    if (now <= same * std::max(next.norm(), large)) return before;
    if (apart < 0.0 || now < apart) apart = now, best = next;
    before = next;
  }
  return best;
}

}  // namespace polhode
