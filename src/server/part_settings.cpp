#include "server/part_settings.h"

#include "io/model_document.h"
#include "io/toml_document.h"
#include "io/toml_writer.h"
#include "model/force_type.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/model/joint_type.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode::live {

namespace {

/// The table of an array of tables, [[body]], whose `name` is the given one.
const Value* tableNamed(const Value& document, const std::string& kind, const std::string& name) {
  const Value* tables = document.find(kind);
  if (!tables || !tables->array()) return nullptr;
  for (const Value& table : *tables->array())
    if (const Value* given = table.find("name"); given && given->string() && *given->string() == name) return &table;
  return nullptr;
}

/// The settings of one table of the file, one after the other.
class TableSettings {
 public:
  TableSettings(const Value* table, std::string path) : table_(table), path_(std::move(path)) {}

  explicit operator bool() const { return table_ != nullptr; }

  const Value* find(const std::string& key) const {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) return table_->find(key);
    const Value* inner = table_->find(key.substr(0, dot));
    return inner ? inner->find(key.substr(dot + 1)) : nullptr;
  }

  void add(const std::string& key, const std::string& label, const std::string& unit, const std::string& example) {
    const Value* given = find(key);
    all_.push_back({key, path_ + "." + key, label, unit, given ? tomlValueText(*given) : "", example});
  }

  void addIfGiven(const std::string& key, const std::string& label, const std::string& unit = "") {
    if (find(key)) add(key, label, unit, "");
  }

  std::vector<Setting> take() { return std::move(all_); }

 private:
  const Value* table_;
  std::string path_;
  std::vector<Setting> all_;
};

TableSettings tableOf(const Value& document, const std::string& kind, const std::string& name) {
  // `--set` tells names from keys by the dots between them
  const bool canBeAddressed = name.find_first_of(".=") == std::string::npos;
  return {canBeAddressed ? tableNamed(document, kind, name) : nullptr, kind + "." + name};
}

std::string worded(std::string key) {
  if (key == "length") return "rest length";
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::vector<Setting> settingsOfBody(TableSettings table) {
  table.addIfGiven("mass", "mass", "kg");
  table.addIfGiven("density", "density", "kg/m³");
  table.addIfGiven("inertia", "inertia", "kg m²");
  table.addIfGiven("start", "place at t = 0");
  table.add("velocity", "velocity at t = 0", "m/s", "[0, 0, 0]");
  table.add("angular_velocity", "spin at t = 0", "rad/s", "{ body = [0, 0, 0] }");
  return table.take();
}

std::vector<Setting> settingsOfJoint(TableSettings table, const Joint& joint) {
  const std::vector<JointCoordinateInfo>& coordinates = typeOf(joint)->coordinates;
  if (!coordinates.empty())
    table.add("start", "start at t = 0", "", fmt::format("{{ {} = 0.1 }}", coordinates.front().name));
  return table.take();
}

/// What a key of a force means decides whether it may change: not what it acts on and where.
template <class Value>
constexpr bool mayChange =
    !std::is_same_v<Value, std::string> && !std::is_same_v<Value, Vector3> && !std::is_same_v<Value, TwoNames> &&
    !std::is_same_v<Value, TwoPoints> && !std::is_same_v<Value, Matrix3>;

std::vector<Setting> settingsOfForce(TableSettings table, const Force& force) {
  // of a force in a joint the coordinate says whether it is metres or radians
  const bool isStraight = force.joint.empty() && typeOf(force)->actsOn == ActsOn::twoBodies;
  const auto unitOf = [&](const std::string& key) {
    if (!isStraight) return "";
    return key == "stiffness" ? "N/m" : key == "damping" ? "N s/m" : key == "length" ? "m" : "";
  };
  const bool isOneSided = table.find("pulls_only") || table.find("pushes_only");  // such a spring has no damping
  for (const ForceKey& key : typeOf(force)->keys)
    std::visit(
        [&]<class Value>(ForceSetter<Value>) {
          if constexpr (mayChange<Value>) {
            if (key.name == "damping" && !isOneSided)
              table.add(key.name, worded(key.name), unitOf(key.name), "0");
            else
              table.addIfGiven(key.name, worded(key.name), unitOf(key.name));
          }
        },
        key.set);
  return table.take();
}

/// An actuator that pulls with a force that is given is a force of the model.
std::vector<Setting> settingsOfPush(TableSettings table) {
  for (const char* key : {"force", "torque", "effort"}) table.addIfGiven(key, key);
  return table.take();
}

std::vector<Setting> settingsOfActuator(TableSettings table) {
  table.addIfGiven("follow", "follows");
  table.add("control.method", "law", "", "\"receding-horizon\"");
  table.addIfGiven("control.time_constant", "time constant", "s");
  table.addIfGiven("control.largest_force", "largest force", "N");
  for (const char* key : {"rho0", "rho1", "epsilon"}) table.addIfGiven(std::string("control.") + key, key);
  return table.take();
}

std::vector<Setting> settingsOfModel(const Value& document) {
  std::vector<Setting> all;
  const Value* model = document.find("model");
  const Value* gravity = model ? model->find("gravity") : nullptr;
  all.push_back({"gravity", "model.gravity", "gravity", "m/s²", gravity ? tomlValueText(*gravity) : "", "[0, 0, 0]"});
  if (const Value* parameters = document.find("parameters"); parameters && parameters->table())
    for (const Entry& entry : *parameters->table())
      all.push_back({entry.key, "parameters." + entry.key, entry.key, "", tomlValueText(entry.value), ""});
  return all;
}

template <class Kind>
const Kind& partOf(const std::vector<Kind>& all, const Part& part) {
  if (part.index < all.size()) return all[part.index];
  throw InputError(fmt::format("the model has no {} of the number {}", part.kind, part.index));
}

/// Signals may stand in files (docs/model-file.md).
bool namesFile(const Value& value) {
  if (const Value::Array* array = value.array()) return std::any_of(array->begin(), array->end(), namesFile);
  const Value::Table* table = value.table();
  return table && std::any_of(table->begin(), table->end(), [](const Entry& entry) {
           return ((entry.key == "signal" || entry.key == "spline") && entry.value.string()) || namesFile(entry.value);
         });
}

bool isNear(const Vector3& a, const Vector3& b) {
  constexpr double rounding = 1e-9;
  return (a - b).norm() <= rounding * (1.0 + a.norm());
}

bool isNear(const Body& a, const Body& b) {
  return isNear(a.position, b.position) && (a.orientation - b.orientation).norm() < 1e-9 &&
         isNear(a.velocity, b.velocity) && isNear(a.angularVelocity, b.angularVelocity);
}

bool isNear(const Joint& a, const Joint& b) {
  return isNear(a.point, b.point) && isNear(a.axis, b.axis) && isNear(a.pointOfSecond(), b.pointOfSecond()) &&
         isNear(a.axisOfSecond(), b.axisOfSecond()) && a.start == b.start;
}

bool isNear(const Force& a, const Force& b) {
  return isNear(a.firstPoint, b.firstPoint) && isNear(a.secondPoint, b.secondPoint);
}

template <class Kind>
bool areNear(const std::vector<Kind>& a, const std::vector<Kind>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Kind& p, const Kind& q) { return isNear(p, q); });
}

}  // namespace

