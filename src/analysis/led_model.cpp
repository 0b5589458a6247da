#include "analysis/led_model.h"

#include "analysis/observable.h"
#include "math/quaternion.h"
#include "math/stumpff.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/model/joint_type.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace polhode {
namespace {

/// A coordinate of a joint of the model.
struct NamedCoordinate {
  std::size_t joint;
  JointCoordinateInfo info;
};

template <class Part>
const Part* partNamed(const std::vector<Part>& parts, const std::string& name) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
  return found == parts.end() ? nullptr : &*found;
}

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// "joint.NAME.COORDINATE", or "joint.NAME" for the first one.
std::optional<NamedCoordinate> coordinateNamed(const Model& model, const std::string& name) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const std::string owner = "joint." + model.joints[j].name;
    const auto& infos = typeOf(model.joints[j])->coordinates;
    for (std::size_t c = 0; c < infos.size(); ++c)
      if (name == owner + "." + infos[c].name || (c == 0 && name == owner)) return NamedCoordinate{j, infos[c]};
  }
  return std::nullopt;
}

/// The coordinate that a force or an actuator names, by default the joint's first.
NamedCoordinate coordinateOf(const Model& model, const std::string& joint, const std::string& coordinate) {
  const auto named = coordinateNamed(model, "joint." + joint + (coordinate.empty() ? "" : "." + coordinate));
  if (!named) throw InputError(fmt::format("joint {} has no coordinate {}", quoted(joint), quoted(coordinate)));
  return *named;
}

/// "OWNER.QUANTITY.x", of which the component may be missing (-1): null where it is none of that quantity.
struct NamedVector {
  std::string owner;
  int component = -1;
};

std::optional<NamedVector> vectorNamed(const std::string& name, const std::string& quantity) {
  if (endsWith(name, "." + quantity)) return NamedVector{name.substr(0, name.size() - quantity.size() - 1), -1};
  for (int k = 0; k < 3; ++k) {
    const std::string end = "." + quantity + "." + axisNames[k];
    if (endsWith(name, end)) return NamedVector{name.substr(0, name.size() - end.size()), k};
  }
  return std::nullopt;
}

InverseMotor jointMotor(const std::string& name, const Joint& joint, const JointCoordinateInfo& info) {
  Force force;
  force.name = "motor of " + joint.name + " " + info.name;
  force.type = "joint-motor";
  force.joint = joint.name;
  force.coordinate = info.name;
  force.effort = 1.0;
  return {name, info.kind == MotionKind::rotation ? "N m" : "N", force};
}

/// A force or a torque on a body along an axis of space, or three of them.
std::vector<InverseMotor> bodyMotors(const std::string& name, const Body& body, const Vector3& point, bool turns,
                                     int component) {
  std::vector<InverseMotor> motors;
  for (int k = 0; k < 3; ++k) {
    if (component >= 0 && component != k) continue;
    Force force;
    force.type = turns ? "torque" : "load";
    force.name = fmt::format("{} of {} along {}", turns ? "torque" : "force", name, axisNames[k]);
    force.second = body.name;
    force.secondPoint = point;
    force.vector = Vector3::Unit(k);
    motors.push_back(
        {fmt::format("{}.{}.{}", name, turns ? "torque" : "force", axisNames[k]), turns ? "N m" : "N", force});
  }
  return motors;
}

std::vector<InverseMotor> actuatorMotors(const Model& model, const Actuator& actuator) {
  if (actuator.quantity == LedQuantity::coordinate) {
    const NamedCoordinate held = coordinateOf(model, actuator.joint, actuator.coordinate);
    return {jointMotor(actuator.name, model.joints[held.joint], held.info)};
  }
  return bodyMotors(actuator.name, *partNamed(model.bodies, actuator.body), actuator.point,
                    actuator.quantity == LedQuantity::orientation, -1);
}

