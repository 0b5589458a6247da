#include "coupling_reader.h"

#include "model/suggestion.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

/// joints = ["sun", "planet"], or joint = "spindle".
std::vector<std::string> readJointNames(const ModelSection& section) {
  if (!section.has("joint")) section.require("joints", "joints = [\"sun\", \"planet\"]");
  const Field field = section.exactlyOne({"joints", "joint"});
  if (section.has("joint")) return {field.text()};
  std::vector<std::string> names;
  for (const Field& name : field.elements(2, "the names of two joints, [\"sun\", \"planet\"]"))
    names.push_back(name.text());
  return names;
}

/// teeth = [20, 60] of wheels that mesh outside, or, with internal = true, of a wheel in a ring; or their ratio.
double readRatio(const ModelSection& section) {
  if (!section.has("ratio")) section.require("teeth", "teeth = [20, 60]");
  const Field field = section.exactlyOne({"teeth", "ratio"});
  if (section.has("ratio")) {
    if (section.has("internal"))
      section.failAtKey("internal", "has both 'ratio' and 'internal'; let the sign of the ratio say how they turn");
    return field.number();
  }
  const std::vector<double> teeth = field.numbers(2);
  for (const double number : teeth)
    if (!(number >= 1.0 && number <= mostTeeth && number == std::round(number)))
      field.fail(fmt::format("has a wheel of {} teeth; give whole numbers from 1 to {}", number, mostTeeth));
  const auto internal = section.find("internal");
  return (internal && internal->boolean() ? 1.0 : -1.0) * teeth[1] / teeth[0];
}

void refuseOtherKeys(const ModelSection& section, const std::string& type, const std::vector<std::string>& own) {
  for (const char* key : {"teeth", "internal", "ratio", "radius", "pitch"})
    if (section.has(key) && std::find(own.begin(), own.end(), key) == own.end())
      section.failAtKey(
          key, fmt::format("has the key '{}', which a coupling of type '{}' does not have; remove it", key, type));
}

}  // namespace

const std::vector<std::string>& couplingKeys() {
  static const std::vector<std::string> keys = {"name",     "type",  "joint",  "joints", "teeth",
                                                "internal", "ratio", "radius", "pitch"};
  return keys;
}

Coupling readCoupling(const ModelSection& section) {
  Coupling coupling;
  coupling.name = section.require("name", "name = \"mesh\"").text();
  const Field type = section.require("type", "type = \"gear\"");
  coupling.type = type.text();
  coupling.joints = readJointNames(section);
  if (coupling.type == "gear") {
    refuseOtherKeys(section, coupling.type, {"teeth", "internal", "ratio"});
    coupling.ratio = readRatio(section);
  } else if (coupling.type == "rack") {
    refuseOtherKeys(section, coupling.type, {"radius"});
    coupling.ratio = section.require("radius", "radius = 0.05").number();
  } else if (coupling.type == "screw") {
    refuseOtherKeys(section, coupling.type, {"pitch"});
    coupling.ratio = section.require("pitch", "pitch = 0.005").number();
  } else {
    std::vector<std::string> known;
    for (const CouplingType& each : couplingTypes()) known.push_back(each.name);
    type.fail(fmt::format("is the unknown word {}; {}", quoted(type.text()), suggestion(type.text(), known)));
  }
  return coupling;
}

}  // namespace polhode
