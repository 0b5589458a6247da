#include "net.h"
#include "server/access.h"
#include "server/runner.h"

#include <boost/beast/websocket.hpp>
#include <deque>

namespace polhode::live {

namespace {

namespace websocket = beast::websocket;

constexpr std::size_t largestMessage = 4096;
constexpr std::size_t mostWaiting = 200;  // texts for a page that does not take them
constexpr double messagesASecond = 250.0, messagesAtOnce = 500.0;

/// A page at the other end of a WebSocket.
class PageConnection final : public Page, public std::enable_shared_from_this<PageConnection> {
 public:
  PageConnection(beast::tcp_stream stream, Context& context, ConnectionCount count)
      : socket_(std::move(stream)), context_(context), count_(std::move(count)) {}

  void accept(Request request) {
    // the WebSocket has its own watch over a connection that says nothing
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = context_.options.patience;
    timeout.idle_timeout = context_.options.patience;
    timeout.keep_alive_pings = true;
    socket_.set_option(timeout);
    socket_.read_message_max(largestMessage);
    request_ = std::move(request);
    socket_.async_accept(request_, [self = shared_from_this()](ErrorCode error) {
      if (error) return;
      self->context_.hub.enter(self);
      self->read();
    });
  }

  void sendText(News::Text text) override {
    if (closing_) return;
    if (texts_.size() >= mostWaiting) return drop();
    texts_.push_back(std::move(text));
    write();
  }

  void sendFrame(News::Text frame) override {
    if (closing_) return;
    frame_ = std::move(frame);
    write();
  }

  void close() override { close(websocket::close_code::going_away); }

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->leave();
      self->take();
    });
  }

  void take() {
    if (!limit_.allows(Runner::now())) return close(websocket::close_code::policy_error);
    if (!socket_.got_text()) return close(websocket::close_code::unknown_data);
    const std::string message = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    context_.hub.receive(*this, message);
    read();
  }

  /// Texts first, then the newest frame; one thing at a time.
  void write() {
    if (sending_ || closing_) return;
    const bool isText = !texts_.empty();
    if (isText) {
      sending_ = std::move(texts_.front());
      texts_.pop_front();
    } else {
      sending_ = std::move(frame_);
      frame_ = nullptr;
    }
    if (!sending_) return;
    socket_.text(isText);
    socket_.async_write(asio::buffer(*sending_), [self = shared_from_this()](ErrorCode error, std::size_t) {
      self->sending_ = nullptr;
      if (error) return self->leave();
      if (self->closing_) return self->sendClose();
      self->write();
    });
  }

  void close(websocket::close_code code) {
    if (closing_) return;
    closing_ = true;
    code_ = code;
    context_.hub.leave(*this);
    if (!sending_) sendClose();
  }

  void sendClose() {
    socket_.async_close(code_, [self = shared_from_this()](ErrorCode) {});
  }

  /// A page that does not read is not waited for.
  void drop() {
    closing_ = true;
    context_.hub.leave(*this);
    beast::get_lowest_layer(socket_).close();
  }

  void leave() {
    if (closing_) return;
    closing_ = true;
    context_.hub.leave(*this);
  }

  websocket::stream<beast::tcp_stream> socket_;
  Context& context_;
  ConnectionCount count_;
  Request request_;
  beast::flat_buffer buffer_;
  RateLimit limit_{messagesASecond, messagesAtOnce};
  std::deque<News::Text> texts_;
  News::Text frame_, sending_;
  bool closing_ = false;
  websocket::close_code code_ = websocket::close_code::none;
};

}  // namespace

void servePage(beast::tcp_stream stream, Request request, Context& context, ConnectionCount count) {
  std::make_shared<PageConnection>(std::move(stream), context, std::move(count))->accept(std::move(request));
}

}  // namespace polhode::live