/// A motor, a load or a torque of the model with an effort of one along its direction.
std::vector<InverseMotor> forceMotors(const Model& model, const Force& given) {
  if (given.type == "joint-motor") {
    const NamedCoordinate along = coordinateOf(model, given.joint, given.coordinate);
    InverseMotor motor = jointMotor(given.name, model.joints[along.joint], along.info);
    motor.force.name = given.name;
    return {motor};
  }
  if (given.type != "load" && given.type != "torque")
    throw InputError(fmt::format("force {} is a {}, which is no motor; name a joint-motor, a load or a torque",
                                 quoted(given.name), given.type));
  const bool turns = given.type == "torque";
  if (given.vectorOverTime)
    return bodyMotors(given.name, *partNamed(model.bodies, given.second), given.secondPoint, turns, -1);
  InverseMotor motor{given.name, turns ? "N m" : "N", given};
  if (!(given.vector.norm() > 0.0))
    throw InputError(
        fmt::format("force {} has no direction to push along; give it one that is not zero", quoted(given.name)));
  motor.force.vector.normalize();
  motor.force.scale = Signal(1.0);
  return {motor};
}

std::vector<std::string> motorNames(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints)
    for (const JointCoordinateInfo& info : typeOf(joint)->coordinates)
      names.push_back("joint." + joint.name + "." + info.name);
  for (const Force& force : model.forces)
    if (force.type == "joint-motor" || force.type == "load" || force.type == "torque") names.push_back(force.name);
  for (const Actuator& actuator : model.actuators) names.push_back(actuator.name);
  for (const Body& body : model.bodies)
    for (const char* quantity : {".force", ".torque"}) names.push_back(body.name + quantity);
  return names;
}

/// The body that a point belongs to, and that point in space at t = 0.
std::pair<const Body*, Vector3> pointOf(const Model& model, const std::string& owner) {
  if (const Body* body = partNamed(model.bodies, owner)) return {body, body->position};
  if (const Actuator* hand = partNamed(model.actuators, owner); hand && !hand->body.empty())
    return {partNamed(model.bodies, hand->body), hand->point};
  return {nullptr, Vector3::Zero()};
}

Joint followingJoint(const std::string& name, const std::string& body, const Vector3& point,
                     std::function<std::vector<JointEquation>(const JointGeometry&)> equations) {
  Joint joint;
  joint.name = name;
  std::replace(joint.name.begin(), joint.name.end(), '.', ' ');
  joint.type = "followed motion";
  joint.first = "ground";
  joint.second = body;
  joint.secondPoint = point;
  joint.own = std::make_shared<const JointType>(JointType{"followed motion",
                                                          "A point or an orientation follows signals.",
                                                          JointNeeds::point,
                                                          std::move(equations),
                                                          {},
                                                          false,
                                                          {}});
  return joint;
}

std::shared_ptr<const JointDrive> following(Signal signal) {
  return std::make_shared<const JointDrive>(JointDrive{DriveKind::displacement, std::move(signal)});
}

/// exp(r(t)^) and its first two derivatives by time: R = 1 + c1(q) r^ + c2(q) r^ r^ with q = r . r, and
/// dc_m/dq = (m c_(m+2) - c_(m+1)) / 2.
Matrix3 turnOf(const VectorSignal& rotation, double t, int order) {
  const Vector3 r = rotation.value(t);
  const double q = r.squaredNorm();
  const double c1 = stumpff1(q), c2 = stumpff2(q), c3 = stumpff3(q);
  const Matrix3 X = hat(r);
  if (order == 0) return Matrix3::Identity() + c1 * X + c2 * X * X;
  // c4 by its series near zero, by c_2 + q c_4 = 1/2 elsewhere, and so on
  const auto next = [&](double c, double limit, double series) { return q > 1.0 ? (limit - c) / q : series; };
  const auto series = [&](int m) {
    double term = 1.0, sum = 0.0;
    for (int i = 2; i <= m; ++i) term /= i;
    for (int k = 0; k < 12; ++k) {
      sum += term;
      term *= -q / ((2 * k + m + 1) * (2 * k + m + 2));
    }
    return sum;
  };
  const double c4 = next(c2, 0.5, series(4)), c5 = next(c3, 1.0 / 6.0, series(5)), c6 = next(c4, 1.0 / 24.0, series(6));
  const double d1 = 0.5 * (c3 - c2), d2 = 0.5 * (2.0 * c4 - c3);
  const Vector3 v = rotation.rate(t);
  const double qt = 2.0 * r.dot(v);
  const Matrix3 V = hat(v);
  if (order == 1) return d1 * qt * X + c1 * V + d2 * qt * X * X + c2 * (V * X + X * V);
  const double d3 = 0.5 * (3.0 * c5 - c4), d4 = 0.5 * (4.0 * c6 - c5);
  const double e1 = 0.5 * (d3 - d2), e2 = 0.5 * (2.0 * d4 - d3);
  const Vector3 a(rotation[0].acceleration(t), rotation[1].acceleration(t), rotation[2].acceleration(t));
  const double qtt = 2.0 * (v.squaredNorm() + r.dot(a));
  const Matrix3 A = hat(a), XV = V * X + X * V;
  return (e1 * qt * qt + d1 * qtt) * X + 2.0 * d1 * qt * V + c1 * A + (e2 * qt * qt + d2 * qtt) * X * X +
         2.0 * d2 * qt * XV + c2 * (A * X + 2.0 * V * V + X * A);
}

