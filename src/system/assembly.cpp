#include "polhode/system/assembly.h"

#include "polhode/error.h"
#include "polhode/math/euler_map.h"
#include "polhode/math/quaternion.h"
#include "polhode/model/suggestion.h"
#include "polhode/system/closing.h"
#include "polhode/system/joint_opening.h"
#include "polhode/system/smallest_change.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double nearlyExact = 1e-11;  // what can be left where a joint stands badly

/// The joint with the largest relative gap, and that gap.
struct WorstJoint {
  std::size_t joint = 0;
  double relative = 0.0;
  JointOpening gap;
};

WorstJoint worst(const std::vector<JointOpening>& gaps, double JointOpening::*relative) {
  WorstJoint result;
  for (std::size_t j = 0; j < gaps.size(); ++j)
    if (!(gaps[j].*relative <= result.relative)) result = {j, gaps[j].*relative, gaps[j]};
  return result;
}

std::string positionWords(const JointOpening& gap) {
  if (gap.distance > 0.0 && gap.angle > 1e-9)
    return fmt::format("{:.3g} m and {:.3g} rad", gap.distance, std::asin(std::min(gap.angle, 1.0)));
  return gap.distance > 0.0 ? fmt::format("{:.3g} m", gap.distance)
                            : fmt::format("{:.3g} rad", std::asin(std::min(gap.angle, 1.0)));
}

std::string velocityWords(const JointOpening& gap) {
  if (gap.speed > 0.0) return fmt::format("its points part at {:.6g} m/s", gap.speed);
  return fmt::format("its axes part at {:.6g} rad/s", gap.turning);
}

/// How fast the equations of all joints change at t = 0.
VectorX residualRate(const Mechanism& mechanism, const MechanismMotion& bodies) {
  VectorX result(mechanism.rows());
  for (const MechanismJoint& joint : mechanism.joints()) {
    const MovingPlacement first = motionOf(bodies, joint.first), second = motionOf(bodies, joint.second);
    for (int i = 0; i < joint.rows(); ++i)
      result[joint.firstRow + i] = joint.equations[static_cast<std::size_t>(i)].rate(0.0, first, second);
  }
  return result;
}

/// Takes a point or an axis along with its body.
class Displacement {
 public:
  Displacement(const Body& before, const Body& after)
      : from_(before.position),
        to_(after.position),
        turn_(rotationMatrix(after.orientation) * rotationMatrix(before.orientation).transpose()) {}
  Displacement() = default;  // of the ground

  Vector3 point(const Vector3& p) const { return to_ + turn_ * (p - from_); }
  Vector3 axis(const Vector3& a) const { return turn_ * a; }
  Matrix3 turned(const Matrix3& axes) const { return turn_ * axes; }

 private:
  Vector3 from_ = Vector3::Zero(), to_ = Vector3::Zero();
  Matrix3 turn_ = Matrix3::Identity();
};

/// Whether both bodies have the joint's point in common as long as the joint is closed.
bool sharesPoint(const JointType& type) {
  return type.needs != JointNeeds::twoPoints &&
         std::none_of(type.motions.begin(), type.motions.end(),
                      [](const JointMotion& motion) { return motion.kind == MotionKind::translation; });
}

/// Puts the bodies of the model where they stand now, and all that is fixed in them.
void replaceBodies(const Mechanism& mechanism, const MechanismMotion& bodies, Model& model) {
  std::vector<Displacement> displacements;
  displacements.reserve(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Body& body = model.bodies[b];
    const Body before = body;
    const Body after = mechanism.bodyAt(b, bodies[b].at, body.velocity, mechanism.bodies()[b].angularVelocity);
    body.position = after.position;
    body.orientation = after.orientation.normalized();
    displacements.emplace_back(before, body);
  }
  const auto displacement = [&](int body) {
    return body == groundIndex ? Displacement{} : displacements[static_cast<std::size_t>(body)];
  };
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const MechanismJoint& of = mechanism.joints()[j];
    const Displacement first = displacement(of.first), second = displacement(of.second);
    Joint& joint = model.joints[j];
    joint.secondPoint = second.point(joint.pointOfSecond());
    joint.secondAxis = second.axis(joint.axisOfSecond());
    joint.point = first.point(joint.point);
    joint.axis = first.axis(joint.axis);
    if (sharesPoint(*of.type)) joint.secondPoint.reset();
    if (of.type->needs != JointNeeds::pointAndTwoAxes) joint.secondAxis.reset();
  }
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const ForceElement& of = *mechanism.forces()[f];
    Force& force = model.forces[f];
    force.firstPoint = displacement(of.first()).point(force.firstPoint);
    force.secondPoint = displacement(of.second()).point(force.secondPoint);
    force.axes = displacement(of.first()).turned(force.axes);
  }
}

/// Looks for velocities that keep the joints closed.
class VelocityFinder {
 public:
  explicit VelocityFinder(const Mechanism& mechanism) : mechanism_(mechanism), bodies_(initialMotion(mechanism)) {}

  WorstJoint gap() const { return worst(jointOpenings(mechanism_, bodies_), &JointOpening::relativeVelocity); }

