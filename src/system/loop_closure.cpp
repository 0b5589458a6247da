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
      if (std::find(rows.begin(), rows.end(), joint.firstRow + k) == rows.end()) rows_.emplace_back(joint, k);
  }
}

/// The share of a body in the square of the length that a column of Y has at most: that of free bodies.
double LoopClosure::weight(int body, const EndGradient& end) const {
  const ArticulatedBody& node = tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))];
  const double inertia = node.inertia.maxCoeff();
  return end.onPosition.squaredNorm() / node.mass +
         (inertia > 0.0 ? end.onRotation(node.D).squaredNorm() / inertia : 0.0);
}

void LoopClosure::seeBodies() {
  bodies_.resize(tree_.nodes().size());
  for (std::size_t b = 0; b < bodies_.size(); ++b) bodies_[b] = tree_.motionOf(static_cast<int>(b));
}

void LoopClosure::factorise(double t) {
  seeBodies();
  const auto m = static_cast<Eigen::Index>(rows_.size());
  Y_.setZero(tree_.rates(), m);
  scale_.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const JointRow& row = rows_[static_cast<std::size_t>(i)];
    double square = 0.0;
    Wrench first, second;  // on the bodies of the joint
    row.visitGradient(t, motionsIn(bodies_), [&](int body, const EndGradient& end) {
      square += weight(body, end);
      const Wrench wrench{end.onPosition,
                          end.onRotation(tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))].D)};
      if (!row.joint().coupling) {
        (body == row.joint().first ? first : second) = wrench;
        return;
      }
      part_.setZero(tree_.rates());
      root_.reduceWrenches(body, wrench, groundIndex, {}, part_.data());
      Y_.col(i) += part_;
    });
    if (!row.joint().coupling)
      root_.reduceWrenches(row.joint().first, first, row.joint().second, second, Y_.col(i).data());
    const double length = std::sqrt(square);
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
    rates[i] = scale_[i] * rows_[static_cast<std::size_t>(i)].drivenRate(t, motionsIn(bodies_));
  }
  return solvedByTranspose(rates, rank);
}

/// R^-T of the leading rows, in the order of the pivots.
VectorX LoopClosure::solvedByTranspose(const VectorX& rows, Eigen::Index rank) const {
  VectorX leading = (qr_.colsPermutation().transpose() * rows).head(rank);
  qr_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solveInPlace(leading);
  return leading;
}

double LoopClosure::acceleration(double t, const JointRow& row) const {
  double sum = row.curvature(t, motionsIn(bodies_));
  row.visitGradient(t, motionsIn(bodies_), [&](int body, const EndGradient& end) {
    const ArticulatedBody& node = tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))];
    const Vector3 arm = node.D * end.arm;
    sum += end.onPosition.dot(node.a) + end.onDirectors.dot(node.alpha.cross(arm) + node.w.cross(node.w.cross(arm)));
  });
  return sum;
}

void LoopClosure::closeAccelerations(double t, double* u, double* nudot) {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  seeBodies();
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

}  // namespace polhode
