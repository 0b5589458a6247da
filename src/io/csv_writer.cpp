#include "polhode/io/csv_writer.h"

#include "polhode/error.h"
#include "polhode/io/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

namespace polhode {

void writeCsv(const std::string& path, const Recording& recording) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool isGood = file != nullptr;

  fmt::memory_buffer line;
  const auto flushLine = [&] {
    line.push_back('\n');
    isGood = isGood && std::fwrite(line.data(), 1, line.size(), file) == line.size();
    line.clear();
  };

  for (std::size_t column = 0; column < recording.columns.size(); ++column)
    fmt::format_to(std::back_inserter(line), "{}{}", column ? "," : "", csvField(recording.columns[column]));
  flushLine();
  for (std::size_t row = 0; row < recording.rows() && isGood; ++row) {
    for (std::size_t column = 0; column < recording.columns.size(); ++column)
      fmt::format_to(std::back_inserter(line), "{}{:.17g}", column ? "," : "", recording.at(row, column));
    flushLine();
  }

  if (file && std::fclose(file) != 0) isGood = false;
  if (!isGood) throw InputError(fmt::format("{}: the file cannot be written ({})", path, std::strerror(errno)));
}

}  // namespace polhode
