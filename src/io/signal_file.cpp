#include "io/signal_file.h"

#include "model/suggestion.h"
#include "polhode/error.h"
#include "text_file.h"

#include <charconv>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr const char* blanksOfFiles = " \t\r";  // lines of some editors end with \r\n

std::optional<double> number(const std::string& text) {
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) result.push_back(trimmed(cell, blanksOfFiles));
  return result;
}

}  // namespace

SampledPath readSignalText(const std::string& text, const std::string& nameForErrors, std::size_t components) {
  const std::string columns = components == 1 ? "time and value" : "time, x, y, z";
  std::vector<double> times;
  std::vector<Vector3> positions;
  std::istringstream stream(text);
  std::size_t lineNumber = 0;
  bool headerAllowed = true;
  for (std::string line; std::getline(stream, line);) {
    ++lineNumber;
    line = trimmed(line, blanksOfFiles);
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> words = cells(line);
    const bool isHeader = headerAllowed && !number(words[0]);
    headerAllowed = false;
    if (isHeader) continue;

    const auto fail = [&](const std::string& sentence) {
      throw InputError(fmt::format("{}:{}: {}", nameForErrors, lineNumber, sentence));
    };
    if (words.size() != components + 1) fail(fmt::format("a sample has {} numbers; write {}", words.size(), columns));
    std::array<double, 4> values{};
    for (std::size_t i = 0; i <= components; ++i) {
      const std::optional<double> value = number(words[i]);
      if (!value) fail(fmt::format("{} is not a number; write {}", quoted(words[i]), columns));
      values[i] = *value;
    }
    times.push_back(values[0]);
    positions.emplace_back(values[1], values[2], values[3]);
  }
  try {
    return {std::move(times), std::move(positions)};
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", nameForErrors, error.what()));
  }
}

SampledPath readSignalFile(const std::string& path, std::size_t components) {
  return readSignalText(readTextFile(path), path, components);
}

}  // namespace polhode
