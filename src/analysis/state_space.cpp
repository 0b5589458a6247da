#include "analysis/state_space.h"

#include "analysis/instant_watch.h"
#include "analysis/observation_changes.h"
#include "model/force_type.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/force_site.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

const std::vector<std::string> inputAxes = {"x", "y", "z"};

/// What a unit of an input does to all bodies.
class InputWrenches {
 public:
  InputWrenches(const Model& model, const Mechanism& mechanism, const LinearMotion& motion)
      : model_(model), motion_(motion), site_(mechanism) {}

  VectorX of(const std::string& name) const {
    if (name.starts_with("load:")) return ofLoad(name, name.substr(5));
    if (name.starts_with("motor:")) return ofJoint(name, name.substr(6));
    for (const Force& force : model_.forces)
      if (force.name == name || withoutAxis(name) == force.name) return ofForce(name, force);
    for (const Actuator& actuator : model_.actuators)
      if (actuator.name == name || withoutAxis(name) == actuator.name) return ofActuator(name, actuator);
    std::vector<std::string> known;
    for (const Force& force : model_.forces) known.push_back(force.name);
    for (const Actuator& actuator : model_.actuators) known.push_back(actuator.name);
    for (const Joint& joint : model_.joints) known.push_back("motor:" + joint.name);
    for (const Body& body : model_.bodies) known.push_back("load:" + body.name + ".force.x");
    throw InputError(fmt::format("there is no input {}; {}", quoted(name), suggestion(name, known)));
  }

 private:
  static int axisOf(const std::string& name) {
    const auto dot = name.rfind('.');
    const auto found = dot == std::string::npos ? inputAxes.end()
                                                : std::find(inputAxes.begin(), inputAxes.end(), name.substr(dot + 1));
    return found == inputAxes.end() ? -1 : static_cast<int>(found - inputAxes.begin());
  }
  static std::string withoutAxis(const std::string& name) {
    return axisOf(name) < 0 ? name : name.substr(0, name.rfind('.'));
  }
  static int requireAxis(const std::string& name) {
    if (axisOf(name) < 0)
      throw InputError(fmt::format("input {} has three components; write {}.x, .y or .z", quoted(name), name));
    return axisOf(name);
  }

  /// Of a force of the model, or one that is made for this.
  VectorX wrenches(const Force& force) const {
    const auto element = typeOf(force)->make(force, site_);
    const ElementWrenches both = element->wrenches(motion_.time, motionOf(motion_.bodies, element->first()),
                                                   motionOf(motion_.bodies, element->second()));
    VectorX all = VectorX::Zero(6 * static_cast<Eigen::Index>(motion_.bodies.size()));
    const auto add = [&](int body, const Wrench& wrench) {
      if (body == groundIndex) return;
      all.segment<3>(6 * body) += wrench.force;
      all.segment<3>(6 * body + 3) += wrench.torque;
    };
    add(element->first(), both.first);
    add(element->second(), both.second);
    return all;
  }

  VectorX ofForce(const std::string& name, const Force& force) const {
    Force with = force;
    if (force.vectorOverTime) {
      with.vectorOverTime.reset();
      with.vector = Vector3::Unit(requireAxis(name));
    } else if (force.effort != 0.0) {
      with.effort = 1.0;
    }
    Force without = with;
    with.scale = Signal(1.0);
    without.scale = Signal(0.0);
    const VectorX wrench = wrenches(with) - wrenches(without);
    if (wrench.isZero(0.0))
      throw InputError(
          fmt::format("force {} is no input, since nothing of it can be commanded; name a motor, a load or a "
                      "torque, or motor:JOINT or load:BODY.force.x",
                      quoted(force.name)));
    return wrench;
  }

  VectorX ofJoint(const std::string& name, std::string joint) const {
    Force motor;
    motor.name = name;
    motor.type = "joint-motor";
    motor.effort = 1.0;
    const auto isJoint = [&](const Joint& each) { return each.name == joint; };
    if (const auto dot = joint.rfind('.');
        dot != std::string::npos && std::none_of(model_.joints.begin(), model_.joints.end(), isJoint)) {
      motor.coordinate = joint.substr(dot + 1);
      joint = joint.substr(0, dot);
    }
    motor.joint = joint;
    return wrenches(motor);
  }

