#pragma once

#include "integrate/single_body/livens.h"

/// MPH: the midpoint rule for Hamilton's equations with the regular mass matrix of (139).
///
///     (133)  q1 - q0 = h M4^-1(q_mid) p_mid
///            p1 - p0 = -h d_q T*(q_mid, p_mid) - h grad V(q_mid) - h lambda q_mid
///            q1 . q1 = 1
///
/// with T* = p . M4^-1 p / 2, M4 = 4 Q_l(q) J4 Q_l(q)^T and J4 = diag(tr(J)/2, J). Off the unit sphere, where
/// q_mid lies, M4^-1 may mean two things:
///
///     mph          the polynomial Q_l(q) J4^-1 Q_l(q)^T / 4 of (139), as in Figure 13
///     mph-inverse  the inverse of M4(q_mid), smaller by |q_mid|^4; gives q and p of `mpl` to round-off
///
/// Either way q_mid . p_mid = 0, and in the three unknowns of livens.h
///
///     Omega_mid = 4/h x (1 + |x|^2)    (polynomial),        Omega_mid = 4/h x / (1 + |x|^2)    (inverse)
///
/// Conserves angular momentum and |q| = 1, but no energy; symmetric, order 2. At the nodes v = M4^-1 p.
///
/// Reference: Kinon & Betsch 2024, appendices B and D.
namespace polhode::single_body {

enum class MidpointInverse { polynomial, exact };

template <MidpointInverse inverse>
class HamiltonianMidpoint : public LivensScheme {
 public:
  static constexpr bool polynomial = inverse == MidpointInverse::polynomial;
  static constexpr std::string_view name = polynomial ? "mph" : "mph-inverse";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = true, tangential = false;
  static constexpr EnergyLaw energyLaw = EnergyLaw::bounded;
  static constexpr std::string_view remedy = "take a smaller step, or the scheme 'director-em'";

  using LivensScheme::LivensScheme;

  StepReport step(State& s, double h) const {
    const StepReport report = midpointStep(s, h, [h](const Vector3& x) {
      const double stretch = 1.0 + x.squaredNorm();
      Linearised Omega;
      if constexpr (polynomial) {
        Omega.value = 4.0 / h * stretch * x;
        Omega.derivative = 8.0 / h * x * x.transpose();
        Omega.derivative.diagonal().array() += 4.0 / h * stretch;
      } else {
        Omega.value = 4.0 / h / stretch * x;
        Omega.derivative = -2.0 / stretch * Omega.value * x.transpose();
        Omega.derivative.diagonal().array() += 4.0 / h / stretch;
      }
      return Omega;
    });
    if (report.converged) {  // v1 = M4(q1)^-1 p1 on the unit sphere, (139)
      s.nu << 0.5 * s.pi[0] / top_.inertia.sum(), 0.25 * vectorPart(s.pi).cwiseQuotient(top_.inertia);
    }
    return report;
  }
};

using Mph = HamiltonianMidpoint<MidpointInverse::polynomial>;
using MphInverse = HamiltonianMidpoint<MidpointInverse::exact>;

}  // namespace polhode::single_body
