#pragma once

#include "integrate/single_body/livens.h"

/// GGL: the energy-momentum scheme from Livens' principle, stabilised after Gear, Gupta & Leimkuhler:
/// velocities and momenta satisfy their constraints q . v = 0 and q . p = 0 at the nodes as well.
///
/// The generalised energy is augmented with all three constraints,
/// p . v - L(q, v) + lambda (q . q - 1)/2 + mu q . p + kappa q . v, and every term is bilinear, so that the
/// discrete gradients are those at mid-points:
///
///     q1 - q0 = h v_mid + h mu q_mid
///     p1 - p0 = -2 h v_mid o (0, M) - h grad V(q_mid) - h lambda q_mid - h mu p_mid - h kappa v_mid
///     p_mid   = 2 q_mid o (0, M) - kappa q_mid
///     M       = J (Omega0 + Omega1)/2,   Omega = 2 G(q) v
///     q1 . q1 = 1,   q1 . v1 = 0,   q1 . p1 = 0
///
/// mu and kappa can be solved for by hand. With x from increment.h, pi0 = (0, Pi0) and the load t of
/// livens.h:
///
///     Omega1 = 8/h x - A(x)^T Omega0 / (1 + |x|^2)
///     kappa  = 2 x . t / (1 + |x|^2)
///     f(x)   = M + x cross M - (Pi0 - x cross Pi0)/2 - (t - x (x . t) / (1 + |x|^2)) = 0
///
/// Conserves the generalised energy p . v - T + V, angular momentum, |q| = 1, q . v = 0 and q . p = 0;
/// symmetric, order 2. With a singular mass matrix q . v = 0 does not follow from q . p = 0, hence two
/// multipliers instead of one.
///
/// Reference: Gear, Leimkuhler & Gupta 1985; Kinon, Betsch & Schneider 2023 (constant mass), which Kinon &
/// Betsch 2024 refer to in section 2.3.
namespace polhode::single_body {

class Ggl : public LivensScheme {
 public:
  static constexpr std::string_view name = "ggl";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = false, tangential = true;
  static constexpr EnergyLaw energyLaw = EnergyLaw::always;
  static constexpr std::string_view remedy = "take a smaller step, or the scheme 'director-em'";

  using LivensScheme::LivensScheme;

  StepReport step(State& s, double h) const {
    const Vector3 Omega0 = 2.0 * vectorPart(s.nu);
    const Vector3 gamma = top_.gravityInBody(s.q);

    const auto meanVelocity = [&](const Vector3& x) {
      const double scale = 1.0 / (1.0 + x.squaredNorm());
      const Vector3 back = scale * halfTurnBack(x, Omega0);
      Linearised Omega;
      Omega.value = 4.0 / h * x + 0.5 * (Omega0 - back);
      Omega.derivative = scale * (back * x.transpose() - 0.5 * halfTurnBackDerivative(x, Omega0));
      Omega.derivative.diagonal().array() += 4.0 / h;
      return Omega;
    };
    const auto load = [&](const Vector3& x) {
      Linearised t = midpointLoad(top_, gamma, x, h);
      const double scale = 1.0 / (1.0 + x.squaredNorm()), along = scale * x.dot(t.value);
      const Vector3 alongRate = scale * (t.value + t.derivative.transpose() * x - 2.0 * along * x);
      t.value -= along * x;
      t.derivative -= x * alongRate.transpose();
      t.derivative.diagonal().array() -= along;
      return t;
    };

    const auto [angle, size] = predictAngle(top_, top(s).Omega, gamma, h);
    Vector3 x = 0.25 * angle;
    const StepReport report = solveMidpointBalance(top_, s.pi, meanVelocity, load, 0.25 * size, x);
    if (!report.converged) return report;

    const Quaternion r = incrementQuaternion(x);
    const double scale = 1.0 / (1.0 + x.squaredNorm());
    s.nu = pureQuaternion(Vector3(4.0 / h * x - 0.5 * scale * halfTurnBack(x, Omega0)));
    s.pi = nextMomentum(s.pi, r, x, midpointLoad(top_, gamma, x, h).value);
    s.pi[0] = 0.0;  // q1 . p1 = 0 holds by the choice of kappa
    s.q = advance(s.q, r);
    return report;
  }
};

}  // namespace polhode::single_body
