#include "system/mechanism.h"

#include "math/principal_axes.h"
#include "math/spurrier_klumpp.h"
#include "model/force_type.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/coordinates.h"
#include "system/force_site.h"
#include "system/joint_coupling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

namespace polhode {

namespace {

/// A coordinate of a joint follows a signal: what a drive keeps, in place of a joint's own equations.
const JointType& driveType() {
  static const JointType type{
      "drive", "A coordinate of a joint follows a signal.", JointNeeds::pointAndAxis, nullptr, {}, false, {}};
  return type;
}

/// Coordinates of joints move together.
const JointType& couplingType() {
  static const JointType type{
      "coupling", "Coordinates of joints move together.", JointNeeds::pointAndAxis, nullptr, {}, false, {}};
  return type;
}

JointEquation driveEquation(const JointGeometry& g, const JointCoordinateInfo& coordinate, const Signal& signal) {
  if (coordinate.kind == MotionKind::translation)
    return {axisPointForm(g.first.axes.col(coordinate.axis), g.first.point, g.second.point), 0.0,
            std::make_shared<const JointDrive>(JointDrive{DriveKind::displacement, signal})};
  // the second frame's x axis stays at right angles to the first frame's y axis, turned by the angle
  return {axesForm(g.first.y(), g.second.x()), 0.0,
          std::make_shared<const JointDrive>(JointDrive{DriveKind::angle, signal, g.first.z()})};
}

Placement placementOf(const std::vector<MechanismBody>& bodies, int index) {
  return index == groundIndex ? Placement{} : bodies[static_cast<std::size_t>(index)].placement;
}

/// A user's own type forbids what it says and leaves the rest.
void requireSoundType(const MechanismJoint& joint) {
  if (joint.equations.empty())
    throw InputError(
        fmt::format("joint {} has a type of its own without an equation; leave the joint out", quoted(joint.name)));
  const std::size_t motions = joint.type->motions.size(), sum = joint.equations.size() + motions;
  if (joint.type->spansTree && sum != 6)
    throw InputError(
        fmt::format("joint {} has a type of its own with {} equations and {} motions, which do not make 6; name all "
                    "motions that are left, or say that it spans no tree",
                    quoted(joint.name), joint.equations.size(), motions));
}

}  // namespace

Mechanism::Mechanism(const Model& model) : modelBodies_(model.bodies), gravity_(model.gravity) {
  bodies_.reserve(model.bodies.size());
  std::unordered_map<std::string, int> indices{{"ground", groundIndex}};
  for (const Body& body : model.bodies) {
    indices.emplace(body.name, static_cast<int>(bodies_.size()));
    addBody(body);
  }
  const auto indexOf = [&](const std::string& body, const std::string& joint) {
    const auto found = indices.find(body);
    if (found == indices.end())
      throw InputError(fmt::format("joint {} connects an unknown body {}", quoted(joint), quoted(body)));
    return found->second;
  };
  joints_.reserve(model.joints.size());
  for (const Joint& joint : model.joints)
    addJoint(joint, indexOf(joint.first, joint.name), indexOf(joint.second, joint.name));
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    for (const CoordinateDrive& drive : model.joints[j].drives) addDrive(j, drive);
  for (const Coupling& coupling : model.couplings) addCoupling(coupling, model.joints.size());

  std::vector<TopologyEdge> edges;
  edges.reserve(joints_.size());
  for (const MechanismJoint& joint : joints_) edges.push_back({joint.first, joint.second, joint.type->spansTree});
  topology_ = spanningTree(static_cast<int>(bodies_.size()), edges);

  addForces(model.forces);
}

void Mechanism::addBody(const Body& body) {
  MechanismBody b;
  b.name = body.name;
  b.mass = body.mass;
  b.axes = principalAxes(body.inertia);
  b.inertia = (b.axes.transpose() * body.inertia * b.axes).diagonal();
  b.secondMoments = Vector3::Constant(0.5 * b.inertia.sum()) - b.inertia;
  b.placement = {body.position, rotationMatrix(body.orientation) * b.axes};
  b.velocity = body.velocity;
  b.angularVelocity = b.axes.transpose() * body.angularVelocity;
  bodies_.push_back(std::move(b));
}

void Mechanism::addJoint(const Joint& joint, int first, int second) {
  MechanismJoint j;
  j.name = joint.name;
  j.ofModel = joints_.size();
  j.own = joint.own;
  j.type = typeOf(joint);
  j.start = joint.start;
  if (!j.type) throw InputError(fmt::format("joint {} has an unknown type {}", quoted(joint.name), quoted(joint.type)));
  j.first = first;
  j.second = second;
  j.geometry = jointGeometry(joint, *j.type, placementOf(bodies_, first), placementOf(bodies_, second));
  if (j.type->equations) j.equations = j.type->equations(j.geometry);
  if (joint.own) requireSoundType(j);
  if (joint.length && !joint.length->isConstant()) {
    j.equations[0].drive = std::make_shared<const JointDrive>(JointDrive{DriveKind::length, *joint.length});
  }
  for (const JointEquation& equation : j.equations)
    driven_ |= equation.drive != nullptr;  // those of an own type as well
  j.firstRow = rows_;
  rows_ += j.rows();
  joints_.push_back(std::move(j));
}

void Mechanism::addDrive(std::size_t joint, const CoordinateDrive& drive) {
  const auto& known = joints_[joint].type->coordinates;
  const auto info = std::find_if(known.begin(), known.end(),
                                 [&](const JointCoordinateInfo& each) { return each.name == drive.coordinate; });
  if (info == known.end())
    throw InputError(fmt::format("joint {} drives an unknown coordinate {}; choose one that a {} joint has",
                                 quoted(joints_[joint].name), quoted(drive.coordinate), joints_[joint].type->name));
  MechanismJoint j = joints_[joint];
  j.name += " drive";
  j.drives = true;
  j.type = &driveType();
  j.equations = {driveEquation(j.geometry, *info, drive.follow)};
  j.firstRow = rows_;
  rows_ += j.rows();
  joints_.push_back(std::move(j));
  driven_ = true;
}

/// Factors of angles are such that the largest is one, or, where a displacement takes part, that of the displacement.
void Mechanism::addCoupling(const Coupling& coupling, std::size_t jointsOfModel) {
  const auto jointNamed = [&](const std::string& name) -> const MechanismJoint& {
    for (std::size_t j = 0; j < jointsOfModel; ++j)
      if (joints_[j].name == name) return joints_[j];
    throw InputError(fmt::format("coupling {} has an unknown joint {}", quoted(coupling.name), quoted(name)));
  };
  const auto term = [&](const std::string& name, const char* coordinate, double factor) -> CouplingTerm {
    const MechanismJoint& joint = jointNamed(name);
    for (const JointCoordinateInfo& info : joint.type->coordinates)
      if (info.name == coordinate)
        return {factor, joint.first, joint.second, ScalarCoordinate::ofJoint(joint.geometry, info)};
    throw InputError(fmt::format("coupling {}: joint {} has no {}", quoted(coupling.name), quoted(name), coordinate));
  };
  constexpr double turn = 2.0 * std::numbers::pi;
  const bool isGear = coupling.type == "gear";
  std::vector<CouplingTerm> terms;
  double period = turn;
  if (isGear) {
    const Teeth teeth = teethOf(coupling.ratio);
    const double most = std::max(std::abs(teeth.first), teeth.second);
    terms.push_back(term(coupling.joints.front(), "angle", teeth.second / most));
    terms.push_back(term(coupling.joints.back(), "angle", -teeth.first / most));
    period = turn / most;
  } else {
    const double perRadian = coupling.type == "screw" ? coupling.ratio / turn : coupling.ratio;
    terms.push_back(term(coupling.joints.front(), "angle", -perRadian));
    terms.push_back(term(coupling.joints.back(), "displacement", 1.0));
    period = turn * std::abs(perRadian);
  }
  MechanismJoint j = jointNamed(coupling.joints.front());
  j.name = coupling.name;
  j.type = &couplingType();
  j.equations = {JointEquation{isGear ? axesForm(Vector3::Zero(), Vector3::Zero())
                                      : axisPointForm(Vector3::Zero(), Vector3::Zero(), Vector3::Zero())}};
  j.coupling = std::make_shared<const JointCoupling>(std::move(terms), period, [this](int body) {
    return MovingPlacement{placementOf(bodies_, body), {}};
  });
  j.firstRow = rows_;
  rows_ += j.rows();
  joints_.push_back(std::move(j));
}

void Mechanism::addForces(const std::vector<Force>& forces) {
  if (forces.empty()) return;
  const ForceSite site(*this);
  forces_.reserve(forces.size());
  for (const Force& force : forces) {
    const ForceType* type = typeOf(force);
    if (!type) throw InputError(fmt::format("force {} has an unknown type {}", quoted(force.name), quoted(force.type)));
    forces_.push_back(type->make(force, site));
  }
}

Body Mechanism::bodyAt(std::size_t index, const Placement& placement, const Vector3& velocity,
                       const Vector3& angularVelocity) const {
  const Matrix3& axes = bodies_[index].axes;
  Body body = modelBodies_[index];
  body.position = placement.x;
  body.orientation = quaternionFromRotation(placement.D * axes.transpose());
  body.velocity = velocity;
  body.angularVelocity = axes * angularVelocity;
  return body;
}

}  // namespace polhode
