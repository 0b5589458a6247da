#include "system/smallest_change.h"

#include "system/joint_row.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr double shift = 1e-10;
constexpr int refinements = 5;

/// The size of each body: the longest way to a joint, its radius of gyration where all are at its centre, or one metre.
VectorX bodySizes(const Mechanism& mechanism) {
  const auto count = static_cast<Eigen::Index>(mechanism.bodies().size());
  VectorX sizes = VectorX::Zero(count);
  const auto reach = [&](int body, const JointFrame& frame) {
    if (body != groundIndex) sizes[body] = std::max(sizes[body], frame.point.norm());
  };
  for (const MechanismJoint& joint : mechanism.joints()) {
    reach(joint.first, joint.geometry.first);
    reach(joint.second, joint.geometry.second);
  }
  for (Eigen::Index b = 0; b < count; ++b) {
    const MechanismBody& body = mechanism.bodies()[static_cast<std::size_t>(b)];
    if (sizes[b] == 0.0 && body.mass > 0.0) sizes[b] = std::sqrt(body.inertia.maxCoeff() / body.mass);
    if (sizes[b] == 0.0) sizes[b] = 1.0;
  }
  return sizes;
}

}  // namespace

SmallestChange::SmallestChange(const Mechanism& mechanism, std::span<const MovingPlacement> bodies,
                               const std::vector<bool>& free, double accuracy, double t,
                               const std::vector<int>& without)
    : refinements_(accuracy > 0.0 ? 0 : refinements) {
  const VectorX sizes = bodySizes(mechanism);
  columnScale_ = VectorX::Zero(6 * sizes.size());
  for (Eigen::Index c = 0; c < columnScale_.size(); ++c)
    if (free[static_cast<std::size_t>(c)]) columnScale_[c] = c % 6 < 3 ? 1.0 : 1.0 / sizes[c / 6];

  // the gradients of all equations with respect to moves and turns
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(12 * mechanism.rows()));
  forEachRow(mechanism, [&](const JointRow& row) {
    if (std::find(without.begin(), without.end(), row.number()) != without.end()) return;
    row.visitGradient(t, motionsIn(bodies), [&](int body, const EndGradient& gradient) {
      const Vector3 onRotation = gradient.onRotation(motionOf(bodies, body).at.D);
      for (int k = 0; k < 6; ++k) {
        const int column = 6 * body + k;
        const double value = (k < 3 ? gradient.onPosition[k] : onRotation[k - 3]) * columnScale_[column];
        if (value != 0.0) entries.emplace_back(row.number(), column, value);
      }
    });
  });
  gradients_.resize(mechanism.rows(), columnScale_.size());
  gradients_.setFromTriplets(entries.begin(), entries.end());

  // rows of length one; a row that nothing can change stays zero
  rowScale_ = VectorX::Zero(gradients_.rows());
  for (Eigen::Index row = 0; row < gradients_.rows(); ++row) {
    const double length = gradients_.row(row).norm();
    if (length > 0.0) rowScale_[row] = 1.0 / length;
  }
  gradients_ = RowMajor(rowScale_.asDiagonal() * gradients_);
  matrix_ = gradients_ * RowMajor(gradients_.transpose());
  Eigen::SparseMatrix<double> identity(matrix_.rows(), matrix_.cols());
  identity.setIdentity();
  if (matrix_.rows() > 0) factors_.compute(matrix_ + std::max(shift, accuracy * accuracy) * identity);
}

VectorX SmallestChange::multipliers(const VectorX& scaled) const {
  if (scaled.size() == 0) return scaled;
  VectorX result = factors_.solve(scaled);
  for (int i = 0; i < refinements_; ++i) result += factors_.solve(scaled - matrix_ * result);
  return result;
}

VectorX SmallestChange::solve(const VectorX& b) const {
  return columnScale_.cwiseProduct(gradients_.transpose() * multipliers(rowScale_.cwiseProduct(b)));
}

VectorX SmallestChange::allowed(const VectorX& pull) const {
  const VectorX scaled = columnScale_.cwiseProduct(pull);
  return columnScale_.cwiseProduct(scaled - gradients_.transpose() * multipliers(gradients_ * scaled));
}

}  // namespace polhode
