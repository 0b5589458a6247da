#include "matrices_file.h"

#include "json.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "whole_file.h"

#include <fmt/format.h>

namespace polhode {
namespace {

std::string matrixAsCsv(const NamedMatrix& given) {
  const auto names = [](const char* what, const std::vector<std::string>& each) {
    std::string line;
    for (const std::string& name : each) line += (line.empty() ? "" : ",") + csvField(name);
    return each.empty() ? "" : fmt::format("# {}: {}\n", what, line);
  };
  std::string text = fmt::format("# {}\n", given.name) + names("rows", given.rows) + names("columns", given.columns);
  for (Eigen::Index i = 0; i < given.matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < given.matrix.cols(); ++j)
      text += fmt::format("{:.17g}{}", given.matrix(i, j), j + 1 == given.matrix.cols() ? "\n" : ",");
  return text;
}

std::string matricesAsJson(const std::vector<NamedMatrix>& matrices) {
  JsonWriter json;
  json.beginObject();
  const auto names = [&](const std::string& key, const std::vector<std::string>& each) {
    if (each.empty()) return;
    json.key(key).beginArray();
    for (const std::string& name : each) json.value(name);
    json.endArray();
  };
  for (const NamedMatrix& each : matrices) {
    json.key(each.name).beginArray();
    for (Eigen::Index i = 0; i < each.matrix.rows(); ++i) json.value(VectorX(each.matrix.row(i).transpose()));
    json.endArray();
    names(each.name + "_rows", each.rows);
    names(each.name + "_columns", each.columns);
  }
  json.endObject();
  return json.text() + "\n";
}

}  // namespace

std::vector<std::string> writeMatrices(const std::filesystem::path& path, const std::vector<NamedMatrix>& matrices) {
  std::vector<std::string> written;
  if (path.extension() == ".json") {
    writeWholeFile(path, matricesAsJson(matrices));
    return {path.string()};
  }
  if (path.extension() != ".csv")
    throw InputError(
        fmt::format("matrices cannot be written to {}; give a name that ends in .json or .csv", quoted(path.string())));
  for (const NamedMatrix& each : matrices) {
    if (each.matrix.size() == 0) continue;
    std::filesystem::path file = path;
    file.replace_extension(fmt::format(".{}.csv", each.name));
    writeWholeFile(file, matrixAsCsv(each));
    written.push_back(file.string());
  }
  return written;
}

}  // namespace polhode
