#pragma once

#include <string_view>

/// The program and the style of the report page, bundled from web/report when polhode is built
/// (cmake/web.cmake).
namespace polhode::web {

extern const std::string_view reportScript;
extern const std::string_view reportStyle;

}  // namespace polhode::web
