#include "force_reader.h"

#include "polhode/error.h"
#include "polhode/math/euler_map.h"
#include "polhode/model/suggestion.h"
#include "polhode/system/force_type.h"

#include <algorithm>
#include <tuple>

#include "orientation_reader.h"
#include "signal_reader.h"
#include <fmt/format.h>

namespace polhode {
namespace {

using Keys = std::vector<std::string>;

bool contains(const Keys& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// What to write for a key that is missing.
std::string exampleOf(const std::string& key) {
  if (key == "bodies") return "bodies = [\"ground\", \"top\"]";
  if (key == "points") return "points = [[0, 0, 1], [0, 0, 0.1]]";
  if (key == "stiffness") return "stiffness = 1.0e4";
  if (key == "damping") return "damping = 10";
  if (key == "body") return "body = \"top\"";
  if (key == "joint") return "joint = \"hip\"";
  if (key == "effort") return "effort = 5.0";
  return key + " = [0, 0, 1]";
}

const ForceType& readType(const ModelSection& section) {
  const std::string name = section.require("type", "type = \"spring\"").text();
  if (const ForceType* type = findForceType(name)) return *type;
  Keys known;
  for (const ForceType& type : forceTypes()) known.push_back(type.name);
  section.failAtKey("type", fmt::format("has an unknown type {}; {}", quoted(name), suggestion(name, known)));
}

/// Each key belongs to the type, and none that the type needs is missing.
void checkKeys(const ModelSection& section, const ForceType& type) {
  for (const Entry& entry : *section.table().table())
    if (entry.key != "name" && entry.key != "type" && !contains(type.required, entry.key) &&
        !contains(type.optional, entry.key))
      section.failAtKey(entry.key,
                        fmt::format("has the key '{}', which a {} does not have; remove it", entry.key, type.name));
  const bool hasLaw = contains(type.optional, "law") && section.has("law");
  for (const std::string& key : type.required)
    if (!(key == "stiffness" && hasLaw)) section.require(key, exampleOf(key));
  if (hasLaw && section.has("stiffness"))
    section.failAtKey("law", "has both 'stiffness' and 'law'; give only one of them");
}

ForceLaw readLaw(const Field& field) {
  const std::vector<std::string> kinds = {"polynomial", "table", "formula"};
  const ModelSection section = field.section(
      kinds, "{ polynomial = [100, 0, 5] }, { table = [[-1, -10], [1, 10]] } or { formula = \"200*x + 5e3*x^3\" }");
  const Field given = section.exactlyOne(kinds);
  try {
    if (section.has("formula")) return ForceLaw::formula(given.text());
    if (section.has("table")) {
      std::vector<double> stretches, tensions;
      readPairs(given, stretches, tensions);
      return ForceLaw::table(stretches, tensions);
    }
    const Value::Array* numbers = given.value().array();
    return ForceLaw::polynomial(given.numbers(numbers ? numbers->size() : 1));
  } catch (const InputError& error) {
    const std::string text = error.what();
    if (text.starts_with(given.value().place.text())) throw;
    given.fail(text.starts_with("has a law") ? text : ": " + text);
  }
}

constexpr const char* initial = "initial";

/// Where a spring is relaxed: a number, or where it is at t = 0, which is zero for a coordinate of a joint and found when all
/// joints are closed for a length.
double readRest(const Field& field) {
  const std::string* word = field.value().string();
  if (!word) return field.number();
  if (*word != initial) field.fail(fmt::format("must be a number or \"initial\", not {}", quoted(*word)));
  return 0.0;
}

/// Three numbers, or one that stands for all.
Vector3 readThree(const Field& field) {
  return field.value().array() ? field.vector3() : Vector3::Constant(field.number());
}

/// A vector in space, [..], or in the body's axes, { body = [..] }.
void readVector(const Field& field, Force& force) {
  force.inBody = field.value().table();
  force.vector = force.inBody ? field.section({"body"}, "{ body = [..] }").require("body", "body = [0, 0, 1]").vector3()
                              : field.vector3();
}

void readBushing(const ModelSection& section, Force& force) {
  force.firstPoint = force.secondPoint = section.find("point")->vector3();
  force.stiffnesses = readThree(*section.find("stiffness"));
  if (const auto field = section.find("damping")) force.dampings = readThree(*field);
  if (const auto field = section.find("turning_stiffness")) force.turningStiffnesses = readThree(*field);
  if (const auto field = section.find("turning_damping")) force.turningDampings = readThree(*field);
  if (const auto field = section.find("orientation")) force.axes = rotationMatrix(readOrientation(*field));
}

/// Where a load or a torque acts: at a point, by default the centre of mass.
void readTarget(const ModelSection& section, const FindBody& findBody, Force& force) {
  force.second = section.find("body")->text();
  if (const Body* body = findBody(force.second)) force.secondPoint = body->position;
  if (const auto point = section.find("point")) force.secondPoint = point->vector3();
  readVector(section.exactlyOne({"force", "torque"}), force);
}

}  // namespace

const std::vector<std::string>& forceKeys() {
  static const std::vector<std::string> keys = [] {
    Keys all = {"name", "type"};
    for (const ForceType& type : forceTypes())
      for (const Keys& some : {type.required, type.optional})
        for (const std::string& key : some)
          if (!contains(all, key)) all.push_back(key);
    return all;
  }();
  return keys;
}

Force readForce(const ModelSection& section, const FindBody& findBody) {
  Force force;
  force.name = section.require("name", "name = \"cord\"").text();
  const ForceType& type = readType(section);
  force.type = type.name;
  checkKeys(section, type);

  // where it acts
  if (section.has("bodies")) std::tie(force.first, force.second) = readEnds(section);
  if (const auto points = section.find("points")) {
    const std::vector<Field> ends = points->elements(2, "two points, [[0, 0, 1], [0, 0, 0.1]]");
    force.firstPoint = ends[0].vector3();
    force.secondPoint = ends[1].vector3();
  }
  if (const auto joint = section.find("joint")) force.joint = joint->text();
  if (const auto coordinate = section.find("coordinate")) force.coordinate = coordinate->text();
  if (section.has("body")) readTarget(section, findBody, force);

  // how strong it is
  if (const auto scale = section.find("scale")) force.scale = readSignal(*scale);
  if (const auto effort = section.find("effort")) force.effort = effort->number();
  if (type.name == "bushing") {
    readBushing(section, force);
    return force;
  }
  if (const auto stiffness = section.find("stiffness")) force.law = ForceLaw::polynomial({stiffness->number()});
  if (const auto law = section.find("law")) force.law = readLaw(*law);
  if (const auto damping = section.find("damping")) force.damping = damping->number();
  for (const char* key : {"length", "rest"})
    if (const auto rest = section.find(key)) force.rest = readRest(*rest);
  return force;
}

bool isRelaxedAtTheStart(const ModelSection& section) {
  const auto isInitial = [&](const char* key) {
    const Value* rest = section.table().find(key);
    return rest && rest->string() && *rest->string() == initial;
  };
  return isInitial("length") || isInitial("rest");
}

}  // namespace polhode
