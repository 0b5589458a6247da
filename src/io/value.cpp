#include "value.h"

#include "model/suggestion.h"
#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode {
namespace {

/// How each kind of value is called in an error.
struct Describe {
  std::string operator()(bool value) const { return value ? "the boolean true" : "the boolean false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("the number {}", value); }
  std::string operator()(double value) const { return fmt::format("the number {}", value); }
  std::string operator()(const std::string& value) const { return "the string " + quoted(value); }
  std::string operator()(DateOrTime) const { return "a date or time"; }
  std::string operator()(const Value::Array& value) const {
    return value.empty() ? "an empty array" : fmt::format("an array of {}", value.size());
  }
  std::string operator()(const Value::Table&) const { return "a table"; }
};

}  // namespace

std::string Place::text() const {
  return line == 0 ? *source : fmt::format("{}:{}:{}", *source, line, column);
}

void failAt(const Place& place, const std::string& sentence) {
  throw InputError(place.text() + ": " + sentence);
}

const Value* Value::find(const std::string& key) const {
  if (const Table* entries = table())
    for (const Entry& entry : *entries)
      if (entry.key == key) return &entry.value;
  return nullptr;
}

Value* Value::find(const std::string& key) {
  return const_cast<Value*>(static_cast<const Value*>(this)->find(key));
}

std::string Value::description() const {
  return std::visit(Describe{}, content);
}

}  // namespace polhode
