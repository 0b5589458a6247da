#include "actuator_reader.h"

#include "polhode/control/follower.h"
#include "polhode/error.h"
#include "polhode/io/signal_file.h"
#include "polhode/model/suggestion.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr const char* followExample =
    "{ signal = \"hand.csv\" }, { formula = [\"0.1*sin(t)\", \"0\", \"1\"] }, { table = [[0, 0, 0, 1], [1, 0.2, 0, 1]] "
    "} or "
    "\"live\"";

/// Three components, each a formula or a number.
VectorSignal readFormulas(const Field& field) {
  std::vector<Signal> components;
  for (const Field& component : field.elements(3, "three formulas, [\"0.1*sin(t)\", \"0\", \"1\"]")) {
    if (!component.value().string()) {
      components.emplace_back(component.number());
      continue;
    }
    try {
      components.push_back(Signal::formula(component.text()));
    } catch (const InputError& error) {
      component.fail(fmt::format("is wrong: {}", error.what()));
    }
  }
  return {components[0], components[1], components[2]};
}

/// Rows of time and position, linear in between.
VectorSignal readTable(const Field& field) {
  const Value::Array* rows = field.value().array();
  const std::size_t count = rows ? rows->size() : 1;
  std::vector<double> times;
  std::vector<Vector3> positions;
  for (const Field& row : field.elements(count, "rows of time and position, [[0, 0, 0, 1], [1, 0.2, 0, 1]]")) {
    const std::vector<double> numbers = row.numbers(4);
    times.push_back(numbers[0]);
    positions.emplace_back(numbers[1], numbers[2], numbers[3]);
  }
  try {
    return VectorSignal::table(times, positions);
  } catch (const InputError& error) {
    field.fail(fmt::format("is wrong: {}", error.what()));
  }
}

FollowedSignal readFollow(const Field& field, const std::string& folder) {
  if (const std::string* word = field.value().string()) {
    if (*word == "live") return LiveSource{};
    field.fail(fmt::format("is the unknown word {}; write {}", quoted(*word), followExample));
  }
  const ModelSection section = field.section({"signal", "formula", "table"}, followExample);
  const Field given = section.exactlyOne({"signal", "formula", "table"});
  if (section.has("formula")) return readFormulas(given);
  if (section.has("table")) return readTable(given);
  const std::filesystem::path path(given.text());
  try {
    return readSignalFile((path.is_absolute() ? path : std::filesystem::path(folder) / path).string());
  } catch (const InputError& error) {
    given.fail(fmt::format("cannot be used: {}", error.what()));
  }
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
  const bool isOneStep = isH1 || control.method == "l2", isHorizon = control.method == "receding-horizon";
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
  read("time_constant", isHorizon, control.timeConstant);
  read("largest_force", isHorizon, control.largestForce);
  if (control.epsilon > 1.0) section.failAtKey("epsilon", "has an epsilon above 1; give a share from 0 to 1");
  return control;
}

}  // namespace

const std::vector<std::string>& actuatorKeys() {
  static const std::vector<std::string> keys = {"name", "body", "point", "follow", "control"};
  return keys;
}

Actuator readActuator(const ModelSection& section, const Model& model, const std::string& folder) {
  Actuator actuator;
  actuator.name = section.require("name", "name = \"hand\"").text();
  const Field body = section.require("body", "body = \"top\"");
  actuator.body = body.text();
  std::vector<std::string> names;
  for (const Body& candidate : model.bodies) names.push_back(candidate.name);
  const auto found = std::find(names.begin(), names.end(), actuator.body);
  if (found == names.end())
    body.fail(
        fmt::format("is the unknown body {}; {}", polhode::quoted(actuator.body), suggestion(actuator.body, names)));
  actuator.point = model.bodies[static_cast<std::size_t>(found - names.begin())].position;
  if (const auto point = section.find("point")) actuator.point = point->vector3();
  actuator.follow = readFollow(section.require("follow", fmt::format("follow = {}", followExample)), folder);
  if (const auto control = section.find("control")) actuator.control = readControl(*control);
  return actuator;
}

}  // namespace polhode
