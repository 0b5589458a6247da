#pragma once

#include "integrate/single_body/livens.h"

/// MPL: the midpoint rule for Livens' equations.
///
///     (132)  q1 - q0 = h v_mid
///            p1 - p0 = h d_q L(q_mid, v_mid) - h lambda q_mid
///            p_mid   = d_v L(q_mid, v_mid)
///            q1 . q1 = 1
///
/// with p_mid = 4 G^T J G v_mid at q_mid; in the three unknowns of livens.h
///
///     Omega_mid = 2 G(q_mid) v_mid = 4/h x / (1 + |x|^2)
///
/// Conserves angular momentum and |q| = 1, but no energy; symmetric, order 2. v is carried along and does not
/// act on the motion.
///
/// Reference: Kinon & Betsch 2024, appendix B.
namespace polhode::single_body {

class Mpl : public LivensScheme {
 public:
  static constexpr std::string_view name = "mpl";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = true, tangential = false;
  static constexpr EnergyLaw energyLaw = EnergyLaw::bounded;
  static constexpr std::string_view remedy = "take a smaller step, or the scheme 'director-em'";

  using LivensScheme::LivensScheme;

  StepReport step(State& s, double h) const {
    return midpointStep(s, h, [h](const Vector3& x) {
      const double scale = 1.0 / (1.0 + x.squaredNorm());
      Linearised Omega;
      Omega.value = 4.0 / h * scale * x;
      Omega.derivative = -2.0 * scale * Omega.value * x.transpose();
      Omega.derivative.diagonal().array() += 4.0 / h * scale;
      return Omega;
    });
  }
};

}  // namespace polhode::single_body
