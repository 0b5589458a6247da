#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

/// A TOML document as a plain tree whose every value knows where it stands.
namespace polhode {

/// Where a value stands: a file with line and column, or an override (line 0).
struct Place {
  std::shared_ptr<const std::string> source;
  std::size_t line = 0, column = 0;

  /// "top.toml:14:8", or the source alone where there is no line.
  std::string text() const;
};

/// Throws an InputError "<place>: <sentence>".
[[noreturn]] void failAt(const Place& place, const std::string& sentence);

struct Entry;
struct DateOrTime {};

struct Value {
  using Array = std::vector<Value>;
  using Table = std::vector<Entry>;  // in the order of the file

  std::variant<bool, std::int64_t, double, std::string, DateOrTime, Array, Table> content;
  Place place;

  const Array* array() const { return std::get_if<Array>(&content); }
  const Table* table() const { return std::get_if<Table>(&content); }
  Array* array() { return std::get_if<Array>(&content); }
  Table* table() { return std::get_if<Table>(&content); }
  const std::string* string() const { return std::get_if<std::string>(&content); }

  /// The value of a key of a table; null where there is no such key, or this is no table.
  const Value* find(const std::string& key) const;
  Value* find(const std::string& key);

  /// What it is, for errors: "the string 'heavy'", "an array of 2".
  std::string description() const;
};

struct Entry {
  std::string key;
  Place place;  // of the key
  Value value;
};

}  // namespace polhode
