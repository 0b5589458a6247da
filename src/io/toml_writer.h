#pragma once

#include "value.h"

#include <string>

namespace polhode {

/// A document as TOML: a table of its own, [model] or [[body]], for each table of the root, everything below in line. Numbers
/// keep all their digits; comments are not part of a document. What parseToml makes of it is the same document.
std::string tomlText(const Value& document);

/// One value in line: `2.0`, `[0, 0, 1]`, `{ body = [1, 2, 3] }`.
std::string tomlValueText(const Value& value);

}  // namespace polhode
