#pragma once

#include "json.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Programs that talk to a live server as browsers do, and as browsers should not.
namespace polhode::test {

struct HttpAnswer {
  unsigned status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  /// The value of a header; empty where there is none.
  std::string header(std::string_view name) const;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

/// One request on a connection of its own. `headers` replace those that a browser would send (Host).
HttpAnswer httpRequest(unsigned short port, const std::string& method, const std::string& target,
                       const Headers& headers = {}, const std::string& body = {});

/// The path of the program ("js") or the style ("css") that the page names.
std::string assetOfPage(unsigned short port, const std::string& ending);

/// The answer to a page with these headers that asks for a WebSocket: 101 is yes.
unsigned upgradeStatus(unsigned short port, const Headers& headers, const std::string& path = "/live");

/// A page: a WebSocket.
class LiveClient {
 public:
  /// Connects as the server's own page does, unless `headers` say otherwise. Throws std::runtime_error with the status
  /// where it is refused.
  explicit LiveClient(unsigned short port, const Headers& headers = {}, const std::string& path = "/live");
  ~LiveClient();
  LiveClient(LiveClient&&) noexcept;

  void send(std::string_view text);
  void sendBinary(std::string_view bytes);
  void sendRaw(std::string_view bytes);  // beneath the WebSocket

  /// The next message of that type ("scene", "status", "seat", "notice"); others wait until they are asked for.
  Json readText(const std::string& type);

  /// The numbers of the next frame, passing over texts.
  std::vector<double> readFrame();

  /// Reads until the server closes; the code it gives (0 where it gives none).
  unsigned readUntilClosed();

  /// Ends the connection as a killed browser does: no goodbye at all.
  void kill();

 private:
  struct Socket;
  std::unique_ptr<Socket> socket_;
};

/// A bare connection.
class RawConnection {
 public:
  /// Throws std::runtime_error where nobody listens.
  explicit RawConnection(unsigned short port, const std::string& address = "127.0.0.1");
  ~RawConnection();
  RawConnection(RawConnection&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

  void send(std::string_view bytes);

  /// Everything that comes until the server closes; at most `seconds` of waiting, then std::runtime_error.
  std::string readUntilClosed(double seconds);

 private:
  int handle_;
};

}  // namespace polhode::test
