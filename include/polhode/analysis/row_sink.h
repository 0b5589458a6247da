#pragma once

#include "polhode/analysis/recording.h"

#include <span>
#include <string>
#include <vector>

namespace polhode {

/// Takes the rows of a run as they happen: a file that grows, or a table in memory.
class RowSink {
 public:
  virtual ~RowSink() = default;

  /// Once, before the first row: the names of the numbers in a row; the first is "time".
  virtual void begin(const std::vector<std::string>& columns) = 0;

  /// Throws SimulationError where the row cannot be kept, such as on a full disk; the rows before it are kept.
  virtual void append(std::span<const double> row) = 0;

  /// Once, after the last row.
  virtual void finish() {}
};

/// Keeps the rows in memory.
class RecordingSink final : public RowSink {
 public:
  explicit RecordingSink(Recording& recording) : recording_(recording) {}

  void begin(const std::vector<std::string>& columns) override { recording_ = {columns, {}}; }
  void append(std::span<const double> row) override { recording_.append(row); }

 private:
  Recording& recording_;
};

}  // namespace polhode
