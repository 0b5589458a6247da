#include "io/report.h"

#include "io/whole_file.h"
#include "polhode/error.h"
#include "report_json.h"
#include "report_page.h"

#include <fmt/format.h>

namespace polhode {

namespace {

/// The page may run its own program and style and show its own pictures, and may fetch nothing.
constexpr const char* pageFormat = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="polhode">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<noscript>This report draws its charts with JavaScript; allow it to run here.</noscript>
<script type="application/json" id="report">{data}</script>
<script>
{script}
</script>
</body>
</html>
)";

std::string escapedHtml(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string reportHtml(const Report& report) {
  return fmt::format(fmt::runtime(pageFormat), fmt::arg("title", escapedHtml(report.title)),
                     fmt::arg("style", report.motion ? web::runStyle : web::reportStyle),
                     fmt::arg("data", reportJson(report)),
                     fmt::arg("script", report.motion ? web::runScript : web::reportScript));
}

void writeReport(const std::filesystem::path& path, const Report& report) {
  if (web::reportScript.empty())
    throw InputError(path.string() + ": this polhode was built without its pages; build it with -DPOLHODE_PAGES=ON");
  writeWholeFile(path, reportHtml(report));
}

}  // namespace polhode
