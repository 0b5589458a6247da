#include "analysis/chosen_columns.h"

#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace polhode {

namespace {

/// Where the two differ behind a star, the star takes one more character.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<std::string> patternsOf(const std::string& list) {
  std::vector<std::string> patterns;
  std::istringstream stream(list);
  for (std::string pattern; std::getline(stream, pattern, ',');) {
    const std::size_t begin = pattern.find_first_not_of(' '), end = pattern.find_last_not_of(' ');
    if (begin != std::string::npos) patterns.push_back(pattern.substr(begin, end - begin + 1));
  }
  return patterns;
}

}  // namespace

std::vector<std::size_t> chosenColumns(const std::string& list, const std::vector<std::string>& columns) {
  const std::vector<std::string> patterns = patternsOf(list);
  if (patterns.empty()) throw InputError("no columns are chosen; write for instance 'top.position.*,energy'");
  std::vector<bool> isChosen(columns.size(), false);
  isChosen[0] = true;
  for (const std::string& pattern : patterns) {
    bool fits = false;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (matches(pattern, columns[i]) || columns[i].starts_with(pattern + ".")) fits = isChosen[i] = true;
    if (fits) continue;
    std::vector<std::string> known = columns;  // and their beginnings
    for (const std::string& column : columns)
      for (std::size_t dot = column.find('.'); dot != std::string::npos; dot = column.find('.', dot + 1))
        if (known.back() != column.substr(0, dot)) known.push_back(column.substr(0, dot));
    throw InputError(
        fmt::format("{} fits no column of the recording; {}", quoted(pattern), suggestion(pattern, known)));
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (isChosen[i]) chosen.push_back(i);
  return chosen;
}

void ChosenColumns::begin(const std::vector<std::string>& columns) {
  if (names_.empty()) {
    chosen_ = chosenColumns(patterns_, columns);
  } else {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (std::find(names_.begin(), names_.end(), columns[i]) != names_.end()) chosen_.push_back(i);
  }
  std::vector<std::string> names;
  for (const std::size_t i : chosen_) names.push_back(columns[i]);
  row_.resize(chosen_.size());
  sink_.begin(names);
}

void ChosenColumns::append(std::span<const double> row) {
  for (std::size_t i = 0; i < chosen_.size(); ++i) row_[i] = row[chosen_[i]];
  sink_.append(row_);
}

}  // namespace polhode