Joint followingRotation(const std::string& name, const Body& body, const VectorSignal& rotation) {
  return followingJoint(name, body.name, body.position, [rotation](const JointGeometry& geometry) {
    std::vector<JointEquation> equations;
    const Matrix3 start = geometry.first.axes;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const auto cosine = [=](int order) {
          return [=](double t) { return turnOf(rotation, t, order).row(j).dot(start.col(i)); };
        };
        equations.push_back({axesForm(Vector3::Unit(j), geometry.second.axes.col(i)), 0.0,
                             following(Signal::function(cosine(0), cosine(1), cosine(2)))});
      }
    return equations;
  });
}

}  // namespace

std::vector<std::string> followableNames(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints)
    for (const JointCoordinateInfo& info : typeOf(joint)->coordinates)
      names.push_back("joint." + joint.name + "." + info.name);
  for (const Body& body : model.bodies)
    for (const char* quantity : {".position", ".rotation"}) names.push_back(body.name + quantity);
  for (const Actuator& actuator : model.actuators)
    if (actuator.quantity == LedQuantity::point) names.push_back(actuator.name + ".position");
  return names;
}

std::vector<InverseMotor> motorsNamed(const Model& model, const std::string& name) {
  if (const auto named = coordinateNamed(model, name))
    return {jointMotor("joint." + model.joints[named->joint].name + "." + named->info.name, model.joints[named->joint],
                       named->info)};
  if (const Force* force = partNamed(model.forces, name)) return forceMotors(model, *force);
  if (const Actuator* actuator = partNamed(model.actuators, name)) return actuatorMotors(model, *actuator);
  for (const bool turns : {false, true})
    if (const auto named = vectorNamed(name, turns ? "torque" : "force")) {
      if (const Body* body = partNamed(model.bodies, named->owner))
        return bodyMotors(body->name, *body, body->position, turns, named->component);
      // one component of an actuator's pull
      std::vector<InverseMotor> found;
      const Actuator* actuator = partNamed(model.actuators, named->owner);
      const Force* force = partNamed(model.forces, named->owner);
      for (const InverseMotor& motor : actuator ? actuatorMotors(model, *actuator)
                                       : force  ? forceMotors(model, *force)
                                                : std::vector<InverseMotor>{})
        if (named->component < 0 || motor.name == name) found.push_back(motor);
      if (!found.empty()) return found;
    }
  throw InputError(fmt::format("there is no motor {}; {}", quoted(name), suggestion(name, motorNames(model))));
}

std::vector<InverseMotor> usualMotors(const Model& model, const std::vector<FollowedQuantity>& motion) {
  std::vector<InverseMotor> motors;
  std::vector<std::string> seen;
  const auto add = [&](const std::string& name) {
    for (InverseMotor& motor : motorsNamed(model, name)) {
      if (std::find(seen.begin(), seen.end(), motor.name) != seen.end()) continue;
      seen.push_back(motor.name);
      motors.push_back(std::move(motor));
    }
  };
  if (motion.empty())
    for (const Joint& joint : model.joints)
      for (const CoordinateDrive& drive : joint.drives) add("joint." + joint.name + "." + drive.coordinate);
  else
    for (const Force& force : model.forces)
      if (force.type == "joint-motor") add(force.name);
  for (const Actuator& actuator : model.actuators) add(actuator.name);
  if (!motors.empty()) return motors;
  for (const FollowedQuantity& quantity : motion) {
    if (const auto position = vectorNamed(quantity.name, "position"))
      add(position->owner + ".force." + axisNames[std::max(position->component, 0)]);
    else if (const auto rotation = vectorNamed(quantity.name, "rotation"))
      add(rotation->owner + ".torque");
    else
      add(quantity.name);
  }
  return motors;
}

