#pragma once

#include <cstddef>
#include <string>

namespace polhode {

/// Where the text of a TOML document has a key of too many parts, a.b.c: its line, counted from 1; 0 if
/// nowhere. Every part nests a table into another, which no model needs and which would exhaust the stack of
/// a parser.
std::size_t lineOfTooDeepKey(const std::string& text, std::size_t mostParts);

}  // namespace polhode
