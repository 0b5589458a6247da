#pragma once

#include "integrate/newton.h"
#include "integrate/single_body/increment.h"
#include "integrate/single_body/scheme.h"
#include "math/largest.h"

/// Director-EM: the energy-momentum scheme in directors, in null-space form with three unknowns a step.
///
/// In the nine components of the directors D = (d1 | d2 | d3), with E_i = (J_j + J_k - J_i)/2 as mass:
///
///     d1 - d0 = h w_mid,   E_i (w1 - w0)_i = -h grad V - h (lambda grad Phi(d_mid))_i,   Phi(d1) = 0
///
/// The mean directors give the discrete null space dm_i cross (.), and the Cayley map satisfies Phi(d1) = 0:
///
///     D1 - D0 = c^ Dm,   c = 2 y,   y = tan(angle/2) n
///     Dm = (D0 + D1)/2 = R0 (I + y y^T + y^) / (1 + |y|^2)
///     sum_i E_i dm_i cross (w1 - w0)_i = h (Dm s) cross g,   w1 = 2/h (D1 - D0) - w0
///
/// With W = R0^T w0, in body axes and times 1 + |y|^2, this is a *quadratic polynomial* in y:
///
///     f(y) = f0 + F y + y cross N y = 0
///     f0 = -2 k0 - h s cross gamma,   k0 = sum_i E_i e_i cross W_i  (the angular momentum in body axes)
///     F  = 4/h J - 2 E W^T + 2 tr(E W) I - h (s gamma^T - (s . gamma) I)
///     N  = 4/h J - 2 W E - h gamma s^T
///
/// since sum_i E_i dm_i cross (y cross dm_i) = (J y + y cross J y) / (1 + |y|^2).
///
/// Conserves energy sum_i E_i |w_i|^2 / 2 + V, angular momentum and the directors' orthonormality; symmetric,
/// order 2. w is not tangential at the nodes. A step turns by less than half a turn, however long it is: for
/// a steady spin tan(angle/2) = h Omega/2.
///
/// Reference: Betsch & Steinmann 2001; Betsch & Leyendecker 2006; Betsch & Siebert 2009, section 3.
namespace polhode::single_body {

/// Orientation, the velocities of the directors W = R(q)^T (w1 | w2 | w3), and the angular momentum k0 that
/// belongs to them; both in body axes. The momentum is kept apart so that it is not rounded with W.
struct DirectorState {
  Quaternion q;
  Matrix3 W;
  Vector3 momentum;
};

class DirectorEm {
 public:
  using State = DirectorState;
  static constexpr std::string_view name = "director-em";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = false, tangential = false;
  static constexpr EnergyLaw energyLaw = EnergyLaw::always;
  static constexpr std::string_view remedy = "take a smaller step";

  explicit DirectorEm(const TopData& top)
      : top_(top), euler_(Vector3::Constant(0.5 * top.inertia.sum()) - top.inertia) {
    // on a common grid, so that J_i = E_j + E_k holds without rounding: the scheme uses both
    const double grid = std::ldexp(1.0, std::ilogb(top.inertia.sum()) - 51);
    euler_ = grid * (euler_ / grid).array().round();
    top_.inertia = Vector3::Constant(euler_.sum()) - euler_;
  }

  State start(const TopState& initial) const {
    return {initial.q, hat(initial.Omega), top_.inertia.cwiseProduct(initial.Omega)};
  }

  StepReport step(State& s, double h) const {
    const double rate = 4.0 / h;
    const Vector3& J = top_.inertia;
    const Vector3 gamma = top_.gravityInBody(s.q);
    const Matrix3 WE = s.W * euler_.asDiagonal();

    // the coefficients of f(y), the terms with 4/h J apart
    const Vector3 f0 = -2.0 * s.momentum - h * top_.moment.cross(gamma);
    Matrix3 F = -2.0 * WE.transpose() - h * top_.moment * gamma.transpose();
    F.diagonal().array() += 2.0 * WE.trace() + h * top_.moment.dot(gamma);
    const Matrix3 N = -2.0 * WE - h * gamma * top_.moment.transpose();

    const auto [angle, size] = predictAngle(top_, s.momentum.cwiseQuotient(J), gamma, h);
    Vector3 y = 0.5 * angle;
    const StepReport report = newton<3>(
        y,
        [&](const Vector3& at, Vector3& f, Matrix3& K) {
          const Vector3 Jz = J.cwiseProduct(rate * at), Ny = Jz + N * at;
          f = f0 + F * at + Jz + at.cross(Ny);
          Matrix3 NJ = N;
          NJ.diagonal() += rate * J;
          K = F + hat(at) * NJ - hat(Ny);
          K.diagonal() += rate * J;
        },
        [&, length = 0.5 * size](const Vector3& dy) { return relativeTo(length, y.norm(), dy.norm()); });
    if (!report.converged) return report;

    // w1 = 2/h (D1 - D0) - w0 in the axes of D1, where R^T (R - I) = 2 (y^ - y^ y^) / (1 + |y|^2)
    Quaternion r;
    r << 1.0, y;
    r /= r.norm();
    const Matrix3 z = hat(Vector3(rate * y));
    const Matrix3 increment = (z - hat(y) * z) / (1.0 + y.squaredNorm());
    for (int i = 0; i < 3; ++i) s.W.col(i) = increment.col(i) - turnBack(r, s.W.col(i));

    // the balance of angular momentum, which W1 satisfies but for the rounding of the lines above
    const Vector3 arm = top_.moment + y.dot(top_.moment) * y + y.cross(top_.moment);
    const Vector3 impulse = h / (1.0 + y.squaredNorm()) * arm.cross(gamma);
    s.momentum += turnBackIncrement(r, s.momentum) + turnBack(r, impulse);
    s.W += hat(Vector3((s.momentum - momentumOf(s.W)).cwiseQuotient(J)));
    s.q = advance(s.q, r);
    return report;
  }

  TopState top(const State& s) const { return {s.q, s.momentum.cwiseQuotient(top_.inertia)}; }

  /// sum_i E_i |w_i|^2 / 2 + V.
  double energy(const State& s) const {
    return 0.5 * euler_.dot(s.W.colwise().squaredNorm().transpose()) + top_.potential(s.q);
  }
  double totalEnergy(const State& s) const { return energy(s); }
  Vector3 angularMomentum(const State& s) const { return rotationMatrix(s.q) * s.momentum; }

  /// The largest violation of d_i . w_j + d_j . w_i = 0.
  double velocityDefect(const State& s) const { return largestSizeOrNaN(s.W + s.W.transpose()); }
  double distance(const State& a, const State& b) const { return angleBetween(a.q, b.q); }
  const TopData& data() const { return top_; }

 private:
  /// k0 = sum_i E_i e_i cross W_i.
  Vector3 momentumOf(const Matrix3& W) const {
    const Matrix3 WE = W * euler_.asDiagonal();
    return Vector3(WE(2, 1) - WE(1, 2), WE(0, 2) - WE(2, 0), WE(1, 0) - WE(0, 1));
  }

  TopData top_;
  Vector3 euler_;  // E_i, the second moments of mass along the body axes
};

}  // namespace polhode::single_body
