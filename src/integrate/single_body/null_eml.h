#pragma once

#include "integrate/single_body/livens.h"

/// Null-EML: the energy-momentum scheme from Livens' principle with three unknowns a step.
///
/// The scheme is that of eml.h. The multiplier is removed by the discrete null-space matrix G(q_mid), the
/// unit-length constraint by the increment x (increment.h), p1 by (102) and v1 by (101); livens.h has what
/// remains. There
///
///     (88)  Omega_mid = G(q0) v0 + G(q1) v1
///                     = (2 |x|^2 n + (4/h + 2 n_0) x + 2 x cross n) / (1 + |x|^2),   nu0 = (n_0, n)
///
/// Conserves the generalised energy p . v - T + V, angular momentum and |q| = 1; symmetric, order 2. The
/// velocity v satisfies q . v = 0 at mid-points only, so the total energy T + V varies: a user should be
/// shown both. Nothing bounds that part of v: for long runs with large steps take ggl.h.
///
/// Reference: Kinon & Betsch 2024, Remark 4.11.
namespace polhode::single_body {

class NullEml : public LivensScheme {
 public:
  static constexpr std::string_view name = "null-eml";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = false, tangential = false;
  static constexpr EnergyLaw energyLaw = EnergyLaw::always;
  static constexpr std::string_view remedy =
      "take a smaller step, or the scheme 'ggl', which keeps q . v = 0 at the nodes, or 'director-em'";

  using LivensScheme::LivensScheme;

  StepReport step(State& s, double h) const {
    const double along = 4.0 / h + 2.0 * s.nu[0];
    const Vector3 n = vectorPart(s.nu);

    return midpointStep(s, h, [&](const Vector3& x) {
      const double scale = 1.0 / (1.0 + x.squaredNorm());
      Linearised Omega;
      Omega.value = scale * (2.0 * x.squaredNorm() * n + along * x + 2.0 * x.cross(n));
      Omega.derivative = scale * ((4.0 * n - 2.0 * Omega.value) * x.transpose() - 2.0 * hat(n));
      Omega.derivative.diagonal().array() += scale * along;
      return Omega;
    });
  }
};

}  // namespace polhode::single_body
