#include "io/toml_writer.h"

#include "io/examples.h"
#include "io/toml_document.h"

#include <gtest/gtest.h>

namespace polhode::toml_writer_test {
namespace {

/// The same values under the same keys, numbers to the last bit.
bool isSame(const Value& a, const Value& b) {
  if (a.content.index() != b.content.index()) return false;
  if (const Value::Array* first = a.array()) {
    const Value::Array& second = *b.array();
    if (first->size() != second.size()) return false;
    for (std::size_t i = 0; i < first->size(); ++i)
      if (!isSame((*first)[i], second[i])) return false;
    return true;
  }
  if (const Value::Table* first = a.table()) {
    if (first->size() != b.table()->size()) return false;
    for (const Entry& entry : *first) {
      const Value* other = b.find(entry.key);
      if (!other || !isSame(entry.value, *other)) return false;
    }
    return true;
  }
  if (const double* number = std::get_if<double>(&a.content)) return *number == std::get<double>(b.content);
  if (const auto* integer = std::get_if<std::int64_t>(&a.content)) return *integer == std::get<std::int64_t>(b.content);
  if (const bool* truth = std::get_if<bool>(&a.content)) return *truth == std::get<bool>(b.content);
  return !a.string() || *a.string() == *b.string();
}

void expectKept(const std::string& text, const std::string& name) {
  const Value document = parseToml(text, name);
  const std::string written = tomlText(document);
  EXPECT_TRUE(isSame(document, parseToml(written, "written"))) << name << "\n" << written;
}

TEST(TomlWriter, KeepsEveryExample) {
  for (const Example& example : examples()) expectKept(example.text, example.name);
}

TEST(TomlWriter, KeepsWhatIsHardToWrite) {
  expectKept(
      "plain = 1\nlarge = 1e300\nwhole = 3.0\ntiny = 4.9e-324\nthird = 0.3333333333333333\nnone = []\n"
      "'a key' = \"a \\\"quote\\\", a \\\\, a tab\\t and a line\\n\"\ntruth = true\nmixed = [1, 2.5, \"x\"]\n"
      "[table.inner]\nx = { y = [[1, 2], [3]], 'z z' = {} }\n[[list]]\n[[list]]\nname = 'second'\n",
      "hard");
  EXPECT_FALSE(isSame(parseToml("a = 1", "first"), parseToml("a = 1.0", "second")));
}

}  // namespace
}  // namespace polhode::toml_writer_test