Model withoutMotors(const Model& model, const std::vector<InverseMotor>& motors) {
  Model left = model;
  left.actuators.clear();
  for (const InverseMotor& motor : motors) {
    std::erase_if(left.forces, [&](const Force& force) {
      if (force.type == "joint-motor")
        return force.joint == motor.force.joint &&
               coordinateOf(model, force.joint, force.coordinate).info.name == motor.force.coordinate;
      const std::string whole = motor.name.substr(0, motor.name.rfind('.'));  // of one component
      return force.name == motor.name || force.name + ".force" == whole || force.name + ".torque" == whole;
    });
    for (Joint& joint : left.joints)
      if (joint.name == motor.force.joint)
        std::erase_if(joint.drives,
                      [&](const CoordinateDrive& drive) { return drive.coordinate == motor.force.coordinate; });
  }
  return left;
}

std::vector<FollowedQuantity> motionOfModel(const Model& model, const std::vector<InverseMotor>& motors) {
  std::vector<FollowedQuantity> motion;
  for (const Joint& joint : model.joints)
    for (const CoordinateDrive& drive : joint.drives)
      for (const InverseMotor& motor : motors)
        if (motor.force.joint == joint.name && motor.force.coordinate == drive.coordinate)
          motion.push_back({"joint." + joint.name + "." + drive.coordinate, drive.follow});
  for (const Actuator& actuator : model.actuators) {
    const auto* signal = std::get_if<VectorSignal>(&actuator.follow);
    if (!signal) continue;
    if (actuator.quantity == LedQuantity::coordinate) {
      const std::string coordinate = coordinateOf(model, actuator.joint, actuator.coordinate).info.name;
      motion.push_back({"joint." + actuator.joint + "." + coordinate, (*signal)[0]});
      continue;
    }
    const bool turns = actuator.quantity == LedQuantity::orientation;
    for (std::size_t k = 0; k < 3; ++k)
      motion.push_back(
          {turns ? actuator.body + ".rotation." + axisNames[k] : actuator.name + ".position." + axisNames[k],
           (*signal)[k]});
  }
  return motion;
}

Model ledModel(const Model& model, const std::vector<FollowedQuantity>& motion) {
  Model led = model;
  std::map<std::string, std::array<std::optional<Signal>, 3>> rotations;
  std::vector<std::string> seen;
  for (const FollowedQuantity& quantity : motion) {
    if (std::find(seen.begin(), seen.end(), quantity.name) != seen.end())
      throw InputError(fmt::format("{} is to follow two signals; give one of them", quoted(quantity.name)));
    seen.push_back(quantity.name);
    if (const auto named = coordinateNamed(model, quantity.name)) {
      auto& drives = led.joints[named->joint].drives;
      std::erase_if(drives, [&](const CoordinateDrive& drive) { return drive.coordinate == named->info.name; });
      drives.push_back({named->info.name, quantity.signal});
      continue;
    }
    if (const auto named = vectorNamed(quantity.name, "position"); named && named->component >= 0)
      if (const auto [body, point] = pointOf(model, named->owner); body) {
        const Vector3 direction = Vector3::Unit(named->component);
        led.joints.push_back(followingJoint(
            quantity.name, body->name, point, [direction, signal = quantity.signal](const JointGeometry& geometry) {
              return std::vector<JointEquation>{
                  {pointForm(direction, geometry.first.point, geometry.second.point), 0.0, following(signal)}};
            }));
        continue;
      }
    if (const auto named = vectorNamed(quantity.name, "rotation"); named && named->component >= 0)
      if (partNamed(model.bodies, named->owner)) {
        rotations[named->owner][static_cast<std::size_t>(named->component)] = quantity.signal;
        continue;
      }
    throw InputError(fmt::format("there is no {} that could follow a signal; {}", quoted(quantity.name),
                                 suggestion(quantity.name, followableNames(model))));
  }
  for (const auto& [name, signals] : rotations)
    led.joints.push_back(followingRotation(
        name + ".rotation", *partNamed(model.bodies, name),
        {signals[0].value_or(Signal()), signals[1].value_or(Signal()), signals[2].value_or(Signal())}));
  return led;
}

}  // namespace polhode
