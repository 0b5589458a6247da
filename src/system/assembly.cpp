#include "system/assembly.h"

#include "math/euler_map.h"
#include "math/quaternion.h"
#include "model/force_type.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/closing.h"
#include "system/force_site.h"
#include "system/joint_opening.h"
#include "system/joint_row.h"
#include "system/joint_state.h"
#include "system/mobility.h"
#include "system/row_words.h"
#include "system/smallest_change.h"

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

/// What is open, and what is not worth a word beside it is left out.
std::string bothWords(const std::string& ofPoints, double points, const std::string& ofAxes, double axes) {
  constexpr double nothing = 1e-9;  // m, rad, m/s, rad/s
  const bool saysPoints = points > nothing || points >= axes, saysAxes = axes > nothing || !saysPoints;
  return (saysPoints ? ofPoints : "") + (saysPoints && saysAxes ? " and " : "") + (saysAxes ? ofAxes : "");
}

std::string positionWords(const JointOpening& gap) {
  return bothWords(fmt::format("{:.3g} m", gap.distance), gap.distance,
                   fmt::format("{:.3g} rad", std::asin(std::min(gap.angle, 1.0))), gap.angle);
}

std::string velocityWords(const JointOpening& gap) {
  return bothWords(fmt::format("its points part at {:.6g} m/s", gap.speed), gap.speed,
                   fmt::format("its axes part at {:.6g} rad/s", gap.turning), gap.turning);
}

/// Velocities that joints allow and a coupling of them does not.
std::string byCoupling(const MechanismJoint& joint) {
  return joint.coupling ? fmt::format(" by coupling {}", quoted(joint.name)) : "";
}

/// Couplings hold from where the mechanism starts, wherever that is.
Model uncoupled(Model model) {
  model.couplings.clear();
  return model;
}

/// How fast the equations of all joints change at t = 0.
VectorX residualRate(const Mechanism& mechanism, const MechanismMotion& bodies) {
  VectorX result(mechanism.rows());
  forEachRow(mechanism, [&](const JointRow& row) { result[row.number()] = row.rate(0.0, motionsIn(bodies)); });
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

/// An actuator that leads a coordinate or an orientation counts from the start, which must not move then.
void refuseActuatorsThatCount(const Mechanism& mechanism, const MechanismMotion& bodies, const Model& model) {
  const auto moved = [&](const Actuator& actuator) {
    if (actuator.quantity == LedQuantity::point) return false;
    if (actuator.quantity == LedQuantity::coordinate)
      for (const MechanismJoint& joint : mechanism.joints())
        if (joint.name == actuator.joint)
          for (const JointCoordinateInfo& info : joint.type->coordinates)
            if (info.kind == MotionKind::rotation &&
                std::abs(jointCoordinate(joint, info, motionOf(bodies, joint.first).at,
                                         motionOf(bodies, joint.second).at)) > 1e-12)
              return true;
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (model.bodies[b].name == actuator.body)
        return (bodies[b].at.D - mechanism.bodies()[b].placement.D).norm() > 1e-12;
    return false;
  };
  for (const Actuator& actuator : model.actuators)
    if (moved(actuator))
      throw InputError(fmt::format(
          "actuator {} leads what is counted from the start, so that the model cannot start elsewhere; leave "
          "the actuator out, or let it lead a point",
          quoted(actuator.name)));
}

/// Looks for velocities that keep the joints closed.
class VelocityFinder {
 public:
  /// Rows that repeat others are left alone: what they say up to a rounding must not stop the mechanism.
  VelocityFinder(const Mechanism& mechanism, const std::vector<int>& without)
      : mechanism_(mechanism), without_(without), given_(initialMotion(mechanism)), bodies_(given_) {}

  std::span<const MovingPlacement> bodies() const { return bodies_; }

  WorstJoint gap() const {
    return worst(jointOpenings(mechanism_, bodies_, 0.0, given_), &JointOpening::relativeVelocity);
  }

  /// Changes those components that are free, and says how large a gap is left.
  double change(const std::vector<bool>& free) {
    const VectorX change =
        SmallestChange(mechanism_, bodies_, free, 0.0, 0.0, without_).solve(-residualRate(mechanism_, bodies_));
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
    const auto bodies = bodies_;
    const auto changes = changes_;
    if (change(free) <= tolerance) return true;
    bodies_ = bodies;
    changes_ = changes;
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
  const std::vector<int>& without_;
  MechanismMotion given_, bodies_;
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

/// Of velocities that no bodies can have: drives that do not agree, where there are any.
std::string contradictionWords(const Mechanism& mechanism, const Redundancy& redundancy, const JointOpening& gap) {
  const MechanismMotion start = initialMotion(mechanism);
  for (const int row : redundancy.rows()) {
    const std::string others = drivesRepeatedBy(redundancy, mechanism, row, 0.0, start);
    if (others.empty()) continue;
    const std::string cause = equationOfRow(mechanism, row).drive
                                  ? fmt::format("{} contradicts {}", rowOwner(mechanism, row), others)
                                  : fmt::format("its loop does not allow what is asked of it by {}", others);
    return fmt::format("cannot stay closed at t = 0: {}, since {}; let drives agree, or leave one out",
                       velocityWords(gap), cause);
  }
  return fmt::format(
      "cannot stay closed at t = 0, whatever velocities the bodies have: {}; look at the drives of its loop",
      velocityWords(gap));
}

void refuse(const Model& model, const std::optional<JointProblem>& found) {
  if (found)
    throw InputError(fmt::format("joint {} {}", quoted(model.joints[found->joint].name), found->problem.sentence));
}

}  // namespace

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
    if (joint.own) continue;  // of which it is not known what its bodies have in common
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
  const auto moved = [&](const std::string& name, const Vector3& point) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      if (model.bodies[b].name == name) return displacements[b].point(point);
    return point;
  };
  for (Actuator& actuator : model.actuators) actuator.point = moved(actuator.body, actuator.point);
  for (Sensor& sensor : model.sensors) sensor.point = moved(sensor.body, sensor.point);
}

