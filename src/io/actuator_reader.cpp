#include "actuator_reader.h"

#include "control/control_methods.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/model/joint_type.h"
#include "signal_reader.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {
namespace {

/// What to write for a signal of one or of three components.
std::string signalExample(bool scalar) {
  return scalar ? "{ signal = \"angle.csv\" }, { formula = \"0.1*sin(t)\" } or { table = [[0, 0], [1, 0.2]] }"
                : "{ signal = \"hand.csv\" }, { formula = [\"0.1*sin(t)\", \"0\", \"1\"] } or { table = [[0, 0, 0, 1], "
                  "[1, "
                  "0.2, 0, 1]] }";
}

/// A formula or a number.
Signal readComponent(const Field& field) {
  if (!field.value().string()) return Signal(field.number());
  try {
    return Signal::formula(field.text(), field.context().parameters);
  } catch (const InputError& error) {
    field.fail(fmt::format("is wrong: {}", error.what()));
  }
}

VectorSignal readFormulas(const Field& field, bool scalar) {
  if (scalar) return {readComponent(field), Signal(), Signal()};
  const std::vector<Field> components = field.elements(3, "three formulas, [\"0.1*sin(t)\", \"0\", \"1\"]");
  return {readComponent(components[0]), readComponent(components[1]), readComponent(components[2])};
}

/// Rows of time and values, linear in between.
VectorSignal readTable(const Field& field, bool scalar) {
  const Value::Array* rows = field.value().array();
  const std::size_t count = rows ? rows->size() : 1;
  const std::string example =
      scalar ? "rows of time and value, [[0, 0], [1, 0.2]]" : "rows of time and vector, [[0, 0, 0, 1], [1, 0.2, 0, 1]]";
  std::vector<double> times;
  std::vector<Vector3> values;
  for (const Field& row : field.elements(count, example)) {
    const std::vector<double> numbers = row.numbers(scalar ? 2 : 4);
    times.push_back(numbers[0]);
    values.emplace_back(numbers[1], scalar ? 0.0 : numbers[2], scalar ? 0.0 : numbers[3]);
  }
  try {
    return VectorSignal::table(times, values);
  } catch (const InputError& error) {
    field.fail(fmt::format("is wrong: {}", error.what()));
  }
}

FollowedSignal readFollowed(const Field& field, bool scalar) {
  if (const std::string* word = field.value().string()) {
    if (*word == "live") return LiveSource{};
    field.fail(fmt::format("is the unknown word {}; write {} or \"live\"", quoted(*word), signalExample(scalar)));
  }
  const ModelSection section = field.section({"signal", "formula", "table", "spline", "ends"}, signalExample(scalar));
  const Field given = section.exactlyOne({"signal", "formula", "table", "spline"});
  refuseEndsWithoutSpline(section);
  if (section.has("spline")) return readSpline(section, scalar ? 1 : 3);
  if (section.has("formula")) return readFormulas(given, scalar);
  if (section.has("table")) return readTable(given, scalar);
  return readNamedSignal(given, scalar ? 1 : 3);
}

/// A signal that is known beforehand; samples keep their jumps.
VectorSignal readKnownSignal(const Field& field, bool scalar) {
  const FollowedSignal signal = readFollowed(field, scalar);
  if (const auto* function = std::get_if<VectorSignal>(&signal)) return *function;
  const auto* path = std::get_if<SampledPath>(&signal);
  if (!path) field.fail(fmt::format("cannot come while the simulation runs; write {}", signalExample(scalar)));
  std::vector<double> times;
  std::vector<Vector3> values;
  for (std::size_t i = 0; i < path->size(); ++i) {
    times.push_back(path->time(i));
    values.push_back(path->position(i));
  }
  return VectorSignal::samples(times, values);
}

ControlSettings readControl(const Field& field) {
  const ModelSection section = field.section({"method", "rho0", "rho1", "epsilon", "time_constant", "largest_force"},
                                             "{ method = \"receding-horizon\", time_constant = 0.03 }");
  ControlSettings control;
  const Field method = section.require("method", "method = \"receding-horizon\"");
  control.method = method.text();
  const auto& known = controlMethods();
  if (std::find(known.begin(), known.end(), control.method) == known.end())
    method.fail(
        fmt::format("is the unknown word {}; {}", polhode::quoted(control.method), suggestion(control.method, known)));

  const bool isH1 = control.method == "h1-neumann" || control.method == "h1-mixed";
  const bool isOneStep = isH1 || control.method == "l2";
  const bool isForceLaw = control.method == "receding-horizon" || control.method == "critically-damped";
  const auto read = [&](const char* key, bool belongs, double& number) {
    const auto given = section.find(key);
    if (!given) return;
    if (!belongs)
      section.failAtKey(key, fmt::format("has the key '{}', which the method {} does not have; remove it", key,
                                         polhode::quoted(control.method)));
    number = given->positiveNumber();
  };
  if (control.method == "h1-mixed") {
    control.rho0 = 5e-6;
    control.rho1 = 6e-12;
  }
  read("rho0", isOneStep, control.rho0);
  read("rho1", isH1, control.rho1);
  read("epsilon", control.method == "servo", control.epsilon);
  read("time_constant", isForceLaw, control.timeConstant);
  read("largest_force", isForceLaw, control.largestForce);
  if (control.epsilon > 1.0) section.failAtKey("epsilon", "has an epsilon above 1; give a share from 0 to 1");
  return control;
}

/// Which of the parts of a model has the name that a key gives.
template <class Part>
const Part& readPart(const Field& field, const char* kind, const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) names.push_back(part.name);
  const std::string name = field.text();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    field.fail(fmt::format("is the unknown {} {}; {}", kind, quoted(name), suggestion(name, names)));
  return parts[static_cast<std::size_t>(found - names.begin())];
}

