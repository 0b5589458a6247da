#include "model/validation.h"

#include "model/force_type.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/model/joint_type.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

using MaybeProblem = std::optional<Problem>;

/// Names stand in overrides and in `stop_when`, between dots and before an equals sign. A good name is remembered.
MaybeProblem nameProblem(const std::string& name, std::unordered_set<std::string>& taken) {
  const auto isForbidden = [](unsigned char c) { return c == '.' || c == '=' || std::iscntrl(c); };
  if (name.empty()) return Problem{"name", "has an empty name; give it one"};
  if (std::any_of(name.begin(), name.end(), isForbidden) || name.front() == ' ' || name.back() == ' ')
    return Problem{"name",
                   "has a name with a dot, an equals sign, a control character or a space at an end; "
                   "leave it out"};
  if (!taken.insert(name).second) return Problem{"name", "has the name of an earlier one; give each its own name"};
  return std::nullopt;
}

MaybeProblem massProblem(double mass) {
  if (std::isfinite(mass) && mass >= 0.0) return std::nullopt;
  return Problem{"mass", fmt::format("has the mass {}; a mass must be finite and not negative", mass)};
}

MaybeProblem inertiaProblem(const Matrix3& inertia) {
  if (!inertia.allFinite()) return Problem{"inertia", "has an inertia that is not finite; give finite numbers"};
  const double largest = inertia.cwiseAbs().maxCoeff();
  const double asymmetry = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > writtenRounding * largest)
    return Problem{"inertia", fmt::format("has an inertia that is not symmetric (two entries differ by {:.3g}); "
                                          "make J[i][j] and J[j][i] equal",
                                          asymmetry)};

  const Vector3 principal = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const double roundOff = 1e-12 * largest;
  if (principal[0] < -roundOff)
    return Problem{"inertia", fmt::format("has a negative principal inertia, {:.6g}; all must be positive, or "
                                          "zero for a thin rod or a point mass",
                                          principal[0])};
  if (principal[0] + principal[1] < principal[2] - writtenRounding * largest)
    return Problem{"inertia", fmt::format("has principal inertias {:.6g}, {:.6g}, {:.6g} that violate the triangle "
                                          "inequality; no solid has one above the sum of the others",
                                          principal[0], principal[1], principal[2])};
  return std::nullopt;
}

MaybeProblem motionProblem(const Body& body) {
  const auto notFinite = [](const char* key) {
    return Problem{key, fmt::format("has a {} that is not finite; give finite numbers", key)};
  };
  if (!body.position.allFinite()) return notFinite("position");
  if (!body.velocity.allFinite()) return notFinite("velocity");
  if (!body.angularVelocity.allFinite()) return notFinite("angular_velocity");
  if (!(std::abs(body.orientation.norm() - 1.0) < 1e-9))
    return Problem{"orientation",
                   fmt::format("has a quaternion of length {:.9g}; normalise it", body.orientation.norm())};
  return std::nullopt;
}

/// Names of types or of coordinates.
template <class Part>
std::vector<std::string> namesOf(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& each : parts) names.push_back(each.name);
  return names;
}

template <class Type>
Problem unknownType(const std::string& type, const std::vector<Type>& known) {
  return {"type", fmt::format("has an unknown type {}; {}", quoted(type), suggestion(type, namesOf(known)))};
}

MaybeProblem shapeProblem(const Shape& shape) {
  const ShapeType* type = typeOf(shape);
  if (!type)
    return Problem{"shape", fmt::format("has an unknown shape {}; {}", quoted(shape.type),
                                        suggestion(shape.type, namesOf(shapeTypes())))};
  if (shape.lengths.size() != type->lengths())
    return Problem{"shape", fmt::format("is a {} of {} lengths; it has {}: {}", type->name, shape.lengths.size(),
                                        type->lengths(), fmt::join(namesOf(type->keys), ", "))};
  for (const double length : shape.lengths)
    if (!(length > 0.0 && std::isfinite(length)))
      return Problem{"shape",
                     fmt::format("is a {} with the length {}; it must be positive and finite", type->name, length)};
  return std::nullopt;
}

bool isDirection(const Vector3& axis) {
  return axis.allFinite() && axis.norm() > 0.0;
}

