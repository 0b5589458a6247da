// The only file that knows toml++, which takes seconds to compile.
#define TOML_ENABLE_FORMATTERS 0
#include "toml_document.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "dotted_keys.h"
#include <fmt/format.h>
#include <toml++/toml.h>

namespace polhode {
namespace {

using Source = std::shared_ptr<const std::string>;

constexpr std::size_t mostPartsOfAKey = 16;

/// The parser's own words as the middle of a sentence, on one line, without what a terminal would act on.
std::string inOurSentence(std::string_view description) {
  const std::string_view prefix = "Error while ";
  std::string result = description.starts_with(prefix) ? " while " : ": ";
  if (description.starts_with(prefix)) description.remove_prefix(prefix.size());
  for (const unsigned char c : description) result += c < 0x20 || c >= 0x7F ? '?' : static_cast<char>(c);
  return result;
}

/// Whether an override's text may stand for a string without quotes, as in simulation.integrator=dop853.
bool isBareWord(const std::string& text) {
  const auto belongs = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(), belongs);
}

/// Turns the tree of toml++ into ours.
class Converter {
 public:
  Converter(Source source, bool withLines) : source_(std::move(source)), withLines_(withLines) {}

  Value value(const toml::node& node) const {
    Value result{false, place(node.source())};
    if (const auto* entries = node.as_table()) {
      result.content = table(*entries);
    } else if (const auto* elements = node.as_array()) {
      Value::Array array;
      array.reserve(elements->size());
      for (const toml::node& element : *elements) array.push_back(value(element));
      result.content = std::move(array);
    } else if (const auto* text = node.as_string()) {
      result.content = text->get();
    } else if (const auto* integer = node.as_integer()) {
      result.content = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
      result.content = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
      result.content = boolean->get();
    } else {
      result.content = DateOrTime{};
    }
    return result;
  }

 private:
  Place place(const toml::source_region& region) const {
    if (!withLines_) return {source_};
    return {source_, std::max<std::size_t>(region.begin.line, 1), std::max<std::size_t>(region.begin.column, 1)};
  }

  /// Our tables keep the order of the file; those of toml++ are sorted by key.
  Value::Table table(const toml::table& entries) const {
    Value::Table result;
    result.reserve(entries.size());
    for (const auto& [key, node] : entries)
      result.push_back({std::string(key.str()), place(key.source()), value(node)});
    std::stable_sort(result.begin(), result.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return result;
  }

  Source source_;
  bool withLines_;
};

}  // namespace

Value parseToml(const std::string& text, const std::string& nameForErrors) {
  const auto source = std::make_shared<const std::string>(nameForErrors);
  if (const std::size_t line = lineOfTooDeepKey(text, mostPartsOfAKey))
    failAt({source, line, 1}, fmt::format("a key has more than {} parts; use fewer dots", mostPartsOfAKey));
  try {
    return Converter(source, true).value(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    failAt({source, std::max<std::size_t>(begin.line, 1), std::max<std::size_t>(begin.column, 1)},
           fmt::format("this is not valid TOML{}; correct it here", inOurSentence(error.description())));
  }
}

Value parseTomlValue(const std::string& text, const std::string& source) {
  const auto shared = std::make_shared<const std::string>(source);
  if (lineOfTooDeepKey(text, mostPartsOfAKey))
    failAt({shared}, "a key in the value has too many parts; use fewer dots");
  try {
    const toml::table document = toml::parse("value = " + text);
    if (document.size() == 1) return Converter(shared, false).value(*document.get("value"));
  } catch (const toml::parse_error&) {
    if (isBareWord(text)) return {text, {shared}};
  }
  failAt({shared}, "the part behind '=' is not a TOML value; write a number, \"text\", [1, 2, 3] or { key = 1 }");
}

}  // namespace polhode
