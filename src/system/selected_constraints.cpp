#include "system/selected_constraints.h"

#include <algorithm>

namespace polhode {

SelectedConstraints::SelectedConstraints(std::shared_ptr<const ConstrainedSystem> system,
                                         const std::vector<int>& without)
    : system_(std::move(system)) {
  leaveOut(without);
}

void SelectedConstraints::leaveOut(const std::vector<int>& without) {
  rows_.clear();
  for (int row = 0; row < system_->constraints(); ++row)
    if (std::find(without.begin(), without.end(), row) == without.end()) rows_.push_back(row);
}

void SelectedConstraints::constraint(const VectorX& q, VectorX& g) const {
  g = kept([&](VectorX& all) { system_->constraint(q, all); });
}

void SelectedConstraints::constraintJacobian(const VectorX& q, MatrixX& G) const {
  G = keptMatrix([&](MatrixX& all) { system_->constraintJacobian(q, all); });
}

void SelectedConstraints::constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const {
  gII = kept([&](VectorX& all) { system_->constraintAcceleration(q, v, all); });
}

void SelectedConstraints::constraintAt(double t, const VectorX& q, VectorX& g) const {
  g = kept([&](VectorX& all) { system_->constraintAt(t, q, all); });
}

void SelectedConstraints::constraintJacobianAt(double t, const VectorX& q, MatrixX& G) const {
  G = keptMatrix([&](MatrixX& all) { system_->constraintJacobianAt(t, q, all); });
}

void SelectedConstraints::constraintRateAt(double t, const VectorX& q, VectorX& gt) const {
  gt = kept([&](VectorX& all) { system_->constraintRateAt(t, q, all); });
}

void SelectedConstraints::constraintAccelerationAt(double t, const VectorX& q, const VectorX& v, VectorX& gII) const {
  gII = kept([&](VectorX& all) { system_->constraintAccelerationAt(t, q, v, all); });
}

VectorX SelectedConstraints::allMultipliers(const VectorX& selected) const {
  VectorX all = VectorX::Zero(system_->constraints());
  all(rows_) = selected;
  return all;
}

}  // namespace polhode