/// Points and axes, those of them that the joint's type uses.
MaybeProblem geometryProblem(const Joint& joint) {
  const JointNeeds needs = typeOf(joint)->needs;
  if (!joint.point.allFinite() || !joint.pointOfSecond().allFinite())
    return Problem{"point", "has a point that is not finite; give finite numbers"};
  const bool usesAxis = needs == JointNeeds::pointAndAxis || needs == JointNeeds::pointAndTwoAxes;
  if (usesAxis && !(isDirection(joint.axis) && isDirection(joint.axisOfSecond())))
    return Problem{"axis", "has an axis of zero length; give a direction, as in axis = [0, 0, 1]"};
  if (needs != JointNeeds::twoPoints) return std::nullopt;
  if (joint.length ? !(joint.length->value(0.0) > 0.0 && std::isfinite(joint.length->value(0.0)))
                   : joint.point == joint.pointOfSecond())
    return Problem{joint.length ? "length" : "points",
                   "keeps two points apart by no distance; give two different points and a positive length, or use a "
                   "spherical joint"};
  return std::nullopt;
}

/// A joint follows signals whose velocity does not jump, beginning where it stands.
MaybeProblem drivesProblem(const Joint& joint) {
  const auto jumps = [](const Signal& signal) { return signal.hasPoints(); };
  if (joint.length && jumps(*joint.length))
    return Problem{"length", "follows a table, at whose points the velocity jumps; give a formula or a spline"};
  const auto& coordinates = typeOf(joint)->coordinates;
  const std::vector<std::string> known = namesOf(coordinates);
  for (const CoordinateDrive& drive : joint.drives) {
    const auto found = std::find(known.begin(), known.end(), drive.coordinate);
    if (found == known.end())
      return Problem{"drive", fmt::format("drives an unknown coordinate {} of a {} joint; {}", quoted(drive.coordinate),
                                          typeOf(joint)->name, suggestion(drive.coordinate, known))};
    if (jumps(drive.follow))
      return Problem{
          "drive",
          fmt::format("drives its {} by a table, at whose points the velocity jumps; give a formula or a spline",
                      drive.coordinate)};
    if (!(drive.until > 0.0))
      return Problem{"drive", fmt::format("lets its {} go at t = {:g}; give a time above zero, or leave the drive out",
                                          drive.coordinate, drive.until)};
    const auto k = static_cast<std::size_t>(found - known.begin());
    const double stands = k < joint.start.size() ? joint.start[k] : 0.0;
    const double off = drive.follow.value(0.0) - stands;
    if (coordinates[k].kind == MotionKind::rotation && !(std::abs(off) < 1e-9))
      return Problem{"drive",
                     fmt::format("drives its {0} from {1:.6g} at t = 0, where the {0} is {2}; subtract {3:.6g}, or "
                                 "let it begin there, start = {{ {0} = {1:.6g} }}",
                                 drive.coordinate, drive.follow.value(0.0),
                                 stands == 0.0 ? "zero" : fmt::format("{:.6g}", stands), off)};
  }
  return std::nullopt;
}

/// Numbers that make no sense in any type of force.
MaybeProblem forceNumbersProblem(const Force& force) {
  const auto isBad = [](double number) { return !(std::isfinite(number) && number >= 0.0); };
  if (!force.firstPoint.allFinite() || !force.secondPoint.allFinite())
    return Problem{"points", "has a point that is not finite; give finite numbers"};
  if (force.law && force.law->isLinear() && !(force.law->stiffness() > 0.0))
    return Problem{"stiffness", fmt::format("has the stiffness {}; it must be positive", force.law->stiffness())};
  if (isBad(force.damping))
    return Problem{"damping", fmt::format("has the damping {}; it must be finite and not negative", force.damping)};
  if (const auto& ofType = typeOf(force)->problem)
    if (auto problem = ofType(force)) return problem;
  for (const Vector3& numbers : {force.stiffnesses, force.turningStiffnesses, force.dampings, force.turningDampings})
    if (!(numbers.allFinite() && numbers.minCoeff() >= 0.0))
      return Problem{"stiffness", "has a stiffness or damping that is negative or not finite; give positive numbers"};
  if (!force.vector.allFinite() || !std::isfinite(force.effort) || !std::isfinite(force.rest))
    return Problem{"type", "has a number that is not finite; give finite numbers"};
  return std::nullopt;
}

