#pragma once

#include "integrate/newton.h"
#include "integrate/single_body/increment.h"
#include "integrate/single_body/scheme.h"

/// What the schemes in orientation and angular velocity have in common: momentum balance in space, with an
/// algorithmic relation between the increment and the mean angular velocity.
///
///     R1 J Omega1 - R0 J Omega0 = h torque,    (Omega0 + Omega1)/2 = 4/h phi(|x|^2) x,    x = tan(angle/4) n
///
///     quaternion-em   phi = 1               the mean angular velocity is 4/h tan(angle/4) n
///     simo-wong       phi = atan(|x|)/|x|   it is angle/h n
///
/// In axes half-way (increment.h), times 1 + |x|^2:
///
///     f(x) = A(x) J Omega1 - A(x)^T J Omega0 - h load(x) = 0
///
/// Without torque the momenta at both ends have equal components along x, hence along the mean angular
/// velocity: so Omega_mid . J (Omega1 - Omega0) = 0 and the energy is kept whatever phi is.
namespace polhode::single_body {

/// Start, energy, momentum and the step of a scheme with the state (q, Omega).
class SpinScheme {
 public:
  using State = TopState;

  explicit SpinScheme(const TopData& top) : top_(top) {}

  State start(const TopState& initial) const { return initial; }
  TopState top(const State& s) const { return s; }
  double energy(const State& s) const { return top_.kinetic(s.Omega) + top_.potential(s.q); }
  double totalEnergy(const State& s) const { return energy(s); }
  Vector3 angularMomentum(const State& s) const { return rotationMatrix(s.q) * top_.inertia.cwiseProduct(s.Omega); }
  double velocityDefect(const State&) const { return 0.0; }  // v = q o (0, Omega)/2 by construction
  double distance(const State& a, const State& b) const { return angleBetween(a.q, b.q); }
  const TopData& data() const { return top_; }

 protected:
  /// A step of length h. `meanVelocity(x)` is the mean angular velocity, `load(x, gamma)` the torque in axes
  /// half-way times 1 + |x|^2, both as Linearised.
  template <class Velocity, class Load>
  StepReport balanceStep(State& s, double h, Velocity&& meanVelocity, Load&& load) const {
    const Vector3& J = top_.inertia;
    const Vector3 gamma = top_.gravityInBody(s.q);
    const Vector3 momentum0 = J.cwiseProduct(s.Omega);

    const auto [angle, size] = predictAngle(top_, s.Omega, gamma, h);
    Vector3 x = 0.25 * angle;
    const StepReport report = newton<3>(
        x,
        [&](const Vector3& at, Vector3& f, Matrix3& K) {
          const Linearised mean = meanVelocity(at), torque = load(at, gamma);
          const Vector3 momentum1 = J.cwiseProduct(2.0 * mean.value - s.Omega);
          const Matrix3 momentumRate = (2.0 * J).asDiagonal() * mean.derivative;

          // A(x) times the columns of momentumRate, as (1 - |x|^2) I + 2 x x^T + 2 x^
          const Matrix3 A = 2.0 * (at * at.transpose() + hat(at)) + (1.0 - at.squaredNorm()) * Matrix3::Identity();
          f = A * momentum1 - A.transpose() * momentum0 - h * torque.value;
          K = halfTurnDerivative(at, momentum1) + A * momentumRate - halfTurnBackDerivative(at, momentum0) -
              h * torque.derivative;
        },
        [&, length = 0.25 * size](const Vector3& dx) { return relativeTo(length, x.norm(), dx.norm()); });
    if (report.converged) finish(s, x, h * load(x, gamma).value);
    return report;
  }

  /// J Omega1 = R^T J Omega0 + impulse in the axes at the end; `impulse` is that in axes half-way times 1 +
  /// |x|^2.
  void finish(State& s, const Vector3& x, const Vector3& impulse) const {
    const Quaternion r = incrementQuaternion(x);
    const double scale = 1.0 / (1.0 + x.squaredNorm());
    const Vector3 momentum0 = top_.inertia.cwiseProduct(s.Omega);
    const Vector3 change = turnBackIncrement(r, momentum0) + scale * scale * halfTurnBack(x, impulse);
    s.Omega = (momentum0 + change).cwiseQuotient(top_.inertia);
    s.q = advance(s.q, r);
  }

  TopData top_;
};

}  // namespace polhode::single_body
