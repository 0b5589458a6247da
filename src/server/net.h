#pragma once

#include "server/hub.h"
#include "server/live_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <memory>

namespace polhode::live {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using ErrorCode = boost::system::error_code;

/// What every connection knows of the server.
struct Context {
  asio::io_context& io;
  asio::thread_pool& workers;  // for what takes long: files that are read and written
  Hub& hub;
  const ServerOptions& options;
  bool loopbackOnly;
  unsigned short port;
  std::string token;                            // that requests must carry; empty where none is needed
  std::shared_ptr<const SweepMembers> members;  // of the sweep that was opened; null where none was
};

/// A connection that counts as long as it lives.
class ConnectionCount {
 public:
  explicit ConnectionCount(std::shared_ptr<std::size_t> count) : count_(std::move(count)) { ++*count_; }
  ~ConnectionCount() {
    if (count_) --*count_;
  }
  ConnectionCount(ConnectionCount&&) = default;
  ConnectionCount(const ConnectionCount&) = delete;

 private:
  std::shared_ptr<std::size_t> count_;
};

using Request = http::request<http::string_body>;

/// Answers requests on a new connection, until it ends or becomes a page's.
void serveConnection(beast::tcp_stream stream, Context& context, ConnectionCount count);

/// Makes a page of a connection that has asked for a WebSocket.
void servePage(beast::tcp_stream stream, Request request, Context& context, ConnectionCount count);

}  // namespace polhode::live
