#include "support/json.h"

#include <charconv>
#include <cstring>
#include <stdexcept>

namespace polhode::test {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json document() {
    Json value = parseValue();
    skipSpace();
    if (at_ != text_.size()) fail("more text after the value");
    return value;
  }

 private:
  Json parseValue() {
    skipSpace();
    if (take("null")) return {nullptr};
    if (take("true")) return {true};
    if (take("false")) return {false};
    switch (peek()) {
      case '{':
        return {parseObject()};
      case '[':
        return {parseArray()};
      case '"':
        return {parseString()};
      default:
        return {parseNumber()};
    }
  }

  Json::Object parseObject() {
    Json::Object object;
    expect('{');
    if (takeAfterSpace('}')) return object;
    do {
      skipSpace();
      std::string name = parseString();
      skipSpace();
      expect(':');
      if (!object.emplace(std::move(name), parseValue()).second) fail("a member twice");
    } while (takeAfterSpace(','));
    expect('}');
    return object;
  }

  Json::Array parseArray() {
    Json::Array array;
    expect('[');
    if (takeAfterSpace(']')) return array;
    do {
      array.push_back(parseValue());
    } while (takeAfterSpace(','));
    expect(']');
    return array;
  }

  std::string parseString() {
    std::string string;
    expect('"');
    while (peek() != '"') {
      if (static_cast<unsigned char>(peek()) < 0x20) fail("a control character in a string");
      string += take("\\") ? parseEscape() : text_[at_++];
    }
    expect('"');
    return string;
  }

  /// Escapes of ASCII characters; others do not occur.
  char parseEscape() {
    if (!take("u")) return text_[at_++];
    int code = 0;
    std::from_chars(text_.data() + at_, text_.data() + at_ + 4, code, 16);
    at_ += 4;
    return static_cast<char>(code);
  }

  double parseNumber() {
    double number = 0.0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc() || !std::strchr("-0123456789", peek())) fail("not a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }

  char peek() const {
    if (at_ >= text_.size()) fail("the text ends too soon");
    return text_[at_];
  }

  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool takeAfterSpace(char c) {
    skipSpace();
    return take(std::string_view(&c, 1));
  }

  void expect(char c) {
    if (!take(std::string_view(&c, 1))) fail(std::string("expected ") + c);
  }

  void skipSpace() {
    while (at_ < text_.size() && std::strchr(" \n\r\t", text_[at_])) ++at_;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("JSON, character " + std::to_string(at_) + ": " + what);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Json parseJson(std::string_view text) {
  return Parser(text).document();
}

}  // namespace polhode::test
