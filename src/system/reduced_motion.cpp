#include "system/reduced_motion.h"

#include "math/largest.h"
#include "polhode/error.h"
#include "system/joint_opening.h"
#include "system/joint_row.h"
#include "system/mechanism_extent.h"
#include "system/smallest_change.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr int mostClosingSteps = 25;
constexpr double longestClosingTurn = 0.5;  // rad, or sizes

}  // namespace

MotionReducer::MotionReducer(std::shared_ptr<const Mechanism> mechanism, double reach)
    : mechanism_(std::move(mechanism)), redundancy_(*mechanism_), size_(std::max(extentOf(*mechanism_).size, reach)) {
  openAtStart_ = worstOpening(initialMotion(*mechanism_));
}

double MotionReducer::worstOpening(const MechanismMotion& bodies) const {
  double worst = 0.0;
  for (const JointOpening& gap : jointOpenings(*mechanism_, bodies)) worst = largestOrNaN(worst, gap.relativePosition);
  return worst;
}

double MotionReducer::largest(const VectorX& change) const {
  double result = 0.0;
  for (Eigen::Index i = 0; i < change.size(); i += 6)
    result = largestOrNaN({result, change.segment<3>(i).norm() / size_, change.segment<3>(i + 3).norm()});
  return result;
}

VectorX MotionReducer::gaps(const MechanismMotion& bodies) const {
  VectorX result = VectorX::Zero(mechanism_->rows());
  forEachRow(*mechanism_, [&](const JointRow& row) {
    if (!redundancy_.contains(row.number())) result[row.number()] = row.gap(0.0, motionsIn(bodies));
  });
  return result;
}

ReducedMotion MotionReducer::at(const MechanismMotion& bodies) {
  redundancy_.review(0.0, bodies);
  const FreeMotions free(*mechanism_, redundancy_, 0.0, bodies, size_);
  const MechanismMotion resting = movingBy(bodies, VectorX::Zero(free.directions().scale().size()));
  const VectorX none = VectorX::Zero(mechanism_->rows());
  VectorX loads = wrenchesOn(*mechanism_, 0.0, resting, none);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    loads.segment<3>(6 * static_cast<Eigen::Index>(b)) += mechanism_->bodies()[b].mass * mechanism_->gravity();

  ReducedMotion result;
  result.basis = free.basis();
  result.mass = free.mass();
  result.idleTurns = free.idleTurns();
  result.weakest = free.directions().weakest();
  result.force = free.basis().transpose() * loads;
  result.multipliers = free.directions().balancing(loads);
  const VectorX scaled = free.directions().scale().cwiseProduct(loads);
  for (Eigen::Index i = 0; i < scaled.size(); i += 3) result.load += scaled.segment<3>(i).norm();

  const Eigen::Index freedoms = result.freedoms();
  const VectorX still = VectorX::Zero(result.basis.rows());
  result.stiffness.resize(freedoms, freedoms);
  result.damping.resize(freedoms, freedoms);
  for (Eigen::Index j = 0; j < freedoms; ++j) {
    const VectorX direction = result.basis.col(j);
    const auto change = [&](const VariedMotion& moving, const VectorX& multipliers) {
      return VectorX(-result.basis.transpose() * changesIn(wrenchesOn(*mechanism_, 0.0, moving, multipliers)));
    };
    result.stiffness.col(j) = change(variedMotion(resting, direction, still, still), result.multipliers);
    result.damping.col(j) = change(variedMotion(resting, still, still, direction), none);
  }
  if (!result.force.allFinite() || !result.stiffness.allFinite() || !result.damping.allFinite())
    throw SimulationError(
        0.0,
        "a force is not finite, or changes without bounds, where the mechanism stands; look at the laws "
        "of its springs, or start elsewhere");
  return result;
}

std::optional<MechanismMotion> MotionReducer::moved(const MechanismMotion& bodies, const VectorX& change) const {
  const std::vector<bool> free(6 * bodies.size(), true);
  const double far = largest(change);
  MechanismMotion now = displaced(bodies, change, 1.0);
  if (mechanism_->rows() == 0) return now;
  double way = 0.0, before = longestClosingTurn;
  for (int step = 0; step < mostClosingSteps; ++step) {
    const VectorX closing = SmallestChange(*mechanism_, now, free, 0.0, 0.0, redundancy_.rows()).solve(-gaps(now));
    const double turn = largest(closing);
    if (!(turn <= longestClosingTurn) || !((way += turn) <= far)) {
      if (!(way <= 1e-9)) return std::nullopt;  // further away than the step itself: it would close elsewhere
    }
    if (step > 1 && turn > 0.5 * before) {  // at rounding
      if (turn > 1e-10) return std::nullopt;
      break;
    }
    now = displaced(std::move(now), closing, 1.0);
    if (turn < 1e-16) break;
    before = turn;
  }
  // rows that are left out ought to follow
  if (!(worstOpening(now) <= std::max(0.1 * jointAccuracy, 10.0 * openAtStart_))) return std::nullopt;
  return now;
}

}  // namespace polhode
