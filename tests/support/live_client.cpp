#include "support/live_client.h"

#include "support/live_frame.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <map>
#include <regex>
#include <stdexcept>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

namespace polhode::test {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;

tcp::endpoint endpointOf(unsigned short port) {
  return {asio::ip::address_v4::loopback(), port};
}

std::string hostOf(unsigned short port) {
  return fmt::format("127.0.0.1:{}", port);
}

}  // namespace

std::string HttpAnswer::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (beast::iequals(key, {name.data(), name.size()})) return value;
  return {};
}

HttpAnswer httpRequest(unsigned short port, const std::string& method, const std::string& target,
                       const Headers& headers, const std::string& body) {
  asio::io_context io;
  tcp::socket socket(io);
  socket.connect(endpointOf(port));
  http::request<http::string_body> request;
  request.method_string(method);
  request.target(target);
  request.set(http::field::host, hostOf(port));
  for (const auto& [name, value] : headers) request.set(name, value);
  request.body() = body;
  request.prepare_payload();
  boost::system::error_code ignored;  // the server may answer before it has read everything
  http::write(socket, request, ignored);

  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(boost::none);
  if (method == "HEAD") parser.skip(true);
  http::read(socket, buffer, parser);
  HttpAnswer answer{parser.get().result_int(), {}, parser.get().body()};
  for (const auto& field : parser.get())
    answer.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  return answer;
}

std::string assetOfPage(unsigned short port, const std::string& ending) {
  const std::string page = httpRequest(port, "GET", "/").body;
  std::smatch found;
  return std::regex_search(page, found, std::regex("\"(/live-[0-9a-f]{16}\\." + ending + ")\"")) ? found[1].str() : "";
}

unsigned upgradeStatus(unsigned short port, const Headers& headers, const std::string& path) {
  Headers all = {{"Upgrade", "websocket"},
                 {"Connection", "Upgrade"},
                 {"Sec-WebSocket-Version", "13"},
                 {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
  all.insert(all.end(), headers.begin(), headers.end());
  return httpRequest(port, "GET", path, all).status;
}

struct LiveClient::Socket {
  asio::io_context io;
  websocket::stream<tcp::socket> stream{io};
  beast::flat_buffer buffer;
  std::map<std::string, std::deque<Json>> waiting;  // texts by their type

  /// Reads one message; a text is put with those that wait.
  void read() {
    buffer.clear();
    stream.read(buffer);
    if (!stream.got_text()) return;
    Json message = parseJson(beast::buffers_to_string(buffer.data()));
    waiting[message["type"].text()].push_back(message);
  }
};

LiveClient::LiveClient(unsigned short port, const Headers& headers, const std::string& path)
    : socket_(std::make_unique<Socket>()) {
  auto& stream = socket_->stream;
  stream.next_layer().connect(endpointOf(port));
  stream.read_message_max(64 << 20);
  stream.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
    request.set(http::field::origin, "http://" + hostOf(port));
    for (const auto& [name, value] : headers) request.set(name, value);
  }));
  websocket::response_type response;
  boost::system::error_code error;
  stream.handshake(response, hostOf(port), path, error);
  if (error) throw std::runtime_error(fmt::format("{}", response.result_int()));
}

LiveClient::~LiveClient() = default;
LiveClient::LiveClient(LiveClient&&) noexcept = default;

void LiveClient::send(std::string_view text) {
  socket_->stream.text(true);
  socket_->stream.write(asio::buffer(text));
}

void LiveClient::sendBinary(std::string_view bytes) {
  socket_->stream.binary(true);
  socket_->stream.write(asio::buffer(bytes));
}

void LiveClient::sendRaw(std::string_view bytes) {
  asio::write(socket_->stream.next_layer(), asio::buffer(bytes));
}

Json LiveClient::readText(const std::string& type) {
  std::deque<Json>& waiting = socket_->waiting[type];
  while (waiting.empty()) socket_->read();
  Json message = std::move(waiting.front());
  waiting.pop_front();
  return message;
}

std::vector<double> LiveClient::readFrame() {
  do socket_->read();
  while (!socket_->stream.got_binary());
  return sentNumbers(beast::buffers_to_string(socket_->buffer.data()));
}

unsigned LiveClient::readUntilClosed() {
  boost::system::error_code error;
  while (!error) {
    socket_->buffer.clear();
    socket_->stream.read(socket_->buffer, error);
  }
  return socket_->stream.reason().code;
}

void LiveClient::kill() {
  socket_->stream.next_layer().set_option(asio::socket_base::linger(true, 0));
  socket_->stream.next_layer().close();
}

RawConnection::RawConnection(unsigned short port, const std::string& address)
    : handle_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const tcp::endpoint endpoint(asio::ip::make_address(address), port);
  if (handle_ >= 0 && ::connect(handle_, endpoint.data(), static_cast<socklen_t>(endpoint.size())) == 0) return;
  if (handle_ >= 0) ::close(handle_);
  throw std::runtime_error("cannot connect");
}

RawConnection::~RawConnection() {
  if (handle_ >= 0) ::close(handle_);
}

void RawConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the other side has had enough
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string RawConnection::readUntilClosed(double seconds) {
  std::string received;
  for (char buffer[4096];;) {
    pollfd waiting{handle_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(1000.0 * seconds)) == 0)
      throw std::runtime_error("the connection is still open");
    const ssize_t count = ::recv(handle_, buffer, sizeof buffer, 0);
    if (count <= 0) return received;
    received.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace polhode::test
