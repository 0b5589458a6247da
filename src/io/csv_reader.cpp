#include "io/csv_reader.h"

#include "model/suggestion.h"
#include "polhode/error.h"

#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace polhode {
namespace {

/// Takes the next line off the text, without its end.
std::string_view takeLine(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Takes the next field off a line of names; one in quotes may hold commas, and quotes written twice.
std::string takeName(std::string_view& line) {
  std::string name;
  if (!line.starts_with('"')) {
    name = line.substr(0, line.find(','));
    line.remove_prefix(name.size());
    return name;
  }
  line.remove_prefix(1);
  while (!line.empty()) {
    const char c = line.front();
    line.remove_prefix(1);
    if (c != '"') {
      name += c;
    } else if (line.starts_with('"')) {
      name += '"';
      line.remove_prefix(1);
    } else {
      break;
    }
  }
  return name;
}

double readValue(std::string_view word, const std::string& name, std::size_t line) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size()) return value;
  if (word == "nan" || word == "-nan") return std::numeric_limits<double>::quiet_NaN();
  throw InputError(fmt::format("{}:{}: {} is not a number; open a file of comma-separated numbers", name, line,
                               quoted(std::string(word))));
}

}  // namespace

Recording parseCsv(const std::string& name, std::string_view text) {
  Recording recording;
  std::string_view header = takeLine(text);
  if (header.empty()) throw InputError(name + ": the file is empty; open one that `polhode run --out` wrote");
  for (bool isLast = false; !isLast;) {
    recording.columns.push_back(takeName(header));
    isLast = header.empty();
    if (recording.columns.back().empty() || (!isLast && header.front() != ','))
      throw InputError(
          fmt::format("{}:1: the name of column {} is missing or damaged; open a file whose first line "
                      "names its columns",
                      name, recording.columns.size()));
    if (!isLast) header.remove_prefix(1);
  }

  // a line without its end was not written whole
  text = text.substr(0, text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1);
  for (std::size_t line = 2; !text.empty(); ++line) {
    std::string_view row = takeLine(text);
    if (row.empty()) continue;
    std::size_t fields = 0;
    for (;; ++fields) {
      const std::string_view word = row.substr(0, row.find(','));
      recording.values.push_back(readValue(word, name, line));
      if (word.size() == row.size()) break;
      row.remove_prefix(word.size() + 1);
    }
    if (fields + 1 != recording.columns.size())
      throw InputError(fmt::format("{}:{}: the line has {} numbers for {} columns; the file is damaged", name, line,
                                   fields + 1, recording.columns.size()));
  }
  return recording;
}

}  // namespace polhode
