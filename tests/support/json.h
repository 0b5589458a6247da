#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace polhode::test {

/// A JSON value as read back by a test. Access throws std::bad_variant_access or std::out_of_range where the
/// value is not what the test takes it for.
struct Json {
  using Array = std::vector<Json>;
  using Object = std::map<std::string, Json>;
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value;

  bool isNull() const { return std::holds_alternative<std::nullptr_t>(value); }
  bool boolean() const { return std::get<bool>(value); }
  double number() const { return std::get<double>(value); }
  const std::string& text() const { return std::get<std::string>(value); }
  const Array& items() const { return std::get<Array>(value); }
  const Json& operator[](const std::string& name) const { return std::get<Object>(value).at(name); }
  const Json& operator[](std::size_t i) const { return items().at(i); }
};

/// Reads one JSON value. Throws std::runtime_error with the place where the text is not JSON.
Json parseJson(std::string_view text);

}  // namespace polhode::test
