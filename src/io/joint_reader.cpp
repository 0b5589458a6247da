#include "joint_reader.h"

#include "math/euler_map.h"
#include "model/suggestion.h"
#include "polhode/model/joint_type.h"
#include "signal_reader.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace polhode {
namespace {

/// Points move with the origin of a body's frame, directions do not.
enum class Geometry { points, directions };

Vector3 inSpace(const Vector3& given, const Body* body, Geometry geometry) {
  if (!body) return given;
  const Vector3 turned = rotationMatrix(body->orientation) * given;
  return geometry == Geometry::points ? Vector3(body->position + turned) : turned;
}

/// Two vectors, one for each body of a joint: [[..], [..]] in space, or { body = [[..], [..]] } each in the frame of its
/// own body. The result is in space.
std::array<Vector3, 2> readPair(const Field& field, const Joint& joint, const FindBody& findBody, Geometry geometry) {
  const std::string example =
      geometry == Geometry::points ? "two points, [[0, 0, 0], [0, 0, 1]]" : "two directions, [[1, 0, 0], [0, 1, 0]]";
  const bool inBodies = field.value().table();
  const Field given =
      inBodies ? field.section({"body"}, "{ body = [[..], [..]] }").require("body", "body = [[..], [..]]") : field;
  const std::vector<Field> two = given.elements(2, example);
  std::array<Vector3, 2> pair = {two[0].vector3(), two[1].vector3()};
  if (inBodies) {
    pair[0] = inSpace(pair[0], findBody(joint.first), geometry);
    pair[1] = inSpace(pair[1], findBody(joint.second), geometry);
  }
  return pair;
}

/// Refuses keys that joints of this type do not have.
void refuseKeys(const ModelSection& section, const std::string& type, const std::vector<const char*>& keys) {
  for (const char* key : keys)
    if (section.has(key))
      section.failAtKey(key, fmt::format("has the key '{}', which a {} joint does not have; remove it", key, type));
}

void readPoints(const ModelSection& section, const FindBody& findBody, JointNeeds needs, Joint& joint) {
  if (needs == JointNeeds::twoPoints) {
    refuseKeys(section, joint.type, {"point"});
    section.require("points", "points = [[0, 0, 0], [0, 0, 1]]");
  } else if (!section.has("points")) {
    joint.point = section.require("point", "point = [0, 0, 0]").vector3();
    return;
  } else if (section.has("point")) {
    section.failAtKey("points", "has both 'point' and 'points'; give only one of them");
  }
  const auto [first, second] = readPair(*section.find("points"), joint, findBody, Geometry::points);
  joint.point = first;
  joint.secondPoint = second;
}

void readAxes(const ModelSection& section, const FindBody& findBody, JointNeeds needs, Joint& joint) {
  if (needs == JointNeeds::point || needs == JointNeeds::twoPoints) {
    refuseKeys(section, joint.type, {"axis", "axes"});
    return;
  }
  if (needs == JointNeeds::pointAndTwoAxes) {
    refuseKeys(section, joint.type, {"axis"});
    section.require("axes", "axes = [[1, 0, 0], [0, 1, 0]], the arms of the cross in the first and in the second body");
  } else if (!section.has("axes")) {
    joint.axis = section.require("axis", "axis = [0, 0, 1]").vector3();
    return;
  } else if (section.has("axis")) {
    section.failAtKey("axes", "has both 'axis' and 'axes'; give only one of them");
  }
  const auto [first, second] = readPair(*section.find("axes"), joint, findBody, Geometry::directions);
  joint.axis = first;
  joint.secondAxis = second;
}

/// drive = { angle = { formula = "2*t", until = 3 } }
void readDrives(const ModelSection& section, const JointType& type, Joint& joint) {
  const auto field = section.find("drive");
  if (!field) return;
  if (type.coordinates.empty()) refuseKeys(section, joint.type, {"drive"});
  std::vector<std::string> known;
  for (const JointCoordinateInfo& each : type.coordinates) known.push_back(each.name);
  const ModelSection drives = field->section(known, fmt::format("{{ {} = {{ formula = \"2*t\" }} }}", known.front()));
  for (const std::string& coordinate : known)
    if (const auto drive = drives.find(coordinate)) {
      joint.drives.push_back({coordinate, readSignal(*drive, {"until"})});
      if (!drive->value().table()) continue;
      if (const auto until = signalSection(*drive, {"until"}).find("until"))
        joint.drives.back().until = until->number();
    }
}

}  // namespace

std::array<std::string, 2> readEnds(const Field& bodies) {
  const std::vector<Field> names = bodies.elements(2, "the names of two bodies, [\"ground\", \"top\"]");
  return {names[0].text(), names[1].text()};
}

const std::vector<std::string>& jointKeys() {
  static const std::vector<std::string> keys = {"name", "type", "bodies", "point", "points",
                                                "axis", "axes", "length", "drive", "start"};
  return keys;
}

std::optional<JointStart> readStart(const ModelSection& section, const Joint& joint) {
  const auto field = section.find("start");
  const JointType* type = findJointType(joint.type);
  if (!field || !type) return std::nullopt;
  const std::vector<std::string> names = startingCoordinates(*type);
  if (names.empty()) refuseKeys(section, joint.type, {"start"});
  std::vector<std::string> known = names;
  for (const std::string& name : names) known.push_back(name + "_rate");
  const ModelSection given = field->section(known, fmt::format("{{ {0} = 0.3, {0}_rate = 2 }}", names.front()));
  JointStart start;
  for (const std::string& name : names) {
    const auto value = given.find(name), rate = given.find(name + "_rate");
    start.values.push_back(value ? std::optional(value->number()) : std::nullopt);
    start.rates.push_back(rate ? std::optional(rate->number()) : std::nullopt);
    const bool turns = name.ends_with("angle");
    if (turns && value && !(std::abs(*start.values.back()) <= std::numbers::pi))
      value->fail(
          fmt::format("must be between -pi and pi, not {}; an angle begins without full turns", *start.values.back()));
    for (const CoordinateDrive& drive : joint.drives)
      if (const double driven = drive.follow.rate(0.0);
          drive.coordinate == name && rate && !(std::abs(driven - *start.rates.back()) <= 1e-9))
        rate->fail(fmt::format("is {}, but the drive begins with {}; leave it out", *start.rates.back(), driven));
  }
  return start;
}

Joint readJoint(const ModelSection& section, const FindBody& findBody) {
  Joint joint;
  joint.name = section.require("name", "name = \"tip\"").text();
  joint.type = section.require("type", "type = \"spherical\"").text();
  const auto ends = readEnds(section.require("bodies", "bodies = [\"ground\", \"top\"]"));
  joint.first = ends[0], joint.second = ends[1];
  const JointType* type = findJointType(joint.type);
  if (!type) return joint;  // refused by its type, so that its other keys do not matter
  readPoints(section, findBody, type->needs, joint);
  readAxes(section, findBody, type->needs, joint);
  if (type->needs != JointNeeds::twoPoints) refuseKeys(section, joint.type, {"length"});
  if (const auto length = section.find("length")) joint.length = readSignal(*length);
  readDrives(section, *type, joint);
  return joint;
}

}  // namespace polhode
