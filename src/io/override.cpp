#include "override.h"

#include "model/suggestion.h"
#include "text_file.h"
#include "toml_document.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace polhode {
namespace {

const std::vector<std::string> singleTables = {"model", "simulation", "parameters"};
const std::vector<std::string> namedTables = {"body", "joint", "coupling", "force", "actuator", "sensor"};

/// The words between the dots.
std::vector<std::string> splitPath(const std::string& path) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (true) {
    const std::size_t dot = path.find('.', begin);
    words.push_back(trimmed(path.substr(begin, dot - begin)));
    if (dot == std::string::npos) return words;
    begin = dot + 1;
  }
}

/// The entry of a table under a key; made, as an empty table, where it is missing.
Entry& findOrMake(Value& table, const std::string& key, const Place& place) {
  for (Entry& entry : *table.table())
    if (entry.key == key) return entry;
  return table.table()->emplace_back(Entry{key, place, {Value::Table{}, place}});
}

/// The table of an array of tables, [[body]], whose `name` is the given one.
Value& findNamed(Value& document, const std::string& kind, const std::string& name, const Place& place) {
  std::vector<std::string> known;
  Value* tables = document.find(kind);
  if (tables && tables->array()) {
    for (Value& table : *tables->array()) {
      const Value* tableName = table.find("name");
      if (!tableName || !tableName->string()) continue;
      if (*tableName->string() == name) return table;
      known.push_back(*tableName->string());
    }
  }
  if (known.empty()) failAt(place, fmt::format("the model has no {} at all", kind));
  failAt(place, fmt::format("there is no {} {}; {}", kind, quoted(name), suggestion(name, known)));
}

/// A parameter that is set must be one that the file has, since nothing would use another.
void requireParameter(const Value& document, const std::string& name, const Place& place) {
  const Value* parameters = document.find("parameters");
  if (!parameters || !parameters->table()) failAt(place, "the model has no [parameters] at all");
  if (parameters->find(name)) return;
  std::vector<std::string> known;
  for (const Entry& entry : *parameters->table()) known.push_back(entry.key);
  failAt(place, fmt::format("there is no parameter {}; {}", quoted(name), suggestion(name, known)));
}

/// The table that a path begins with, and how many words of the path lead to it.
struct Start {
  Value* table;
  std::size_t words;
};

Start findStart(Value& document, const std::vector<std::string>& path, const Place& place) {
  const auto isOneOf = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), path[0]) != words.end();
  };
  if (isOneOf(singleTables)) {
    if (path.size() < 2) failAt(place, fmt::format("a key is missing; write {}.KEY=VALUE", path[0]));
    if (path[0] == "parameters") requireParameter(document, path[1], place);
    return {&findOrMake(document, path[0], place).value, 1};
  }
  if (isOneOf(namedTables)) {
    if (path.size() < 3) failAt(place, fmt::format("a name or a key is missing; write {}.NAME.KEY=VALUE", path[0]));
    return {&findNamed(document, path[0], path[1], place), 2};
  }
  std::vector<std::string> known = singleTables;
  known.insert(known.end(), namedTables.begin(), namedTables.end());
  failAt(place, fmt::format("unknown word {}; {}", quoted(path[0]), suggestion(path[0], known)));
}

}  // namespace

void applyOverride(Value& document, const std::string& text) {
  const std::string source = "override " + quoted(text);
  const Place place{std::make_shared<const std::string>(source)};

  // split into path and value
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) failAt(place, "there is no '='; write for instance body.top.mass=2");
  const std::vector<std::string> path = splitPath(text.substr(0, equals));
  if (std::find(path.begin(), path.end(), "") != path.end())
    failAt(place, "a word before '=' is missing; write for instance body.top.mass=2");
  Value value = parseTomlValue(trimmed(text.substr(equals + 1)), source);

  // go down to the value and replace it
  auto [table, words] = findStart(document, path, place);
  for (; words < path.size(); ++words) {
    if (!table->table())
      failAt(place, fmt::format("{} is {}, which has no key {}", quoted(path[words - 1]), table->description(),
                                quoted(path[words])));
    Entry& entry = findOrMake(*table, path[words], place);
    if (words + 1 == path.size()) entry = {path[words], place, std::move(value)};
    table = &entry.value;
  }
}

}  // namespace polhode
