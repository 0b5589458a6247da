// In place of the bundled page where polhode is built with -DPOLHODE_PAGES=OFF; io/report.cpp says so.
#include "io/report_page.h"

namespace polhode::web {

const std::string_view reportScript = "";
const std::string_view reportStyle = "";
const std::string_view runScript = "";
const std::string_view runStyle = "";

}  // namespace polhode::web
