#include "server/scene.h"

#include "integrate/catalogue.h"
#include "io/examples.h"
#include "io/json.h"
#include "math/euler_map.h"
#include "math/principal_axes.h"
#include "math/spurrier_klumpp.h"
#include "model/force_type.h"
#include "model/sensor_unit.h"
#include "polhode/io/model_file.h"
#include "polhode/model/joint_type.h"

#include <cmath>

namespace polhode::live {

namespace {

/// The outline by which the page draws a solid of any kind.
void writeOutline(JsonWriter& json, const Outline& outline) {
  if (outline.box) {
    json.field("box", VectorX(*outline.box));
    return;
  }
  json.key("turned").beginArray();
  for (const OutlinePart& part : outline.turned) {
    json.beginObject().field("from", VectorX(part.from)).field("to", VectorX(part.to));
    if (part.centre) json.field("centre", *part.centre);
    json.endObject();
  }
  json.endArray().field("stretch", VectorX(outline.stretch));
}

/// The homogeneous box of that mass and these principal moments:  (J2 + J3 - J1) = m a1^2 / 6.  A flat one keeps a
/// thickness, so that it can be seen.
Shape boxOf(double mass, const Vector3& moments) {
  Vector3 size;
  for (int i = 0; i < 3; ++i) size[i] = std::sqrt(std::max(0.0, 6.0 * (moments.sum() - 2.0 * moments[i]) / mass));
  const double largest = size.maxCoeff() > 0.0 ? size.maxCoeff() : 0.1;
  size = size.cwiseMax(0.04 * largest);
  return {"box", {size.x(), size.y(), size.z()}};
}

void writeShape(JsonWriter& json, const Body& body) {
  const Matrix3 axes = body.shape ? Matrix3(Matrix3::Identity()) : principalAxes(body.inertia);
  const Shape shape = body.shape ? *body.shape : boxOf(body.mass, (axes.transpose() * body.inertia * axes).diagonal());
  const ShapeType& type = *typeOf(shape);
  json.field("given", body.shape.has_value());
  json.field("orientation", VectorX(unitQuaternionFromRotation(axes)));
  json.key("shape").beginObject().field("type", type.name);
  writeOutline(json, type.outline(shape.lengths));
  json.endObject();
}

/// One end of a joint or a force: the body's index, and the point (and a joint's axis) in its frame.
void writeEnd(JsonWriter& json, const Model& model, const std::string& name, const Vector3& point,
              const Vector3* axis = nullptr) {
  int index = -1;
  Body frame;  // of the ground
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].name == name) {
      index = static_cast<int>(i);
      frame = model.bodies[i];
    }
  const Matrix3 toBody = rotationMatrix(frame.orientation).transpose();
  json.beginObject().field("body", index).field("point", VectorX(toBody * (point - frame.position)));
  if (axis) json.field("axis", VectorX(toBody * *axis));
  json.endObject();
}

/// A force that is seen: between two bodies, or with a direction. A force on a joint's coordinate acts inside the joint, and
/// where a user's own acts only itself knows.
void writeForce(JsonWriter& json, const Model& model, const Force& force) {
  const ForceType& type = *typeOf(force);
  if (type.actsOn == ActsOn::joint || type.actsOn == ActsOn::unknown) return;
  json.beginObject().field("name", force.name).field("type", type.name).key("ends").beginArray();
  if (type.actsOn == ActsOn::twoBodies) writeEnd(json, model, force.first, force.firstPoint);
  writeEnd(json, model, force.second, force.secondPoint);
  json.endArray();
  if (type.actsOn == ActsOn::body) json.field("direction", VectorX(force.vector)).field("inBody", force.inBody);
  json.endObject();
}

void writeConnections(JsonWriter& json, const Model& model) {
  json.key("joints").beginArray();
  for (const Joint& joint : model.joints) {
    json.beginObject().field("name", joint.name).field("type", typeOf(joint)->name).key("ends").beginArray();
    writeEnd(json, model, joint.first, joint.point, &joint.axis);
    writeEnd(json, model, joint.second, joint.pointOfSecond(), &joint.axisOfSecond());
    json.endArray().endObject();
  }
  json.endArray();

  json.key("forces").beginArray();
  for (const Force& force : model.forces) writeForce(json, model, force);
  json.endArray();
}

/// The names of the examples and of their models, which are read once.
const std::vector<std::pair<std::string, std::string>>& exampleTitles() {
  static const auto titles = [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Example& example : examples())
      all.emplace_back(example.name, readModelText(example.text, example.name + ".toml").model.name);
    return all;
  }();
  return titles;
}

void writeChoices(JsonWriter& json, const std::vector<std::string>& fitting) {
  json.key("integrators").beginArray();
  for (const std::string& name : fitting) {
    const IntegratorInfo& info = findIntegrator(name);
    json.beginObject().field("name", name).field("kind", info.kind).field("summary", info.summary);
    json.field("adaptive", info.adaptive).endObject();
  }
  json.endArray();

  json.key("examples").beginArray();
  for (const auto& [name, title] : exampleTitles())
    json.beginObject().field("name", name).field("title", title).endObject();
  json.endArray();
}

}  // namespace

std::string sceneJson(const Scene& scene) {
  const Model& model = *scene.model;
  JsonWriter json;
  json.beginObject().field("type", "scene").field("mode", scene.mode);
  json.field("name", model.name).field("source", scene.source).field("gravity", VectorX(model.gravity));
  json.key("bodies").beginArray();
  for (const Body& body : model.bodies) {
    json.beginObject().field("name", body.name).field("mass", body.mass);
    writeShape(json, body);
    json.endObject();
  }
  json.endArray();
  writeConnections(json, model);
  const auto names = [&](const char* key, const auto& all) {
    json.key(key).beginArray();
    for (const auto& each : all) json.value(each.name);
    json.endArray();
  };
  names("forceNames", model.forces);
  names("actuators", model.actuators);
  json.key("sensors").beginArray();
  for (const Sensor& sensor : model.sensors)
    json.beginObject()
        .field("name", sensor.name)
        .field("size", sensor.kind == SensorKind::formula ? 1 : 3)
        .field("unit", unitOf(sensor))
        .endObject();
  json.endArray();
  if (scene.isChanged) json.field("changed", true);
  writeChoices(json, scene.integrators);
  json.endObject();
  return json.text();
}

}  // namespace polhode::live
