#pragma once

#include "system/constrained_system.h"

#include <memory>
#include <vector>

namespace polhode {

/// A constrained system with some of its constraints left out: those that repeat what others say. Its multipliers are
/// unique, and Newton's method for its differential-algebraic equations has a regular matrix.
class SelectedConstraints : public ConstrainedSystem {
 public:
  /// All but the rows named.
  SelectedConstraints(std::shared_ptr<const ConstrainedSystem> system, const std::vector<int>& without);

  /// Others instead, as many as before.
  void leaveOut(const std::vector<int>& without);

  std::string name() const override { return system_->name(); }
  int coordinates() const override { return system_->coordinates(); }
  int constraints() const override { return static_cast<int>(rows_.size()); }

  void mass(const VectorX& q, MatrixX& M) const override { system_->mass(q, M); }
  double potential(double t, const VectorX& q) const override { return system_->potential(t, q); }
  void forces(double t, const VectorX& q, const VectorX& v, VectorX& psi) const override {
    system_->forces(t, q, v, psi);
  }
  void constraint(const VectorX& q, VectorX& g) const override;
  void constraintJacobian(const VectorX& q, MatrixX& G) const override;
  void constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const override;
  void constraintAt(double t, const VectorX& q, VectorX& g) const override;
  void constraintJacobianAt(double t, const VectorX& q, MatrixX& G) const override;
  void constraintRateAt(double t, const VectorX& q, VectorX& gt) const override;
  void constraintAccelerationAt(double t, const VectorX& q, const VectorX& v, VectorX& gII) const override;

  /// The multipliers of all constraints, zero for those left out.
  VectorX allMultipliers(const VectorX& selected) const;

 private:
  /// The rows that are kept of what `fill` says of all of them.
  template <class Fill>
  VectorX kept(const Fill& fill) const {
    VectorX all(system_->constraints());
    fill(all);
    return all(rows_);
  }
  template <class Fill>
  MatrixX keptMatrix(const Fill& fill) const {
    MatrixX all(system_->constraints(), coordinates());
    fill(all);
    return all(rows_, Eigen::all);
  }

  std::shared_ptr<const ConstrainedSystem> system_;
  std::vector<int> rows_;  // those that are kept
};

}  // namespace polhode
