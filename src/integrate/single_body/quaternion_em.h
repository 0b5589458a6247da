#pragma once

#include "integrate/single_body/spin.h"

/// Quaternion-EM (EMH): the energy-momentum scheme from Hamilton's equations in quaternions, in null-space
/// form with three unknowns a step.
///
///     (51)  q1 - q0 = h/8 Q_l(q_mid) J4^-1 (pi0 + pi1),   pi = Q_l(q)^T p = (0, 2 J Omega)
///           p1 - p0 = -h/8 (p_mid | -G(p_mid)^T) J4^-1 (pi0 + pi1) - h grad V(q_mid) - h lambda q_mid
///           q1 . q1 = 1
///
/// Section 4.5 multiplies the second line with G(q_mid) and writes q1 with an increment: seven equations,
/// (52) and (53). The first line is then solved by hand: with q1 - q0 = q_mid o (0, 2x) (increment.h) it says
///
///     (Omega0 + Omega1)/2 = 4/h x
///
/// and the second, in axes half-way and times (1 + |x|^2)/2, is the balance of momentum of spin.h,
///
///     A(x) J Omega1 - A(x)^T J Omega0 - h s cross A(x)^T gamma / (1 + |x|^2) = 0
///
/// Conserves energy, angular momentum, |q| = 1 and q . p = 0; symmetric, order 2. quaternion_em_nine.h solves
/// the nine equations as they are printed.
///
/// Reference: Betsch & Siebert 2009, (51), section 4.5, appendix D; the same as Kinon & Betsch 2024, (146).
namespace polhode::single_body {

class QuaternionEm : public SpinScheme {
 public:
  static constexpr std::string_view name = "quaternion-em";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = true, tangential = true;
  static constexpr EnergyLaw energyLaw = EnergyLaw::always;
  static constexpr std::string_view remedy = "take a smaller step, or the scheme 'director-em'";

  using SpinScheme::SpinScheme;

  StepReport step(State& s, double h) const {
    const auto meanVelocity = [h](const Vector3& x) { return Linearised{4.0 / h * x, 4.0 / h * Matrix3::Identity()}; };
    const auto load = [this](const Vector3& x, const Vector3& gamma) { return torque(x, gamma); };
    return balanceStep(s, h, meanVelocity, load);
  }

 protected:
  /// s cross A(x)^T gamma / (1 + |x|^2).
  Linearised torque(const Vector3& x, const Vector3& gamma) const {
    const double scale = 1.0 / (1.0 + x.squaredNorm());
    const Vector3 t = scale * top_.moment.cross(halfTurnBack(x, gamma));
    return {t, scale * (hat(top_.moment) * halfTurnBackDerivative(x, gamma) - 2.0 * t * x.transpose())};
  }
};

}  // namespace polhode::single_body
