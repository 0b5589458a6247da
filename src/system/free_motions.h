#pragma once

#include "system/free_directions.h"

#include <vector>

/// The motions that the joints of a mechanism leave free at an instant (free_directions.h) and that move an inertia: turns that
/// nothing resists since they have none (a point mass about itself) are left out of the basis N.
namespace polhode {

class FreeMotions {
 public:
  FreeMotions(const Mechanism& mechanism, const Redundancy& redundancy, double t, const MechanismMotion& bodies,
              double size);

  const FreeDirections& directions() const { return directions_; }
  const MatrixX& basis() const { return basis_; }  // N: six rows a body
  const MatrixX& mass() const { return mass_; }    // N^T diag(m, J) N
  int idleTurns() const { return idleTurns_; }

  /// The x of velocities u along N: N (coordinates u) = u for a u that the joints allow.
  MatrixX coordinates(const MatrixX& u) const;

 private:
  FreeDirections directions_;
  MatrixX basis_, mass_;
  int idleTurns_ = 0;
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
