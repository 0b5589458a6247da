#pragma once

#include "integrate/single_body/spin.h"

#include <cmath>

/// Simo & Wong's ALGO_C1: balance of angular momentum with the exponential map.
///
///     R1 = R0 exp(Theta),   Theta = h/2 (Omega0 + Omega1)        (body axes)
///     R1 J Omega1 - R0 J Omega0 = h ((D0 + D1)/2 s) cross g      (space)
///
/// The load acts at the mean directors. With x = tan(angle/4) n (increment.h) in place of Theta,
///
///     (Omega0 + Omega1)/2 = 4/h atan(|x|)/|x| x
///
/// and in axes half-way the mean of the directors is the symmetric part of A(x)/(1 + |x|^2), so that the load
/// of spin.h is
///
///     ((1 - |x|^2) s + 2 x (x . s)) cross A(x)^T gamma / (1 + |x|^2)
///
/// Conserves angular momentum and |q| = 1, and energy without gravity only; symmetric, order 2.
///
/// Reference: Simo & Wong 1991; Betsch & Siebert 2009, section 5 (ALGO_C1).
namespace polhode::single_body {

class SimoWong : public SpinScheme {
 public:
  static constexpr std::string_view name = "simo-wong";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = true, tangential = true;
  static constexpr EnergyLaw energyLaw = EnergyLaw::whenFree;
  static constexpr std::string_view remedy = "take a smaller step, or the scheme 'director-em'";

  using SpinScheme::SpinScheme;

  StepReport step(State& s, double h) const {
    const auto meanVelocity = [h](const Vector3& x) {
      const auto [phi, rate] = angleRatio(x.squaredNorm());
      return Linearised{4.0 / h * phi * x, 4.0 / h * (phi * Matrix3::Identity() + 2.0 * rate * x * x.transpose())};
    };
    const auto load = [this](const Vector3& x, const Vector3& gamma) {
      const double scale = 1.0 / (1.0 + x.squaredNorm());
      const Vector3& s0 = top_.moment;
      const Vector3 arm = (1.0 - x.squaredNorm()) * s0 + 2.0 * x.dot(s0) * x;
      const Matrix3 armRate = 2.0 * (x * s0.transpose() - s0 * x.transpose() + x.dot(s0) * Matrix3::Identity());
      const Vector3 pull = halfTurnBack(x, gamma);
      const Vector3 torque = scale * arm.cross(pull);
      return Linearised{torque, scale * (hat(arm) * halfTurnBackDerivative(x, gamma) - hat(pull) * armRate -
                                         2.0 * torque * x.transpose())};
    };
    return balanceStep(s, h, meanVelocity, load);
  }

 private:
  struct AngleRatio {
    double phi, rate;
  };

  /// phi(u) = atan(sqrt u)/sqrt u and phi'(u) = (1/(1 + u) - phi)/(2u), by their series near zero.
  static AngleRatio angleRatio(double u) {
    if (u < 1e-2) {
      double phi = 0.0, rate = 0.0;
      for (int k = 8; k >= 0; --k) {  // sum over k of (-u)^k/(2k + 1), by Horner's rule with its derivative
        rate = -u * rate - phi;
        phi = 1.0 / (2 * k + 1) - u * phi;
      }
      return {phi, rate};
    }
    const double root = std::sqrt(u), phi = std::atan(root) / root;
    return {phi, (1.0 / (1.0 + u) - phi) / (2.0 * u)};
  }
};

}  // namespace polhode::single_body
