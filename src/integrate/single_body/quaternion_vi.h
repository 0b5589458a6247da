#pragma once

#include "integrate/single_body/spin.h"

#include <cmath>

/// Quaternion-VI: the variational integrator in quaternions.
///
/// The discrete Lagrangian is that of the midpoint rule, L_d = h T(q_mid, (q1 - q0)/h) - h V(q_mid). Its
/// discrete Euler-Lagrange equations with q . q = 1 at the nodes (E1) are used in position-momentum form,
/// which needs one start only:
///
///     p0 = -D1 L_d(q0, q1) + h/2 lambda0 q0,   p1 = D2 L_d(q0, q1) - h/2 lambda1 q1
///
/// The multipliers drop out of Pi = G(q) p = 2 J Omega. With the increment r = conj(q0) o q1 = (r_0, u), |r|
/// = 1:
///
///     Pi0 = 4/h (r_0 J u + u cross J u) + h/2 b(gamma0, r)                          (solved for u)
///     R1 Pi1 - R0 Pi0 = -h/2 (R0 b(gamma0, r) + R1 b(gamma1, conj(r)))              (gives Pi1)
///     b(gamma, r) = vec(gamma o (1 + r) o s),   gamma = R^T g
///
/// Conserves angular momentum, |q| = 1 and the symplectic form; symmetric, order 2. The energy error stays
/// bounded, and without gravity there is none: Pi0 and Pi1 are then 4/h (r_0 J u +- u cross J u), of equal
/// energy.
///
/// **There is no solution beyond h |Omega| of about 1**: for a spin about a principal axis the first equation
/// reads sin(angle) = h |Omega|, with a fold at a quarter of a turn. A step is refused when Newton's method
/// leaves |u| < 1 or ends beyond the fold, where the Jacobian's determinant has changed its sign.
///
/// Reference: Betsch & Siebert 2009, appendix E.
namespace polhode::single_body {

class QuaternionVi : public SpinScheme {
 public:
  static constexpr std::string_view name = "quaternion-vi";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = true, tangential = true;
  static constexpr EnergyLaw energyLaw = EnergyLaw::whenFree;
  static constexpr std::string_view remedy =
      "its equations have a solution only while h |Omega| is below about 1: take a smaller step, or the "
      "scheme "
      "'director-em'";

  using SpinScheme::SpinScheme;

  StepReport step(State& s, double h) const {
    const Vector3& J = top_.inertia;
    const Vector3 gamma0 = top_.gravityInBody(s.q);
    const Vector3 momentum0 = J.cwiseProduct(s.Omega);

    const auto [angle, size] = predictAngle(top_, s.Omega, gamma0, h);
    Vector3 u = 0.5 * angle;
    if (u.squaredNorm() > 0.5) u *= std::sqrt(0.5) / u.norm();  // start on the near side of the fold
    double determinant = 0.0;
    StepReport report = newton<3>(
        u,
        [&](const Vector3& at, Vector3& f, Matrix3& K) {
          const double r0 = std::sqrt(1.0 - at.squaredNorm());  // not a number outside, which ends the iteration
          const Vector3 Ju = J.cwiseProduct(at);
          f = r0 * Ju + at.cross(Ju) - 0.5 * h * momentum0 + 0.125 * h * h * load(gamma0, r0, at);
          K = hat(at) * J.asDiagonal() - hat(Ju) - Ju * at.transpose() / r0 + 0.125 * h * h * loadRate(gamma0, r0, at);
          K.diagonal() += r0 * J;
          determinant = K.determinant();
        },
        [&, length = 0.5 * size](const Vector3& du) { return relativeTo(length, u.norm(), du.norm()); });
    report.converged = report.converged && determinant > 0.0 && u.squaredNorm() < 1.0;
    if (!report.converged) return report;

    Quaternion r;
    r << std::sqrt(1.0 - u.squaredNorm()), u;
    const Vector3 gamma1 = turnBack(r, gamma0);
    const Vector3 impulse = turnBack(r, load(gamma0, r[0], u)) + load(gamma1, r[0], -u);
    const Vector3 change = turnBackIncrement(r, momentum0) - 0.25 * h * impulse;
    s.Omega = (momentum0 + change).cwiseQuotient(J);
    s.q = advance(s.q, r);
    return report;
  }

 private:
  /// b(gamma, r) with r = (r0, u).
  Vector3 load(const Vector3& gamma, double r0, const Vector3& u) const {
    const Vector3& s = top_.moment;
    return (1.0 + r0) * gamma.cross(s) - gamma.dot(u) * s + gamma.dot(s) * u - u.dot(s) * gamma;
  }

  /// db/du on the unit sphere, where dr0 = -u . du / r0.
  Matrix3 loadRate(const Vector3& gamma, double r0, const Vector3& u) const {
    const Vector3& s = top_.moment;
    return -gamma.cross(s) * u.transpose() / r0 - s * gamma.transpose() + gamma.dot(s) * Matrix3::Identity() -
           gamma * s.transpose();
  }
};

}  // namespace polhode::single_body
