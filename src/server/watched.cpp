#include "server/watched.h"

#include "server/body_numbers.h"

namespace polhode::live {

namespace {

/// A number that recordings do not keep.
Observable observed(const BodyNumber& number, std::size_t index, const std::string& name) {
  const std::string quantity = number.quantity, component = number.component;
  return {name + "." + quantity + (component.empty() ? "" : ".") + component,
          [index, value = number.value](const Observation& o) { return value(o.bodies[index]); },
          ObservedKind::body,
          name,
          quantity,
          component,
          Detail::motion};
}

std::vector<Observable> valuesOf(ObservedKind kind, const std::string& owner, const Observation& sample) {
  std::vector<Observable> found;
  for (Observable& each : observables(sample))
    if (each.kind == kind && each.owner == owner) found.push_back(std::move(each));
  return found;
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
    Thing thing{part, propertiesOf(part, model), {}, {}, {}, {}, {}};
    if (part.kind == "body") {
      const std::string& name = model.bodies[part.index].name;
      thing.values = valuesOf(ObservedKind::body, name, sample);
      for (const BodyNumber& each : bodyNumbers()) thing.values.push_back(observed(each, part.index, name));
    } else if (part.kind == "joint") {
      thing.values = valuesOf(ObservedKind::joint, model.joints[part.index].name, sample);
      thing.coordinates = typeOf(model.joints[part.index])->coordinates;
    } else if (part.kind == "force") {
      const Force& force = model.forces[part.index];
      thing.values = valuesOf(ObservedKind::force, force.name, sample);
      thing.size = sizeOf(force, model);
      thing.scale = force.scale;
    } else if (part.kind == "actuator") {
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
    writeProperties(json, thing.properties);
    json.key("settings").beginArray();
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
    std::vector<std::string> names;
    for (const Observable& each : thing.values) names.push_back(each.name);
    writeQuantities(json, names, start);
    if (thing.part.kind == "actuator") {
      writeQuantity(json, "force", "N", {"x", "y", "z"}, start);
      writeQuantity(json, "torque", "N m", {"x", "y", "z"}, start + 3);
      std::vector<std::string> components;
      for (const JointCoordinateInfo& each : thing.coordinates) components.push_back(each.name);
      const bool turns = !thing.coordinates.empty() && thing.coordinates.front().kind == MotionKind::rotation;
      if (!components.empty()) writeQuantity(json, "follows", turns ? "rad" : "m", components, start + pullOfActuator);
      start += pullOfActuator + thing.coordinates.size();
    }
    if (thing.size) writeQuantity(json, "factor", "1", {}, start + thing.values.size());
    start += thing.values.size() + (thing.size ? 1 : 0);
    json.endArray().endObject();
  }
  json.endArray();
}

}  // namespace polhode::live
