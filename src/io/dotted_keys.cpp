#include "dotted_keys.h"

#include <algorithm>
#include <string_view>

namespace polhode {
namespace {

/// The end of the string that begins at `begin` with a quote: behind its closing quote, or the end of the
/// line (of the text, for a string in three quotes) where there is none.
std::size_t endOfString(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool hasEscapes = quote == '"';
  const std::string three(3, quote);
  const bool isMultiLine = text.substr(begin, 3) == three;
  for (std::size_t i = begin + (isMultiLine ? 3 : 1); i < text.size(); ++i) {
    if (hasEscapes && text[i] == '\\') {
      ++i;
    } else if (isMultiLine) {
      if (text.substr(i, 3) == three) return i + 3;
    } else if (text[i] == '\n') {
      return i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

std::size_t lineOfTooDeepKey(const std::string& text, std::size_t mostParts) {
  const std::string_view separators = "=,[]{}\n";
  std::size_t line = 1, dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t next = i + 1;
    if (text[i] == '"' || text[i] == '\'') next = endOfString(text, i);
    if (text[i] == '#') next = std::min(text.find('\n', i), text.size());
    if (text[i] == '.' && ++dots >= mostParts) return line;
    if (separators.find(text[i]) != std::string_view::npos) dots = 0;
    for (; i < next && i < text.size(); ++i)
      if (text[i] == '\n') ++line;
  }
  return 0;
}

}  // namespace polhode
