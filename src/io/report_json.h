#pragma once

#include "io/report.h"

#include <string>

namespace polhode {

/// The report as JSON that may stand inside a <script> element. Long series are thinned; numbers that are not
/// finite become null. Throws InputError as reportHtml does.
std::string reportJson(const Report& report);

}  // namespace polhode
