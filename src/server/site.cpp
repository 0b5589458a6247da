#include "site.h"

#include <map>

#include <fmt/format.h>

namespace polhode::live {

namespace {

/// The icon is a polhode on its ellipsoid.
constexpr const char* html = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=1">
<meta name="color-scheme" content="light dark">
<title>polhode live</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E
%3Cellipse cx='16' cy='16' rx='14' ry='10' fill='%230b62a8'/%3E
%3Cpath d='M8 16c0-5 4-7 9-6s8 4 7 8-6 5-10 4-6-2-6-6z' fill='none' stroke='%23fff' stroke-width='2.2'/%3E%3C/svg%3E">
<link rel="stylesheet" href="STYLE">
</head>
<body>
<noscript>This page shows a simulation with JavaScript; allow it to run here.</noscript>
<script src="SCRIPT"></script>
</body>
</html>
)";

std::map<std::string, Asset, std::less<>> makeAssets() {
  const auto text = [](std::string_view content) { return std::make_shared<const std::string>(content); };
  const std::string script = fmt::format("/live-{}.js", web::liveScriptHash);
  const std::string style = fmt::format("/live-{}.css", web::liveStyleHash);
  std::string page = html;
  page.replace(page.find("STYLE"), std::string_view("STYLE").size(), style);
  page.replace(page.find("SCRIPT"), std::string_view("SCRIPT").size(), script);
  return {{"/", {"text/html; charset=utf-8", text(page)}},
          {script, {"text/javascript; charset=utf-8", text(web::liveScript), text(web::liveScriptGzip), true}},
          {style, {"text/css; charset=utf-8", text(web::liveStyle), text(web::liveStyleGzip), true}}};
}

}  // namespace

const char* const contentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const char* const reportPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

std::optional<Asset> findAsset(std::string_view path) {
  static const auto assets = makeAssets();
  const auto found = assets.find(path);
  return found == assets.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace polhode::live
