#pragma once

#include "integrate/single_body/livens.h"

/// EML: the energy-momentum scheme from Livens' principle, as printed, with nine unknowns a step (q1, v1,
/// lambda).
///
///     (86a)  q1 - q0 = h v_mid
///     (86b)  p1 - p0 = h d_q T - h grad V(q_mid) - h lambda q_mid
///     (86c)  (p0 + p1)/2 = d_v T
///     (86d)  (q1 . q1 - 1)/2 = 0
///     (87)   d_q T = -2 G(v_mid)^T J Omega_mid,   d_v T = 2 G(q_mid)^T J Omega_mid
///     (88)   Omega_mid = (Omega0 + Omega1)/2 = G(q0) v0 + G(q1) v1
///
/// (86c) gives p1 and is inserted into (86b). All is written in the body axes at the start of the step, where
/// q0 = (1, 0); the scheme commutes with rotations, so this changes nothing but the rounding. The unknown
/// is the increment of q, not q1.
///
/// Conserves the generalised energy p . v - T + V, angular momentum and |q| = 1; symmetric, order 2. The
/// velocity satisfies q . v = 0 at mid-points only, and nothing bounds it at the nodes: for long runs with
/// large steps take ggl.h. `reml` (five unknowns) and `null-eml` (three) give the same numbers faster.
///
/// Reference: Kinon & Betsch 2024, section 4.3.
namespace polhode::single_body {

/// (86b) with (86c) inserted, and its derivatives.
struct EmlMomentumEquation {
  Quaternion residual;
  Eigen::Matrix4d byPosition, byVelocity;  // d residual / d q1, d v1
  Quaternion byMultiplier;

  EmlMomentumEquation(const Vector3& J, const Eigen::Matrix4d& H, double h, const LivensState& s, const Quaternion& dq,
                      const Quaternion& v1, double lambda) {
    const Quaternion one(1.0, 0.0, 0.0, 0.0), q1 = one + dq, mid = one + 0.5 * dq, vMid = 0.5 * (s.nu + v1);
    const Eigen::Matrix<double, 3, 4> Gq = bodyMatrix(q1), Gv = bodyMatrix(v1);
    const Vector3 M = J.cwiseProduct(vectorPart(s.nu) + Gq * v1);

    const Quaternion weight = 4.0 * mid + 2.0 * h * vMid;
    residual = multiply(weight, pureQuaternion(M)) - 2.0 * s.pi + h * (H * mid) + h * lambda * mid;

    const Eigen::Matrix<double, 4, 3> inertia = bodyMatrix(weight).transpose() * J.asDiagonal();
    const Eigen::Matrix4d byM = rightVectorMatrix(M);
    byPosition = 2.0 * byM - inertia * Gv + 0.5 * h * H;
    byPosition.diagonal().array() += 0.5 * h * lambda;
    byVelocity = h * byM + inertia * Gq;
    byMultiplier = h * mid;
  }
};

class Eml : public LivensScheme {
 public:
  static constexpr std::string_view name = "eml";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = false, tangential = false;
  static constexpr EnergyLaw energyLaw = EnergyLaw::always;
  static constexpr std::string_view remedy =
      "take a smaller step, or the scheme 'ggl', which keeps q . v = 0 at the nodes, or 'director-em'";

  using LivensScheme::LivensScheme;

  StepReport step(State& s, double h) const {
    using Unknowns = Vector<double, 9>;  // q1 - q0, v1, lambda
    const Vector3 gamma = top_.gravityInBody(s.q);
    const Eigen::Matrix4d H = TopData{top_.inertia, top_.moment, gamma}.potentialHessian();

    const auto [angle, size] = predictAngle(top_, top(s).Omega, gamma, h);
    Unknowns z;
    z.head<4>() = incrementQuaternion(0.25 * angle) - Quaternion(1.0, 0.0, 0.0, 0.0);
    z.segment<4>(4) = 2.0 / h * z.head<4>() - s.nu;
    z[8] = 0.0;

    const StepReport report = newton<9>(
        z,
        [&](const Unknowns& at, Unknowns& f, Eigen::Matrix<double, 9, 9>& K) {
          const Quaternion dq = at.head<4>(), v1 = at.segment<4>(4);
          const EmlMomentumEquation momentum(top_.inertia, H, h, s, dq, v1, at[8]);
          const Quaternion mid = momentum.byMultiplier / h;
          f.head<4>() = dq - 0.5 * h * (s.nu + v1);
          f.segment<4>(4) = momentum.residual;
          f[8] = dq.dot(mid);
          K.setZero();
          K.block<4, 4>(0, 0).setIdentity();
          K.block<4, 4>(0, 4).diagonal().setConstant(-0.5 * h);
          K.block<4, 4>(4, 0) = momentum.byPosition;
          K.block<4, 4>(4, 4) = momentum.byVelocity;
          K.block<4, 1>(4, 8) = momentum.byMultiplier;
          K.block<1, 4>(8, 0) = (mid + 0.5 * dq).transpose();
        },
        [&, length = 0.5 * size](const Unknowns& dz) {
          return relativeTo(length, z.head<4>().norm(), dz.head<4>().norm());
        });
    if (report.converged) {
      const Quaternion dq = z.head<4>();
      const Vector3 x = vectorPart(dq) / (2.0 + dq[0]);
      finish(s, h, x, midpointLoad(top_, gamma, x, h).value);
    }
    return report;
  }
};

}  // namespace polhode::single_body
