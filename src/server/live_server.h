#pragma once

#include "polhode/error.h"
#include "server/session.h"

#include <chrono>
#include <memory>
#include <string>

namespace polhode::live {

struct ServerOptions {
  std::string address = "127.0.0.1";
  unsigned short port = 0;                    // 0 for any that is free
  std::chrono::milliseconds patience{20000};  // with a connection that says nothing
  std::size_t mostConnections = 256;
  std::size_t largestUpload = 256u << 20;
};

/// The port belongs to another program.
class PortTaken : public InputError {
 public:
  using InputError::InputError;
};

/// Serves the page of web/live and the simulation that it shows, by HTTP and WebSocket (Boost.Beast).
class LiveServer {
 public:
  /// Listens and begins to simulate. Throws PortTaken or another InputError where the address or port cannot be had.
  LiveServer(std::unique_ptr<Session> session, const ServerOptions& options);
  ~LiveServer();

  unsigned short port() const;

  /// What every request must carry where the server listens beyond this machine; empty where it does not.
  const std::string& token() const;

  /// For people's browsers on this machine, with the token; and on others, where the server listens to all addresses.
  std::string url() const;
  std::string urlForOthers() const;

  /// Serves until it is stopped; the session is finished then. Throws InputError where its recording cannot be written.
  void run();

  /// Ends run(), from any thread.
  void stop();

  /// SIGINT and SIGTERM end run().
  void stopOnSignals();

 private:
  std::string urlOf(const std::string& host) const;

  class Network;
  std::unique_ptr<Network> network_;
};

/// Listens to the port asked for. Without one to the usual one, so that a page stays where it was, or to any other where that
/// one is taken.
constexpr unsigned short usualPort = 8765;
std::unique_ptr<LiveServer> listenToSomePort(const std::function<std::unique_ptr<Session>()>& makeSession,
                                             const std::string& address, std::optional<unsigned short> port);

}  // namespace polhode::live
