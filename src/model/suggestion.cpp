#include "model/suggestion.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr std::size_t longestQuote = 60;
constexpr std::size_t longestList = 16;

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.size()];
}

/// Case, spaces, hyphens and underscores do not count when words are compared.
std::string folded(const std::string& word) {
  std::string result;
  for (const unsigned char c : word)
    if (c != '_' && c != '-' && c != ' ') result += static_cast<char>(std::tolower(c));
  return result;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string shown = text.substr(0, longestQuote);
  // a cut must not leave half a UTF-8 character behind
  if (shown.size() < text.size()) {
    while (!shown.empty() && (static_cast<unsigned char>(text[shown.size()]) & 0xC0) == 0x80) shown.pop_back();
    shown += "...";
  }
  for (char& c : shown)
    if (std::iscntrl(static_cast<unsigned char>(c))) c = '?';
  return "'" + shown + "'";
}

std::string nearestWord(const std::string& word, const std::vector<std::string>& known) {
  if (word.size() > longestQuote) return "";
  const std::string wanted = folded(word);
  std::string nearest;
  std::size_t smallest = wanted.size() / 3 + 1;  // a third of the letters may be wrong, and one more
  for (const std::string& candidate : known) {
    const std::size_t distance = editDistance(wanted, folded(candidate));
    if (distance > smallest || distance >= std::max<std::size_t>(wanted.size(), 1)) continue;
    if (distance == smallest && !nearest.empty()) continue;
    smallest = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  if (known.empty()) return "none is known";
  const std::string nearest = nearestWord(word, known);
  if (!nearest.empty()) return fmt::format("did you mean {}?", quoted(nearest));

  std::string list;
  for (std::size_t i = 0; i < std::min(known.size(), longestList); ++i) list += (i ? ", " : "") + quoted(known[i]);
  if (known.size() > longestList) list += fmt::format(" and {} more", known.size() - longestList);
  return "known " + std::string(known.size() == 1 ? "is " : "are ") + list;
}

}  // namespace polhode
