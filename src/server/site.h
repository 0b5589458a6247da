#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polhode::web {

// The program and the style of the page, bundled from web/live when polhode is built (cmake/web.cmake).
extern const std::string_view liveScript;
extern const std::string_view liveStyle;
// The same compressed, and hashes of what is in them.
extern const std::string_view liveScriptGzip, liveScriptHash;
extern const std::string_view liveStyleGzip, liveStyleHash;

}  // namespace polhode::web

namespace polhode::live {

/// A file of the page.
struct Asset {
  const char* type;
  std::shared_ptr<const std::string> content;
  std::shared_ptr<const std::string> gzipped{};  // the same for browsers that take it; null where it is small
  bool isImmutable = false;                      // its name has a hash of its content: browsers may keep it for ever
};

/// The page's files: "/", and the program and the style that it names, "/live-HASH.js" and "/live-HASH.css"; nothing else is there.
std::optional<Asset> findAsset(std::string_view path);

/// What the page may do: run its own program and talk to its own server.
extern const char* const contentPolicy;

/// Where a sweep that was opened is seen, and what its page may do, which is a report: run the program that it holds.
inline constexpr std::string_view sweepPath = "/sweep";
extern const char* const reportPolicy;

}  // namespace polhode::live
