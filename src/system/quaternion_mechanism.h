#pragma once

#include "system/mechanism_observation.h"
#include "system/smooth_system.h"

#include <memory>
#include <vector>

namespace polhode {

/// A mechanism in quaternions as any constrained system, so that the integrators of these move it: q = (x_1, p_1, x_2,
/// p_2, ...), with
///
///     T = sum m |x'|^2/2 + Omega . J Omega/2,   Omega = 2 G(p) p'         Kinon & Betsch 2024, (123), M singular
///     g = (equations of the joints, (|p_1|^2 - 1)/2, (|p_2|^2 - 1)/2, ...)                            (125), (30)
///
/// Joints are at most quadratic in z = (x, D), and D = phi(p) is quadratic, so that with the means pm, zm over a step
///
///     D1 - D0 = Dphi(pm) (p1 - p0),   grad g = Dphi(pm)^T dg/dz(zm)
///     d_v T = 2 G(pm)^T J Omega_m,    d_q T = -2 G(vm)^T J Omega_m,   Omega_m = (Omega_0 + Omega_1)/2    (87), (88)
///
/// are exact discrete gradients by the chain rule; for a ball joint that is (126) at pm. Forces that have a potential and
/// nothing else are springs here: their wrench over a step, a torque pulled back by 2 E(pm)^T / (p0 . p1), does exactly
/// the work V0 - V1. All others are applied at the middle of a step, a torque as 2 E(pm)^T torque (128).
///
/// Derivatives of forces are taken by differences, and matrices are dense: this is for mechanisms of a few bodies.
class QuaternionMechanism final : public SmoothSystem {
 public:
  static constexpr int perBody = 7;  // x and p

  /// Without the joint rows named, which repeat what others say.
  QuaternionMechanism(std::shared_ptr<const Mechanism> mechanism, const std::vector<int>& redundantRows);

  const Mechanism& mechanism() const { return *mechanism_; }

  VectorX position(const MechanismMotion& motion) const;
  VectorX velocity(const VectorX& q, const MechanismMotion& motion) const;
  MechanismMotion motion(const VectorX& q, const VectorX& v) const;

  /// What belongs to momenta p: the linear momentum, and the angular momentum (64) about the origin of space.
  Vector3 linearMomentum(const VectorX& p) const;
  Vector3 angularMomentum(const VectorX& q, const VectorX& p) const;

  /// The potential of the forces that are applied, which is not part of potential().
  double appliedPotential(const VectorX& q) const;

  /// The largest |(|p|^2 - 1)/2| of all bodies, and the largest |p . p'|.
  double lengthViolation(const VectorX& q) const;
  double lengthRateViolation(const VectorX& q, const VectorX& v) const;

  /// The multipliers of all rows of the mechanism's joints, zero for those left out.
  VectorX jointMultipliers(const VectorX& multipliers) const;

  std::string name() const override { return "mechanism in quaternions"; }
  int coordinates() const override { return perBody * bodies_; }
  int constraints() const override { return static_cast<int>(rows_.size()) + bodies_; }

  void mass(const VectorX& q, MatrixX& M) const override;
  double potential(double t, const VectorX& q) const override;
  void forces(double t, const VectorX& q, const VectorX& v, VectorX& psi) const override;
  void constraint(const VectorX& q, VectorX& g) const override;
  void constraintJacobian(const VectorX& q, MatrixX& G) const override;
  void constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const override;

  void massDerivative(const VectorX& q, const VectorX& a, MatrixX& B) const override;
  void massCurvature(const VectorX& q, const VectorX& a, const VectorX& b, MatrixX& K) const override;
  void potentialGradient(double t, const VectorX& q, VectorX& gradient) const override;
  void potentialHessian(double t, const VectorX& q, MatrixX& hessian) const override;
  void constraintHessian(const VectorX& q, const VectorX& lambda, MatrixX& hessian) const override;
  void constraintVelocityDerivative(const VectorX& q, const VectorX& v, MatrixX& D) const override;
  void constraintVelocityCurvature(const VectorX& q, const VectorX& v, const VectorX& lambda,
                                   MatrixX& K) const override;
  bool hasAppliedForce() const override { return !applied_.empty(); }
  void appliedForce(double t, const VectorX& q, const VectorX& v, VectorX& f, MatrixX& byQ,
                    MatrixX& byV) const override;

  double potentialIncrement(double t, const VectorX& q0, const VectorX& q1) const override;
  void massIncrement(const VectorX& q0, const VectorX& q1, MatrixX& dM) const override;
  void constraintIncrement(const VectorX& q0, const VectorX& q1, VectorX& dg) const override;

  void chainRuleKinetic(const VectorX& q0, const VectorX& v0, const VectorX& q1, const VectorX& v1,
                        DiscreteKinetic& result) const override;
  void chainRuleMass(const VectorX& q0, const VectorX& q1, const VectorX& a, const VectorX& b,
                     DiscreteMass& result) const override;
  void chainRulePotential(double t, const VectorX& q0, const VectorX& q1, DiscretePotential& result) const override;
  void chainRuleConstraint(const VectorX& q0, const VectorX& q1, const VectorX& lambda,
                           DiscreteConstraint& result) const override;

 private:
  /// One equation of a joint that is kept.
  struct Row {
    int number;  // among those that are kept
    int index;   // among all rows of the mechanism
    int first, second;
    const JointEquation* equation;
  };

  int ownRow(int body) const { return static_cast<int>(rows_.size()) + body; }
  const MechanismBody& body(int i) const { return mechanism_->bodies()[static_cast<std::size_t>(i)]; }

  /// d2(a^T M(p) b)/dp2 of a body; so a^T M(p) b = p^T (this) p / 2.
  Eigen::Matrix4d massForm(int body, const Quaternion& a, const Quaternion& b) const;

  VectorX weight() const;

  std::shared_ptr<const Mechanism> mechanism_;
  int bodies_;
  std::vector<Matrix3> inertia_;  // principal axes; that of turns that nothing resists included (idle_turns.h)
  std::vector<Row> rows_;
  std::vector<const ForceElement*> springs_, applied_;
};

}  // namespace polhode
