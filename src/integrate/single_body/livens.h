#pragma once

#include "integrate/newton.h"
#include "integrate/single_body/increment.h"
#include "integrate/single_body/scheme.h"

/// What the schemes from Livens' principle have in common: independent quaternion, velocity and momentum.
///
///     q1 - q0 = h v_mid,   p1 - p0 = -2 h v_mid o (0, M) - h grad V(q_mid) - h lambda q_mid,
///     (p0 + p1)/2 = 2 q_mid o (0, M),   q1 . q1 = 1
///
/// where M = J Omega_mid, and the schemes differ in Omega_mid alone. Velocity and momentum are kept in body
/// axes,
///
///     nu = conj(q) o v,   pi = conj(q) o p = (pi_0, Pi)
///
/// Multiplied with the discrete null-space matrix G(q_mid), and with x from increment.h for q1, three
/// equations remain (divided by 4 |q_mid|^2):
///
///     f(x) = M + x cross M - (Pi0 - pi0_0 x - x cross Pi0)/2 - t = 0
///     t    = h/2 s cross A(x)^T gamma / (1 + |x|^2)
///
/// Angular momentum L = E(q) p / 2 = R(q) Pi / 2 is kept for every Omega_mid, L1 - L0 = h (R(q_mid) s) cross
/// g. This is how the momentum at the end is found, so that no error of Newton's method and no rounding of q
/// gets into it:
///
///     Pi1   = R(r)^T Pi0 + 4 A(x)^T t / (1 + |x|^2)^2
///     pi1_0 = 4 x . t / (1 + |x|^2) - pi0_0                  (from x . f(x) = 0)
///
/// Reference: Kinon & Betsch 2024, (86)-(88), (101)-(103), Remark 4.11, (132), (133).
namespace polhode::single_body {

/// Quaternion, its velocity and its momentum, all three independent; the latter two in body axes.
struct LivensState {
  Quaternion q, nu, pi;

  Quaternion v() const { return multiply(q, nu); }
  Quaternion p() const { return multiply(q, pi); }
};

/// The load t(x).
inline Linearised midpointLoad(const TopData& top, const Vector3& gamma, const Vector3& x, double h) {
  const double scale = 1.0 / (1.0 + x.squaredNorm());
  const Vector3 t = 0.5 * h * scale * top.moment.cross(halfTurnBack(x, gamma));
  return {t, scale * (0.5 * h * hat(top.moment) * halfTurnBackDerivative(x, gamma) - 2.0 * t * x.transpose())};
}

/// Solves f(x) = 0 from the x given, an increment of about the size given. `meanVelocity(x)` is the scheme's
/// Omega_mid, `load(x)` is t.
template <class Velocity, class Load>
StepReport solveMidpointBalance(const TopData& top, const Quaternion& pi, Velocity&& meanVelocity, Load&& load,
                                double size, Vector3& x) {
  const Vector3 Pi = vectorPart(pi);
  return newton<3>(
      x,
      [&](const Vector3& at, Vector3& f, Matrix3& K) {
        const Linearised Omega = meanVelocity(at), t = load(at);
        const Vector3 M = top.inertia.cwiseProduct(Omega.value);
        f = M + at.cross(M) - 0.5 * (Pi - pi[0] * at - at.cross(Pi)) - t.value;

        const Matrix3 dM = top.inertia.asDiagonal() * Omega.derivative;
        K = dM + hat(at) * dM - hat(Vector3(M + 0.5 * Pi)) - t.derivative;
        K.diagonal().array() += 0.5 * pi[0];
      },
      [&](const Vector3& dx) { return relativeTo(size, x.norm(), dx.norm()); });
}

/// Start, energies, momentum and the step of a scheme with a LivensState.
class LivensScheme {
 public:
  using State = LivensState;

  explicit LivensScheme(const TopData& top) : top_(top) {}

  /// v = q o (0, Omega)/2 and p = 4 G^T J G v = 2 q o (0, J Omega).
  State start(const TopState& initial) const {
    return {initial.q, pureQuaternion(Vector3(0.5 * initial.Omega)),
            pureQuaternion(Vector3(2.0 * top_.inertia.cwiseProduct(initial.Omega)))};
  }

  /// The angular velocity is the one that belongs to the momentum.
  TopState top(const State& s) const { return {s.q, 0.5 * vectorPart(s.pi).cwiseQuotient(top_.inertia)}; }

  /// The generalised energy p . v - T(Omega(q, v)) + V(q), Kinon & Betsch (74).
  double energy(const State& s) const {
    return s.pi.dot(s.nu) - top_.kinetic(2.0 * vectorPart(s.nu)) + top_.potential(s.q);
  }

  /// T(Omega(q, v)) + V(q), Kinon & Betsch (80).
  double totalEnergy(const State& s) const { return top_.kinetic(2.0 * vectorPart(s.nu)) + top_.potential(s.q); }

  /// L = E(q) p / 2.
  Vector3 angularMomentum(const State& s) const { return 0.5 * rotationMatrix(s.q) * vectorPart(s.pi); }

  double velocityDefect(const State& s) const { return s.nu[0]; }
  double distance(const State& a, const State& b) const { return angleBetween(a.q, b.q); }
  const TopData& data() const { return top_; }

 protected:
  /// A step of length h of the scheme whose Omega_mid(x) is `meanVelocity`.
  template <class Velocity>
  StepReport midpointStep(State& s, double h, Velocity&& meanVelocity) const {
    const Vector3 gamma = top_.gravityInBody(s.q);
    const auto load = [&](const Vector3& x) { return midpointLoad(top_, gamma, x, h); };

    const auto [angle, size] = predictAngle(top_, top(s).Omega, gamma, h);
    Vector3 x = 0.25 * angle;
    const StepReport report = solveMidpointBalance(top_, s.pi, meanVelocity, load, 0.25 * size, x);
    if (report.converged) finish(s, h, x, load(x).value);
    return report;
  }

  /// The state at the end of a step, from the increment x and the load t.
  static void finish(State& s, double h, const Vector3& x, const Vector3& t) {
    const Quaternion r = incrementQuaternion(x);
    s.nu = nextVelocity(s.nu, r, x, h);
    s.pi = nextMomentum(s.pi, r, x, t);
    s.q = advance(s.q, r);
  }

  /// v1 = 2/h (q1 - q0) - v0, (101); without cancellation.
  static Quaternion nextVelocity(const Quaternion& nu, const Quaternion& r, const Vector3& x, double h) {
    const double rate = 2.0 / h, scale = 1.0 / (1.0 + x.squaredNorm());
    Quaternion mean;
    mean << 2.0 * rate * scale * x.squaredNorm(), 2.0 * rate * scale * x;
    return mean - multiply(conjugate(r), nu);
  }

  /// p1 = 2 p_mid - p0, (102), through the balance of angular momentum.
  static Quaternion nextMomentum(const Quaternion& pi, const Quaternion& r, const Vector3& x, const Vector3& t) {
    const double scale = 1.0 / (1.0 + x.squaredNorm());
    const Vector3 Pi = vectorPart(pi), impulse = 4.0 * scale * scale * halfTurnBack(x, t);
    Quaternion next;
    next << 4.0 * scale * x.dot(t) - pi[0], Pi + (turnBackIncrement(r, Pi) + impulse);
    return next;
  }

  TopData top_;
};

}  // namespace polhode::single_body