std::optional<JointProblem> closeJoints(Model& model, bool assemble, AssemblyReport* report) {
  if (model.joints.empty()) return std::nullopt;
  const Mechanism mechanism(uncoupled(model));
  const auto given = initialMotion(mechanism);
  const WorstJoint before = worst(jointOpenings(mechanism, given), &JointOpening::relativePosition);
  if (before.relative <= roundOffGap) return std::nullopt;
  if (before.relative > writtenRounding && !assemble)
    return JointProblem{mechanism.joints()[before.joint].ofModel,
                        {"type", fmt::format("is open at t = 0: a gap of {} is left; correct the bodies' positions or "
                                             "set assemble = true",
                                             positionWords(before.gap))}};

  // what roundings of the model leave of superfluous equations does not close, and need not (redundancy.h)
  auto bodies = closedMotion(mechanism, given);
  WorstJoint after = worst(jointOpenings(mechanism, bodies), &JointOpening::relativePosition);
  if (!(after.relative <= nearlyExact)) {
    bodies = closedMotion(mechanism, given, jointAccuracy);
    after = worst(jointOpenings(mechanism, bodies), &JointOpening::relativePosition);
  }
  if (!(after.relative <= std::max(nearlyExact, writtenRounding)))
    return JointProblem{mechanism.joints()[after.joint].ofModel,
                        {"type", fmt::format("cannot be closed: a gap of {} is left after assembling; check the "
                                             "lengths of its loop, or start nearer to where it closes",
                                             positionWords(after.gap))}};
  if (report && assemble) report->addMoves(model, given, bodies);
  replaceBodies(mechanism, bodies, model);
  return std::nullopt;
}

void startElsewhere(Model& model, const std::vector<Body>& bodies) {
  const Mechanism mechanism(model);
  MechanismMotion there = initialMotion(mechanism);
  for (std::size_t b = 0; b < there.size(); ++b)
    there[b].at = {bodies[b].position, rotationMatrix(bodies[b].orientation) * mechanism.bodies()[b].axes};
  refuseActuatorsThatCount(mechanism, there, model);
  const ForceSite site(mechanism);
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const ForceElement& of = *mechanism.forces()[f];
    if (const ForceType* type = typeOf(model.forces[f]); type->startElsewhere)
      type->startElsewhere(model.forces[f], site, motionOf(there, of.first()).at, motionOf(there, of.second()).at);
  }
  replaceBodies(mechanism, there, model);
  for (Joint& joint : model.joints) joint.start.clear();  // coordinates count from there
}

