#pragma once

#include "polhode/analysis/recording.h"

#include <string>
#include <string_view>

namespace polhode {

/// Reads comma-separated values: a line of column names, then lines of numbers. Throws an InputError with the line
/// where the text is something else.
Recording parseCsv(const std::string& name, std::string_view text);

}  // namespace polhode
