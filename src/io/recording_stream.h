#pragma once

#include "io/recording_writer.h"
#include "io/whole_file.h"
#include "polhode/analysis/row_sink.h"
#include "polhode/io/recording.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace polhode {

/// A recording that goes to a file while the run goes on, in bounded memory. Rows are on the disk within a second, however
/// slow the run: a thread of its own looks after them.
///
/// A file that exists stays until the new one has begun well: that is written under another name beside it until its first
/// rows are on the disk (after a third of a second, or at the end of a shorter run), then takes its place and grows there.
class RecordingStream final : public RowSink {
 public:
  /// Throws InputError where no file can be made there; see checkOutputPath.
  RecordingStream(std::string path, Attributes attributes);
  ~RecordingStream() override;

  void begin(const std::vector<std::string>& columns) override;
  void append(std::span<const double> row) override;
  void finish() override;

  /// Does not take the place of the old file before `sync` is called: for rows that are copied from it.
  void holdBack() { heldBack_ = true; }

  /// Returns when all rows are on the disk. Throws as `append` does.
  void sync();

  const std::string& path() const { return path_; }

  /// On the disk or on the way there.
  std::size_t rows() const { return rows_; }

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  void flush();
  void write(std::size_t rows);
  std::size_t pending() const { return waiting_.size() / columns_.size(); }
  std::size_t wholeChunks() const;
  void takePlace();
  bool makeFile();
  void fail(const std::string& why);

  std::string path_;
  Attributes attributes_;
  std::vector<std::string> columns_;
  std::optional<PartialFile> file_;  // until it takes the place of the final one
  std::unique_ptr<RecordingWriter> writer_;
  std::size_t rows_ = 0, written_ = 0, chunkRows_ = 0;
  Clock::time_point begun_, oldest_;  // of the rows that wait
  std::vector<double> waiting_;
  std::string failure_;
  bool heldBack_ = false, goesOn_ = false;

  std::mutex mutex_;  // guards everything above
  std::condition_variable wake_;
  bool ends_ = false;
  std::thread watcher_;
};

}  // namespace polhode
