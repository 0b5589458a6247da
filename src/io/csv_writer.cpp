#include "io/csv_writer.h"

#include "io/whole_file.h"
#include "polhode/error.h"

#include <cerrno>
#include <cstring>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace polhode {
namespace {

void appendHeader(fmt::memory_buffer& text, const std::vector<std::string>& columns) {
  for (std::size_t column = 0; column < columns.size(); ++column)
    fmt::format_to(std::back_inserter(text), "{}{}", column ? "," : "", csvField(columns[column]));
  text.push_back('\n');
}

void appendRow(fmt::memory_buffer& text, std::span<const double> row) {
  for (std::size_t column = 0; column < row.size(); ++column)
    fmt::format_to(std::back_inserter(text), "{}{:.17g}", column ? "," : "", row[column]);
  text.push_back('\n');
}

class CsvWriter final : public RecordingWriter {
 public:
  CsvWriter(const std::string& path, const std::vector<std::string>& columns)
      : columns_(columns.size()), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    std::string why = file_ < 0 ? std::strerror(errno) : "";
    if (why.empty()) {
      appendHeader(text_, columns);
      why = writeText();
    }
    if (why.empty()) return;
    if (file_ >= 0) ::close(file_);
    throw InputError(fmt::format("{}: the file cannot be written ({})", path, why));
  }
  ~CsvWriter() override { close(); }

  std::string append(std::span<const double> values) override {
    constexpr std::size_t mostText = 1 << 16;
    std::string why;
    for (; !values.empty() && why.empty(); values = values.subspan(columns_)) {
      appendRow(text_, values.first(columns_));
      if (text_.size() > mostText) why = writeText();
    }
    return why.empty() ? writeText() : why;
  }

  std::string close() override {
    const int file = std::exchange(file_, -1);
    return file < 0 || ::close(file) == 0 ? "" : std::strerror(errno);
  }

 private:
  /// Whole lines, all or none of them.
  std::string writeText() {
    std::string why;
    std::size_t done = 0;
    while (done < text_.size() && why.empty()) {
      const ssize_t count = ::write(file_, text_.data() + done, text_.size() - done);
      if (count > 0)
        done += static_cast<std::size_t>(count);
      else if (count == 0 || errno != EINTR)
        why = std::strerror(count == 0 ? ENOSPC : errno);
    }
    // of what fitted, the lines that are whole stay
    if (done < text_.size())
      while (done > 0 && text_[done - 1] != '\n') --done;
    length_ += static_cast<off_t>(done);
    if (!why.empty() && ::ftruncate(file_, length_) != 0) why += ", and its last line is not whole";
    text_.clear();
    return why;
  }

  std::size_t columns_;
  int file_;
  off_t length_ = 0;
  fmt::memory_buffer text_;
};

}  // namespace

std::unique_ptr<RecordingWriter> makeCsvWriter(const std::string& path, const std::vector<std::string>& columns) {
  return std::make_unique<CsvWriter>(path, columns);
}

std::string csvText(const Recording& recording) {
  fmt::memory_buffer text;
  appendHeader(text, recording.columns);
  const std::size_t width = recording.columns.size();
  for (std::size_t row = 0; row < recording.rows(); ++row)
    appendRow(text, std::span(recording.values).subspan(row * width, width));
  return fmt::to_string(text);
}

}  // namespace polhode
