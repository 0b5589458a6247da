#include "polhode/io/json.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

JsonWriter& JsonWriter::key(const std::string& name) {
  separate();
  appendString(name);
  text_ += ": ";
  needsComma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  text_ += fmt::format("{:.17g}", number);
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  separate();
  text_ += fmt::format("{}", number);
  return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number) {
  separate();
  text_ += fmt::format("{}", number);
  return *this;
}

JsonWriter& JsonWriter::value(bool boolean) {
  separate();
  text_ += boolean ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(const std::string& text) {
  separate();
  appendString(text);
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::value(const Eigen::Ref<const VectorX>& numbers) {
  beginArray();
  for (const double number : numbers) value(number);
  return endArray();
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  needsComma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_ += bracket;
  needsComma_ = true;
  return *this;
}

void JsonWriter::separate() {
  if (needsComma_) text_ += ", ";
  needsComma_ = true;
}

void JsonWriter::appendString(const std::string& text) {
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (text_ += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      text_ += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      text_ += c;
  }
  text_ += '"';
}

}  // namespace polhode