  /// Changes those components that are free, and says how large a gap is left.
  double change(const std::vector<bool>& free) {
    const VectorX change = SmallestChange(mechanism_, bodies_, free).solve(-residualRate(mechanism_, bodies_));
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const auto at = static_cast<Eigen::Index>(6 * b);
      const Vector3 turning = change.segment<3>(at + 3);
      bodies_[b].rate.v += change.segment<3>(at);
      bodies_[b].rate.W += hat(turning) * bodies_[b].at.D;
      changes_.resize(bodies_.size(), Vector3::Zero());
      changes_[b] += turning;
    }
    return gap().relative;
  }

  /// The same if it closes the gap, otherwise leaves all as it was.
  bool closes(const std::vector<bool>& free, double tolerance) {
    const VelocityFinder before = *this;
    if (change(free) <= tolerance) return true;
    bodies_ = before.bodies_;
    changes_ = before.changes_;
    return false;
  }

  void write(Model& model) const {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      Body& body = model.bodies[b];
      body.velocity = bodies_[b].rate.v;
      if (!changes_.empty() && !changes_[b].isZero(0.0))
        body.angularVelocity += rotationMatrix(body.orientation).transpose() * changes_[b];
    }
  }

 private:
  const Mechanism& mechanism_;
  MechanismMotion bodies_;
  std::vector<Vector3> changes_;  // of the angular velocities, in space
};

/// The six components of each body that may change: velocities, and angular velocities.
template <class VelocityIsFree, class TurningIsFree>
std::vector<bool> freeComponents(std::size_t bodies, VelocityIsFree velocityIsFree, TurningIsFree turningIsFree) {
  std::vector<bool> free;
  free.reserve(6 * bodies);
  for (std::size_t b = 0; b < bodies; ++b) {
    free.insert(free.end(), 3, velocityIsFree(b));
    free.insert(free.end(), 3, turningIsFree(b));
  }
  return free;
}

void refuse(const Model& model, const std::optional<JointProblem>& found) {
  if (found)
    throw InputError(fmt::format("joint {} {}", quoted(model.joints[found->joint].name), found->problem.sentence));
}

}  // namespace

std::optional<JointProblem> closeJoints(Model& model, bool assemble) {
  if (model.joints.empty()) return std::nullopt;
  const Mechanism mechanism(model);
  const auto given = initialMotion(mechanism);
  const WorstJoint before = worst(jointOpenings(mechanism, given), &JointOpening::relativePosition);
  if (before.relative <= roundOffGap) return std::nullopt;
  if (before.relative > writtenRounding && !assemble)
    return JointProblem{mechanism.joints()[before.joint].ofModel,
                        {"type", fmt::format("is open at t = 0: a gap of {} is left; correct the bodies' positions or "
                                             "set assemble = true",
                                             positionWords(before.gap))}};

  const auto bodies = closedMotion(mechanism, given);
  const WorstJoint after = worst(jointOpenings(mechanism, bodies), &JointOpening::relativePosition);
  if (!(after.relative <= nearlyExact))
    return JointProblem{mechanism.joints()[after.joint].ofModel,
                        {"type", fmt::format("cannot be closed: a gap of {} is left after assembling; check the "
                                             "lengths of its loop, or start nearer to where it closes",
                                             positionWords(after.gap))}};
  replaceBodies(mechanism, bodies, model);
  return std::nullopt;
}

std::optional<JointProblem> completeVelocities(Model& model, const std::vector<GivenVelocities>& given, bool assemble) {
  if (model.joints.empty()) return std::nullopt;
  const Mechanism mechanism(model);
  VelocityFinder finder(mechanism);
  if (finder.gap().relative <= roundOffGap) return std::nullopt;

  // what is not given follows from what is given
  const std::size_t bodies = model.bodies.size();
  const auto all = [](std::size_t) { return true; };
  const auto none = [](std::size_t) { return false; };
  const auto velocityNotGiven = [&](std::size_t b) { return !given[b].velocity; };
  const auto turningNotGiven = [&](std::size_t b) { return !given[b].angularVelocity; };
  const bool fits = finder.closes(freeComponents(bodies, velocityNotGiven, none), writtenRounding) ||
                    finder.change(freeComponents(bodies, velocityNotGiven, turningNotGiven)) <= writtenRounding;
  const WorstJoint left = finder.gap();
  if (!fits && !assemble)
    return JointProblem{mechanism.joints()[left.joint].ofModel,
                        {"type", fmt::format("is violated: {}; correct or leave out a body's velocity, or set "
                                             "assemble = true",
                                             velocityWords(left.gap))}};

  // what is off is corrected: velocities if that is enough, otherwise angular velocities as well
  if (left.relative > roundOffGap && !finder.closes(freeComponents(bodies, all, none), nearlyExact))
    finder.change(freeComponents(bodies, all, all));
  finder.write(model);
  return std::nullopt;
}

void assemble(Model& model) {
  refuse(model, closeJoints(model, true));
  refuse(model, completeVelocities(model, std::vector<GivenVelocities>(model.bodies.size()), true));
}

}  // namespace polhode
