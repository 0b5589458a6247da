#include "server/live_server.h"

#include "io/csv_reader.h"
#include "io/examples.h"
#include "server/access.h"
#include "server/frame.h"
#include "server/runner.h"
#include "support/command.h"
#include "support/failing_model.h"
#include "support/live_client.h"

#include <random>
#include <thread>

#include <gtest/gtest.h>

namespace polhode::live::live_server_test {
namespace {

using test::assetOfPage;
using test::HttpAnswer;
using test::httpRequest;
using test::Json;
using test::LiveClient;
using test::RawConnection;
using test::upgradeStatus;

/// A server of its own for each test, on any port.
struct LiveServerTest : testing::Test {
  std::unique_ptr<LiveServer> server;
  std::thread thread;
  unsigned short port = 0;

  void SetUp() override { start({}); }
  void TearDown() override { stop(); }

  void start(const ServerOptions& options) {
    Scenario scenario{"heavy-top", readModelText(findExample("heavy-top")->text, "heavy-top.toml")};
    server = std::make_unique<LiveServer>(std::make_unique<Session>(std::move(scenario), SessionOptions{}, Runner::now),
                                          options);
    port = server->port();
    thread = std::thread([this] { server->run(); });
  }

  void stop() {
    if (!server) return;
    server->stop();
    thread.join();
    server.reset();
  }

  void restart(const ServerOptions& options) {
    stop();
    start(options);
  }

  std::string origin() const { return "http://127.0.0.1:" + std::to_string(port); }

