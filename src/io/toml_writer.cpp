#include "toml_writer.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

std::string tomlString(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (code < 0x20 || code == 0x7F)
      result += fmt::format("\\u{:04X}", code);
    else
      result += c;
  }
  return result + '"';
}

std::string tomlKey(const std::string& key) {
  const auto isBare = [](unsigned char c) { return (c < 0x80 && std::isalnum(c)) || c == '-' || c == '_'; };
  return !key.empty() && std::all_of(key.begin(), key.end(), isBare) ? key : tomlString(key);
}

/// A value in line.
struct TomlInline {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const {
    const std::string text = fmt::format("{}", value);
    const bool isPlain = std::isfinite(value) && text.find_first_of(".e") == std::string::npos;
    return isPlain ? text + ".0" : text;
  }
  std::string operator()(const std::string& value) const { return tomlString(value); }
  std::string operator()(DateOrTime) const { return "\"a date or time\""; }  // which no key of a model has
  std::string operator()(const Value::Array& array) const {
    std::string text;
    for (const Value& value : array) text += (text.empty() ? "" : ", ") + std::visit(*this, value.content);
    return "[" + text + "]";
  }
  std::string operator()(const Value::Table& table) const {
    std::string text;
    for (const Entry& entry : table)
      text += (text.empty() ? " " : ", ") + tomlKey(entry.key) + " = " + std::visit(*this, entry.value.content);
    return "{" + text + (text.empty() ? "}" : " }");
  }
};

std::string tomlLines(const Value::Table& table) {
  std::string text;
  for (const Entry& entry : table)
    text += fmt::format("{} = {}\n", tomlKey(entry.key), std::visit(TomlInline{}, entry.value.content));
  return text;
}

bool isArrayOfTables(const Value& value) {
  const Value::Array* array = value.array();
  return array && !array->empty() &&
         std::all_of(array->begin(), array->end(), [](const Value& each) { return each.table() != nullptr; });
}

}  // namespace

std::string tomlValueText(const Value& value) {
  return std::visit(TomlInline{}, value.content);
}

std::string tomlText(const Value& document) {
  std::string plain, tables;
  for (const Entry& entry : *document.table()) {
    if (entry.value.table()) {
      tables += fmt::format("\n[{}]\n{}", tomlKey(entry.key), tomlLines(*entry.value.table()));
    } else if (isArrayOfTables(entry.value)) {
      for (const Value& table : *entry.value.array())
        tables += fmt::format("\n[[{}]]\n{}", tomlKey(entry.key), tomlLines(*table.table()));
    } else {
      plain += tomlLines({entry});
    }
  }
  return plain + tables;
}

}  // namespace polhode
