#pragma once

#include "polhode/io/recording.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace polhode {

/// A file of a recording that grows: rows are on the disk when `append` returns, and the file can be opened at any moment,
/// also where the process that writes it has been killed.
class RecordingWriter {
 public:
  virtual ~RecordingWriter() = default;

  /// Rows that follow those before, one behind the other in `values`. Returns why they could not be written (such as a
  /// full disk), or nothing. What was written before stays readable; nothing is to be appended after a failure.
  virtual std::string append(std::span<const double> values) = 0;

  /// After the last row; returns as `append` does.
  virtual std::string close() = 0;
};

/// What is known of the rows before the first one is written.
struct RowPlan {
  std::size_t chunkRows = 1;         // they are best appended by multiples of this
  std::optional<std::size_t> total;  // how many there will be, where all are appended at once
};

/// Makes the file `path`, of the kind that the extension of `name` says. Throws InputError where it cannot be made.
std::unique_ptr<RecordingWriter> makeRecordingWriter(const std::string& name, const std::string& path,
                                                     const std::vector<std::string>& columns,
                                                     const Attributes& attributes, const RowPlan& plan);

}  // namespace polhode