/// The joint of `joint = ".."`, and its coordinate.
void readJointOf(const ModelSection& section, const Model& model, std::string& joint, std::string& coordinate) {
  const Field field = section.require("joint", "joint = \"hip\"");
  const Joint& held = readPart(field, "joint", model.joints);
  const std::vector<JointCoordinateInfo>& coordinates = findJointType(held.type)->coordinates;
  if (coordinates.empty())
    field.fail(fmt::format("is a {} joint, which has no coordinate; choose another joint", held.type));
  joint = held.name;
  coordinate = coordinates.front().name;
  if (const auto given = section.find("coordinate")) coordinate = readPart(*given, "coordinate", coordinates).name;
}

/// Refuses keys that do not go with another one.
void refuseBeside(const ModelSection& section, const char* present, const std::vector<const char*>& keys) {
  for (const char* key : keys)
    if (section.has(key))
      section.failAtKey(key,
                        fmt::format("has the key '{}', which does not go with '{}'; remove one of them", key, present));
}

/// What is led: a point or the orientation of a body, or a coordinate of a joint.
void readHeld(const ModelSection& section, const Model& model, Actuator& actuator) {
  if (section.has("joint")) {
    refuseBeside(section, "joint", {"body", "point", "quantity"});
    actuator.quantity = LedQuantity::coordinate;
    readJointOf(section, model, actuator.joint, actuator.coordinate);
    return;
  }
  refuseBeside(section, "body", {"coordinate"});
  const Body& body = readPart(section.require("body", "body = \"top\""), "body", model.bodies);
  actuator.body = body.name;
  actuator.point = body.position;
  if (const auto quantity = section.find("quantity")) {
    const std::string word = quantity->text();
    if (word != "point" && word != "orientation")
      quantity->fail(
          fmt::format("is the unknown word {}; {}", quoted(word), suggestion(word, {"point", "orientation"})));
    if (word == "orientation") actuator.quantity = LedQuantity::orientation;
  }
  if (actuator.quantity == LedQuantity::orientation && section.has("point"))
    section.failAtKey("point", "has the key 'point', but an orientation has none; remove it");
  if (const auto point = section.find("point")) actuator.point = point->vector3();
}

}  // namespace

const std::vector<std::string>& actuatorKeys() {
  static const std::vector<std::string> keys = {"name",   "body",    "point", "quantity", "joint", "coordinate",
                                                "follow", "control", "force", "torque",   "effort"};
  return keys;
}

bool isKinetic(const ModelSection& section) {
  return section.has("force") || section.has("torque") || section.has("effort");
}

Force readKineticActuator(const ModelSection& section, const Model& model) {
  const Field given = section.exactlyOne({"force", "torque", "effort"});
  Force force;
  force.name = section.require("name", "name = \"push\"").text();
  if (section.has("effort")) {
    refuseBeside(section, "effort", {"body", "point", "quantity", "follow", "control"});
    force.type = "joint-motor";
    readJointOf(section, model, force.joint, force.coordinate);
    force.effort = 1.0;
    force.scale = readKnownSignal(given, true)[0];
    return force;
  }
  const bool pulls = section.has("force");
  refuseBeside(section, pulls ? "force" : "torque", {"joint", "coordinate", "quantity", "follow", "control"});
  if (!pulls) refuseBeside(section, "torque", {"point"});
  const Body& body = readPart(section.require("body", "body = \"top\""), "body", model.bodies);
  force.type = pulls ? "load" : "torque";
  force.second = body.name;
  force.secondPoint = body.position;
  if (const auto point = section.find("point")) force.secondPoint = point->vector3();
  force.vectorOverTime = readKnownSignal(given, false);
  return force;
}

Actuator readActuator(const ModelSection& section, const Model& model) {
  Actuator actuator;
  actuator.name = section.require("name", "name = \"hand\"").text();
  readHeld(section, model, actuator);
  const bool scalar = actuator.quantity == LedQuantity::coordinate;
  actuator.follow = readFollowed(section.require("follow", fmt::format("follow = {}", signalExample(scalar))), scalar);
  if (const auto control = section.find("control")) actuator.control = readControl(*control);
  return actuator;
}

}  // namespace polhode
