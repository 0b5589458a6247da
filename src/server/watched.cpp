#include "server/watched.h"

#include "io/recording_layout.h"
#include "math/principal_axes.h"
#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode::live {

namespace {

using Properties = std::vector<std::pair<std::string, std::string>>;

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

/// Half of m v^2 and of w.J w.
Observable kineticEnergyOf(std::size_t index, const std::string& name) {
  return {name + ".kinetic_energy",
          [index](const Observation& o) {
            const Body& body = o.bodies[index];
            return 0.5 * (body.mass * body.velocity.squaredNorm() +
                          body.angularVelocity.dot(body.inertia * body.angularVelocity));
          },
          ObservedKind::body,
          name,
          "kinetic_energy",
          "",
          Detail::motion};
}

std::vector<Observable> valuesOf(ObservedKind kind, const std::string& owner, const Observation& sample) {
  std::vector<Observable> found;
  for (Observable& each : observables(sample))
    if (each.kind == kind && each.owner == owner) found.push_back(std::move(each));
  return found;
}

std::string quantityOf(const RecordedTable& table) {
  return table.path.substr(table.path.rfind('/') + 1);
}

constexpr std::size_t pullOfActuator = 6;

/// What an actuator leads: a coordinate of a joint, or three components.
std::vector<JointCoordinateInfo> ledBy(const Actuator& actuator, const Model& model) {
  if (actuator.quantity == LedQuantity::coordinate) {
    for (const Joint& joint : model.joints)
      if (joint.name == actuator.joint)
        for (const JointCoordinateInfo& each : typeOf(joint)->coordinates)
          if (actuator.coordinate.empty() || actuator.coordinate == each.name) return {each};
    return {};
  }
  const bool turns = actuator.quantity == LedQuantity::orientation;
  const MotionKind kind = turns ? MotionKind::rotation : MotionKind::translation;
  return {{"x", kind, 0}, {"y", kind, 1}, {"z", kind, 2}};
}

}  // namespace

std::vector<Part> Watched::parts() const {
  std::vector<Part> all;
  for (const Thing& thing : things_) all.push_back(thing.part);
  return all;
}

void Watched::choose(std::span<const Part> parts, const Model& model, const Observation& sample,
                     const Value& document) {
  std::vector<Thing> next;
  for (const Part& part : parts) {
    Thing thing{part, {}, {}, {}, {}, {}, {}};
    if (part.kind == "body") {
      thing.properties = propertiesIn(model.bodies, part);
      const std::string& name = model.bodies[part.index].name;
      thing.values = valuesOf(ObservedKind::body, name, sample);
      thing.values.push_back(kineticEnergyOf(part.index, name));
    } else if (part.kind == "joint") {
      thing.properties = propertiesIn(model.joints, part);
      thing.values = valuesOf(ObservedKind::joint, model.joints[part.index].name, sample);
      thing.coordinates = typeOf(model.joints[part.index])->coordinates;
    } else if (part.kind == "force") {
      thing.properties = propertiesIn(model.forces, part);
      const Force& force = model.forces[part.index];
      thing.values = valuesOf(ObservedKind::force, force.name, sample);
      thing.size = sizeOf(force, model);
      thing.scale = force.scale;
    } else if (part.kind == "actuator") {
      thing.properties = propertiesIn(model.actuators, part);
      thing.coordinates = ledBy(model.actuators[part.index], model);
    }
    thing.settings = settingsOf(part, model, document);
    next.push_back(std::move(thing));
  }
  things_ = std::move(next);
}

void Watched::append(const Observation& observation, Hands hands, const Factors& factors, std::string& frame) const {
  const auto add = [&](double number) { frame.append(reinterpret_cast<const char*>(&number), sizeof number); };
  for (const Thing& thing : things_) {
    for (const Observable& each : thing.values) add(each.value(observation));
    if (thing.size) {
      const auto led = factors.find(thing.part.index);
      add(led != factors.end() ? led->second : thing.scale.value(observation.time));
    }
    if (thing.part.kind != "actuator") continue;
    const Hand* hand = thing.part.index < hands.size() ? hands[thing.part.index].get() : nullptr;
    const Wrench pull = hand ? hand->pull : Wrench{};
    for (int i = 0; i < 3; ++i) add(pull.force[i]);
    for (int i = 0; i < 3; ++i) add(pull.torque[i]);
    const Vector3 followed = hand ? hand->followed(observation.time).place : Vector3(Vector3::Zero());
    for (std::size_t i = 0; i < thing.coordinates.size(); ++i) add(followed[static_cast<Eigen::Index>(i)]);
  }
}

void Watched::write(JsonWriter& json) const {
  json.key("watched").beginArray();
  std::size_t start = 0;
  for (const Thing& thing : things_) {
    json.beginObject().field("kind", thing.part.kind).field("index", static_cast<std::uint64_t>(thing.part.index));
    json.key("properties").beginArray();
    for (const auto& [name, value] : thing.properties) json.beginArray().value(name).value(value).endArray();
    json.endArray().key("settings").beginArray();
    for (const Setting& setting : thing.settings)
      json.beginObject()
          .field("key", setting.key)
          .field("label", setting.label)
          .field("unit", setting.unit)
          .field("text", setting.text)
          .field("example", setting.example)
          .endObject();
    json.endArray().key("coordinates").beginArray();
    for (const JointCoordinateInfo& each : thing.coordinates)
      json.beginObject().field("name", each.name).field("turns", each.kind == MotionKind::rotation).endObject();
    json.endArray();
    if (thing.size) {
      json.key("size").beginObject().field("name", thing.size->name).field("unit", thing.size->unit);
      json.field("size", thing.size->size).endObject();
    }
    json.key("quantities").beginArray();
    const auto quantity = [&](const std::string& name, const std::string& unit,
                              const std::vector<std::string>& components, std::size_t at) {
      json.beginObject().field("name", name).field("unit", unit).field("start", static_cast<std::uint64_t>(start + at));
      json.key("components").beginArray();
      for (const std::string& each : components) json.value(each);
      json.endArray().endObject();
    };
    std::vector<std::string> names;
    for (const Observable& each : thing.values) names.push_back(each.name);
    for (const RecordedTable& table : recordingLayout(names))
      quantity(quantityOf(table), table.unit, table.components, table.starts[0]);
    if (thing.part.kind == "actuator") {
      quantity("force", "N", {"x", "y", "z"}, 0);
      quantity("torque", "N m", {"x", "y", "z"}, 3);
      std::vector<std::string> components;
      for (const JointCoordinateInfo& each : thing.coordinates) components.push_back(each.name);
      const bool turns = !thing.coordinates.empty() && thing.coordinates.front().kind == MotionKind::rotation;
      if (!components.empty()) quantity("follows", turns ? "rad" : "m", components, pullOfActuator);
      start += pullOfActuator + thing.coordinates.size();
    }
    if (thing.size) quantity("factor", "1", {}, thing.values.size());
    start += thing.values.size() + (thing.size ? 1 : 0);
    json.endArray().endObject();
  }
  json.endArray();
}

}  // namespace polhode::live
