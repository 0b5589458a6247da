#pragma once

#include "polhode/math/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace polhode {

/// Writes JSON piece by piece:
///
///     JsonWriter json;
///     json.beginObject();
///     json.field("model", "Heavy top");
///     json.key("energy").beginObject().field("initial", 1.0).endObject();
///     json.endObject();
///     json.text();  // {"model": "Heavy top", "energy": {"initial": 1}}
///
/// Numbers carry 17 significant digits, so that they read back as they were; NaN and infinity become null.
/// Commas and colons are its own affair; that what begins also ends is the caller's.
class JsonWriter {
 public:
  JsonWriter& beginObject() { return open('{'); }
  JsonWriter& endObject() { return close('}'); }
  JsonWriter& beginArray() { return open('['); }
  JsonWriter& endArray() { return close(']'); }

  /// The name of the next value, inside an object.
  JsonWriter& key(const std::string& name);

  JsonWriter& value(double number);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(std::uint64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(bool boolean);
  JsonWriter& value(const std::string& text);
  JsonWriter& value(const char* text) { return value(std::string(text)); }
  JsonWriter& null();

  /// An array of numbers.
  JsonWriter& value(const Eigen::Ref<const VectorX>& numbers);

  template <class T>
  JsonWriter& field(const std::string& name, const T& content) {
    return key(name).value(content);
  }

  const std::string& text() const { return text_; }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();
  void appendString(const std::string& text);

  std::string text_;
  bool needsComma_ = false;
};

}  // namespace polhode
