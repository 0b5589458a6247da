#include "sensor_reader.h"

#include "model/formula.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace polhode {
namespace {

/// What each type of sensor is called, and the keys that it has besides its name and type.
struct SensorType {
  const char* name;
  SensorKind kind;
  std::vector<std::string> keys;
};

const std::vector<SensorType>& sensorTypes() {
  static const std::vector<SensorType> types = {{"position", SensorKind::position, {"body", "point"}},
                                                {"velocity", SensorKind::velocity, {"body", "point"}},
                                                {"acceleration", SensorKind::acceleration, {"body", "point"}},
                                                {"force", SensorKind::force, {"joint", "force"}},
                                                {"torque", SensorKind::torque, {"joint", "force"}},
                                                {"formula", SensorKind::formula, {"formula", "of"}}};
  return types;
}

const SensorType& readType(const Field& field) {
  const std::string word = field.text();
  std::vector<std::string> known;
  for (const SensorType& type : sensorTypes()) {
    if (word == type.name) return type;
    known.push_back(type.name);
  }
  field.fail(fmt::format("is the unknown word {}; {}", quoted(word), suggestion(word, known)));
}

/// The name of a part of the model that a key gives.
template <class Part>
const Part& readPartOf(const Field& field, const char* kind, const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    if (part.name == field.text()) return part;
    names.push_back(part.name);
  }
  field.fail(fmt::format("is the unknown {} {}; {}", kind, quoted(field.text()), suggestion(field.text(), names)));
}

/// formula = "0.5*m*v^2", of = { v = "top.velocity.x" }
void readFormulaOf(const ModelSection& section, Sensor& sensor) {
  const Field formula = section.require("formula", "formula = \"sqrt(x^2 + y^2)\"");
  sensor.formula = formula.text();
  sensor.parameters = formula.context().parameters;
  std::vector<std::string> words;
  if (const auto of = section.find("of")) {
    const std::string example = "{ h = \"top.position.z\" }";
    if (!of->value().table()) of->fail(fmt::format("must be a table {}, not {}", example, of->value().description()));
    for (const Entry& entry : *of->value().table()) words.push_back(entry.key);
    const ModelSection names = of->section(words, example);
    for (const std::string& word : words) {
      const bool isWord =
          std::isalpha(static_cast<unsigned char>(word[0])) &&
          std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
      const bool isTaken = sensor.parameters.contains(word) || (word != "x" && Formula::isReserved(word));
      if (!isWord || isTaken)
        names.failAtKey(word,
                        fmt::format("has the name {}, which {}; choose another one", quoted(word),
                                    isWord ? "means something else in its formula" : "cannot stand in a formula"));
      sensor.of.emplace(word, names.find(word)->text());
    }
  }
  try {
    Formula(sensor.formula, "t", sensor.parameters, words);
  } catch (const InputError& error) {
    formula.fail(fmt::format("is wrong: {}", error.what()));
  }
}

}  // namespace

const std::vector<std::string>& sensorKeys() {
  static const std::vector<std::string> keys = {"name", "type", "body", "point", "joint", "force", "formula", "of"};
  return keys;
}

Sensor readSensor(const ModelSection& section, const Model& model) {
  Sensor sensor;
  sensor.name = section.require("name", "name = \"tip\"").text();
  const SensorType& type = readType(section.require("type", "type = \"position\""));
  sensor.kind = type.kind;
  for (const Entry& entry : *section.table().table())
    if (entry.key != "name" && entry.key != "type" &&
        std::find(type.keys.begin(), type.keys.end(), entry.key) == type.keys.end())
      section.failAtKey(entry.key, fmt::format("has the key '{}', which a sensor of type '{}' does not have; remove it",
                                               entry.key, type.name));
  if (type.kind == SensorKind::formula) {
    readFormulaOf(section, sensor);
  } else if (type.keys.front() == "body") {
    const Body& body = readPartOf(section.require("body", "body = \"top\""), "body", model.bodies);
    sensor.body = body.name;
    sensor.point = body.position;
    if (const auto point = section.find("point")) sensor.point = point->vector3();
  } else if (const Field part = section.exactlyOne({"joint", "force"}); section.has("joint")) {
    sensor.joint = readPartOf(part, "joint", model.joints).name;
  } else {
    sensor.element = readPartOf(part, "force", model.forces).name;
  }
  return sensor;
}

}  // namespace polhode