/// Hands hold what exists, each by its own name.
void refuseActuators(const Model& model) {
  std::unordered_set<std::string> taken;
  const auto requirePart = [](const Actuator& actuator, const char* kind, const std::string& name, const auto& parts) {
    const std::vector<std::string> known = namesOf(parts);
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("actuator {0}: {1} is the unknown {1} {2}; {3}", quoted(actuator.name), kind,
                                   quoted(name), suggestion(name, known)));
  };
  for (const Actuator& actuator : model.actuators) {
    if (!taken.insert(actuator.name).second)
      throw InputError(
          fmt::format("actuator {} has the name of another actuator; give each its own", quoted(actuator.name)));
    if (actuator.quantity == LedQuantity::coordinate)
      requirePart(actuator, "joint", actuator.joint, model.joints);
    else
      requirePart(actuator, "body", actuator.body, model.bodies);
    if (!actuator.point.allFinite())
      throw InputError(
          fmt::format("actuator {} has a point that is not finite; give finite numbers", quoted(actuator.name)));
  }
}

template <class Part>
void refuse(const char* kind, const Part& part, const MaybeProblem& problem) {
  if (problem) throw InputError(fmt::format("{} {} {}", kind, quoted(part.name), problem->sentence));
}

}  // namespace

/// Both ends exist and are different.
MaybeProblem ModelChecker::endsProblem(const std::string& first, const std::string& second) const {
  for (const std::string& name : {first, second})
    if (!bodies_.contains(name))
      return Problem{"bodies", fmt::format("connects an unknown body {}; {}", quoted(name),
                                           suggestion(name, {bodies_.begin(), bodies_.end()}))};
  if (first == second)
    return Problem{"bodies", fmt::format("connects {} to itself; give two different bodies", quoted(first))};
  return std::nullopt;
}

MaybeProblem ModelChecker::body(const Body& body) {
  if (body.name == "ground") return Problem{"name", "has a name that means space itself; choose another name"};
  if (auto problem = nameProblem(body.name, bodies_)) return problem;
  if (auto problem = massProblem(body.mass)) return problem;
  if (auto problem = inertiaProblem(body.inertia)) return problem;
  if (body.shape)
    if (auto problem = shapeProblem(*body.shape)) return problem;
  return motionProblem(body);
}

MaybeProblem ModelChecker::joint(const Joint& joint) {
  if (auto problem = nameProblem(joint.name, joints_)) return problem;
  if (!typeOf(joint)) return unknownType(joint.type, jointTypes());
  if (auto problem = endsProblem(joint.first, joint.second)) return problem;
  try {
    if (auto problem = geometryProblem(joint)) return problem;
    if (auto problem = drivesProblem(joint)) return problem;
  } catch (const SimulationError& error) {
    return Problem{joint.drives.empty() ? "length" : "drive", fmt::format("follows a {}", error.what())};
  }
  jointTypes_.emplace(joint.name, typeOf(joint));
  jointed_.insert(joint.first);
  jointed_.insert(joint.second);
  return std::nullopt;
}

MaybeProblem ModelChecker::loneBody(const Body& body) const {
  if (body.mass > 0.0 || jointed_.contains(body.name)) return std::nullopt;
  return Problem{"mass", "has no mass and no joint that carries it; give it a mass or a joint"};
}

/// The joint exists and has the coordinate that the force acts on.
MaybeProblem ModelChecker::coordinateProblem(const Force& force) const {
  const auto found = jointTypes_.find(force.joint);
  if (found == jointTypes_.end())
    return Problem{"joint", fmt::format("acts on an unknown joint {}; {}", quoted(force.joint),
                                        suggestion(force.joint, {joints_.begin(), joints_.end()}))};
  const std::vector<std::string> known = namesOf(found->second->coordinates);
  if (known.empty())
    return Problem{"joint", fmt::format("acts on joint {}, and a {} joint has no coordinate; choose another joint",
                                        quoted(force.joint), found->second->name)};
  if (force.coordinate.empty() || std::find(known.begin(), known.end(), force.coordinate) != known.end())
    return std::nullopt;
  return Problem{"coordinate", fmt::format("acts on an unknown coordinate {} of joint {}; {}", quoted(force.coordinate),
                                           quoted(force.joint), suggestion(force.coordinate, known))};
}

