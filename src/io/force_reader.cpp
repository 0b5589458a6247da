#include "force_reader.h"

#include "math/euler_map.h"
#include "model/force_type.h"
#include "model/suggestion.h"
#include "orientation_reader.h"
#include "polhode/error.h"
#include "signal_reader.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {
namespace {

/// Each key belongs to the type, and none that the type needs is missing.
void checkKeys(const ModelSection& section, const ForceType& type) {
  const auto has = [&](const std::string& name) {
    return std::any_of(type.keys.begin(), type.keys.end(), [&](const ForceKey& key) { return key.name == name; });
  };
  for (const Entry& entry : *section.table().table())
    if (entry.key != "name" && entry.key != "type" && !has(entry.key))
      section.failAtKey(entry.key,
                        fmt::format("has the key '{}', which a {} does not have; remove it", entry.key, type.name));
  const bool hasLaw = section.has("law");
  for (const ForceKey& key : type.keys)
    if (!key.example.empty() && !(key.name == "stiffness" && hasLaw)) section.require(key.name, key.example);
  for (const char* side : {"pulls_only", "pushes_only"}) {
    const auto only = section.find(side);
    if (!only || !only->boolean()) continue;
    if (section.has("damping"))
      section.failAtKey("damping", fmt::format("has damping, which a spring with {} = true does not have, since it is "
                                               "slack at times; put a damper beside it",
                                               side));
    if (const auto stiffness = section.find("stiffness")) stiffness->positiveNumber();
  }
  if (section.has("pulls_only") && section.has("pushes_only"))
    section.failAtKey("pushes_only", "has both 'pulls_only' and 'pushes_only'; give only one of them");
  if (hasLaw && section.has("stiffness"))
    section.failAtKey("law", "has both 'stiffness' and 'law'; give only one of them");
}

ForceLaw readLaw(const Field& field) {
  const std::vector<std::string> kinds = {"polynomial", "table", "formula"};
  const ModelSection section = field.section(
      kinds, "{ polynomial = [100, 0, 5] }, { table = [[-1, -10], [1, 10]] } or { formula = \"200*x + 5e3*x^3\" }");
  const Field given = section.exactlyOne(kinds);
  try {
    if (section.has("formula")) return ForceLaw::formula(given.text(), given.context().parameters);
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

// A value of each kind that keys of forces have.
void read(const Field& field, double& number) {
  number = field.number();
}
void read(const Field& field, bool& answer) {
  answer = field.boolean();
}
void read(const Field& field, std::string& text) {
  text = field.text();
}
void read(const Field& field, Vector3& vector) {
  vector = field.vector3();
}
void read(const Field& field, ForceLaw& law) {
  law = readLaw(field);
}
void read(const Field& field, Signal& signal) {
  signal = readSignal(field);
}
void read(const Field& field, Matrix3& axes) {
  axes = rotationMatrix(readOrientation(field));
}
void read(const Field& field, TwoNames& names) {
  names = readEnds(field);
}
void read(const Field& field, TwoPoints& points) {
  const std::vector<Field> ends = field.elements(2, "two points, [[0, 0, 1], [0, 0, 0.1]]");
  points = {ends[0].vector3(), ends[1].vector3()};
}
void read(const Field& field, OneOrThree& numbers) {
  numbers.value = field.value().array() ? field.vector3() : Vector3::Constant(field.number());
}
/// Where a spring is relaxed: a number, or where it is at t = 0, which is zero for a coordinate of a joint and found when all
/// joints are closed for a length.
void read(const Field& field, RestOrInitial& rest) {
  const std::string* word = field.value().string();
  try {
    rest.value = word && *word == initial ? 0.0 : field.number();
  } catch (const InputError&) {
    if (!word) throw;
    field.fail(fmt::format("must be a number or \"initial\", not {}", quoted(*word)));
  }
}
void read(const Field& field, DirectedVector& vector) {
  vector.inBody = field.value().table();
  vector.value = vector.inBody
                     ? field.section({"body"}, "{ body = [..] }").require("body", "body = [0, 0, 1]").vector3()
                     : field.vector3();
}

template <class Value>
void take(const Field& field, ForceSetter<Value> set, Force& force) {
  Value value{};
  read(field, value);
  set(force, value);
}

}  // namespace

const std::vector<std::string>& forceKeys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all = {"name", "type"};
    for (const ForceType& type : forceTypes())
      for (const ForceKey& key : type.keys)
        if (std::find(all.begin(), all.end(), key.name) == all.end()) all.push_back(key.name);
    return all;
  }();
  return keys;
}

Force readForce(const ModelSection& section, const FindBody& findBody) {
  Force force;
  force.name = section.require("name", "name = \"cord\"").text();
  force.type = section.require("type", "type = \"spring\"").text();
  const ForceType* type = typeOf(force);
  if (!type) return force;  // refused by its type, so that its other keys do not matter
  checkKeys(section, *type);
  for (const ForceKey& key : type->keys)
    if (const auto field = section.find(key.name))
      std::visit([&](const auto& set) { take(*field, set, force); }, key.set);
  if (type->actsOn == ActsOn::body && !section.has("point"))  // at the centre of mass
    if (const Body* body = findBody(force.second)) force.secondPoint = body->position;
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
