#include "site.h"

#include <map>

namespace polhode::live {

namespace {

constexpr const char* html = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=1">
<meta name="color-scheme" content="light dark">
<title>polhode live</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/live.css">
</head>
<body>
<noscript>This page shows a simulation with JavaScript; allow it to run here.</noscript>
<script src="/live.js"></script>
</body>
</html>
)";

/// A polhode on its ellipsoid.
constexpr const char* icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<ellipse cx="16" cy="16" rx="14" ry="10" fill="#0b62a8"/>
<path d="M8 16c0-5 4-7 9-6s8 4 7 8-6 5-10 4-6-2-6-6z" fill="none" stroke="#fff" stroke-width="2.2"/>
</svg>
)";

std::map<std::string, Asset, std::less<>> makeAssets() {
  const auto text = [](std::string_view content) { return std::make_shared<const std::string>(content); };
  return {{"/", {"text/html; charset=utf-8", text(html)}},
          {"/live.js", {"text/javascript; charset=utf-8", text(web::liveScript), text(web::liveScriptGzip)}},
          {"/live.css", {"text/css; charset=utf-8", text(web::liveStyle)}},
          {"/icon.svg", {"image/svg+xml", text(icon)}}};
}

}  // namespace

const char* const contentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::optional<Asset> findAsset(std::string_view path) {
  static const auto assets = makeAssets();
  const auto found = assets.find(path);
  return found == assets.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace polhode::live