  void expectAlive() {
    EXPECT_EQ(httpRequest(port, "GET", "/").status, 200u);
    LiveClient client(port);
    client.readFrame();
  }
};

TEST_F(LiveServerTest, ServesItsAssetsAndNothingElse) {
  for (const std::string& path : {std::string("/"), assetOfPage(port, "js"), assetOfPage(port, "css")}) {
    const HttpAnswer answer = httpRequest(port, "GET", path);
    EXPECT_EQ(answer.status, 200u) << path;
    EXPECT_GT(answer.body.size(), 100u) << path;
    EXPECT_NE(answer.header("Content-Security-Policy").find("default-src 'none'"), std::string::npos);
    EXPECT_EQ(answer.header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(httpRequest(port, "HEAD", path).status, 200u) << path;
  }
  for (const char* path : {"/etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/live.js",
                           "/live.js/../../x", "/live-0123456789abcdef.js", "/run", "/recordings/1.h5", "/live",
                           "/main.js", "*", "/\\..\\x", "http://example.org/"})
    EXPECT_EQ(httpRequest(port, "GET", path).status, 404u) << path;
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "BREW"})
    EXPECT_EQ(httpRequest(port, method, "/").status, 405u) << method;
}

TEST_F(LiveServerTest, ProgramAndStyleAreSentCompressedAndKeptForEver) {
  for (const char* ending : {"js", "css"}) {
    const std::string path = assetOfPage(port, ending);
    const HttpAnswer plain = httpRequest(port, "GET", path);
    const HttpAnswer packed = httpRequest(port, "GET", path, {{"Accept-Encoding", "gzip, br"}});
    EXPECT_EQ(plain.header("Content-Encoding"), "");
    EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
    EXPECT_EQ(packed.body.substr(0, 2), "\x1f\x8b");
    EXPECT_LT(packed.body.size(), plain.body.size() / 3);
    for (const HttpAnswer& answer : {plain, packed}) {
      EXPECT_EQ(answer.header("Cache-Control"), "private, max-age=31536000, immutable");
      EXPECT_EQ(answer.header("Vary"), "Accept-Encoding");
    }
  }
  // the page, which names them, is asked for every time
  EXPECT_EQ(httpRequest(port, "GET", "/").header("Cache-Control"), "no-store");
}

TEST_F(LiveServerTest, AnswersUnderItsOwnNamesOnly) {
  EXPECT_EQ(httpRequest(port, "GET", "/", {{"Host", "localhost:1"}}).status, 200u);
  EXPECT_EQ(httpRequest(port, "GET", "/", {{"Host", "example.org"}}).status, 403u);
  EXPECT_EQ(httpRequest(port, "GET", "/", {{"Host", ""}}).status, 403u);
}

TEST_F(LiveServerTest, TakesWebSocketsOfItsOwnPageOnly) {
  EXPECT_EQ(upgradeStatus(port, {{"Origin", origin()}}), 101u);
  EXPECT_EQ(upgradeStatus(port, {}), 403u);
  EXPECT_EQ(upgradeStatus(port, {{"Origin", ""}}), 403u);
  EXPECT_EQ(upgradeStatus(port, {{"Origin", "null"}}), 403u);
  EXPECT_EQ(upgradeStatus(port, {{"Origin", "https://example.org"}}), 403u);
  EXPECT_EQ(upgradeStatus(port, {{"Origin", "http://127.0.0.1:1"}}), 403u);
  EXPECT_EQ(upgradeStatus(port, {{"Host", "example.org"}, {"Origin", "http://example.org"}}), 403u);
  EXPECT_EQ(upgradeStatus(port, {{"Origin", origin()}}, "/other"), 404u);
}

TEST_F(LiveServerTest, ListensToThisMachineAloneUnlessTold) {
  EXPECT_EQ(server->url(), "http://127.0.0.1:" + std::to_string(port) + "/");
  EXPECT_THROW(LiveServer(nullptr, {.port = port}), PortTaken);
  EXPECT_THROW(LiveServer(nullptr, {.address = "nowhere"}), InputError);
  // another address of the same machine
  EXPECT_THROW(RawConnection(port, "127.0.0.2"), std::runtime_error);
  restart({.address = "0.0.0.0"});
  EXPECT_NO_THROW(RawConnection(port, "127.0.0.2"));
}

TEST_F(LiveServerTest, OnThisMachineNoTokenIsAskedFor) {
  EXPECT_EQ(server->token(), "");
  EXPECT_EQ(server->urlForOthers(), "");
  EXPECT_EQ(httpRequest(port, "GET", "/?token=wrong").status, 200u);
}

TEST_F(LiveServerTest, BeyondThisMachineEveryRequestCarriesTheToken) {
  const std::string program = assetOfPage(port, "js");
  restart({.address = "0.0.0.0"});
  const std::string token = server->token(), query = "?token=" + token;
  ASSERT_EQ(token.size(), 32u);
  EXPECT_EQ(server->url(), "http://127.0.0.1:" + std::to_string(port) + "/" + query);
  EXPECT_TRUE(server->urlForOthers().ends_with("/" + query));

  // without it, or with another one: nothing at all
  std::string wrong = token;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  const std::vector<std::string> paths = {"/",
                                          program,
                                          "/live.js",
                                          "/run",
                                          "/recordings/1.h5",
                                          "/nothing",
                                          "/?token=" + wrong,
                                          "/?Token=" + token,
                                          "/?token=",
                                          "/" + token};
  for (const std::string& path : paths)
    for (const char* method : {"GET", "HEAD", "POST", "PUT"})
      EXPECT_EQ(httpRequest(port, method, path).status, 403u) << method << " " << path;
  EXPECT_NE(httpRequest(port, "GET", "/").body.find("token"), std::string::npos);
  EXPECT_EQ(httpRequest(port, "GET", "/").header("Set-Cookie"), "");
  EXPECT_EQ(upgradeStatus(port, {{"Origin", origin()}}), 403u);
  EXPECT_EQ(upgradeStatus(port, {{"Origin", origin()}}, "/live?token=" + wrong), 403u);
  EXPECT_EQ(httpRequest(port, "GET", "/", {{"Cookie", tokenCookie(port) + "=" + wrong}}).status, 403u);

  // with it: the page, which sets the cookie for everything else
  const HttpAnswer page = httpRequest(port, "GET", "/" + query);
  EXPECT_EQ(page.status, 200u);
  const std::string cookie = page.header("Set-Cookie");
  EXPECT_TRUE(cookie.starts_with(tokenCookie(port) + "=" + token + ";")) << cookie;
  EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
  EXPECT_NE(cookie.find("SameSite=Strict"), std::string::npos);
  const test::Headers kept = {{"Cookie", "other=1; " + tokenCookie(port) + "=" + token}};
  EXPECT_EQ(httpRequest(port, "GET", program, kept).status, 200u);
  EXPECT_EQ(httpRequest(port, "GET", "/nothing", kept).status, 404u);
  EXPECT_EQ(upgradeStatus(port, {{"Origin", origin()}, kept[0]}), 101u);
  EXPECT_EQ(upgradeStatus(port, {{"Origin", origin()}}, "/live" + query), 101u);
  EXPECT_EQ(upgradeStatus(port, {kept[0]}), 403u);  // still only for its own page
  LiveClient client(port, kept);
  client.readFrame();
}

TEST_F(LiveServerTest, ASimulationThatFailsLeavesTheServerAndTheRecording) {
  stop();
  const test::TemporaryFolder folder;
  SessionOptions sessionOptions;
  sessionOptions.out = folder / "all.csv";
  Scenario scenario{"bad", readModelText(test::modelThatFails, "bad.toml")};
  server = std::make_unique<LiveServer>(std::make_unique<Session>(std::move(scenario), sessionOptions, Runner::now),
                                        ServerOptions{});
  port = server->port();
  thread = std::thread([this] { server->run(); });
  {
    LiveClient page(port);
    while (page.readText("status")["playing"].boolean()) continue;  // it has failed
    page.send("stepsize 0");
    page.send("integrator dop853");
    page.send("step");
    page.send("speed 2");
    while (page.readText("status")["speed"].number() != 2.0)
      continue;  // the server is there still, whatever came of it
  }
  expectAlive();
  stop();
  const Recording recording = parseCsv("all.csv", test::readFile(folder / "all.csv"));
  EXPECT_GE(recording.rows(), 4u);
  for (const double value : recording.values) EXPECT_TRUE(std::isfinite(value));
}

TEST_F(LiveServerTest, APageSeesTheMechanismMove) {
  LiveClient page(port);
  const Json scene = page.readText("scene");
  EXPECT_EQ(scene["bodies"][0]["name"].text(), "top");
  EXPECT_EQ(scene["joints"][0]["type"].text(), "spherical");
  EXPECT_TRUE(page.readText("seat")["steering"].boolean());
  const std::vector<double> first = page.readFrame();
  ASSERT_EQ(first.size(), frameHead + frameBody);
  std::vector<double> later = page.readFrame();
  while (later[1] < first[1] + 0.05) later = page.readFrame();
  EXPECT_NE(later[frameHead], first[frameHead]);
}

TEST_F(LiveServerTest, TwoPagesSeeTheSameState) {
  LiveClient one(port), two(port);
  std::vector<double> a = one.readFrame(), b = two.readFrame();
  while (a[0] != b[0]) (a[0] < b[0] ? a = one.readFrame() : b = two.readFrame());
  EXPECT_EQ(a, b);
}

TEST_F(LiveServerTest, OnePageSteers) {
  LiveClient one(port);
  EXPECT_TRUE(one.readText("seat")["steering"].boolean());
  LiveClient two(port);
  EXPECT_FALSE(two.readText("seat")["steering"].boolean());
  two.send("pause");
  EXPECT_NE(two.readText("notice")["text"].text().find("another page steers"), std::string::npos);
  two.send("steer");
  EXPECT_TRUE(two.readText("seat")["steering"].boolean());
  two.send("pause");
  while (two.readText("status")["playing"].boolean()) continue;
  // whoever goes leaves the wheel to the next
  two.kill();
  Json seat = one.readText("seat");
  while (!seat["steering"].boolean() || seat["pages"].number() != 1.0) seat = one.readText("seat");
  one.send("play");
  while (!one.readText("status")["playing"].boolean()) continue;
}

TEST_F(LiveServerTest, AHandOfABrowserThatWasKilledLetsGo) {
  LiveClient watching(port);
  {
    LiveClient pulling(port);
    pulling.send("steer");
    pulling.send("example ball-chain");
    pulling.send("grab 3 0 0 0 3.5 0 0");
    while (watching.readFrame()[16] != 3.0) continue;
    pulling.kill();
  }
  while (watching.readFrame()[16] != -1.0) continue;
  expectAlive();
}

TEST_F(LiveServerTest, SurvivesGarbage) {
  std::mt19937 random(7);
  const auto bytes = [&](std::size_t count) {
    std::string result(count, '\0');
    for (char& c : result) c = static_cast<char>(random());
    return result;
  };
  for (int i = 0; i < 20; ++i) {
    RawConnection raw(port);
    raw.send(bytes(2000) + "\r\n\r\n");
    raw.readUntilClosed(10.0);
  }
  {
    RawConnection endless(port);
    endless.send("GET / HTTP/1.1\r\nX: " + std::string(200'000, 'x'));
    endless.readUntilClosed(10.0);
  }
  for (int i = 0; i < 20; ++i) {
    LiveClient page(port);
    page.sendRaw(bytes(500));
    page.kill();
  }
  LiveClient page(port);
  page.send("no such command");
  page.readText("notice");
  expectAlive();
}

TEST_F(LiveServerTest, BoundsMessages) {
  LiveClient large(port);
  large.send(std::string(5000, 'x'));
  EXPECT_EQ(large.readUntilClosed(), 1009u);  // too big
  LiveClient binary(port);
  binary.sendBinary("play");
  EXPECT_EQ(binary.readUntilClosed(), 1003u);  // cannot accept
  LiveClient invalid(port);
  invalid.send("\xff\xfe");
  EXPECT_EQ(invalid.readUntilClosed(), 1007u);  // not UTF-8
  LiveClient flood(port);
  try {
    for (int i = 0; i < 20'000; ++i) flood.send("play");
  } catch (const std::exception&) {
    // the server has closed
  }
  EXPECT_EQ(flood.readUntilClosed() & ~1008u, 0u);  // against the rules, if the line still took it
  expectAlive();
}

TEST_F(LiveServerTest, DropsThoseWhoSayNothing) {
  restart({.patience = std::chrono::milliseconds(300)});
  RawConnection silent(port), half(port), halfOpen(port);
  half.send("GET / HTTP/1.1\r\nHost: 127");
  // a page that is gone without a word: it answers no ping
  halfOpen.send("GET /live HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\nOrigin: " + origin() +
                "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  EXPECT_EQ(silent.readUntilClosed(10.0), "");
  EXPECT_EQ(half.readUntilClosed(10.0), "");
  EXPECT_TRUE(halfOpen.readUntilClosed(10.0).starts_with("HTTP/1.1 101"));
  expectAlive();
}

TEST_F(LiveServerTest, ServesTwoHundredAtOnceAndNoMoreThanItsLimit) {
  restart({.mostConnections = 200});
  std::vector<LiveClient> pages;
  for (int i = 0; i < 200; ++i) pages.emplace_back(port);
  for (LiveClient& page : pages) EXPECT_EQ(page.readFrame().size(), frameHead + frameBody);
  RawConnection oneTooMany(port);
  oneTooMany.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(oneTooMany.readUntilClosed(10.0), "");
  for (LiveClient& page : pages) page.kill();
  pages.clear();
  // there is room again as soon as the server has noticed
  for (int attempt = 0;; ++attempt) {
    RawConnection next(port);
    next.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    if (next.readUntilClosed(10.0).starts_with("HTTP/1.1 200")) break;
    ASSERT_LT(attempt, 1000);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  expectAlive();
}

TEST_F(LiveServerTest, OpensARunThatThePageSends) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(test::polhode("run heavy-top --end 0.2 --every 0.01 --out " + (folder / "run.h5")).exitCode, 0);
  const std::string file = test::readFile(folder / "run.h5");

  LiveClient page(port);
  const std::string number = std::to_string(static_cast<long>(page.readText("seat")["page"].number()));
  const std::string target = "/run?page=" + number + "&name=my%20run.h5";
  const test::Headers own = {{"Origin", origin()}};
  EXPECT_EQ(httpRequest(port, "POST", target, {}, file).status, 403u);
  EXPECT_EQ(httpRequest(port, "POST", target, {{"Origin", "http://example.org"}}, file).status, 403u);
  EXPECT_EQ(httpRequest(port, "POST", "/run?page=77&name=x", own, file).status, 403u);
  EXPECT_EQ(httpRequest(port, "POST", "/elsewhere", own, file).status, 404u);
  const HttpAnswer refused = httpRequest(port, "POST", target, own, file.substr(0, 3000));
  EXPECT_EQ(refused.status, 422u);
  EXPECT_TRUE(refused.body.starts_with("my run.h5: ")) << refused.body;

  EXPECT_EQ(httpRequest(port, "POST", target, own, file).status, 200u);
  Json scene = page.readText("scene");
  while (scene["mode"].text() != "run") scene = page.readText("scene");
  EXPECT_EQ(scene["source"].text(), "my run.h5");
  const std::string frames = httpRequest(port, "GET", "/run").body;
  EXPECT_EQ(frames.size(), 21 * (frameHead + frameBody) * sizeof(double));
  EXPECT_EQ(httpRequest(port, "GET", "/run/body/0").status, 200u);
  for (const char* none :
       {"/run/body/1", "/run/joint/1", "/run/body/", "/run/body/-1", "/run/body/0x", "/run/model/0", "/run/"})
    EXPECT_EQ(httpRequest(port, "GET", none).status, 404u) << none;
}

TEST_F(LiveServerTest, BoundsUploads) {
  restart({.largestUpload = 1000});
  LiveClient page(port);
  const std::string number = std::to_string(static_cast<long>(page.readText("seat")["page"].number()));
  const std::string target = "/run?page=" + number + "&name=run.csv";
  EXPECT_EQ(httpRequest(port, "POST", target, {{"Origin", origin()}}, std::string(1001, 'x')).status, 413u);
  EXPECT_EQ(httpRequest(port, "POST", target, {{"Origin", origin()}}, std::string(1000, 'x')).status, 422u);
  expectAlive();
}

TEST_F(LiveServerTest, ARecordingCanBeDownloaded) {
  LiveClient page(port);
  page.send("record on");
  for (double begin = page.readFrame()[1]; page.readFrame()[1] < begin + 0.1;) continue;
  page.send("record off");
  while (page.readText("status")["recordings"].items().size() == 0) continue;
  const HttpAnswer answer = httpRequest(port, "GET", "/recordings/1.csv");
  EXPECT_EQ(answer.status, 200u);
  const Recording recording = parseCsv("download", answer.body);
  EXPECT_GT(recording.rows(), 5u);
  EXPECT_EQ(recording.column("top.position.z").size(), recording.rows());
  const HttpAnswer file = httpRequest(port, "GET", "/recordings/1.h5");
  EXPECT_EQ(file.status, 200u);
  EXPECT_EQ(parseRecording("1.h5", file.body).recording.values, recording.values);
  for (const char* none : {"/recordings/2.csv", "/recordings/1.txt", "/recordings/", "/recordings/-1.csv"})
    EXPECT_EQ(httpRequest(port, "GET", none).status, 404u) << none;
}

}  // namespace
}  // namespace polhode::live::live_server_test
