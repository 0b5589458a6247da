#include "urdf_document.h"

#include "field.h"
#include "text_file.h"
#include "urdf_reader.h"

#include <filesystem>
#include <unordered_map>

namespace polhode {
namespace {

/// Keys of which only one can be given: one that the document gives takes the place of the others.
const std::vector<std::vector<std::string>> alternatives = {
    {"mass", "density"}, {"inertia", "density"}, {"point", "points"}, {"axis", "axes"}, {"stiffness", "law"}};

/// Writes parts of a model as the tables of a document, all at one place: the URDF file.
class TableWriter {
 public:
  explicit TableWriter(const std::string& path) : place_{std::make_shared<const std::string>(path)} {}

  const Place& place() const { return place_; }

  Value table(const Body& body) const {
    Value::Table table = {entry("name", text(body.name)), entry("mass", number(body.mass)),
                          entry("inertia", rows(body.inertia)), entry("position", vector(body.position)),
                          entry("orientation", tableOf({entry("quaternion", vector(body.orientation))}))};
    if (body.shape) table.push_back(entry("shape", shape(*body.shape)));
    return tableOf(std::move(table));
  }

  Value table(const Joint& joint) const {
    Value::Table table = {entry("name", text(joint.name)), entry("type", text(joint.type)),
                          entry("bodies", array({text(joint.first), text(joint.second)})),
                          entry("point", vector(joint.point))};
    if (joint.type != "fixed") table.push_back(entry("axis", vector(joint.axis)));
    return tableOf(std::move(table));
  }

  Value table(const Force& force) const {
    return tableOf({entry("name", text(force.name)), entry("type", text(force.type)), entry("joint", text(force.joint)),
                    entry("damping", number(force.damping))});
  }

  Value text(const std::string& content) const { return {content, place_}; }
  Value number(double content) const { return {content, place_}; }
  Value array(Value::Array content) const { return {std::move(content), place_}; }
  Value tableOf(Value::Table content) const { return {std::move(content), place_}; }
  Entry entry(const std::string& key, Value value) const { return {key, place_, std::move(value)}; }

  template <class V>
  Value vector(const V& numbers) const {
    Value::Array content;
    for (const double each : numbers) content.push_back(number(each));
    return array(std::move(content));
  }

 private:
  Value rows(const Matrix3& matrix) const {
    Value::Array content;
    for (int i = 0; i < 3; ++i) content.push_back(vector(Vector3(matrix.row(i))));
    return array(std::move(content));
  }

  Value shape(const Shape& shape) const {
    Value::Table sizes;
    auto length = shape.lengths.begin();
    for (const ShapeKey& key : polhode::typeOf(shape)->keys) {
      const std::vector<double> lengths(length, length + static_cast<std::ptrdiff_t>(key.lengths));
      sizes.push_back(entry(key.name, key.lengths == 1 ? number(*length) : vector(lengths)));
      length += static_cast<std::ptrdiff_t>(key.lengths);
    }
    return tableOf({entry(shape.type, tableOf(std::move(sizes)))});
  }

  Place place_;
};

void removeKey(Value::Table& table, const std::string& key) {
  std::erase_if(table, [&](const Entry& entry) { return entry.key == key; });
}

/// The keys that are given take the places of those that were there.
void change(Value& table, const Value& given) {
  for (const Entry& entry : *given.table()) {
    removeKey(*table.table(), entry.key);
    for (const auto& keys : alternatives)
      if (std::find(keys.begin(), keys.end(), entry.key) != keys.end())
        for (const std::string& other : keys)
          if (!given.find(other)) removeKey(*table.table(), other);
    table.table()->push_back(entry);
  }
  table.place = given.place;
}

/// The tables of the URDF file before those of the document; where both have one of a name they become one.
template <class Part>
void addTables(Value& document, const char* kind, const std::vector<Part>& parts, const TableWriter& writer) {
  Value* own = document.find(kind);
  if ((own && !own->array()) || parts.empty()) return;  // the reader says what is wrong
  Value::Array tables;
  std::unordered_map<std::string, std::size_t> numbers;
  for (const Part& part : parts) {
    numbers.emplace(part.name, tables.size());
    tables.push_back(writer.table(part));
  }
  if (!own) {
    document.table()->push_back(writer.entry(kind, writer.array(std::move(tables))));
    return;
  }
  for (Value& table : *own->array()) {
    const Value* name = table.find("name");
    const auto found = name && name->string() ? numbers.find(*name->string()) : numbers.end();
    if (found == numbers.end()) {
      tables.push_back(std::move(table));
      continue;
    }
    change(tables[found->second], table);
    numbers.erase(found);  // a second one of that name is refused as others are
  }
  *own->array() = std::move(tables);
}

}  // namespace

std::vector<std::string> expandUrdf(Value& document, const std::string& fileName, OtherFiles files) {
  Value* model = document.find("model");
  const Value* urdf = model ? model->find("urdf") : nullptr;
  if (!urdf) return {};
  const Field field(*urdf, "[model]: urdf");
  const std::string name = field.text();
  if (files == OtherFiles::refuse) field.fail(otherFileIsRefused);
  const std::string path = (std::filesystem::path(fileName).parent_path() / name).string();
  const UrdfModel robot = readUrdf(readTextFile(path), path);

  const TableWriter writer(path);
  if (!model->find("gravity")) model->table()->push_back(writer.entry("gravity", writer.vector(Vector3(0, 0, -9.81))));
  if (!model->find("name") && !robot.model.name.empty())
    model->table()->push_back(writer.entry("name", writer.text(robot.model.name)));
  addTables(document, "body", robot.model.bodies, writer);
  addTables(document, "joint", robot.model.joints, writer);
  addTables(document, "force", robot.model.forces, writer);
  return robot.leftOut;
}

}  // namespace polhode
