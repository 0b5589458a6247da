#include "signal_reader.h"

#include "io/signal_file.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "text_file.h"

#include <filesystem>

#include <fmt/format.h>

namespace polhode {

namespace {

/// Rows of time and values, in quotes the name of a file of them.
void readRows(const Field& field, std::size_t components, std::vector<double>& times, std::vector<Vector3>& values) {
  if (field.value().string()) {
    const SampledPath path = readNamedSignal(field, components);
    for (std::size_t i = 0; i < path.size(); ++i) {
      times.push_back(path.time(i));
      values.push_back(path.position(i));
    }
    return;
  }
  const Value::Array* rows = field.value().array();
  const std::string example = components == 1 ? "rows of time and value, [[0, 0], [1, 0.2]]"
                                              : "rows of time and vector, [[0, 0, 0, 1], [1, 0.2, 0, 1]]";
  for (const Field& row : field.elements(rows ? rows->size() : 1, example)) {
    const std::vector<double> numbers = row.numbers(components + 1);
    times.push_back(numbers[0]);
    values.emplace_back(numbers[1], components > 1 ? numbers[2] : 0.0, components > 1 ? numbers[3] : 0.0);
  }
}

SplineEnds readEndsOf(const ModelSection& section) {
  const auto ends = section.find("ends");
  if (!ends) return SplineEnds::rest;
  const std::string word = ends->text();
  if (word != "rest" && word != "free")
    ends->fail(fmt::format("is the unknown word {}; {}", quoted(word), suggestion(word, {"rest", "free"})));
  return word == "rest" ? SplineEnds::rest : SplineEnds::free;
}

}  // namespace

SampledPath readNamedSignal(const Field& field, std::size_t components) {
  const std::filesystem::path path(field.text());
  if (!field.context().mayReadFiles) field.fail(otherFileIsRefused);
  try {
    return readSignalFile((path.is_absolute() ? path : std::filesystem::path(field.context().folder) / path).string(),
                          components);
  } catch (const InputError& error) {
    field.fail(fmt::format("cannot be used: {}", error.what()));
  }
}

VectorSignal readSpline(const ModelSection& section, std::size_t components) {
  const Field rows = *section.find("spline");
  std::vector<double> times;
  std::vector<Vector3> values;
  readRows(rows, components, times, values);
  try {
    if (components > 1) return VectorSignal::spline(times, values, readEndsOf(section));
    std::vector<double> numbers;
    for (const Vector3& value : values) numbers.push_back(value[0]);
    return {Signal::spline(std::move(times), std::move(numbers), readEndsOf(section)), Signal(), Signal()};
  } catch (const InputError& error) {
    const std::string text = error.what();
    if (text.starts_with(rows.value().place.text())) throw;
    rows.fail(fmt::format("is wrong: {}", text));
  }
}

void refuseEndsWithoutSpline(const ModelSection& section) {
  if (section.has("ends") && !section.has("spline"))
    section.failAtKey("ends", "has the key 'ends', which only a spline has; remove it");
}

void readPairs(const Field& field, std::vector<double>& first, std::vector<double>& second) {
  const Value::Array* rows = field.value().array();
  if (!rows) field.fail("must be an array of pairs, [[0, 0], [0.5, 1]], not " + field.value().description());
  for (const Field& row : field.elements(rows->size(), "pairs, [[0, 0], [0.5, 1]]")) {
    const std::vector<double> pair = row.numbers(2);
    first.push_back(pair[0]);
    second.push_back(pair[1]);
  }
}

ModelSection signalSection(const Field& field, const std::vector<std::string>& besides) {
  std::vector<std::string> keys = {"formula", "table", "spline", "ends"};
  keys.insert(keys.end(), besides.begin(), besides.end());
  return field.section(keys,
                       "{ table = [[0, 0], [0.5, 1]] }, { spline = [[0, 0], [0.5, 1]] } or { formula = \"sin(t)\" }");
}

Signal readSignal(const Field& field, const std::vector<std::string>& besides) {
  if (!field.value().table()) return Signal(field.number());
  const ModelSection section = signalSection(field, besides);
  const Field given = section.exactlyOne({"formula", "table", "spline"});
  refuseEndsWithoutSpline(section);
  if (section.has("spline")) return readSpline(section, 1)[0];
  try {
    if (section.has("formula")) return Signal::formula(given.text(), given.context().parameters);
    std::vector<double> times, values;
    readPairs(given, times, values);
    return Signal::table(times, values);
  } catch (const InputError& error) {
    const std::string text = error.what();
    if (text.starts_with(given.value().place.text())) throw;
    given.fail(": " + text);
  }
}

}  // namespace polhode
