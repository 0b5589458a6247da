#include "server/sweep_members.h"

#include "polhode/error.h"
#include "server/live_server.h"
#include "server/runner.h"
#include "support/command.h"
#include "support/live_client.h"

#include <thread>

#include <gtest/gtest.h>

/// `polhode live SWEEP.h5`: all members on one page, each to be opened.
namespace polhode::live::sweep_members_test {
namespace {

using test::httpRequest;

/// Five bobs of 1 to 2 kg, of which one, with a negative mass, is impossible.
std::string sweepOfBobs(const test::TemporaryFolder& folder) {
  std::string path = folder / "bobs.h5";
  const auto done = test::polhode(
      "sweep simple-pendulum --vary 'body.bob.mass=[-1, 1, 1.25, 1.5, 2]' --measure energy "
      "--step 0.01 --end 0.1 --out " +
      path);
  EXPECT_EQ(done.exitCode, 0) << done.errors;
  return path;
}

TEST(SweepMembers, AreTheModelsOfTheSweep) {
  const test::TemporaryFolder folder;
  const auto members = openSweepFile(sweepOfBobs(folder));
  EXPECT_EQ(members->firstToShow(), 1);  // the first has failed
  const Scenario scenario = members->member(3);
  EXPECT_EQ(scenario.file.model.bodies[0].mass, 1.5);
  EXPECT_EQ(scenario.file.simulation.step, 0.01);
  EXPECT_EQ(scenario.source, "bobs.h5, member 3");
  EXPECT_NE(members->page().find(R"("openBy":"/?member=")"), std::string::npos);
  EXPECT_THROW(members->member(0), InputError);
  EXPECT_THROW(members->member(5), InputError);
  EXPECT_THROW(members->member(-1), InputError);
}

TEST(SweepMembers, AreOpenedByNumber) {
  const test::TemporaryFolder folder;
  SessionOptions options;
  options.members = openSweepFile(sweepOfBobs(folder));
  double clock = 0.0;
  Session session(options.members->member(1), options, [&clock] { return clock += 0.02; });
  const auto chosen = [&](const char* command) {
    session.obey(*parseCommand(command));
    session.advance();
    return session.takeNews();
  };
  const News opened = chosen("member 4");
  ASSERT_TRUE(opened.scene && opened.status);
  EXPECT_NE(opened.scene->find("bobs.h5, member 4"), std::string::npos);
  EXPECT_NE(opened.status->find("member 4"), std::string::npos);
  const News another = chosen("member 2");
  EXPECT_NE(another.status->find("member 2"), std::string::npos);
  EXPECT_EQ(another.status->find("member 4"), std::string::npos);  // the list does not grow with each look
  const News missing = chosen("member 17");
  ASSERT_EQ(missing.notices.size(), 1u);
  EXPECT_EQ(missing.notices[0], "there is no member 17 in this sweep; they are counted from 0 to 4");
}

TEST(SweepMembers, WithoutASweepThereAreNone) {
  const test::TemporaryFolder folder;
  Session session(openSweepFile(sweepOfBobs(folder))->member(1), {}, [] { return 0.0; });
  session.obey(*parseCommand("member 1"));
  const News news = session.takeNews();
  ASSERT_EQ(news.notices.size(), 1u);
  EXPECT_NE(news.notices[0].find("polhode live FILE.h5"), std::string::npos);
}

TEST(SweepMembers, ThePageOfASweepIsServed) {
  const test::TemporaryFolder folder;
  SessionOptions options;
  options.members = openSweepFile(sweepOfBobs(folder));
  LiveServer server(std::make_unique<Session>(options.members->member(1), options, Runner::now), {});
  EXPECT_EQ(server.url(), "http://127.0.0.1:" + std::to_string(server.port()) + "/sweep");
  std::thread thread([&] { server.run(); });
  const test::HttpAnswer page = httpRequest(server.port(), "GET", "/sweep"),
                         live = httpRequest(server.port(), "GET", "/");
  server.stop();
  thread.join();
  EXPECT_EQ(page.status, 200u);
  EXPECT_NE(page.body.find("body.bob.mass"), std::string::npos);
  EXPECT_NE(page.header("Content-Security-Policy").find("script-src 'unsafe-inline'"), std::string::npos);
  EXPECT_EQ(live.status, 200u);
  EXPECT_EQ(live.header("Content-Security-Policy").find("unsafe-inline"), std::string::npos);
}

TEST(SweepMembers, FilesThatAreNoneAreRefused) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(openSweepFile(folder / "nothing.h5"), InputError);
}

}  // namespace
}  // namespace polhode::live::sweep_members_test
