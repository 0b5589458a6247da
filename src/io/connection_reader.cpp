#include "connection_reader.h"

#include "polhode/model/suggestion.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {
namespace {

/// The names of the two bodies that something connects.
template <class Connection>
void readEnds(const ModelSection& section, Connection& connection) {
  const Field bodies = section.require("bodies", "bodies = [\"ground\", \"top\"]");
  const std::vector<Field> names = bodies.elements(2, "the names of two bodies, [\"ground\", \"top\"]");
  connection.first = names[0].text();
  connection.second = names[1].text();
}

/// Refuses a type of force other than "spring", known or not.
void checkForceType(const ModelSection& section) {
  const std::vector<std::string> known = {"spring", "damper", "bushing", "load", "torque"};
  const std::string type = section.require("type", "type = \"spring\"").text();
  if (type == "spring") return;
  if (std::find(known.begin(), known.end(), type) == known.end())
    section.failAtKey("type", fmt::format("has an unknown type {}; {}", quoted(type), suggestion(type, known)));
  section.failAtKey("type", fmt::format("has the type {}, but only a spring between 'ground' and a body is "
                                        "available in this version",
                                        quoted(type)));
}

}  // namespace

const std::vector<std::string>& jointKeys() {
  static const std::vector<std::string> keys = {"name", "type", "bodies", "point", "axis"};
  return keys;
}

const std::vector<std::string>& forceKeys() {
  static const std::vector<std::string> keys = {"name", "type", "bodies", "points", "stiffness", "length", "damping",
                                                "law",  "body", "force",  "torque", "point",     "scale"};
  return keys;
}

Joint readJoint(const ModelSection& section) {
  Joint joint;
  joint.name = section.require("name", "name = \"tip\"").text();
  joint.type = section.require("type", "type = \"spherical\"").text();
  if (joint.type == "spherical" && section.has("axis"))
    section.failAtKey("axis", "has an axis, which a spherical joint does not have; remove it");
  readEnds(section, joint);
  // joints of other types are refused by their type, so their keys do not matter
  if (joint.type == "spherical") joint.point = section.require("point", "point = [0, 0, 0]").vector3();
  return joint;
}

Spring readSpring(const ModelSection& section) {
  Spring spring;
  spring.name = section.require("name", "name = \"cord\"").text();
  checkForceType(section);
  for (const char* key : {"damping", "law"})
    if (section.has(key))
      section.failAtKey(key, fmt::format("has the key '{}', which is not available in this version; remove it", key));
  for (const char* key : {"body", "force", "torque", "point", "scale"})
    if (section.has(key))
      section.failAtKey(key, fmt::format("has the key '{}', which a spring does not have; remove it", key));

  readEnds(section, spring);
  const Field points = section.require("points", "points = [[0, 0, 1], [0, 0, 0.1]]");
  const std::vector<Field> ends = points.elements(2, "two points, [[0, 0, 1], [0, 0, 0.1]]");
  spring.firstPoint = ends[0].vector3();
  spring.secondPoint = ends[1].vector3();
  spring.stiffness = section.require("stiffness", "stiffness = 1.0e4").number();
  if (const auto length = section.find("length")) spring.length = length->number();
  return spring;
}

}  // namespace polhode
