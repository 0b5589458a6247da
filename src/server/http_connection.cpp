#include "io/csv_writer.h"
#include "io/hdf5_bytes.h"
#include "io/hdf5_writer.h"
#include "net.h"
#include "polhode/error.h"
#include "server/access.h"
#include "server/run_file.h"
#include "server/told_part.h"
#include "site.h"

#include <boost/asio/post.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace polhode::live {

namespace {

using Text = std::shared_ptr<const std::string>;

constexpr std::string_view recordingsFolder = "/recordings/";  // "/recordings/1.h5"
constexpr std::string_view runFolder = "/run/";                // "/run/body/3"

/// The body of an answer: a text that is shared, not copied.
struct SharedBody {
  using value_type = Text;
  static std::uint64_t size(const value_type& body) { return body ? body->size() : 0; }

  class writer {
   public:
    using const_buffers_type = asio::const_buffer;
    template <bool isRequest, class Fields>
    writer(const http::header<isRequest, Fields>&, const value_type& body) : body_(body) {}
    void init(ErrorCode& error) { error = {}; }
    boost::optional<std::pair<const_buffers_type, bool>> get(ErrorCode& error) {
      error = {};
      if (!body_) return boost::none;
      return std::pair(const_buffers_type(body_->data(), body_->size()), false);
    }