/// The joint exists and has the coordinate that the coupling takes hold of.
MaybeProblem ModelChecker::coupledProblem(const std::string& joint, const char* coordinate) const {
  const auto found = jointTypes_.find(joint);
  if (found == jointTypes_.end())
    return Problem{"joints", fmt::format("couples an unknown joint {}; {}", quoted(joint),
                                         suggestion(joint, {joints_.begin(), joints_.end()}))};
  const std::vector<std::string> known = namesOf(found->second->coordinates);
  if (std::find(known.begin(), known.end(), coordinate) != known.end()) return std::nullopt;
  return Problem{"joints", fmt::format("couples the {} of joint {}, and a {} joint has none; choose another joint",
                                       coordinate, quoted(joint), found->second->name)};
}

/// Names are those of joints, since couplings are told among them.
MaybeProblem ModelChecker::coupling(const Coupling& coupling) {
  if (auto problem = nameProblem(coupling.name, joints_)) return problem;
  const std::vector<std::string> types = namesOf(couplingTypes());
  if (std::find(types.begin(), types.end(), coupling.type) == types.end())
    return unknownType(coupling.type, couplingTypes());
  const bool isGear = coupling.type == "gear";
  const std::vector<std::string>& joints = coupling.joints;
  if (joints.size() != 2 && !(coupling.type == "screw" && joints.size() == 1))
    return Problem{"joints", fmt::format("couples {} joints, and a {} couples two; write joints = [\"..\", \"..\"]",
                                         joints.size(), coupling.type)};
  if (isGear && joints.front() == joints.back())
    return Problem{"joints", fmt::format("couples joint {} to itself; give two joints", quoted(joints.front()))};
  if (auto problem = coupledProblem(joints.front(), "angle")) return problem;
  if (auto problem = coupledProblem(joints.back(), isGear ? "angle" : "displacement")) return problem;
  const char* key = isGear ? "ratio" : coupling.type == "rack" ? "radius" : "pitch";
  if (!std::isfinite(coupling.ratio) || coupling.ratio == 0.0)
    return Problem{key, fmt::format("has the {} {}; it must be finite and not zero", key, coupling.ratio)};
  if (isGear && teethOf(coupling.ratio).first == 0)
    return Problem{"ratio",
                   fmt::format("has the ratio {:.12g}, which is no fraction of whole numbers up to {}; give one "
                               "that wheels with teeth can have, teeth = [20, 60]",
                               coupling.ratio, mostTeeth)};
  return std::nullopt;
}

MaybeProblem ModelChecker::force(const Force& force) {
  if (auto problem = nameProblem(force.name, forces_)) return problem;
  const ForceType* type = typeOf(force);
  if (!type) return unknownType(force.type, forceTypes());
  if (type->actsOn == ActsOn::joint) {
    if (auto problem = coordinateProblem(force)) return problem;
  } else if (type->actsOn != ActsOn::unknown) {
    if (auto problem = endsProblem(force.first, force.second)) return problem;
  }
  return forceNumbersProblem(force);
}

MaybeProblem ModelChecker::sensor(const Sensor& sensor) {
  if (!sensor.point.allFinite()) return Problem{"point", "has a point that is not finite; give finite numbers"};
  return nameProblem(sensor.name, sensors_);
}

void validate(const Model& model) {
  if (!model.gravity.allFinite()) throw InputError("the model's gravity is not finite; give finite numbers");
  if (model.bodies.empty()) throw InputError("the model has no body; add one");
  ModelChecker checker;
  for (const Body& body : model.bodies) refuse("body", body, checker.body(body));
  for (const Joint& joint : model.joints) refuse("joint", joint, checker.joint(joint));
  for (const Body& body : model.bodies) refuse("body", body, checker.loneBody(body));
  for (const Coupling& coupling : model.couplings) refuse("coupling", coupling, checker.coupling(coupling));
  for (const Force& force : model.forces) refuse("force", force, checker.force(force));
  refuseActuators(model);
  for (const Sensor& sensor : model.sensors) refuse("sensor", sensor, checker.sensor(sensor));
}

}  // namespace polhode
