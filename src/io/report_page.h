#pragma once

#include <string_view>

/// The program and the style of the report page, bundled from web/report when polhode is built
/// (cmake/web.cmake).
namespace polhode::web {

extern const std::string_view reportScript;
extern const std::string_view reportStyle;

/// The same of a report with a player (web/run).
extern const std::string_view runScript;
extern const std::string_view runStyle;

}  // namespace polhode::web
