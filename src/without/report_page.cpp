// In place of the bundled page where polhode is built with -DPOLHODE_PAGES=OFF; io/report.cpp says so.
#include "io/report_page.h"

namespace polhode::web {

const std::string_view reportScript = "";
const std::string_view reportStyle = "";

}  // namespace polhode::web
