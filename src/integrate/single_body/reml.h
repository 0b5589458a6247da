#pragma once

#include "integrate/single_body/eml.h"

/// REML: the scheme of eml.h with five unknowns a step (q1, lambda).
///
///     (101)  v1 = 2/h (q1 - q0) - v0
///     (102)  p1 = 2 d_v T - p0
///     (103)  R1(q1, lambda) = 0,   R2(q1) = 0:   (86b) and (86d) with these inserted
///
/// The same numbers as `eml`; the same conservation laws.
///
/// Reference: Kinon & Betsch 2024, section 4.5.
namespace polhode::single_body {

class Reml : public LivensScheme {
 public:
  static constexpr std::string_view name = "reml";
  static constexpr int order = 2;
  static constexpr bool symmetric = true, nearIdentity = false, tangential = false;
  static constexpr EnergyLaw energyLaw = EnergyLaw::always;
  static constexpr std::string_view remedy = Eml::remedy;

  using LivensScheme::LivensScheme;

  StepReport step(State& s, double h) const {
    using Unknowns = Vector<double, 5>;  // q1 - q0, lambda
    const Vector3 gamma = top_.gravityInBody(s.q);
    const Eigen::Matrix4d H = TopData{top_.inertia, top_.moment, gamma}.potentialHessian();

    const auto [angle, size] = predictAngle(top_, top(s).Omega, gamma, h);
    Unknowns z;
    z.head<4>() = incrementQuaternion(0.25 * angle) - Quaternion(1.0, 0.0, 0.0, 0.0);
    z[4] = 0.0;

    const StepReport report = newton<5>(
        z,
        [&](const Unknowns& at, Unknowns& f, Eigen::Matrix<double, 5, 5>& K) {
          const Quaternion dq = at.head<4>(), v1 = 2.0 / h * dq - s.nu;
          const EmlMomentumEquation momentum(top_.inertia, H, h, s, dq, v1, at[4]);
          const Quaternion mid = momentum.byMultiplier / h;
          f.head<4>() = momentum.residual;
          f[4] = dq.dot(mid);
          K.topLeftCorner<4, 4>() = momentum.byPosition + 2.0 / h * momentum.byVelocity;
          K.topRightCorner<4, 1>() = momentum.byMultiplier;
          K.bottomLeftCorner<1, 4>() = (mid + 0.5 * dq).transpose();
          K(4, 4) = 0.0;
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
