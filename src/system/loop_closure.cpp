#include "system/loop_closure.h"

#include "system/redundancy.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr double singularPosition = 1e-10;  // pivots below this, relative to the largest, are zero: a singular position
constexpr double weakRow = 1e-3;            // velocities are not projected along directions with pivots below this

}  // namespace

LoopClosure::LoopClosure(TreeDynamics& tree) : tree_(tree), root_(tree), eta_(tree.rates()), change_(tree.rates()) {
  leaveOut(Redundancy(tree.mechanism()).rows());
}

void LoopClosure::leaveOut(const std::vector<int>& rows) {
  redundant_ = rows;
  rows_.clear();
  for (const int j : tree_.mechanism().topology().cutJoints) {
    const MechanismJoint& joint = tree_.mechanism().joints()[static_cast<std::size_t>(j)];
    for (int k = 0; k < joint.rows(); ++k)
      if (std::find(rows.begin(), rows.end(), joint.firstRow + k) == rows.end()) rows_.push_back({&joint, k});
  }
}

/// The length that the column of Y has at most: that of free bodies.
double LoopClosure::weight(const Row& row, const FormGradient& gradient) const {
  double square = 0.0;
  const auto add = [&](int body, const EndGradient& end) {
    if (body == groundIndex) return;
    const ArticulatedBody& node = tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))];
    square += end.onPosition.squaredNorm() / node.mass;
    const double inertia = node.inertia.maxCoeff();
    if (inertia > 0.0) square += end.onRotation(node.D).squaredNorm() / inertia;
  };
  add(row.joint->first, gradient.first);
  add(row.joint->second, gradient.second);
  return std::sqrt(square);
}

void LoopClosure::factorise(double t) {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  Y_.setZero(tree_.rates(), m);
  scale_.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    const Placement first = placementOf(row.joint->first), second = placementOf(row.joint->second);
    const FormGradient gradient = (*row).gradient(t, first, second);
    root_.reduceWrenches(row.joint->first, {gradient.first.onPosition, gradient.first.onRotation(first.D)},
                         row.joint->second, {gradient.second.onPosition, gradient.second.onRotation(second.D)},
                         Y_.col(i).data());
    const double length = weight(row, gradient);
    scale_[i] = length > 0.0 ? 1.0 / length : 1.0;
    Y_.col(i) *= scale_[i];
  }
  qr_.setThreshold(singularPosition);
  qr_.compute(Y_);
}

void LoopClosure::project(double t, const double* nu, double* projected) {
  root_.toEta(nu, eta_.data());
  const auto pivots = qr_.matrixR().diagonal().cwiseAbs();
  Eigen::Index rank = 0;
  while (rank < qr_.nonzeroPivots() && pivots[rank] > weakRow * qr_.maxPivot()) ++rank;
  eta_.applyOnTheLeft(qr_.householderQ().setLength(qr_.nonzeroPivots()).transpose());
  eta_.head(rank) = -reducedRates(t, rank);
  eta_.applyOnTheLeft(qr_.householderQ().setLength(qr_.nonzeroPivots()));
  root_.fromEta(eta_.data(), projected);
}

/// R^-T g_t of the leading rows.
VectorX LoopClosure::reducedRates(double t, Eigen::Index rank) const {
  if (!tree_.mechanism().isDriven()) return VectorX::Zero(rank);
  VectorX rates(static_cast<Eigen::Index>(rows_.size()));
  for (Eigen::Index i = 0; i < rates.size(); ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    rates[i] = scale_[i] * (*row).drivenRate(t, placementOf(row.joint->first), placementOf(row.joint->second));
  }
  return solvedByTranspose(rates, rank);
}

/// R^-T of the leading rows, in the order of the pivots.
VectorX LoopClosure::solvedByTranspose(const VectorX& rows, Eigen::Index rank) const {
  VectorX leading = (qr_.colsPermutation().transpose() * rows).head(rank);
  qr_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solveInPlace(leading);
  return leading;
}

double LoopClosure::acceleration(double t, const Row& row) const {
  const MovingPlacement first = tree_.motionOf(row.joint->first), second = tree_.motionOf(row.joint->second);
  const FormGradient gradient = (*row).gradient(t, first.at, second.at);
  double sum = (*row).curvature(t, first, second);
  const auto add = [&](int body, const EndGradient& end) {
    if (body == groundIndex) return;
    const ArticulatedBody& node = tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))];
    const Vector3 arm = node.D * end.arm;
    sum += end.onPosition.dot(node.a) + end.onDirectors.dot(node.alpha.cross(arm) + node.w.cross(node.w.cross(arm)));
  };
  add(row.joint->first, gradient.first);
  add(row.joint->second, gradient.second);
  return sum;
}

void LoopClosure::closeAccelerations(double t, double* u, double* nudot) {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  residual_.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) residual_[i] = scale_[i] * acceleration(t, rows_[static_cast<std::size_t>(i)]);

  const Eigen::Index rank = qr_.rank();
  change_.setZero();
  change_.head(rank) = -solvedByTranspose(residual_, rank);
  residual_ = change_.head(rank);  // R mu of the pulls, for multipliers()
  change_.applyOnTheLeft(qr_.householderQ().setLength(qr_.nonzeroPivots()));
  root_.addPivoted(change_.data(), u);
  tree_.setAccelerations(u, nudot);
}

VectorX LoopClosure::multipliers() const {
  const Eigen::Index rank = qr_.rank();
  VectorX mu = VectorX::Zero(static_cast<Eigen::Index>(rows_.size()));
  if (rank > 0)
    mu.head(rank) = qr_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(residual_.head(rank));
  mu = qr_.colsPermutation() * mu;
  VectorX all = VectorX::Zero(tree_.mechanism().rows());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    all[rows_[i].number()] = mu[static_cast<Eigen::Index>(i)] * scale_[static_cast<Eigen::Index>(i)];
  return all;
}

void LoopClosure::addPulls(double t, const VectorX& multipliers) {
  for (const Row& row : rows_) {
    const Placement first = placementOf(row.joint->first), second = placementOf(row.joint->second);
    const FormGradient gradient = (*row).gradient(t, first, second);
    const double mu = multipliers[row.number()];
    const auto pull = [&](int body, const EndGradient& end) {
      if (body == groundIndex) return;
      ArticulatedBody& node = tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))];
      node.f -= mu * end.onPosition;
      node.c -= mu * end.onRotation(node.D);
    };
    pull(row.joint->first, gradient.first);
    pull(row.joint->second, gradient.second);
  }
}

}  // namespace polhode
