#include "override.h"

#include "polhode/model/suggestion.h"

#include <algorithm>
#include <vector>

#include "toml_document.h"
#include <fmt/format.h>

namespace polhode {
namespace {

const std::vector<std::string> singleTables = {"model", "simulation"};
const std::vector<std::string> namedTables = {"body", "joint", "force", "actuator"};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

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

/// The value of a key of a table; made, as an empty table, where it is missing.
Value& findOrMake(Value& table, const std::string& key, const Place& place) {
  if (Value* found = table.find(key)) return *found;
  return table.table()->emplace_back(Entry{key, place, {Value::Table{}, place}}).value;
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

  // go to the table that the path begins with
  const auto isOneOf = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), path[0]) != words.end();
  };
  Value* target = nullptr;
  std::size_t next = 0;
  if (isOneOf(singleTables) && path.size() >= 2) {
    target = &findOrMake(document, path[0], place);
    next = 1;
  } else if (isOneOf(namedTables) && path.size() >= 3) {
    target = &findNamed(document, path[0], path[1], place);
    next = 2;
  } else if (isOneOf(singleTables)) {
    failAt(place, fmt::format("a key is missing; write {0}.KEY=VALUE", path[0]));
  } else if (isOneOf(namedTables)) {
    failAt(place, fmt::format("a name or a key is missing; write {0}.NAME.KEY=VALUE", path[0]));
  } else {
    std::vector<std::string> known = singleTables;
    known.insert(known.end(), namedTables.begin(), namedTables.end());
    failAt(place, fmt::format("unknown word {}; {}", quoted(path[0]), suggestion(path[0], known)));
  }

  // go down to the value and replace it
  for (; next < path.size(); ++next) {
    if (!target->table())
      failAt(place, fmt::format("{} is {}, which has no key {}", quoted(path[next - 1]),
                                target->description(), quoted(path[next])));
    target = &findOrMake(*target, path[next], place);
  }
  *target = std::move(value);
}

}  // namespace polhode
