#include "server/told_part.h"

#include "server/body_numbers.h"
#include "server/part_description.h"

#include <algorithm>
#include <string_view>

namespace polhode::live {

namespace {

/// How the columns of a part begin: "car.", "joint.knee.".
std::string beginningOfColumns(const Part& part, const Model& model) {
  if (part.kind == "body") return model.bodies[part.index].name + ".";
  if (part.kind == "joint") return "joint." + model.joints[part.index].name + ".";
  if (part.kind == "force") return model.forces[part.index].name + ".";
  return "actuator." + model.actuators[part.index].name + ".";
}

/// Whether what follows is a quantity, "angle", or a component of one, "force.x"; names may have dots.
bool isQuantity(std::string_view rest) {
  const auto dot = rest.find('.');
  return dot == std::string_view::npos || rest.size() == dot + 2;
}

/// The columns of a recording that tell a body's motion.
class BodyColumns {
 public:
  BodyColumns(const Recording& recording, const Body& body) : recording_(recording), body_(body) {
    const auto find = [&](const char* quantity, const char* letters) {
      std::vector<std::size_t> columns;
      for (const char* letter = letters; *letter; ++letter) {
        const std::string name = body.name + "." + quantity + "." + *letter;
        const auto found = std::find(recording.columns.begin(), recording.columns.end(), name);
        if (found != recording.columns.end())
          columns.push_back(static_cast<std::size_t>(found - recording.columns.begin()));
      }
      return columns;
    };
    quaternion_ = find("quaternion", "wxyz");
    velocity_ = find("velocity", "xyz");
    angularVelocity_ = find("angular_velocity", "xyz");
  }

  bool tellTurns() const { return quaternion_.size() == 4; }
  bool tellMotion() const { return tellTurns() && velocity_.size() == 3 && angularVelocity_.size() == 3; }

  Body at(std::size_t row) const {
    Body body = body_;
    const auto read = [&](const std::vector<std::size_t>& columns, auto& numbers) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        numbers[static_cast<Eigen::Index>(i)] = recording_.at(row, columns[i]);
    };
    read(quaternion_, body.orientation);
    read(velocity_, body.velocity);
    read(angularVelocity_, body.angularVelocity);
    return body;
  }

 private:
  const Recording& recording_;
  const Body& body_;
  std::vector<std::size_t> quaternion_, velocity_, angularVelocity_;
};

}  // namespace

std::string toldPart(const FinishedRun& run, const Part& part) {
  const Recording& recording = *run.recording;
  const Properties properties = propertiesOf(part, run.model);  // throws
  const std::string beginning = beginningOfColumns(part, run.model);
  std::vector<std::string> names;
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < recording.columns.size(); ++i) {
    const std::string_view name = recording.columns[i];
    if (!name.starts_with(beginning) || !isQuantity(name.substr(beginning.size()))) continue;
    names.emplace_back(name);
    columns.push_back(i);
  }
  std::optional<BodyColumns> body;
  std::vector<const BodyNumber*> derived;
  if (part.kind == "body") {
    body.emplace(recording, run.model.bodies[part.index]);
    for (const BodyNumber& each : bodyNumbers()) {
      if (each.needsMotion ? !run.hasModel || !body->tellMotion() : !body->tellTurns()) continue;
      derived.push_back(&each);
      names.push_back(beginning + each.quantity + (*each.component ? "." : "") + each.component);
    }
  }

  JsonWriter json;
  json.beginObject().field("kind", part.kind).field("index", static_cast<std::uint64_t>(part.index));
  writeProperties(json, run.hasModel ? properties : Properties{});
  json.field("width", static_cast<std::uint64_t>(names.size())).key("quantities").beginArray();
  writeQuantities(json, names, 0);
  json.endArray().endObject();
  std::string text = json.text();
  text.resize((text.size() + 7) / 8 * 8, ' ');

  std::string bytes;
  const auto add = [&](double number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
  bytes.reserve(8 + text.size() + 8 * names.size() * (1 + recording.rows() / run.every));
  add(static_cast<double>(text.size()));
  bytes += text;
  for (std::size_t row = 0; row < recording.rows(); row += run.every) {
    for (const std::size_t column : columns) add(recording.at(row, column));
    if (derived.empty()) continue;
    const Body now = body->at(row);
    for (const BodyNumber* each : derived) add(each->value(now));
  }
  return bytes;
}

}  // namespace polhode::live