   private:
    const value_type& body_;
  };
};

using Answer = http::response<SharedBody>;

/// The part of a target before '?', and one value behind it.
std::string_view pathOf(std::string_view target) {
  return target.substr(0, target.find('?'));
}

std::string_view parameter(std::string_view target, std::string_view name) {
  const auto question = target.find('?');
  if (question == std::string_view::npos) return {};
  target.remove_prefix(question + 1);
  while (!target.empty()) {
    const std::string_view pair = target.substr(0, target.find('&'));
    target.remove_prefix(std::min(target.size(), pair.size() + 1));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) return pair.substr(name.size() + 1);
  }
  return {};
}

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(beast::tcp_stream stream, Context& context, ConnectionCount count)
      : stream_(std::move(stream)), context_(context), count_(std::move(count)) {}

  void read() {
    parser_.emplace();
    parser_->body_limit(context_.options.largestUpload);
    stream_.expires_after(context_.options.patience);
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error == http::error::end_of_stream) return self->close();
      if (error == http::error::body_limit) return self->refuseLength();
      if (!error) self->decide();
    });
  }

 private:
  const Request& request() const { return parser_->get(); }
  std::string_view header(http::field name) const { return view(request()[name]); }
  std::string_view target() const { return view(request().target()); }
  bool fromOwnPage() const { return isOwnOrigin(header(http::field::origin), header(http::field::host)); }

  bool hasTokenInAddress() const { return isToken(parameter(target(), "token"), context_.token); }

  /// Whether the request carries the token, where one is asked for.
  bool isAllowed() const {
    return context_.token.empty() || hasTokenInAddress() ||
           isToken(cookieValue(header(http::field::cookie), tokenCookie(context_.port)), context_.token);
  }

  /// The header is there; what follows depends on it.
  void decide() {
    if (!isOwnHost(header(http::field::host), context_.loopbackOnly))
      return refuse(http::status::forbidden, "this name is not one of the server's; use its address");
    if (!isAllowed())
      return refuse(http::status::forbidden,
                    "this server asks for its token; open the address that it printed when it began, with ?token=..");
    if (beast::websocket::is_upgrade(request())) return upgrade();
    switch (request().method()) {
      case http::verb::get:
      case http::verb::head:
        return get();
      case http::verb::post:
        return post();
      default:
        return refuse(http::status::method_not_allowed, "only GET, HEAD and POST are known here");
    }
  }

  void upgrade() {
    if (pathOf(target()) != "/live") return refuse(http::status::not_found, "there is nothing here");
    if (!fromOwnPage()) return refuse(http::status::forbidden, "only the server's own page may connect");
    servePage(std::move(stream_), parser_->release(), context_, std::move(count_));
  }

  void get() {
    const std::string_view path = pathOf(target());
    if (const auto asset = findAsset(path)) return sendAsset(*asset);
    if (path == sweepPath && context_.members) return sendSweep(context_.members);
    if (const auto& run = context_.hub.run(); run && path == "/run")
      return answer(http::status::ok, "application/octet-stream", Text(run, &run->frames));
    if (const auto& run = context_.hub.run(); run && path.starts_with(runFolder))
      return sendToldPart(*run, path.substr(runFolder.size()));
    if (path.starts_with(recordingsFolder)) {
      const std::string_view name = path.substr(recordingsFolder.size());
      std::size_t number = 0;
      const char* end = std::from_chars(name.data(), name.data() + name.size(), number).ptr;
      const std::string_view ending = name.substr(static_cast<std::size_t>(end - name.data()));
      const auto kept = context_.hub.recording(number);
      if (kept && (ending == ".csv" || (ending == ".h5" && hasHdf5()))) return sendRecording(kept, ending == ".csv");
    }
    refuse(http::status::not_found, "there is nothing here", true);
  }

  void sendAsset(const Asset& asset) {
    const bool isGzipped = asset.gzipped && header(http::field::accept_encoding).find("gzip") != std::string_view::npos;
    Answer answer(http::status::ok, request().version(), isGzipped ? asset.gzipped : asset.content);
    answer.keep_alive(request().keep_alive());
    if (isGzipped) answer.set(http::field::content_encoding, "gzip");
    if (asset.gzipped) answer.set(http::field::vary, "Accept-Encoding");
    if (asset.isImmutable) answer.set(http::field::cache_control, "private, max-age=31536000, immutable");
    send(std::move(answer), asset.type);
  }

  /// A page that holds its own program and its data, which may take a while to gather.
  void sendSweep(std::shared_ptr<const SweepMembers> members) {
    stream_.expires_never();
    asio::post(context_.workers, [self = shared_from_this(), members] {
      std::string page, problem;
      try {
        page = members->page();
      } catch (const std::exception& error) {
        problem = error.what();
      }
      asio::post(self->context_.io, [self, page = std::make_shared<const std::string>(std::move(page)), problem] {
        if (!problem.empty()) return self->refuse(http::status::internal_server_error, problem, true);
        Answer answer(http::status::ok, self->request().version(), page);
        answer.keep_alive(self->request().keep_alive());
        answer.set("Content-Security-Policy", reportPolicy);
        self->send(std::move(answer), "text/html; charset=utf-8");
      });
    });
  }

  /// "body/3"
  void sendToldPart(const FinishedRun& run, std::string_view name) {
    const auto slash = std::min(name.find('/'), name.size());
    Part part{std::string(name.substr(0, slash)), 0};
    const std::string_view number = name.substr(std::min(slash + 1, name.size()));
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), part.index);
    const bool isNumber = error == std::errc() && end == number.data() + number.size();
    const bool isKnown = part.kind == "body" || part.kind == "joint" || part.kind == "force" || part.kind == "actuator";
    try {
      if (isNumber && isKnown)
        return answer(http::status::ok, "application/octet-stream",
                      std::make_shared<const std::string>(toldPart(run, part)));
    } catch (const InputError& error) {
      return refuse(http::status::not_found, error.what(), true);
    }
    refuse(http::status::not_found, "there is nothing here", true);
  }

  /// Files of many megabytes are made beside the network's thread.
  void sendRecording(std::shared_ptr<const KeptRecording> kept, bool asText) {
    stream_.expires_never();
    asio::post(context_.workers, [self = shared_from_this(), kept, asText] {
      Text file;
      try {
        file = std::make_shared<const std::string>(asText ? csvText(kept->recording)
                                                          : hdf5Bytes(kept->recording, kept->attributes));
      } catch (const std::exception&) {
        // too large for the memory or the disk: said below
      }
      asio::post(self->context_.io, [self, file, kept, asText] {
        if (!file) return self->refuse(http::status::internal_server_error, "the recording is too large to be sent");
        Answer answer(http::status::ok, self->request().version(), file);
        answer.set(http::field::content_disposition,
                   fmt::format("attachment; filename=\"{}{}\"", kept->name, asText ? ".csv" : ".h5"));
        self->send(std::move(answer), asText ? "text/csv; charset=utf-8" : "application/x-hdf5");
      });
    });
  }

  /// A finished run that was dropped onto the page that steers.
  void post() {
    if (pathOf(target()) != "/run") return refuse(http::status::not_found, "there is nothing here");
    const std::string_view number = parameter(target(), "page");
    long page = 0;
    std::from_chars(number.data(), number.data() + number.size(), page);
    if (!fromOwnPage() || !context_.hub.isSteering(page))
      return refuse(http::status::forbidden, "only the page that steers may open a run");
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error == http::error::body_limit) return self->refuseLength();
      if (!error) self->openRun();
    });
  }

  void openRun() {
    stream_.expires_never();
    asio::post(context_.workers, [self = shared_from_this()] {
      std::shared_ptr<const FinishedRun> run;
      std::string problem;
      try {
        run = openRunBytes(std::string(parameter(self->target(), "name")), self->request().body());
      } catch (const std::exception& error) {
        problem = error.what();
      }
      asio::post(self->context_.io, [self, run, problem] {
        if (!run) return self->refuse(http::status::unprocessable_entity, problem, true);
        self->context_.hub.show(run);
        self->answer(http::status::ok, "text/plain; charset=utf-8", std::make_shared<const std::string>("opened"));
      });
    });
  }

  void refuse(http::status status, const std::string& sentence, bool goOn = false) {
    Answer answer(status, request().version(), std::make_shared<const std::string>(sentence + "\n"));
    answer.keep_alive(goOn && request().keep_alive());
    send(std::move(answer), "text/plain; charset=utf-8");
  }

  void refuseLength() { refuse(http::status::payload_too_large, "this file is too large to be sent"); }

  void answer(http::status status, const char* type, Text content) {
    Answer answer(status, request().version(), std::move(content));
    answer.keep_alive(request().keep_alive());
    send(std::move(answer), type);
  }

  void send(Answer answer, const char* type) {
    answer.set(http::field::server, "polhode");
    answer.set(http::field::content_type, type);
    if (answer[http::field::cache_control].empty()) answer.set(http::field::cache_control, "no-store");
    if (answer["Content-Security-Policy"].empty()) answer.set("Content-Security-Policy", contentPolicy);
    answer.set("X-Content-Type-Options", "nosniff");
    answer.set("Referrer-Policy", "no-referrer");
    answer.set("Cross-Origin-Resource-Policy", "same-origin");
    if (!context_.token.empty() && hasTokenInAddress())  // for what the page asks for itself
      answer.set(http::field::set_cookie,
                 fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", tokenCookie(context_.port), context_.token));
    answer.content_length(SharedBody::size(answer.body()));
    if (request().method() == http::verb::head) answer.body() = nullptr;
    answer_ = std::move(answer);
    serializer_.emplace(answer_);
    serializer_->split(false);
    writeSome();
  }

  /// Piece by piece, so that a long file on a slow line is not too late as long as it moves.
  void writeSome() {
    stream_.expires_after(context_.options.patience);
    http::async_write_some(stream_, *serializer_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return;
      if (!self->serializer_->is_done()) return self->writeSome();
      if (self->answer_.keep_alive())
        self->read();
      else
        self->close();
    });
  }

  void close() {
    ErrorCode ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    drain();
  }

  /// Whoever still sends would not hear the answer if the connection were closed at once.
  void drain() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(16 * 1024), [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (!error) self->drain();
    });
  }

  beast::tcp_stream stream_;
  Context& context_;
  ConnectionCount count_;
  beast::flat_buffer buffer_{64 * 1024};
  std::optional<http::request_parser<http::string_body>> parser_;
  Answer answer_;
  std::optional<http::response_serializer<SharedBody>> serializer_;
};

}  // namespace

void serveConnection(beast::tcp_stream stream, Context& context, ConnectionCount count) {
  std::make_shared<HttpConnection>(std::move(stream), context, std::move(count))->read();
}

}  // namespace polhode::live
