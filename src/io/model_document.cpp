#include "model_document.h"

#include "math/quaternion.h"
#include "override.h"
#include "system/assembly.h"
#include "toml_document.h"
#include "toml_writer.h"
#include "urdf_document.h"
#include "whole_file.h"

#include <fmt/format.h>

namespace polhode {
namespace {

bool isOfModelTable(const std::string& override) {
  const std::size_t begin = override.find_first_not_of(" \t");
  return begin != std::string::npos && override.compare(begin, 5, "model") == 0;
}

template <class Numbers>
Value numbersValue(const Numbers& numbers, const Place& place) {
  Value::Array array;
  for (Eigen::Index i = 0; i < numbers.size(); ++i) array.push_back({numbers[i], place});
  return {std::move(array), place};
}

/// Files of signals are named from where the model file lies.
void nameFilesFrom(Value& value, const std::filesystem::path& before, const std::filesystem::path& now) {
  if (Value::Array* array = value.array())
    for (Value& each : *array) nameFilesFrom(each, before, now);
  if (Value::Table* table = value.table())
    for (Entry& entry : *table) {
      const std::string* name = entry.key == "signal" || entry.key == "spline" ? entry.value.string() : nullptr;
      if (name && std::filesystem::path(*name).is_relative())
        entry.value.content = std::filesystem::proximate(std::filesystem::absolute(before / *name), now).string();
      else
        nameFilesFrom(entry.value, before, now);
    }
}

}  // namespace

Value modelDocument(const std::string& text, const std::string& nameForErrors,
                    const std::vector<std::string>& overrides, OtherFiles files, std::vector<std::string>& leftOut) {
  Value document = parseToml(text, nameForErrors);
  // first which URDF file there is, then what is changed of it
  for (const std::string& override : overrides)
    if (isOfModelTable(override)) applyOverride(document, override);
  leftOut = expandUrdf(document, nameForErrors, files);
  for (const std::string& override : overrides)
    if (!isOfModelTable(override)) applyOverride(document, override);
  return document;
}

void writeModelAtRest(const std::filesystem::path& path, const ModelFile& file, const std::string& source,
                      const std::vector<Body>& bodies) {
  Model started = file.model;
  startElsewhere(started, bodies);  // says what cannot
  std::vector<std::string> leftOut;
  Value document = modelDocument(file.text, source, file.overrides, OtherFiles::read, leftOut);
  if (Value* model = document.find("model"))
    std::erase_if(*model->table(), [](const Entry& entry) { return entry.key == "urdf"; });
  if (Value* joints = document.find("joint"))
    for (Value& table : *joints->array())
      std::erase_if(*table.table(), [](const Entry& entry) { return entry.key == "start"; });
  std::size_t number = 0;
  for (Value& table : *document.find("body")->array()) {
    std::erase_if(*table.table(), [](const Entry& entry) {
      return entry.key == "start" || entry.key == "velocity" || entry.key == "angular_velocity";
    });
    const Body& body = bodies[number++];
    const Place& place = table.place;
    const Quaternion orientation = withPositiveScalar(body.orientation);
    const Value turned{Value::Table{{"quaternion", place, numbersValue(orientation, place)}}, place};
    const Value start{
        Value::Table{{"position", place, numbersValue(body.position, place)}, {"orientation", place, turned}}, place};
    table.table()->push_back({"start", place, start});
  }
  const std::filesystem::path now = std::filesystem::absolute(path).parent_path();
  nameFilesFrom(document, std::filesystem::path(source).parent_path(), now);
  writeWholeFile(path, fmt::format("# {}, at rest where `polhode equilibrium` found it.\n{}", file.model.name,
                                   tomlText(document)));
}

}  // namespace polhode
