#include "polhode/system/loop_closure.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr double singularPosition = 1e-10;  // pivots below this, relative to the largest, are zero: a singular position
constexpr double weakRow = 1e-3;            // velocities are not projected along directions with pivots below this
constexpr double dependence = 1e-5;         // the same when rows are chosen once, in an arbitrary position

}  // namespace

LoopClosure::LoopClosure(TreeDynamics& tree) : tree_(tree), threshold_(dependence) {
  for (const int j : tree.mechanism().topology().cutJoints) {
    const MechanismJoint& joint = tree.mechanism().joints()[static_cast<std::size_t>(j)];
    for (int k = 0; k < joint.rows(); ++k) rows_.push_back({&joint, k});
  }
  if (rows_.empty()) return;
  eta_.resize(tree.rates());
  change_.resize(tree.rates());
  chooseRows();
  threshold_ = singularPosition;
}

Placement LoopClosure::placementOf(int body) const {
  if (body == groundIndex) return {};
  const ArticulatedBody& node = tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))];
  return {node.x, node.D};
}

PlacementRate LoopClosure::rateOf(int body) const {
  if (body == groundIndex) return {};
  const ArticulatedBody& node = tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))];
  return {node.v, hat(node.w) * node.D};
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

void LoopClosure::factorise() {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  Y_.setZero(tree_.rates(), m);
  scale_.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    const Placement first = placementOf(row.joint->first), second = placementOf(row.joint->second);
    const FormGradient gradient = row.form().gradient(first, second);
    tree_.reduceWrenches(row.joint->first, {gradient.first.onPosition, gradient.first.onRotation(first.D)},
                         row.joint->second, {gradient.second.onPosition, gradient.second.onRotation(second.D)},
                         Y_.col(i).data());
    const double length = weight(row, gradient);
    scale_[i] = length > 0.0 ? 1.0 / length : 1.0;
    Y_.col(i) *= scale_[i];
  }
  qr_.setThreshold(threshold_);
  qr_.compute(Y_);
}

void LoopClosure::project(const double* nu, double* projected) {
  tree_.toEta(nu, eta_.data());
  const auto pivots = qr_.matrixR().diagonal().cwiseAbs();
  Eigen::Index rank = 0;
  while (rank < qr_.nonzeroPivots() && pivots[rank] > std::max(weakRow, threshold_) * qr_.maxPivot()) ++rank;
  eta_.applyOnTheLeft(qr_.householderQ().setLength(qr_.nonzeroPivots()).transpose());
  eta_.head(rank).setZero();
  eta_.applyOnTheLeft(qr_.householderQ().setLength(qr_.nonzeroPivots()));
  tree_.fromEta(eta_.data(), projected);
}

double LoopClosure::acceleration(const Row& row) const {
  const FormGradient gradient = row.form().gradient(placementOf(row.joint->first), placementOf(row.joint->second));
  double sum = row.form().curvature(rateOf(row.joint->first), rateOf(row.joint->second));
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

void LoopClosure::closeAccelerations(double* u, double* nudot) {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  residual_.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) residual_[i] = scale_[i] * acceleration(rows_[static_cast<std::size_t>(i)]);

  const Eigen::Index rank = qr_.rank();
  VectorX pivoted = qr_.colsPermutation().transpose() * residual_;
  auto leading = pivoted.head(rank);
  qr_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solveInPlace(leading);
  change_.setZero();
  change_.head(rank) = -leading;
  residual_ = change_.head(rank);  // R mu of the pulls, for multipliers()
  change_.applyOnTheLeft(qr_.householderQ().setLength(qr_.nonzeroPivots()));
  tree_.addPivoted(change_.data(), u);
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

void LoopClosure::addPulls(const VectorX& multipliers) {
  for (const Row& row : rows_) {
    const Placement first = placementOf(row.joint->first), second = placementOf(row.joint->second);
    const FormGradient gradient = row.form().gradient(first, second);
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

void LoopClosure::place() {
  tree_.placeJoints();
  tree_.reduceInertia(0.0);
  factorise();
}

void LoopClosure::chooseRows() {
  place();
  Eigen::Index rank = qr_.rank();
  VectorX order = qr_.colsPermutation().indices().cast<double>();
  wander();
  place();
  if (qr_.rank() > rank) {
    rank = qr_.rank();
    order = qr_.colsPermutation().indices().cast<double>();
  }
  for (ArticulatedBody& node : tree_.nodes()) {
    const Placement& start = tree_.mechanism().bodies()[static_cast<std::size_t>(node.body)].placement;
    node.x = start.x;
    node.D = start.D;
  }

  std::vector<bool> chosen(rows_.size(), false);
  for (Eigen::Index i = 0; i < rank; ++i) chosen[static_cast<std::size_t>(order[i])] = true;
  std::vector<Row> kept;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (chosen[i])
      kept.push_back(rows_[i]);
    else
      redundant_.push_back(rows_[i].number());
  }
  rows_ = std::move(kept);
}

/// Moves the mechanism along arbitrary rates that the loops allow, until something has turned by about a quarter.
void LoopClosure::wander() {
  auto& nodes = tree_.nodes();
  VectorX wish(tree_.rates()), nu(tree_.rates());
  for (Eigen::Index i = 0; i < wish.size(); ++i) wish[i] = std::sin(1.0 + 2.3 * static_cast<double>(i));
  tree_.fromEta(wish.data(), nu.data());
  project(nu.data(), wish.data());
  double fastest = 0.0;
  const double size = mechanismSize(tree_.mechanism());
  for (const ArticulatedBody& node : nodes) fastest = std::max({fastest, node.w.norm(), node.v.norm() / size});
  if (!(fastest > 1e-12)) return;
  wish /= fastest;

  // Runge's and Kutta's method for x' = v, D' = w x D at the rates nearest to the wish.
  using Turning = std::vector<PlacementRate>;
  const double h = 0.02;
  const int steps = 12;
  for (int step = 0; step < steps; ++step) {
    std::vector<Placement> start;
    for (const ArticulatedBody& node : nodes) start.push_back({node.x, node.D});
    Turning sum(nodes.size()), stage(nodes.size());
    const double ahead[] = {0.0, 0.5, 0.5, 1.0}, share[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int s = 0; s < 4; ++s) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].x = start[i].x + h * ahead[s] * stage[i].v;
        nodes[i].D = start[i].D + h * ahead[s] * stage[i].W;
      }
      place();
      project(wish.data(), nu.data());
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        stage[i] = {nodes[i].v, hat(nodes[i].w) * nodes[i].D};
        sum[i].v += share[s] * stage[i].v;
        sum[i].W += share[s] * stage[i].W;
      }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].x = start[i].x + h * sum[i].v;
      nodes[i].D = start[i].D + h * sum[i].W;
    }
  }
}

std::vector<int> redundantRows(const std::shared_ptr<const Mechanism>& mechanism) {
  TreeDynamics tree(mechanism);
  return LoopClosure(tree).redundantRows();
}

}  // namespace polhode