std::optional<JointProblem> completeVelocities(Model& model, const std::vector<GivenVelocities>& given, bool assemble,
                                               AssemblyReport* report) {
  if (model.joints.empty()) return std::nullopt;
  const Mechanism mechanism(model);
  const Redundancy redundancy(mechanism);
  VelocityFinder finder(mechanism, redundancy.rows());
  if (finder.gap().relative <= roundOffGap) return std::nullopt;

  // what is not given follows from what is given
  const double rounding = 30.0 * redundancy.largestRounding(), enough = std::max(writtenRounding, rounding);
  const std::size_t bodies = model.bodies.size();
  const auto all = [](std::size_t) { return true; };
  const auto none = [](std::size_t) { return false; };
  const auto velocityNotGiven = [&](std::size_t b) { return !given[b].velocity; };
  const auto turningNotGiven = [&](std::size_t b) { return !given[b].angularVelocity; };
  const bool fits = finder.closes(freeComponents(bodies, velocityNotGiven, none), enough) ||
                    finder.change(freeComponents(bodies, velocityNotGiven, turningNotGiven)) <= enough;
  const WorstJoint left = finder.gap();
  const auto contradiction = [&](const WorstJoint& at) {
    return JointProblem{mechanism.joints()[at.joint].ofModel,
                        {"type", contradictionWords(mechanism, redundancy, at.gap)}};
  };
  if (VelocityFinder any = finder; !fits && !(any.change(freeComponents(bodies, all, all)) <= enough))
    return contradiction(any.gap());
  if (!fits && !assemble)
    return JointProblem{mechanism.joints()[left.joint].ofModel,
                        {"type", fmt::format("is violated{}: {}; correct or leave out a body's velocity, or set "
                                             "assemble = true",
                                             byCoupling(mechanism.joints()[left.joint]), velocityWords(left.gap))}};

  // what is off is corrected: velocities if that is enough, otherwise angular velocities as well
  if (left.relative > roundOffGap && !finder.closes(freeComponents(bodies, all, none), std::max(nearlyExact, rounding)))
    finder.change(freeComponents(bodies, all, all));
  if (const WorstJoint last = finder.gap(); !(last.relative <= enough)) return contradiction(last);
  if (report && assemble) report->addVelocities(model, mechanism, finder.bodies());
  finder.write(model);
  return std::nullopt;
}

void AssemblyReport::addMoves(const Model& model, std::span<const MovingPlacement> before,
                              std::span<const MovingPlacement> after) {
  for (std::size_t b = 0; b < before.size(); ++b) {
    const double way = (after[b].at.x - before[b].at.x).norm();
    const double angle = (after[b].at.D - before[b].at.D).norm() / std::sqrt(2.0);
    if (way > move) move = way, moved = model.bodies[b].name;
    if (angle > turn) turn = angle, turned = model.bodies[b].name;
  }
}

void AssemblyReport::addVelocities(const Model& model, const Mechanism& mechanism,
                                   std::span<const MovingPlacement> after) {
  const MechanismMotion before = initialMotion(mechanism);
  for (std::size_t b = 0; b < before.size(); ++b) {
    const double change = (after[b].rate.v - before[b].rate.v).norm();
    const double spin = (after[b].rate.W - before[b].rate.W).norm() / std::sqrt(2.0);
    if (change > speed) speed = change, pushed = model.bodies[b].name;
    if (spin > turning) turning = spin, spun = model.bodies[b].name;
  }
  energy += kineticEnergy(mechanism, after) - kineticEnergy(mechanism, before);
  energyBefore += kineticEnergy(mechanism, before);
}

std::string AssemblyReport::words() const {
  constexpr double noticeable = 1e-6;  // m, rad, m/s, rad/s, and of the energy
  std::vector<std::string> parts;
  if (move > noticeable) parts.push_back(fmt::format("moved {} by {:.3g} m", quoted(moved), move));
  if (turn > noticeable) parts.push_back(fmt::format("turned {} by {:.3g} rad", quoted(turned), turn));
  if (speed > noticeable)
    parts.push_back(fmt::format("changed the velocity of {} by {:.3g} m/s", quoted(pushed), speed));
  if (turning > noticeable)
    parts.push_back(fmt::format("changed the angular velocity of {} by {:.3g} rad/s", quoted(spun), turning));
  if (std::abs(energy) > noticeable * std::max(energyBefore, noticeable))
    parts.push_back(
        fmt::format("changed the kinetic energy from {:.4g} to {:.4g} J", energyBefore, energyBefore + energy));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "assembling " : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

namespace {

void fitTogether(Model& model, bool assemble) {
  refuse(model, closeJoints(model, assemble));
  refuse(model, completeVelocities(model, std::vector<GivenVelocities>(model.bodies.size()), assemble));
}

}  // namespace

void assemble(Model& model) {
  fitTogether(model, true);
}

std::optional<BodyProblem> unresistedMotion(const Model& model) {
  const auto isMassless = [](const Body& body) { return body.mass == 0.0; };
  if (std::none_of(model.bodies.begin(), model.bodies.end(), isMassless)) return std::nullopt;
  const int found = unresistedBody(Mechanism(model));
  if (found < 0) return std::nullopt;
  return BodyProblem{
      static_cast<std::size_t>(found),
      {"mass", "has no mass and can move although no inertia resists; give it a mass, or hold it by another joint"}};
}

Model checked(Model model) {
  validate(model);
  fitTogether(model, false);
  if (const auto found = unresistedMotion(model))
    throw InputError(fmt::format("body {} {}", quoted(model.bodies[found->body].name), found->problem.sentence));
  return model;
}

}  // namespace polhode