std::vector<Setting> settingsOf(const Part& part, const Model& model, const Value& document) {
  if (part.kind == "model") return document.table()->empty() ? std::vector<Setting>{} : settingsOfModel(document);
  const auto read = [&](const std::string& kind, const std::string& name, const auto& settingsOfTable) {
    TableSettings table = tableOf(document, kind, name);
    return table ? settingsOfTable(std::move(table)) : std::vector<Setting>{};
  };
  if (part.kind == "body") return read("body", partOf(model.bodies, part).name, settingsOfBody);
  if (part.kind == "joint") {
    const Joint& joint = partOf(model.joints, part);
    return read("joint", joint.name, [&](TableSettings table) { return settingsOfJoint(std::move(table), joint); });
  }
  if (part.kind == "actuator") return read("actuator", partOf(model.actuators, part).name, settingsOfActuator);
  const Force& force = partOf(model.forces, part);
  if (!tableNamed(document, "force", force.name)) return read("actuator", force.name, settingsOfPush);
  return read("force", force.name, [&](TableSettings table) { return settingsOfForce(std::move(table), force); });
}

Value documentOf(const ModelFile& file, const std::string& source) {
  try {
    std::vector<std::string> leftOut;
    return modelDocument(file.text, source, file.overrides, OtherFiles::read, leftOut);
  } catch (const InputError&) {  // a file that it is made of is there no more: the model stays as it was read
    return {Value::Table{}, {}};
  }
}

std::vector<std::string> overridesWith(const std::vector<std::string>& overrides, const std::vector<Setting>& settings,
                                       const std::string& key, const std::string& value) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.key == key; });
  if (found == settings.end()) throw InputError(fmt::format("{} cannot be changed here", quoted(key)));
  const std::string changed = found->path + "=" + value;
  if (namesFile(parseTomlValue(value, changed)))
    throw InputError(
        fmt::format("{}: a value that is set here may not name a file; write a formula or a table", changed));
  std::vector<std::string> next = overrides;
  std::erase_if(next, [&](const std::string& each) { return each.starts_with(found->path + "="); });
  next.push_back(changed);
  return next;
}

bool beginsAlike(const Model& a, const Model& b) {
  return areNear(a.bodies, b.bodies) && areNear(a.joints, b.joints) && areNear(a.forces, b.forces);
}

}  // namespace polhode::live
