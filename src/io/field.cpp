#include "field.h"

#include "model/formula.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

/// What is nothing but a word or a number in quotes was not meant as a formula.
double valueOfFormula(const Field& field, const std::string& text) {
  double number = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto isLetter = [](unsigned char c) { return std::isalpha(c); };
  const bool isNumber = failure == std::errc() && end == text.data() + text.size();
  const bool isWord = field.context().parameters.empty() && std::all_of(text.begin(), text.end(), isLetter);
  if (isNumber || isWord)
    field.fail(fmt::format("must be a number, not the string {}{}", quoted(text),
                           isNumber ? "; write it without quotes" : ""));
  try {
    return Formula(text, "", field.context().parameters).value(0.0);
  } catch (const InputError& error) {
    field.fail(fmt::format("must be a number; {}", error.what()));
  }
}

}  // namespace

const FileContext& Field::context() const {
  static const FileContext none;
  return context_ ? *context_ : none;
}

double Field::number() const {
  double result = 0.0;
  if (const auto* integer = std::get_if<std::int64_t>(&value_->content))
    result = static_cast<double>(*integer);
  else if (const auto* real = std::get_if<double>(&value_->content))
    result = *real;
  else if (const std::string* text = value_->string())
    result = valueOfFormula(*this, *text);
  else
    fail(fmt::format("must be a number, not {}", value_->description()));
  if (!std::isfinite(result)) fail(fmt::format("must be a finite number, not {}", result));
  return result;
}

double Field::positiveNumber() const {
  const double result = number();
  if (result <= 0.0) fail(fmt::format("must be positive, not {}", result));
  return result;
}

std::vector<double> Field::numbers(std::size_t count) const {
  std::vector<double> result;
  for (const Field& element : elements(count, fmt::format("{} numbers", count))) result.push_back(element.number());
  return result;
}

Vector3 Field::vector3() const {
  const std::vector<double> entries = numbers(3);
  return Vector3(entries[0], entries[1], entries[2]);
}

Matrix3 Field::matrix3() const {
  Matrix3 result;
  Eigen::Index row = 0;
  for (const Field& element : elements(3, "three rows of three numbers"))
    result.row(row++) = element.vector3().transpose();
  return result;
}

std::string Field::text() const {
  const std::string* text = value_->string();
  if (!text) fail(fmt::format("must be a string in quotes, not {}", value_->description()));
  if (text->empty()) fail("must not be empty; write a word between the quotes");
  return *text;
}

bool Field::boolean() const {
  const bool* boolean = std::get_if<bool>(&value_->content);
  if (!boolean) fail(fmt::format("must be true or false, not {}", value_->description()));
  return *boolean;
}

std::vector<Field> Field::elements(std::size_t count, const std::string& example) const {
  const Value::Array* array = value_->array();
  if (!array || array->size() != count)
    fail(fmt::format("must be an array of {}, not {}", example, value_->description()));
  std::vector<Field> result;
  for (const Value& element : *array)
    result.emplace_back(element, fmt::format("{}[{}]", name_, result.size()), context_);
  return result;
}

ModelSection Field::section(const std::vector<std::string>& knownKeys, const std::string& example) const {
  if (!value_->table()) fail(fmt::format("must be a table {}, not {}", example, value_->description()));
  return ModelSection(*value_, name_, knownKeys, context_);
}

void Field::fail(const std::string& sentence) const {
  failAt(value_->place, name_ + " " + sentence);
}

ModelSection::ModelSection(const Value& table, std::string name, const std::vector<std::string>& knownKeys,
                           const FileContext* context)
    : table_(&table), name_(std::move(name)), context_(context) {
  for (const Entry& entry : *table.table())
    if (std::find(knownKeys.begin(), knownKeys.end(), entry.key) == knownKeys.end())
      failAtKey(entry.key,
                fmt::format("has an unknown key {}; {}", quoted(entry.key), suggestion(entry.key, knownKeys)));
}

std::optional<Field> ModelSection::find(const std::string& key) const {
  const Value* value = table_->find(key);
  if (!value) return std::nullopt;
  return Field(*value, fmt::format("{}: {}", name_, key), context_);
}

Field ModelSection::require(const std::string& key, const std::string& example) const {
  if (auto field = find(key)) return *field;
  fail(fmt::format("has no {}; add {}", quoted(key), example));
}

Field ModelSection::exactlyOne(const std::vector<std::string>& keys) const {
  std::vector<std::string> given;
  for (const std::string& key : keys)
    if (has(key)) given.push_back(key);
  if (given.size() == 1) return *find(given.front());
  if (given.empty()) fail(fmt::format("is empty; give one of {}", fmt::join(keys, ", ")));
  failAtKey(given[1], fmt::format("has both {} and {}; give only one of them", polhode::quoted(given[0]),
                                  polhode::quoted(given[1])));
}

void ModelSection::fail(const std::string& sentence) const {
  failAt(table_->place, name_ + " " + sentence);
}

void ModelSection::failAtKey(const std::string& key, const std::string& sentence) const {
  for (const Entry& entry : *table_->table())
    if (entry.key == key) failAt(entry.place, name_ + " " + sentence);
  fail(sentence);
}

}  // namespace polhode
