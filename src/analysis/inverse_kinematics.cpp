#include "analysis/inverse_kinematics.h"

#include "math/largest.h"
#include "math/rotation_maps.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/joint_opening.h"
#include "system/joint_row.h"
#include "system/joint_state.h"
#include "system/mechanism_extent.h"
#include "system/reduced_motion.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr double longestStride = 0.1;  // rad, or sizes of the mechanism
constexpr double shortestStride = 1e-7;
constexpr double singularRows = 1e-7;
constexpr int mostNewtonSteps = 25;
constexpr double noInertiaLeft = 1e-13;  // of the largest one

/// The signal on a clock that begins at zero with `from` and reaches at one what the signal is at `begin`.
Signal onClock(const Signal& signal, double from, double begin) {
  const double to = signal.value(begin), way = std::abs(to - from) > 1e-13 * (1.0 + std::abs(to)) ? to - from : 0.0;
  return Signal::function([=](double c) { return c < 1.0 ? to - way * (1.0 - c) : signal.value(begin + (c - 1.0)); },
                          [=](double c) { return c < 1.0 ? way : signal.rate(begin + (c - 1.0)); },
                          [=](double c) { return c < 1.0 ? 0.0 : signal.acceleration(begin + (c - 1.0)); });
}

/// What a quantity is where the model starts.
double startOf(const Model& model, const Mechanism& mechanism, const std::string& name) {
  for (const MechanismJoint& joint : mechanism.joints()) {
    const MechanismMotion bodies = initialMotion(mechanism);
    for (const JointCoordinateInfo& info : joint.type->coordinates)
      if (name == "joint." + joint.name + "." + info.name)
        return jointCoordinate(joint, info, motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at);
  }
  for (int k = 0; k < 3; ++k) {
    const std::string end = std::string(".position.") + "xyz"[k];
    if (name.size() <= end.size() || name.compare(name.size() - end.size(), end.size(), end) != 0) continue;
    const std::string owner = name.substr(0, name.size() - end.size());
    for (const Body& body : model.bodies)
      if (body.name == owner) return body.position[k];
    for (const Actuator& actuator : model.actuators)
      if (actuator.name == owner) return actuator.point[k];
  }
  return 0.0;
}

Model ledOnClock(Model model, std::vector<FollowedQuantity> motion, double begin) {
  model.forces.clear();
  const Mechanism mechanism(model);
  for (FollowedQuantity& quantity : motion)
    quantity.signal = onClock(quantity.signal, startOf(model, mechanism, quantity.name), begin);
  for (Joint& joint : model.joints) {
    if (joint.length && !joint.length->isConstant())
      joint.length = onClock(*joint.length, joint.length->value(0.0), begin);
    for (CoordinateDrive& drive : joint.drives) drive.follow = onClock(drive.follow, drive.follow.value(0.0), begin);
  }
  return ledModel(model, motion);
}

double worstGap(const Mechanism& mechanism, const MechanismMotion& bodies, double t) {
  double worst = 0.0;
  for (const JointOpening& gap : jointOpenings(mechanism, bodies, t)) worst = largestOrNaN(worst, gap.relativePosition);
  return worst;
}

}  // namespace

InverseKinematics::InverseKinematics(const Model& model, const std::vector<FollowedQuantity>& motion, double begin)
    : name_(model.name),
      begin_(begin),
      mechanism_(std::make_shared<const Mechanism>(ledOnClock(model, motion, begin))),
      redundancy_(*mechanism_),
      size_(extentOf(*mechanism_).size),
      bodies_(initialMotion(*mechanism_)) {
  for (const FollowedQuantity& quantity : motion) quantities_.push_back(quantity.name);
  openAtStart_ = worstGap(*mechanism_, bodies_, 0.0);
}

template <class OfRow>
VectorX InverseKinematics::rows(const MechanismMotion& bodies, const OfRow& ofRow) const {
  VectorX result(mechanism_->rows());
  forEachRow(*mechanism_, [&](const JointRow& row) { result[row.number()] = ofRow(row, motionsIn(bodies)); });
  return result;
}

double InverseKinematics::largest(const VectorX& change) const {
  double result = 0.0;
  for (Eigen::Index i = 0; i < change.size(); i += 6)
    result = largestOrNaN({result, change.segment<3>(i).norm() / size_, change.segment<3>(i + 3).norm()});
  return result;
}

int InverseKinematics::freedomsLeft() const {
  const MatrixX basis = FreeDirections(*mechanism_, redundancy_, now_, bodies_, size_).basis();
  if (basis.cols() == 0) return 0;
  MatrixX root = basis;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const MechanismBody& body = mechanism_->bodies()[b];
    const auto at = 6 * static_cast<Eigen::Index>(b);
    root.middleRows<3>(at) *= std::sqrt(body.mass);
    root.middleRows<3>(at + 3) = (body.inertia.cwiseMax(0.0).cwiseSqrt().asDiagonal() * bodies_[b].at.D.transpose() *
                                  basis.middleRows<3>(at + 3))
                                     .eval();
  }
  double heaviest = 0.0;
  for (const MechanismBody& body : mechanism_->bodies())
    heaviest = std::max({heaviest, body.mass * size_ * size_, body.inertia.maxCoeff()});
  const VectorX inertias = Eigen::SelfAdjointEigenSolver<MatrixX>(root.transpose() * root).eigenvalues();
  return static_cast<int>(std::count_if(inertias.begin(), inertias.end(),
                                        [&](double inertia) { return inertia > noInertiaLeft * heaviest; }));
}

