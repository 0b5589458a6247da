#include "server/part_description.h"

#include "io/recording_layout.h"
#include "math/principal_axes.h"
#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode::live {

namespace {

Properties propertiesOf(const Body& body) {
  const Matrix3 axes = principalAxes(body.inertia);
  const Vector3 moments = (axes.transpose() * body.inertia * axes).diagonal();
  return {{"mass", fmt::format("{:.6g} kg", body.mass)},
          {"principal moments", fmt::format("{:.5g}, {:.5g}, {:.5g} kg m²", moments[0], moments[1], moments[2])}};
}

Properties propertiesOf(const Joint& joint) {
  return {{"type", joint.type}, {"between", joint.first + " and " + joint.second}};
}

Properties propertiesOf(const Force& force) {
  Properties all = {{"type", force.own ? "of one's own" : force.type}};
  if (!force.joint.empty())
    all.emplace_back("acts in", "joint " + force.joint);
  else
    all.emplace_back("acts on", force.first == "ground" ? force.second : force.first + " and " + force.second);
  // of a force in a joint the coordinate says whether it is metres or radians
  const bool isStraight = force.joint.empty();
  if (force.law)
    all.emplace_back("stiffness at rest", fmt::format("{:.6g}{}", force.law->stiffness(), isStraight ? " N/m" : ""));
  if (force.damping != 0.0)
    all.emplace_back("damping", fmt::format("{:.6g}{}", force.damping, isStraight ? " N s/m" : ""));
  return all;
}

Properties propertiesOf(const Actuator& actuator) {
  return {{"holds", actuator.joint.empty() ? actuator.body : "joint " + actuator.joint},
          {"law", actuator.control.method},
          {"time constant", fmt::format("{:.4g} s", actuator.control.timeConstant)}};
}

template <class Of>
Properties propertiesIn(const std::vector<Of>& all, const Part& part) {
  if (part.index >= all.size())
    throw InputError(fmt::format("the model has no {} of the number {}", part.kind, part.index));
  return propertiesOf(all[part.index]);
}

}  // namespace

Properties propertiesOf(const Part& part, const Model& model) {
  if (part.kind == "body") return propertiesIn(model.bodies, part);
  if (part.kind == "joint") return propertiesIn(model.joints, part);
  if (part.kind == "force") return propertiesIn(model.forces, part);
  if (part.kind == "actuator") return propertiesIn(model.actuators, part);
  return {};
}

void writeProperties(JsonWriter& json, const Properties& properties) {
  json.key("properties").beginArray();
  for (const auto& [name, value] : properties) json.beginArray().value(name).value(value).endArray();
  json.endArray();
}

void writeQuantity(JsonWriter& json, const std::string& name, const std::string& unit,
                   const std::vector<std::string>& components, std::size_t start) {
  json.beginObject().field("name", name).field("unit", unit).field("start", static_cast<std::uint64_t>(start));
  json.key("components").beginArray();
  for (const std::string& each : components) json.value(each);
  json.endArray().endObject();
}

void writeQuantities(JsonWriter& json, const std::vector<std::string>& columns, std::size_t first) {
  for (const RecordedTable& table : recordingLayout(columns))
    writeQuantity(json, table.path.substr(table.path.rfind('/') + 1), table.unit, table.components,
                  first + table.starts[0]);
}

}  // namespace polhode::live
