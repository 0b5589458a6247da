#pragma once

#include "polhode/math/types.h"
#include "value.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// Reading values out of a document, with errors that name what is read: `top.toml:14:8: body 'top': mass
/// ...`.
namespace polhode {

class ModelSection;

/// What all values of a file may use: its [parameters]; the folder of files that it names, and whether these may be read.
struct FileContext {
  std::map<std::string, double> parameters{};
  std::string folder{};
  bool mayReadFiles = true;
};

/// A value and the words that name it: "body 'top': mass".
class Field {
 public:
  Field(const Value& value, std::string name, const FileContext* context = nullptr)
      : value_(&value), name_(std::move(name)), context_(context) {}

  const Value& value() const { return *value_; }
  const std::string& name() const { return name_; }
  const FileContext& context() const;

  // A number may be written as a formula of the file's parameters, in quotes. Each throws an InputError where the value is of another type, not finite or not as the name says.
  double number() const;
  double positiveNumber() const;
  Vector3 vector3() const;
  Matrix3 matrix3() const;
  std::vector<double> numbers(std::size_t count) const;
  std::string text() const;
  bool boolean() const;

  /// The elements of an array of exactly `count`; `example` shows what to write instead.
  std::vector<Field> elements(std::size_t count, const std::string& example) const;

  /// The entries of a table, none but the known ones; `example` shows what to write instead.
  ModelSection section(const std::vector<std::string>& knownKeys, const std::string& example) const;

  /// Throws an InputError "<place>: <name> <sentence>".
  [[noreturn]] void fail(const std::string& sentence) const;

 private:
  const Value* value_;
  std::string name_;
  const FileContext* context_;
};

/// A table with none but known keys, and the words that name it: "body 'top'".
class ModelSection {
 public:
  /// Throws an InputError with the nearest known key where a key is unknown.
  ModelSection(const Value& table, std::string name, const std::vector<std::string>& knownKeys,
               const FileContext* context = nullptr);

  const std::string& name() const { return name_; }
  const Value& table() const { return *table_; }

  bool has(const std::string& key) const { return table_->find(key) != nullptr; }

  /// The value of a key, if it is there.
  std::optional<Field> find(const std::string& key) const;

  /// The value of a key that must be there; `example` shows what to write, "mass = 1.5".
  Field require(const std::string& key, const std::string& example) const;

  /// The only entry out of several alternatives. Throws an InputError where there is none or more than one.
  Field exactlyOne(const std::vector<std::string>& keys) const;

  /// Throws an InputError "<place of the table>: <name> <sentence>".
  [[noreturn]] void fail(const std::string& sentence) const;

  /// Throws an InputError "<place of the key>: <name> <sentence>".
  [[noreturn]] void failAtKey(const std::string& key, const std::string& sentence) const;

 private:
  const Value* table_;
  std::string name_;
  const FileContext* context_;
};

}  // namespace polhode
