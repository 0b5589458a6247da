#pragma once

#include "io/recording_stream.h"
#include "server/recorder.h"

#include <string>

namespace polhode::live {

/// The recording of everything that happens, in files: FILE.h5 for the first run, FILE-2.h5 after a reset or another model,
/// and so on. Rows are on the disk within a second (io/recording_stream.h), whatever becomes of the program. A run of no
/// more than one row has no file. Does nothing if it has no path.
class Journal final : private RowSink {
 public:
  Journal(std::string path, double every) : path_(std::move(path)), recorder_(every) {}

  /// Begins a run; the file of one that was under way is closed. Throws SimulationError where that cannot be; the new run has
  /// begun then too.
  void begin(const Observation& first, Attributes attributes);

  Recorder& recorder() { return recorder_; }

  /// Why the recording has ended before its run, such as a full disk; told once, empty if it has not.
  std::string takeFailure() { return std::exchange(failure_, {}); }

  /// Closes the file. Throws SimulationError where not all rows could be written.
  void finish() override;

 private:
  void begin(const std::vector<std::string>& columns) override { columns_ = columns; }
  void append(std::span<const double> row) override;

  std::string path_;
  Recorder recorder_;
  Attributes attributes_;
  std::vector<std::string> columns_;
  std::vector<double> first_;  // row, until there is a second one
  std::unique_ptr<RecordingStream> file_;
  std::string failure_;
  int parts_ = 0;
};

}  // namespace polhode::live
