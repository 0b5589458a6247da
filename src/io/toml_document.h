#pragma once

#include "value.h"

#include <string>

namespace polhode {

/// Parses TOML; the root of the result is a table. Throws an InputError where the text is no TOML.
Value parseToml(const std::string& text, const std::string& nameForErrors);

/// Parses the value of an override, `2`, `[0, 0, 20]` or a bare word; every place in it is `source` without a
/// line.
Value parseTomlValue(const std::string& text, const std::string& source);

}  // namespace polhode
