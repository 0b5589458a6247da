#pragma once

#include <span>
#include <string>
#include <vector>

namespace polhode {

/// A table of numbers with named columns, row after row.
struct Recording {
  std::vector<std::string> columns;  // "time", "top.position.x", ...
  std::vector<double> values;        // row-major

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }

  /// One column, from top to bottom. Throws std::out_of_range for a name that is not there.
  std::vector<double> column(const std::string& name) const;

  /// Adds a row; it must have as many entries as there are columns.
  void append(std::span<const double> row) { values.insert(values.end(), row.begin(), row.end()); }
};

}  // namespace polhode
