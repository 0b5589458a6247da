#include "polhode/io/csv_writer.h"

#include "polhode/error.h"
#include "polhode/io/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

namespace polhode {
namespace {

void appendHeader(fmt::memory_buffer& text, const Recording& recording) {
  for (std::size_t column = 0; column < recording.columns.size(); ++column)
    fmt::format_to(std::back_inserter(text), "{}{}", column ? "," : "", csvField(recording.columns[column]));
  text.push_back('\n');
}

void appendRow(fmt::memory_buffer& text, const Recording& recording, std::size_t row) {
  for (std::size_t column = 0; column < recording.columns.size(); ++column)
    fmt::format_to(std::back_inserter(text), "{}{:.17g}", column ? "," : "", recording.at(row, column));
  text.push_back('\n');
}

}  // namespace

std::string csvText(const Recording& recording) {
  fmt::memory_buffer text;
  appendHeader(text, recording);
  for (std::size_t row = 0; row < recording.rows(); ++row) appendRow(text, recording, row);
  return fmt::to_string(text);
}

void writeCsv(const std::string& path, const Recording& recording) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool isGood = file != nullptr;

  fmt::memory_buffer line;
  const auto flushLine = [&] {
    isGood = isGood && std::fwrite(line.data(), 1, line.size(), file) == line.size();
    line.clear();
  };

  appendHeader(line, recording);
  flushLine();
  for (std::size_t row = 0; row < recording.rows() && isGood; ++row) {
    appendRow(line, recording, row);
    flushLine();
  }

  if (file && std::fclose(file) != 0) isGood = false;
  if (!isGood) throw InputError(fmt::format("{}: the file cannot be written ({})", path, std::strerror(errno)));
}

}  // namespace polhode