  VectorX ofActuator(const std::string& name, const Actuator& actuator) const {
    if (actuator.quantity == LedQuantity::coordinate)
      return ofJoint(name, actuator.coordinate.empty() ? actuator.joint : actuator.joint + "." + actuator.coordinate);
    Force pull;
    pull.name = name;
    pull.type = actuator.quantity == LedQuantity::point ? "load" : "torque";
    pull.second = actuator.body;
    pull.secondPoint = actuator.point;
    pull.vector = Vector3::Unit(requireAxis(name));
    return wrenches(pull);
  }

  VectorX ofLoad(const std::string& name, const std::string& rest) const {
    const int axis = requireAxis(name);
    const std::string front = rest.substr(0, rest.rfind('.'));
    const auto dot = front.rfind('.');
    const std::string body = front.substr(0, dot), what = dot == std::string::npos ? "" : front.substr(dot + 1);
    if (what != "force" && what != "torque")
      throw InputError(fmt::format("input {} says neither force nor torque; write load:BODY.force.x", quoted(name)));
    std::vector<std::string> known;
    for (const Body& each : model_.bodies) known.push_back(each.name);
    const auto found = std::find(known.begin(), known.end(), body);
    if (found == known.end())
      throw InputError(fmt::format("input {} pulls at no body; {}", quoted(name), suggestion(body, known)));
    return VectorX::Unit(6 * static_cast<Eigen::Index>(known.size()),
                         6 * (found - known.begin()) + (what == "torque" ? 3 : 0) + axis);
  }

  const Model& model_;
  const LinearMotion& motion_;
  ForceSite site_;
};

/// The observables of those names.
std::vector<Observable> namedObservables(const Observation& sample, const std::vector<std::string>& names) {
  const std::vector<Observable> all = observables(sample);
  std::vector<Observable> result;
  for (const std::string& name : names) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Observable& each) { return each.name == name; });
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const Observable& each : all) known.push_back(each.name);
      throw InputError(fmt::format("there is no output {}; {}", quoted(name), suggestion(name, known)));
    }
    result.push_back(*found);
  }
  return result;
}

}  // namespace

StateSpace stateSpace(const Model& model, std::shared_ptr<const Mechanism> mechanism, const LinearMotion& motion,
                      const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  const Eigen::Index f = motion.freedoms(), m = static_cast<Eigen::Index>(inputs.size()),
                     p = static_cast<Eigen::Index>(outputs.size());
  StateSpace result;
  result.A = motion.systemMatrix();
  result.inputs = inputs;
  result.outputs = outputs;
  for (const char* rate : {"", "'"})
    for (Eigen::Index j = 0; j < f; ++j) result.states.push_back(fmt::format("s{}{}", j + 1, rate));

  MatrixX wrenches(motion.basis.rows(), m);
  const InputWrenches unit(model, *mechanism, motion);
  for (Eigen::Index i = 0; i < m; ++i) wrenches.col(i) = unit.of(inputs[static_cast<std::size_t>(i)]);
  result.B = MatrixX::Zero(2 * f, m);
  if (f > 0) result.B.bottomRows(f) = motion.mass.ldlt().solve(motion.basis.transpose() * wrenches);

  result.C = MatrixX::Zero(p, 2 * f);
  result.D = MatrixX::Zero(p, m);
  if (p == 0) return result;
  Observation here = observeInstant(mechanism, motion.time, motion.bodies, Detail::forces);
  SensorWatch(model, here).tell(here);
  const std::vector<Observable> read = namedObservables(here, outputs);
  const ObservationChanges beside(model, mechanism, motion.time, motion.bodies, here);
  const VectorX none = VectorX::Zero(motion.basis.rows());
  const auto changes = [&](const VectorX& place, const VectorX& velocity, const VectorX& pull) {
    const Observation all = beside.along(place, velocity, pull);
    VectorX y(p);
    for (Eigen::Index i = 0; i < p; ++i) {
      const Observable& each = read[static_cast<std::size_t>(i)];
      y[i] = each.change(here, all) + 0.0 * each.value(here);  // what is not known does not change in a way that is
    }
    return y;
  };
  for (Eigen::Index j = 0; j < f; ++j) {
    result.C.col(j) = changes(motion.basis.col(j), motion.velocities.col(j), none);
    result.C.col(f + j) = changes(none, motion.basis.col(j), none);
  }
  for (Eigen::Index i = 0; i < m; ++i) result.D.col(i) = changes(none, none, wrenches.col(i));
  if (!result.C.allFinite() || !result.D.allFinite())
    throw SimulationError(motion.time, "an output is not known, or not finite, beside the motion; choose another one");
  return result;
}

}  // namespace polhode
