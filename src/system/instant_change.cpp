#include "system/instant_change.h"

#include "system/joint_reaction.h"
#include "system/mechanism_extent.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace polhode {

InstantChange::InstantChange(std::shared_ptr<const Mechanism> mechanism, double t, const MechanismMotion& bodies)
    : mechanism_(std::move(mechanism)),
      time_(t),
      bodies_(bodies),
      redundancy_(*mechanism_),
      equations_(*mechanism_),
      length_(reactionLength(*mechanism_)) {
  redundancy_.review(t, bodies);
  free_.emplace(*mechanism_, redundancy_, t, bodies, extentOf(*mechanism_).size);
  accelerations_ = equations_.accelerations(t, bodies, *free_, multipliers_);
  findSelfStress();
}

void InstantChange::findSelfStress() {
  const std::vector<int>& rows = redundancy_.rows();
  const auto count = static_cast<Eigen::Index>(rows.size());
  selfStress_ = MatrixX::Zero(mechanism_->rows(), count);
  stressed_.resize(6 * static_cast<Eigen::Index>(mechanism_->joints().size()), count);
  const VectorX none = VectorX::Zero(mechanism_->rows());
  const VectorX without = wrenchesOn(*mechanism_, time_, bodies_, none);
  for (Eigen::Index k = 0; k < count; ++k) {
    VectorX stress = VectorX::Unit(mechanism_->rows(), rows[static_cast<std::size_t>(k)]);
    stress += free_->directions().balancing(wrenchesOn(*mechanism_, time_, bodies_, stress) - without);
    selfStress_.col(k) = stress;
    stressed_.col(k) = reactionsOf(stress);
  }
  least_ = reactionsOf(multipliers_);
  if (count == 0) return;
  share_ = -stressed_.colPivHouseholderQr().solve(least_);
  least_ += stressed_ * share_;
}

InstantChange::Changes InstantChange::along(const VariedMotion& moving, const VectorX& pull) const {
  const FreeDirections& directions = free_->directions();
  const VectorX left = changesIn(equations_.balance(time_, moving, accelerations_, multipliers_)) + pull;
  VectorX a = directions.closing(-changesIn(equations_.rateChanges(time_, moving, accelerations_, directions.rows())));
  const auto unbalanced = [&] { return VectorX(left - timesInertia(*mechanism_, bodies_, a)); };
  if (free_->basis().cols() > 0)
    a += free_->basis() * free_->mass().ldlt().solve(free_->basis().transpose() * unbalanced());
  return {a, reactionChanges(moving, directions.balancing(unbalanced()))};
}

std::vector<Wrench> InstantChange::reactionChanges(const VariedMotion& moving, const VectorX& multiplierChange) const {
  VectorX change = reactionsOf(moving, multipliers_) + reactionsOf(multiplierChange);
  if (const Eigen::Index count = selfStress_.cols(); count > 0) {
    const VectorX none = VectorX::Zero(mechanism_->rows());
    const VectorX without = changesIn(wrenchesOn(*mechanism_, time_, moving, none));
    MatrixX stressedChange(stressed_.rows(), count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const VectorX stress = selfStress_.col(k);
      const VectorX pulled = changesIn(wrenchesOn(*mechanism_, time_, moving, stress)) - without;
      stressedChange.col(k) = reactionsOf(moving, stress) + reactionsOf(free_->directions().balancing(pulled));
    }
    change += stressedChange * share_;
    const VectorX asked = -stressed_.transpose() * change - stressedChange.transpose() * least_;
    change += stressed_ * (stressed_.transpose() * stressed_).ldlt().solve(asked);
  }
  std::vector<Wrench> all;
  for (Eigen::Index i = 0; i < change.size(); i += 6)
    all.push_back({change.segment<3>(i), length_ * change.segment<3>(i + 3)});
  return all;
}

/// Forces, and torques by the length.
VectorX InstantChange::stacked(const std::vector<Wrench>& reactions) const {
  VectorX all(6 * static_cast<Eigen::Index>(reactions.size()));
  for (std::size_t j = 0; j < reactions.size(); ++j)
    all.segment<6>(6 * static_cast<Eigen::Index>(j)) << reactions[j].force, reactions[j].torque / length_;
  return all;
}

/// B times multipliers.
VectorX InstantChange::reactionsOf(const VectorX& multipliers) const {
  return stacked(jointReactions(*mechanism_, time_, bodies_, multipliers));
}

/// dB times multipliers.
VectorX InstantChange::reactionsOf(const VariedMotion& moving, const VectorX& multipliers) const {
  std::vector<Wrench> changes;
  for (const WrenchOf<Varied>& each : jointReactions(*mechanism_, time_, moving, multipliers))
    changes.push_back({changesIn(each.force), changesIn(each.torque)});
  return stacked(changes);
}

}  // namespace polhode