std::string InverseKinematics::idleQuantity() const {
  for (const std::string& quantity : quantities_) {
    std::string owner = quantity;  // of the joint that keeps it (led_model.h)
    std::replace(owner.begin(), owner.end(), '.', ' ');
    for (const MechanismJoint& joint : mechanism_->joints()) {
      const bool keeps =
          joint.name == owner ||
          (joint.drives && quantity.starts_with("joint." + joint.name.substr(0, joint.name.rfind(' ')) + "."));
      if (keeps && joint.rows() == 1 && redundancy_.contains(joint.firstRow)) return quantity;
    }
  }
  return "";
}

void InverseKinematics::fail(double clock, const std::string& what) const {
  const double t = begin_ + std::max(clock - 1.0, 0.0);
  std::string all;
  for (const std::string& name : quantities_) all += (all.empty() ? "" : ", ") + quoted(name);
  throw SimulationError(t, fmt::format("{}: at t = {:.6g}{} {} ({})", name_, t,
                                       clock < 1.0 ? ", where the motion begins," : "", what, all));
}

/// Newton's steps; false where they go astray.
bool InverseKinematics::close(double clock, MechanismMotion& bodies) {
  double before = 0.0;
  for (int step = 0; step < mostNewtonSteps; ++step) {
    redundancy_.review(clock, bodies);
    const VectorX gaps = rows(bodies, [&](const JointRow& row, const auto& at) { return row.gap(clock, at); });
    const VectorX change = FreeDirections(*mechanism_, redundancy_, clock, bodies, size_).smallest(-gaps);
    const double way = largest(change);
    if (!(way <= longestStride) || (step > 1 && way > 0.7 * before && way > 1e-10)) return false;
    bodies = displaced(std::move(bodies), change, 1.0);
    if (way < 1e-15 || (step > 0 && way > 0.5 * before && way < 1e-11)) return true;
    before = way;
  }
  return before < 1e-10;
}

void InverseKinematics::leadTo(double clock) {
  double stride = clock - now_;
  while (now_ < clock) {
    redundancy_.review(now_, bodies_);
    const FreeDirections directions(*mechanism_, redundancy_, now_, bodies_, size_);
    const VectorX velocities = directions.smallest(
        rows(bodies_, [&](const JointRow& row, const auto& at) { return -row.drivenRate(now_, at); }));
    // on to where the motion begins first, then no further than a stride
    const double end = now_ < 1.0 ? std::min(1.0, clock) : clock;
    stride = std::min(2.0 * stride, end - now_);
    const double way = largest(velocities) * stride;
    if (way > longestStride) stride *= longestStride / way;
    for (;; stride *= 0.5) {
      const double next = stride >= end - now_ ? end : now_ + stride;
      MechanismMotion moved = displaced(bodies_, velocities, next - now_);
      if (close(next, moved)) {
        bodies_ = std::move(moved);
        now_ = next;
        break;
      }
      if (!(stride > shortestStride * std::max(1.0, clock - 1.0)))
        fail(now_,
             "the motion cannot be followed any further: it is out of reach, or the mechanism is stretched out or "
             "folded up; ask for another motion, or start elsewhere");
    }
  }
}

InverseInstant InverseKinematics::at(double t) {
  leadTo(clock(t));
  const double c = now_;
  if (!close(c, bodies_)) fail(c, "the joints cannot be closed with the motion as it is given");
  if (!(worstGap(*mechanism_, bodies_, c) <= std::max(0.1 * jointAccuracy, 10.0 * openAtStart_)))
    fail(c, "quantities that follow signals contradict each other, or the joints; leave one of them out");
  const FreeDirections directions(*mechanism_, redundancy_, c, bodies_, size_);
  if (!(directions.weakest() > singularRows))
    fail(c, "the mechanism is in a singular position, where the motion does not say how it goes on; pass it by");
  const VectorX u =
      directions.smallest(rows(bodies_, [&](const JointRow& row, const auto& at) { return -row.drivenRate(c, at); }));
  InverseInstant instant{t, movingBy(bodies_, u), {}};
  const VectorX rate = directions.smallest(rows(instant.bodies, [&](const JointRow& row, const auto& at) {
    double sum = -row.curvature(c, at);
    row.visitGradient(c, at, [&](int body, const EndGradient& end) {
      // W' = alpha^ D + omega^ W, of which the second part is known
      const MovingPlacement& motion = at(body);
      sum -= end.along({Vector3::Zero(), motion.rate.W * motion.at.D.transpose() * motion.rate.W});
    });
    return sum;
  }));
  for (Eigen::Index i = 0; i < rate.size(); i += 6)
    instant.accelerations.push_back({rate.segment<3>(i), rate.segment<3>(i + 3)});
  return instant;
}

}  // namespace polhode
