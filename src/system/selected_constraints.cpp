#include "polhode/system/selected_constraints.h"

#include <algorithm>

namespace polhode {

SelectedConstraints::SelectedConstraints(std::shared_ptr<const ConstrainedSystem> system,
                                         const std::vector<int>& without)
    : system_(std::move(system)) {
  for (int row = 0; row < system_->constraints(); ++row)
    if (std::find(without.begin(), without.end(), row) == without.end()) rows_.push_back(row);
}

void SelectedConstraints::constraint(const VectorX& q, VectorX& g) const {
  VectorX all(system_->constraints());
  system_->constraint(q, all);
  g = all(rows_);
}

void SelectedConstraints::constraintJacobian(const VectorX& q, MatrixX& G) const {
  MatrixX all(system_->constraints(), coordinates());
  system_->constraintJacobian(q, all);
  G = all(rows_, Eigen::all);
}

void SelectedConstraints::constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const {
  VectorX all(system_->constraints());
  system_->constraintAcceleration(q, v, all);
  gII = all(rows_);
}

VectorX SelectedConstraints::allMultipliers(const VectorX& selected) const {
  VectorX all = VectorX::Zero(system_->constraints());
  all(rows_) = selected;
  return all;
}

}  // namespace polhode
