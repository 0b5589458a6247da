#include "system/sparse_dynamics.h"

#include "polhode/error.h"
#include "system/idle_turns.h"
#include "system/joint_reaction.h"
#include "system/mobility.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double accepted = 1e-6;  // the residual of the linear system, relative to its right-hand side

}  // namespace

SparseDynamics::SparseDynamics(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)), size_(reactionLength(*mechanism_)), idle_(idleTurnInertia(*mechanism_)) {
  const std::vector<int> redundant = mobilityOf(*mechanism_).redundantRows;
  forEachRow(*mechanism_, [&](const JointRow& row) {
    const bool repeats = std::binary_search(redundant.begin(), redundant.end(), row.number());
    (repeats ? repeated_ : kept_).push_back(row);
  });
  const auto unknowns = static_cast<Eigen::Index>(6 * mechanism_->bodies().size() + kept_.size());
  matrix_.resize(unknowns, unknowns);
  right_.resize(unknowns);
}

void SparseDynamics::assemble(double t, const MechanismMotion& bodies, std::span<const Wrench> loads) {
  std::vector<Eigen::Triplet<double>> entries;
  right_.setZero();
  const auto block = [&](Eigen::Index at, const Matrix3& m) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) entries.emplace_back(static_cast<int>(at) + i, static_cast<int>(at) + j, m(i, j));
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism_->bodies()[b];
    const Matrix3& D = bodies[b].at.D;
    const auto at = static_cast<Eigen::Index>(6 * b);
    const Vector3 Omega = angularVelocity(body, bodies[b]);
    block(at, body.mass * Matrix3::Identity());
    block(at + 3, D * (Matrix3(body.inertia.asDiagonal()) + idle_[b]) * D.transpose());
    right_.segment<3>(at) = body.mass * mechanism_->gravity();
    right_.segment<3>(at + 3) = -(D * Omega.cross(body.inertia.cwiseProduct(Omega)));
    if (loads.empty()) continue;
    right_.segment<3>(at) += loads[b].force;
    right_.segment<3>(at + 3) += loads[b].torque;
  }
  result_.elements.clear();
  for (const auto& force : mechanism_->forces()) {
    const ElementWrenches wrenches =
        force->wrenches(t, motionOf(bodies, force->first()), motionOf(bodies, force->second()));
    const auto add = [&](int body, const Wrench& wrench) {
      if (body == groundIndex) return;
      right_.segment<3>(6 * body) += wrench.force;
      right_.segment<3>(6 * body + 3) += wrench.torque;
    };
    add(force->first(), wrenches.first);
    add(force->second(), wrenches.second);
    result_.elements.push_back(wrenches);
  }
  const auto firstRow = static_cast<int>(6 * bodies.size());
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const int row = firstRow + static_cast<int>(i);
    double rest = kept_[i].curvature(t, motionsIn(bodies));  // of g'', without what the accelerations do
    kept_[i].visitGradient(t, motionsIn(bodies), [&](int body, const EndGradient& end) {
      const MovingPlacement& motion = motionOf(bodies, body);
      const Vector3 turning = end.onRotation(motion.at.D), arm = motion.at.D * end.arm;
      const Vector3 w = motion.at.D * angularVelocity(mechanism_->bodies()[static_cast<std::size_t>(body)], motion);
      for (int k = 0; k < 3; ++k) {
        for (const auto& [at, value] :
             {std::pair{6 * body + k, -end.onPosition[k]}, std::pair{6 * body + 3 + k, -turning[k]}}) {
          entries.emplace_back(row, at, value);
          entries.emplace_back(at, row, value);
        }
      }
      rest += end.onDirectors.dot(w.cross(w.cross(arm)));
    });
    right_[row] = rest;
  }
  matrix_.setFromTriplets(entries.begin(), entries.end());
}

/// Adds what a unit of the row's multiplier does to all bodies.
void SparseDynamics::addPull(const JointRow& row, double t, const MechanismMotion& bodies,
                             Eigen::Ref<VectorX> wrenches) const {
  row.visitGradient(t, motionsIn(bodies), [&](int body, const EndGradient& end) {
    wrenches.segment<3>(6 * body) += end.onPosition;
    wrenches.segment<3>(6 * body + 3) += end.onRotation(motionOf(bodies, body).at.D);
  });
}

/// Of all joints: force, and torque by the length that makes the two alike.
VectorX SparseDynamics::reactionsOf(double t, const MechanismMotion& bodies, const VectorX& multipliers) const {
  const std::vector<Wrench> wrenches = jointReactions(*mechanism_, t, bodies, multipliers);
  VectorX all(6 * static_cast<Eigen::Index>(wrenches.size()));
  for (std::size_t j = 0; j < wrenches.size(); ++j)
    all.segment<6>(6 * static_cast<Eigen::Index>(j)) << wrenches[j].force, wrenches[j].torque / size_;
  return all;
}

const InstantForces& SparseDynamics::at(double t, const MechanismMotion& bodies, std::span<const Wrench> loads) {
  assemble(t, bodies, loads);
  if (!analysed_) lu_.analyzePattern(matrix_);
  analysed_ = true;
  lu_.factorize(matrix_);
  VectorX solution = VectorX::Zero(right_.size());
  const bool factorised = lu_.info() == Eigen::Success;
  if (factorised) solution = lu_.solve(right_);
  if (!factorised || !((matrix_ * solution - right_).norm() <= accepted * right_.norm()))
    throw SimulationError(t, fmt::format("at t = {} the accelerations are not determined: a body has no inertia that "
                                         "resists, or the position is singular",
                                         t));
  const auto bodyRows = static_cast<Eigen::Index>(6 * bodies.size());
  const auto multipliersOf = [&](const VectorX& x) {
    VectorX all = VectorX::Zero(mechanism_->rows());
    for (std::size_t i = 0; i < kept_.size(); ++i) all[kept_[i].number()] = x[bodyRows + static_cast<Eigen::Index>(i)];
    return all;
  };
  result_.motion = bodies;
  result_.accelerations.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    result_.accelerations[b] = {solution.segment<3>(static_cast<Eigen::Index>(6 * b)),
                                solution.segment<3>(static_cast<Eigen::Index>(6 * b + 3))};

  VectorX reactions = reactionsOf(t, bodies, multipliersOf(solution));
  if (!repeated_.empty() && repeated_.size() <= mostSelfStresses) {
    MatrixX selfStress(reactions.size(), static_cast<Eigen::Index>(repeated_.size()));
    for (std::size_t k = 0; k < repeated_.size(); ++k) {
      // what the rows that are kept answer when this one pulls, and its own pull
      VectorX pull = VectorX::Zero(right_.size());
      addPull(repeated_[k], t, bodies, pull);
      VectorX multipliers = multipliersOf(lu_.solve(pull));
      multipliers[repeated_[k].number()] = 1.0;
      selfStress.col(static_cast<Eigen::Index>(k)) = reactionsOf(t, bodies, multipliers);
    }
    reactions -= selfStress * selfStress.colPivHouseholderQr().solve(reactions);
  }
  result_.reactions.resize(mechanism_->joints().size());
  for (std::size_t j = 0; j < result_.reactions.size(); ++j) {
    const auto at = static_cast<Eigen::Index>(6 * j);
    result_.reactions[j] = {reactions.segment<3>(at), size_ * reactions.segment<3>(at + 3)};
  }
  return result_;
}

}  // namespace polhode
