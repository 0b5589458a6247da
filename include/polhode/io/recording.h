#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

/// What a simulation recorded, and files of it.
///
///     FILE.csv  a line of column names, then a line for each output time; 17 significant digits
///     FILE.h5   a dataset for each column, the names in order in the attribute `columns`, and the other
///               attributes as strings
///
/// A file is written under another name and renamed when it is complete, so that an existing one is never
/// lost.
namespace polhode {

/// A table of numbers with named columns, row after row.
struct Recording {
  std::vector<std::string> columns;  // "time", "top.position.x", ...
  std::vector<double> values;        // row-major

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }

  /// Adds a row; it must have as many entries as there are columns.
  void append(std::span<const double> row) { values.insert(values.end(), row.begin(), row.end()); }
};

/// Words about a recording, such as {"model", "Heavy top"} and {"integrator", "dop853"}.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Throws an InputError unless a recording can be written to `path`: the extension is known, the folder
/// exists and a file can be made there. To be called before a long simulation, not after it.
void checkOutputPath(const std::string& path);

/// Writes a recording as CSV or HDF5, by the extension of `path`. Throws as checkOutputPath does, and where
/// the disk is full.
void writeRecording(const std::string& path, const Recording& recording, const Attributes& attributes);

}  // namespace polhode
