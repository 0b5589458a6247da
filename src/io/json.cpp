#include "io/json.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace polhode {

namespace {

/// How many bytes the character at the beginning of a text has in UTF-8; zero where it begins with none (RFC 3629: no
/// overlong forms, no surrogates, nothing beyond U+10FFFF).
std::size_t utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : (first & 0xF0) == 0xE0        ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool isOverlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool isOutside = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return isOverlong || isOutside ? 0 : length;
}

}  // namespace

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
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = utf8Length(std::string_view(text).substr(i));
    if (length == 0)
      text_ += "\\ufffd";  // the replacement character: names in files may be anything, and browsers take UTF-8 only
    else if (c == '"' || c == '\\')
      (text_ += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      text_ += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      text_ += text.substr(i, length);
    i += std::max<std::size_t>(length, 1);
  }
  text_ += '"';
}

}  // namespace polhode
