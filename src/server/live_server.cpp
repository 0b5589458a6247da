#include "server/live_server.h"

#include "net.h"
#include "polhode/error.h"
#include "server/access.h"
#include "site.h"

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <optional>

#include <fmt/format.h>

namespace polhode::live {

namespace {

using asio::ip::tcp;

constexpr std::chrono::milliseconds farewell{500};  // for pages to hear that the server goes
constexpr std::chrono::milliseconds respite{100};   // before the next try, where no connection can be taken

tcp::acceptor listenTo(asio::io_context& io, const ServerOptions& options) {
  ErrorCode error;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  if (error)
    throw InputError(
        fmt::format("'{}' is not an address to listen to; give one like 127.0.0.1 or 0.0.0.0", options.address));
  try {
    return tcp::acceptor(io, tcp::endpoint(address, options.port), true);
  } catch (const boost::system::system_error& failed) {
    const std::string problem = fmt::format("cannot listen to port {} of {} ({}); choose another --port", options.port,
                                            options.address, failed.code().message());
    if (failed.code() == asio::error::address_in_use) throw PortTaken(problem);
    throw InputError(problem);
  }
}

}  // namespace

class LiveServer::Network {
 public:
  Network(std::unique_ptr<Session> session, const ServerOptions& options)
      : options_(options),
        acceptor_(listenTo(io_, options_)),
        members_(session->members()),
        runner_(std::move(session), [this] { tellLater(); }),
        hub_(runner_),
        context_{io_, workers_, hub_, options_, endpoint_.address().is_loopback(), endpoint_.port(), "", members_} {
    if (!context_.loopbackOnly) context_.token = makeToken();
    accept();
  }

  ~Network() {
    runner_.stop();  // before what its news need
    workers_.join();
  }

  tcp::endpoint endpoint() const { return endpoint_; }
  const std::string& token() const { return context_.token; }

  /// What people open first.
  std::string_view firstPath() const { return members_ ? sweepPath : "/"; }

  void run() {
    serve();
    runner_.stop();
  }

  void stop() {
    asio::post(io_, [this] { leave(); });
  }

  void stopOnSignals() {
    signals_.emplace(io_, SIGINT, SIGTERM);
    signals_->async_wait([this](ErrorCode error, int) {
      if (!error) leave();
    });
  }

 private:
  /// What goes wrong with one connection ends that connection and no other.
  void serve() {
    for (;;) {
      try {
        io_.run();
        return;
      } catch (const std::exception& error) {
        fmt::print(stderr, "a connection has ended: {}\n", error.what());
      }
    }
  }

  void accept() {
    acceptor_.async_accept([this](ErrorCode error, tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (error) return acceptLater();
      // one too many is closed at once
      if (*connections_ < options_.mostConnections)
        serveConnection(beast::tcp_stream(std::move(socket)), context_, ConnectionCount(connections_));
      accept();
    });
  }

  void acceptLater() {
    timer_.expires_after(respite);
    timer_.async_wait([this](ErrorCode error) {
      if (!error) accept();
    });
  }

  /// From the simulation's thread; once is enough, however much there is to tell.
  void tellLater() {
    if (telling_.exchange(true)) return;
    asio::post(io_, [this] {
      telling_ = false;
      hub_.spread();
    });
  }

  void leave() {
    if (!acceptor_.is_open()) return;
    acceptor_.close();
    hub_.closeAll();
    timer_.expires_after(farewell);
    timer_.async_wait([this](ErrorCode) { io_.stop(); });
  }

  ServerOptions options_;
  asio::io_context io_{1};
  asio::thread_pool workers_{1};
  tcp::acceptor acceptor_;
  tcp::endpoint endpoint_ = acceptor_.local_endpoint();
  std::shared_ptr<const SweepMembers> members_;
  std::shared_ptr<std::size_t> connections_ = std::make_shared<std::size_t>(0);
  asio::steady_timer timer_{io_};
  std::optional<asio::signal_set> signals_;
  std::atomic<bool> telling_ = false;
  Runner runner_;
  Hub hub_;
  Context context_;
};

LiveServer::LiveServer(std::unique_ptr<Session> session, const ServerOptions& options)
    : network_(std::make_unique<Network>(std::move(session), options)) {}

LiveServer::~LiveServer() = default;

unsigned short LiveServer::port() const {
  return network_->endpoint().port();
}

const std::string& LiveServer::token() const {
  return network_->token();
}

std::string LiveServer::url() const {
  const asio::ip::address address = network_->endpoint().address();
  return urlOf(address.is_unspecified() ? "127.0.0.1"
               : address.is_v6()        ? "[" + address.to_string() + "]"
                                        : address.to_string());
}

std::string LiveServer::urlForOthers() const {
  const bool hasManyAddresses = network_->endpoint().address().is_unspecified();
  const std::string name = hasManyAddresses ? machineName() : "";
  return name.empty() ? "" : urlOf(name);
}

std::string LiveServer::urlOf(const std::string& host) const {
  return fmt::format("http://{}:{}{}{}", host, port(), network_->firstPath(),
                     token().empty() ? "" : "?token=" + token());
}

void LiveServer::run() {
  network_->run();
}

void LiveServer::stop() {
  network_->stop();
}

void LiveServer::stopOnSignals() {
  network_->stopOnSignals();
}

std::unique_ptr<LiveServer> listenToSomePort(const std::function<std::unique_ptr<Session>()>& makeSession,
                                             const std::string& address, std::optional<unsigned short> port) {
  ServerOptions options;
  options.address = address;
  options.port = port.value_or(usualPort);
  if (port) return std::make_unique<LiveServer>(makeSession(), options);
  try {
    return std::make_unique<LiveServer>(makeSession(), options);
  } catch (const PortTaken&) {
    options.port = 0;
    return std::make_unique<LiveServer>(makeSession(), options);
  }
}

}  // namespace polhode::live
