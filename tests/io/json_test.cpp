#include "io/json.h"

#include <limits>

#include <gtest/gtest.h>

namespace polhode::json_test {

TEST(Json, WritesObjectsAndArrays) {
  JsonWriter json;
  json.beginObject();
  json.field("model", "Heavy top").field("steps", 12).field("done", true);
  json.key("bodies").beginObject();
  json.key("top").beginObject().field("position", Vector3(1.0, -0.5, 0.0)).endObject();
  json.endObject();
  json.key("empty").beginArray().endArray();
  json.key("list").beginArray().value("a").value(1.5).null().beginArray().endArray().endArray();
  json.endObject();
  EXPECT_EQ(json.text(),
            R"({"model": "Heavy top", "steps": 12, "done": true, "bodies": {"top": {"position": [1, -0.5, 0]}}, )"
            R"("empty": [], "list": ["a", 1.5, null, []]})");
}

TEST(Json, EscapesStrings) {
  JsonWriter json;
  json.value(std::string("a\"b\\c\nd\te\x01 \xC3\xA9"));
  EXPECT_EQ(json.text(), "\"a\\\"b\\\\c\\u000ad\\u0009e\\u0001 \xC3\xA9\"");
}

TEST(Json, IsUtf8WhateverItIsGiven) {
  const auto written = [](const std::string& text) {
    JsonWriter json;
    json.value(text);
    return json.text();
  };
  for (const char* good : {"\x7f", "\xC2\x80", "\xE2\x82\xAC", "\xEF\xBF\xBD", "\xF0\x9F\xA4\x96", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(written(good), "\"" + std::string(good) + "\"");
  // alone, cut short, overlong, half of a pair of UTF-16, beyond the last character
  EXPECT_EQ(written("a\xFF"), "\"a\\ufffd\"");
  EXPECT_EQ(written("\xC3"), "\"\\ufffd\"");
  EXPECT_EQ(written("\xE2\x82z"), "\"\\ufffd\\ufffdz\"");
  EXPECT_EQ(written("\xC0\xAF"), "\"\\ufffd\\ufffd\"");
  EXPECT_EQ(written("\xE0\x80\xAF"), "\"\\ufffd\\ufffd\\ufffd\"");
  EXPECT_EQ(written("\xED\xA0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
  EXPECT_EQ(written("\xF4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

TEST(Json, NumbersReadBackAsTheyWere) {
  for (const double number : {0.1, 1.0 / 3.0, -9.81, 1e-300, 1.7976931348623157e308, 123456789.0}) {
    JsonWriter json;
    json.value(number);
    EXPECT_EQ(std::stod(json.text()), number);
  }
  JsonWriter tenth;
  tenth.value(0.1);
  EXPECT_EQ(tenth.text(), "0.10000000000000001");
}

TEST(Json, HasNoWordForNotANumberAndInfinity) {
  JsonWriter json;
  json.beginArray();
  json.value(std::numeric_limits<double>::quiet_NaN());
  json.value(std::numeric_limits<double>::infinity());
  json.endArray();
  EXPECT_EQ(json.text(), "[null, null]");
}

}  // namespace polhode::json_test
