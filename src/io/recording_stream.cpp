#include "io/recording_stream.h"

#include "io/checkpoint_file.h"
#include "polhode/error.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace polhode {
namespace {

using namespace std::chrono_literals;

constexpr auto glance = 100ms;                 // how often the thread looks
constexpr std::size_t firstNumbers = 1 << 15;  // go first: little enough for a small disk
constexpr auto longestWait = 300ms;            // after which a row goes to the disk
constexpr double chunkSeconds = 0.125;         // rows of so much time make a chunk, so that most are written once
constexpr std::size_t mostChunkRows = 1024;    //
constexpr std::size_t mostShortRows = 256;     // of a run whose rows are written all at once
constexpr std::size_t mostWaiting = 1 << 19;   // numbers: 4 MB

}  // namespace

RecordingStream::RecordingStream(std::string path, Attributes attributes)
    : path_(std::move(path)), attributes_(std::move(attributes)) {
  checkOutputPath(path_);
}

RecordingStream::~RecordingStream() {
  try {
    finish();
  } catch (const SimulationError&) {
    // was told already, or the run ends for another reason
  }
}

void RecordingStream::begin(const std::vector<std::string>& columns) {
  columns_ = columns;
  begun_ = Clock::now();
  watcher_ = std::thread([this] { watch(); });
}

void RecordingStream::append(std::span<const double> row) {
  const std::scoped_lock lock(mutex_);
  if (failure_.empty()) {
    if (waiting_.empty()) oldest_ = Clock::now();
    waiting_.insert(waiting_.end(), row.begin(), row.end());
    ++rows_;
    if (waiting_.size() >= mostWaiting) flush();
  }
  if (!failure_.empty()) throw SimulationError(row.front(), failure_);
}

void RecordingStream::finish() {
  if (!watcher_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  wake_.notify_one();
  watcher_.join();
  if (failure_.empty()) write(pending());
  if (writer_)
    if (const std::string why = writer_->close(); !why.empty()) fail(why);
  writer_.reset();
  file_.reset();
  if (!failure_.empty()) throw SimulationError(0.0, failure_);
}

void RecordingStream::sync() {
  const std::scoped_lock lock(mutex_);
  goesOn_ = goesOn_ || heldBack_;
  heldBack_ = false;
  if (failure_.empty()) write(pending());
  if (failure_.empty() && file_ && writer_) takePlace();
  if (!failure_.empty()) throw SimulationError(0.0, failure_);
}

/// What the thread does: whole chunks as they are there, everything that has waited too long.
void RecordingStream::watch() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, glance, [this] { return ends_; }))
    if (failure_.empty() && !waiting_.empty()) flush();
}

void RecordingStream::flush() {
  const bool late = Clock::now() - oldest_ >= longestWait;
  if (!writer_ && !late && waiting_.size() < mostWaiting) return;  // the pace is not known yet
  const std::size_t whole = wholeChunks();
  write(late || (whole == 0 && waiting_.size() >= mostWaiting) ? pending() : whole);
}

/// Rows that wait and fill chunks.
std::size_t RecordingStream::wholeChunks() const {
  if (chunkRows_ == 0) return pending();
  const std::size_t filled = (written_ + pending()) / chunkRows_ * chunkRows_;
  return filled > written_ ? filled - written_ : 0;
}

void RecordingStream::write(std::size_t rows) {
  if (rows == 0) return;
  std::size_t now = rows;
  try {
    if (!writer_ && !makeFile())
      now = std::min({rows, chunkRows_, std::max<std::size_t>(1, firstNumbers / columns_.size())});
  } catch (const InputError& error) {
    failure_ = error.what();
    return;
  }
  const std::size_t numbers = now * columns_.size();
  if (const std::string why = writer_->append(std::span(waiting_).first(numbers)); !why.empty()) return fail(why);
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(numbers));
  written_ += now;
  oldest_ = Clock::now();
  if (file_ && !heldBack_) takePlace();
  if (failure_.empty()) write(rows - now);
}

void RecordingStream::takePlace() {
  try {
    file_->complete();
    file_.reset();
    if (!goesOn_) std::filesystem::remove(checkpointPath(path_));  // of the run that was there
  } catch (const InputError& error) {
    failure_ = error.what();
  }
}

/// With chunks as long as the pace of the run so far suggests. Whether it is made for just the rows that wait: those of a
/// short run that has ended.
bool RecordingStream::makeFile() {
  const double seconds = std::max(std::chrono::duration<double>(Clock::now() - begun_).count(), 1e-3);
  const double pace = static_cast<double>(rows_) / seconds;
  const std::size_t wanted = ends_ ? rows_ : static_cast<std::size_t>(pace * chunkSeconds);
  chunkRows_ = std::bit_floor(std::clamp<std::size_t>(wanted, 1, mostChunkRows));
  file_.emplace(path_);
  const bool isShort = ends_ && rows_ <= mostShortRows;
  const RowPlan plan{chunkRows_, isShort ? std::optional(rows_) : std::nullopt};
  writer_ = makeRecordingWriter(path_, file_->path(), columns_, attributes_, plan);
  return isShort;
}

void RecordingStream::fail(const std::string& why) {
  if (file_)
    failure_ = fmt::format("{}: the file cannot be written ({}); make room or choose another folder", path_, why);
  else
    failure_ = fmt::format(
        "{}: the file cannot be written any longer ({}); its first {} rows are there and can be read; make room or "
        "choose "
        "another folder",
        path_, why, written_);
}

}  // namespace polhode
