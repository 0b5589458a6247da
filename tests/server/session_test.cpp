#include "server/session.h"

#include "control/control_methods.h"
#include "io/examples.h"
#include "io/hdf5_bytes.h"
#include "math/euler_map.h"
#include "polhode/error.h"
#include "server/run_file.h"
#include "support/command.h"
#include "support/failing_model.h"
#include "support/json.h"
#include "support/live_session.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

namespace polhode::live::session_test {
namespace {

using test::example;
using test::frameNumbers;
using test::Json;
using test::LiveSession;
using test::parseJson;

TEST_F(LiveSession, FollowsTheClock) {
  begin(example("heavy-top"));
  pass(1.0);
  EXPECT_NEAR(time(), 1.0, 1e-9);
  session->obey(ChooseSpeed{0.25});
  pass(1.0);
  EXPECT_NEAR(time(), 1.25, 1e-9);
}

TEST_F(LiveSession, ShowsTheMotionOfTheModel) {
  begin(example("heavy-top"));
  pass(0.5);
  const std::vector<double> numbers = frame();
  ASSERT_EQ(numbers.size(), frameHead + frameBody);
  // steady precession at 10 rad/s, see examples/heavy-top.toml
  const double t = numbers[1], radius = 0.075 * std::sin(M_PI / 3);
  EXPECT_NEAR(numbers[frameHead], radius * std::sin(10 * t), 1e-7);
  EXPECT_NEAR(numbers[frameHead + 1], -radius * std::cos(10 * t), 1e-7);
  EXPECT_NEAR(numbers[frameHead + 2], 0.0375, 1e-7);
}

TEST_F(LiveSession, SendsWhatSensorsMeasure) {
  const std::string sensors =
      "[[sensor]]\nname = \"push\"\ntype = \"force\"\njoint = \"tip\"\n"
      "[[sensor]]\nname = \"height\"\ntype = \"formula\"\nformula = \"2*z\"\nof = { z = \"top.position.z\" }\n";
  begin({"top", readModelText(findExample("heavy-top")->text + sensors, "top.toml")});
  pass(0.1);
  const News news = session->takeNews();
  const std::vector<double> numbers = frameNumbers(*news.frame);
  ASSERT_EQ(numbers.size(), frameHead + frameBody + 3 + 1);
  EXPECT_NEAR(numbers[frameHead + frameBody + 2], 0.706858347 * 9.81, 1e-6);  // a steady precession carries its weight
  EXPECT_EQ(numbers.back(), 2 * numbers[frameHead + 2]);
  const Json told = parseJson(*news.scene)["sensors"];
  EXPECT_EQ(told[0]["unit"].text(), "N");
  EXPECT_EQ(told[1]["unit"].text(), "");  // a formula may be of anything
}

TEST_F(LiveSession, PausesStepsAndResets) {
  begin(example("heavy-top"));
  session->obey(ChooseIntegrator{"director-em"});
  session->obey(ChooseStep{0.001});
  pass(0.2);
  session->obey(Pause{});
  const double paused = time();
  pass(1.0);
  EXPECT_EQ(time(), paused);
  session->obey(StepOnce{});
  EXPECT_GT(time(), paused);
  EXPECT_LT(time(), paused + 0.0021);
  session->obey(Reset{});
  EXPECT_EQ(time(), 0.0);
  session->obey(Play{});
  pass(0.1);
  EXPECT_NEAR(time(), 0.1, 1e-9);
}

TEST_F(LiveSession, AnotherIntegratorGoesOnFromHere) {
  begin(example("heavy-top"));
  pass(0.3);
  const std::vector<double> before = frame();
  session->obey(ChooseIntegrator{"null-eml"});
  session->obey(ChooseStep{0.0005});
  const std::vector<double> after = frame();
  EXPECT_EQ(after[1], before[1]);
  for (std::size_t i = frameHead; i < after.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-9) << i;
  EXPECT_NEAR(after[2] + after[3], before[2] + before[3], 1e-9);
  pass(0.3);
  const std::vector<double> later = frame();
  const double t = later[1], radius = 0.075 * std::sin(M_PI / 3);
  EXPECT_NEAR(t, 0.6, 0.0006);  // from the end of a step to the next
  EXPECT_NEAR(later[frameHead], radius * std::sin(10 * t), 1e-3);
  EXPECT_NEAR(later[frameHead + 1], -radius * std::cos(10 * t), 1e-3);
}

TEST_F(LiveSession, WhatDoesNotFitIsSaidAndChangesNothing) {
  begin(example("heavy-top"));
  session->takeNews();
  session->obey(ChooseIntegrator{"no-such-thing"});
  session->obey(ChooseExample{"no-such-thing"});
  const News news = session->takeNews();
  ASSERT_EQ(news.notices.size(), 2u);
  EXPECT_EQ(parseJson(*news.status)["integrator"].text(), "dop853");
  pass(0.1);
  EXPECT_NEAR(time(), 0.1, 1e-9);
}

TEST_F(LiveSession, AFailedStepStopsAndSaysWhy) {
  begin(example("heavy-top"));
  session->obey(ChooseIntegrator{"quaternion-vi"});
  session->obey(ChooseStep{0.5});  // has no solution: h |Omega| must be below 1
  pass(0.6);
  const News news = session->takeNews();
  const Json status = parseJson(*news.status);
  EXPECT_FALSE(status["playing"].boolean());
  EXPECT_NE(status["failure"].text(), "");
  session->obey(ChooseIntegrator{"dop853"});
  session->obey(Play{});
  const double before = time();
  pass(0.1);
  EXPECT_NEAR(time(), before + 0.1, 1e-9);
}

TEST_F(LiveSession, WhateverASimulationThrowsIsToldAndTheRecordingIsWhole) {
  const test::TemporaryFolder folder;
  begin({"bad", readModelText(test::modelThatFails, "bad.toml")}, {.out = folder / "all.csv"});
  pass(0.3);
  EXPECT_FALSE(parseJson(*session->takeNews().status)["playing"].boolean());
  // every other way to go on from here meets the same load; each says so, and none ends the program
  for (const char* name : {"dop853", "radau5", "bdf", "director-em-4", "linear-implicit-euler"})
    for (const double step : {0.0, 0.01}) {
      session->obey(ChooseStep{step});
      session->obey(ChooseIntegrator{name});
      session->obey(Play{});
      pass(0.1);
      const News news = session->takeNews();
      EXPECT_TRUE(!news.notices.empty() || !parseJson(*news.status)["failure"].text().empty()) << name;
      EXPECT_TRUE(news.frame) << name;
    }
  // from the beginning it goes on, and is recorded
  session->obey(Reset{});
  session->obey(Play{});
  pass(0.08);
  EXPECT_NEAR(time(), 0.08, 0.0101);
  session->finish();
  for (const char* part : {"all.csv", "all-2.csv"}) {
    const RecordingFile file = readRecording(folder / part);
    EXPECT_GT(file.recording.rows(), 6u) << part;
    for (const double value : file.recording.values) EXPECT_TRUE(std::isfinite(value)) << part;
  }
}

TEST_F(LiveSession, ARunThatWasSentReadsNoFileOfThisMachine) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(test::polhode("run heavy-top --end 0.1 --out " + (folder / "run.h5")).exitCode, 0);
  RecordingFile file = readRecording(folder / "run.h5");
  for (const char* text : {"[model]\nurdf = \"/etc/hostname\"\n",
                           "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 1, 1]\n[[actuator]]\nname = \"hand\"\n"
                           "body = \"top\"\nfollow = { signal = \"/etc/hostname\" }\n"}) {
    EXPECT_THROW(readModelText(text, "sent.toml", {}, OtherFiles::refuse), InputError);
    for (auto& [name, value] : file.attributes)
      if (name == "model_file") value = text;
    writeRecording(folder / "sent.h5", file.recording, file.attributes);
    // the bodies that were recorded are shown as balls
    const auto run = openRunBytes("sent.h5", test::readFile(folder / "sent.h5"));
    EXPECT_EQ(parseJson(run->scene)["bodies"][0]["shape"]["type"].text(), "sphere");
  }
}

TEST_F(LiveSession, ExamplesCanBeChosen) {
  begin(example("heavy-top"));
  for (const Example& each : examples()) {
    session->obey(ChooseExample{each.name});
    const News news = session->takeNews();
    ASSERT_TRUE(news.scene) << each.name;
    const Json scene = parseJson(*news.scene);
    EXPECT_EQ(scene["source"].text(), each.name);
    EXPECT_EQ(scene["examples"].items().size(), examples().size());
    EXPECT_FALSE(scene["integrators"].items().empty()) << each.name;
    EXPECT_TRUE(news.notices.empty()) << each.name;
    pass(0.05);
    std::vector<double> moved = frame();
    EXPECT_NEAR(moved[1], 0.05, 1e-9) << each.name;
    const std::vector<double> first = frameNumbers(*news.frame);
    const auto stands = [&] { return std::equal(first.begin() + frameHead, first.end(), moved.begin() + frameHead); };
    if (stands()) {  // until its load begins, as that of the quarter car after a second
      pass(1.2);
      moved = frame();
    }
    EXPECT_FALSE(stands()) << each.name;
  }
}

TEST_F(LiveSession, RecordsWhatHappens) {
  begin(example("heavy-top"));
  session->obey(Record{true});
  pass(0.5);
  session->obey(Record{false});
  const auto recordings = session->takeNews().recordings;
  ASSERT_EQ(recordings.size(), 1u);
  const Recording* recording = &recordings[0]->recording;
  EXPECT_GE(recording->rows(), 50u);
  const std::vector<double> times = recording->column("time");
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], 0.01 * static_cast<double>(i), 1e-9);
  for (const double x : recording->column("hand.body")) EXPECT_EQ(x, -1.0);
}

TEST_F(LiveSession, RecordingsAreKeptSideBySideAndWhoEndsOneIsTold) {
  begin(example("heavy-top"));
  session->obey(Record{true});
  pass(0.3);
  session->obey(Reset{});
  News news = session->takeNews();
  ASSERT_EQ(news.notices.size(), 1u);
  EXPECT_NE(news.notices[0].find("heavy-top-1"), std::string::npos) << news.notices[0];
  session->obey(Record{true});
  pass(0.2);
  session->obey(ChooseExample{"free-body"});
  news = session->takeNews();
  ASSERT_EQ(news.recordings.size(), 2u);
  EXPECT_EQ(news.recordings[1]->name, "heavy-top-2");
  EXPECT_NEAR(parseJson(*news.status)["recordings"][0]["seconds"].number(), 0.3, 0.0101);

  // called as somebody wishes, for files too
  session->obey(NameRecording{1, "Swings, the 1st"});
  session->obey(NameRecording{2, "../"});
  session->obey(NameRecording{7, "none"});
  news = session->takeNews();
  EXPECT_EQ(news.recordings[0]->name, "Swings--the-1st");
  EXPECT_EQ(parseJson(*news.status)["recordings"][0]["name"].text(), "Swings--the-1st");
  EXPECT_EQ(news.recordings[1]->name, "heavy-top-2");
  ASSERT_EQ(news.notices.size(), 2u);
  EXPECT_EQ(news.notices[0], "'../' is no name for a recording; write letters, digits, - or _");

  // a file of one carries its model, and it can be seen again at once
  const RecordingFile file =
      parseRecording("1.h5", hdf5Bytes(news.recordings[0]->recording, news.recordings[0]->attributes));
  EXPECT_EQ(file.recording.values, news.recordings[0]->recording.values);
  session->obey(Replay{1});
  news = session->takeNews();
  ASSERT_TRUE(news.run);
  EXPECT_EQ(parseJson(news.run->scene)["joints"].items().size(), 1u);
  session->obey(Replay{17});
  EXPECT_EQ(session->takeNews().notices.size(), 1u);
}

TEST_F(LiveSession, WhatWasOpenedCanBeChosenAgain) {
  begin({"mine.toml", readModelText(findExample("lang-a")->text, "mine.toml", {"body.top.mass=3"})},
        {.out = "", .playing = false});
  EXPECT_EQ(parseJson(*session->takeNews().status)["chosen"].text(), "own 0");
  session->obey(ChooseExample{"heavy-top"});
  EXPECT_EQ(parseJson(*session->takeNews().status)["chosen"].text(), "example heavy-top");
  session->obey(ChooseOwn{0});
  News news = session->takeNews();
  EXPECT_EQ(parseJson(*news.scene)["source"].text(), "mine.toml");
  EXPECT_EQ(parseJson(*news.status)["own"].items().size(), 1u);
  EXPECT_EQ(parseJson(*news.scene)["bodies"][0]["mass"].number(), 3.0);
  session->obey(ChooseOwn{1});
  EXPECT_EQ(session->takeNews().notices.size(), 1u);

  // runs make room for others, and what stays keeps its number
  session->obey(Record{true});
  session->obey(Play{});
  pass(0.1);
  session->obey(Record{false});
  for (int i = 0; i < 13; ++i) session->obey(Replay{1});
  news = session->takeNews();
  const Json status = parseJson(*news.status);
  EXPECT_EQ(status["own"].items().size(), 12u);
  EXPECT_EQ(status["own"][1]["number"].number(), 3.0);
  EXPECT_EQ(status["chosen"].text(), "own 13");
  session->obey(ChooseOwn{1});  // made room
  EXPECT_EQ(session->takeNews().notices.size(), 1u);
  session->obey(ChooseOwn{0});
  EXPECT_EQ(parseJson(*session->takeNews().scene)["source"].text(), "mine.toml");
}

TEST_F(LiveSession, RowsAreOnTheDiskWhileItRuns) {
  const test::TemporaryFolder folder;
  begin(example("heavy-top"), {.out = folder / "all.csv"});
  pass(0.5);
  std::size_t rows = 0;
  for (int glances = 0; rows < 50 && glances < 1000; ++glances) {  // a third of a second, unless the machine is busy
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (std::filesystem::exists(folder / "all.csv")) rows = readRecording(folder / "all.csv").recording.rows();
  }
  EXPECT_GE(rows, 50u);
}

TEST_F(LiveSession, ARecordingThatCannotBeWrittenIsToldOnceAndTheSimulationGoesOn) {
  const test::TemporaryFolder folder;
  begin(example("heavy-top"), {.out = folder / "nowhere/all.csv"});
  pass(0.5);
  const std::vector<std::string> notices = session->takeNews().notices;
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("all.csv"), std::string::npos) << notices[0];
  EXPECT_NEAR(time(), 0.5, 0.0101);
  session->finish();
}

TEST_F(LiveSession, EverythingIsInTheFileInTheEnd) {
  const test::TemporaryFolder folder;
  SessionOptions options;
  options.out = folder / "all.h5";
  begin(example("heavy-top"), options);
  pass(0.5);
  session->obey(Reset{});
  pass(0.2);
  session->finish();
  const RecordingFile first = readRecording(folder / "all.h5"), second = readRecording(folder / "all-2.h5");
  EXPECT_NEAR(first.recording.column("time").back(), 0.5, 0.0101);
  EXPECT_NEAR(second.recording.column("time").back(), 0.2, 0.0101);
  // and opens again, with the model inside
  const auto run = openRunFile(folder / "all.h5", std::nullopt);
  const Json scene = parseJson(run->scene);
  EXPECT_EQ(scene["mode"].text(), "run");
  EXPECT_EQ(scene["bodies"][0]["shape"]["type"].text(), "cone");
  EXPECT_EQ(run->frames.size(), first.recording.rows() * (frameHead + frameBody) * sizeof(double));
}

TEST_F(LiveSession, AHandPullsALinkAndTheJointsHold) {
  begin(example("ball-chain"), {.out = "", .playing = false});
  const std::size_t link = 3;
  const Body body = example("ball-chain").file.model.bodies[link];
  const Vector3 target = body.position + Vector3(-0.8, 0.4, -0.3);
  session->obey(Grab{link, Vector3::Zero(), body.position});
  session->obey(Play{});
  session->obey(Drag{target});
  pass(2.0);
  std::vector<double> numbers = frame();
  EXPECT_EQ(numbers[16], static_cast<double>(link));
  const Vector3 held(numbers[frameHead + frameBody * link], numbers[frameHead + frameBody * link + 1],
                     numbers[frameHead + frameBody * link + 2]);
  EXPECT_LT((held - target).norm(), 0.05);  // five per cent of the way, while the rest of the chain still swings
  EXPECT_LT(numbers[10], 1e-9);             // the joints
  // another step and another law on the way, and it is still held
  session->obey(ChooseStep{0.002});
  session->obey(ChooseLaw{"critically-damped", 0.1, 500.0});
  pass(0.5);
  numbers = frame();
  EXPECT_EQ(numbers[16], static_cast<double>(link));
  EXPECT_LT(numbers[10], 1e-9);
  session->obey(Release{});
  EXPECT_EQ(frame()[16], -1.0);
}

TEST_F(LiveSession, TheHandPullsByTheLawThatIsChosen) {
  for (const std::string& method : controlMethods()) {
    begin(example("ball-chain"), {.out = "", .playing = false});
    const Body body = example("ball-chain").file.model.bodies[3];
    const Vector3 target = body.position + Vector3(-0.8, 0.4, -0.3);
    session->obey(ChooseLaw{method, 0.05, 2000.0});
    EXPECT_EQ(parseJson(*session->takeNews().status)["law"].text(), method);
    session->obey(Grab{3, Vector3::Zero(), body.position});
    session->obey(Play{});
    session->obey(Drag{target});
    // the one-step laws of the thesis swing about the hand: the nearest of a second counts
    double nearest = 1.0, gap = 0.0;
    for (int i = 0; i < 50; ++i) {
      pass(0.02);
      const std::vector<double> numbers = frame();
      const double* held = numbers.data() + frameHead + frameBody * 3;
      nearest = std::min(nearest, (Vector3(held[0], held[1], held[2]) - target).norm());
      gap = std::max(gap, numbers[10]);
      EXPECT_LE(Vector3(numbers[23], numbers[24], numbers[25]).norm(), 2000.0 * (1.0 + 1e-9)) << method;
    }
    EXPECT_LT(nearest, 0.1) << method;
    EXPECT_LT(gap, 1e-9) << method;
  }
  session->obey(ChooseLaw{"magic", 0.05, 2000.0});
  const News news = session->takeNews();
  ASSERT_EQ(news.notices.size(), 1u);
  EXPECT_NE(news.notices[0].find("no method of control"), std::string::npos);
  EXPECT_NE(parseJson(*news.status)["law"].text(), "magic");
}

// What is watched stands behind the bodies, in the order and with the units of the status.
TEST_F(LiveSession, TellsTheValuesOfWhatIsWatched) {
  begin(example("quarter-car"));
  pass(0.5);
  const std::size_t before = frame().size();
  session->obey(*parseCommand("watch body 1 joint 0 force 0"));
  const News news = session->takeNews();
  const Json watched = parseJson(*news.status)["watched"];
  ASSERT_EQ(watched.items().size(), 3u);
  EXPECT_EQ(watched[0]["properties"][0][1].text(), "300 kg");
  const std::vector<double> numbers = frameNumbers(*news.frame);
  const auto valueOf = [&](std::size_t part, const std::string& name, const std::string& unit) {
    for (const Json& quantity : watched[part]["quantities"].items())
      if (quantity["name"].text() == name) {
        EXPECT_EQ(quantity["unit"].text(), unit) << name;
        return numbers.at(before + static_cast<std::size_t>(quantity["start"].number()));
      }
    ADD_FAILURE() << name << " is not told";
    return 0.0;
  };
  const double* car = numbers.data() + frameHead + frameBody;
  const double* wheel = numbers.data() + frameHead;
  EXPECT_EQ(valueOf(0, "position", "m"), car[0]);
  EXPECT_GE(valueOf(0, "kinetic_energy", "J"), 0.0);
  EXPECT_NEAR(valueOf(1, "displacement", "m"), wheel[2] - 0.3, 1e-12);
  EXPECT_EQ(valueOf(0, "rotation_vector", "rad"), 0.0);
  // 20 kN/m from the length without tension
  EXPECT_NEAR(valueOf(2, "tension", "N"), 20e3 * (valueOf(2, "length", "m") - 0.74715), 1e-6);

  session->obey(*parseCommand("watch"));
  EXPECT_EQ(frame().size(), before);
  session->obey(*parseCommand("watch body 7"));
  EXPECT_NE(session->takeNews().notices.at(0).find("no body of the number 7"), std::string::npos);
  EXPECT_FALSE(parseCommand("watch body"));
  EXPECT_FALSE(parseCommand("watch planet 1"));
}

// How far a body has turned, in two ways: a top that precesses steadily leans by pi/3 and comes back to where it began.
TEST_F(LiveSession, TellsTheAnglesOfABody) {
  begin(example("heavy-top"), {.out = "", .playing = false});
  const std::size_t before = frame().size();
  session->obey(*parseCommand("watch body 0"));
  const News news = session->takeNews();
  const std::vector<double> numbers = frameNumbers(*news.frame);
  const auto vectorOf = [&](const std::string& name) -> Vector3 {
    const Json watched = parseJson(*news.status)["watched"];
    for (const Json& quantity : watched[0]["quantities"].items())
      if (quantity["name"].text() == name) {
        EXPECT_EQ(quantity["unit"].text(), "rad");
        return Vector3::Map(numbers.data() + before + static_cast<std::size_t>(quantity["start"].number()));
      }
    ADD_FAILURE() << name << " is not told";
    return Vector3::Zero();
  };
  const Matrix3 R = rotationMatrix<double>(Quaternion::Map(numbers.data() + frameHead + 3));
  const Vector3 turn = vectorOf("rotation_vector");
  EXPECT_LT((R - Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix()).norm(), 1e-14);
  const Vector3 angles = vectorOf("cardan_angles");
  const auto about = [&](int i) { return Eigen::AngleAxisd(angles[i], Vector3::Unit(i)); };
  EXPECT_LT((R - (about(0) * about(1) * about(2)).toRotationMatrix()).norm(), 1e-14);
  EXPECT_NEAR(std::acos(R(2, 2)), M_PI / 3, 1e-12);  // examples/heavy-top.toml
}

// The places of bodies are sent as 32-bit numbers, all else as it is.
TEST_F(LiveSession, AFrameOfAHundredBodiesAndEightPartsIsBelowSixKilobytes) {
  begin(example("rope-bridge"), {.out = "", .playing = false});
  session->obey(*parseCommand("watch body 0 body 7 body 20 body 33 body 50 body 64 joint 5 joint 80 body 100"));
  const News::Text frame = session->takeNews().frame;
  const std::string sent = onTheWire(*frame);
  EXPECT_LT(sent.size(), 6000u);
  const std::vector<double> numbers = frameNumbers(*frame), read = test::sentNumbers(sent);
  ASSERT_EQ(read.size(), numbers.size());
  const std::size_t bodies = frameHead + frameBody * 101;
  ASSERT_GT(numbers.size(), bodies + 9 * 6);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (i >= frameHead && i < bodies)
      EXPECT_EQ(static_cast<float>(read[i]), static_cast<float>(numbers[i])) << i;
    else
      EXPECT_EQ(read[i], numbers[i]) << i;
}

TEST_F(LiveSession, AHandThatHoldsFeedsNoChainThatWhips) {
  begin(example("ball-chain"), {.out = "", .playing = false});
  session->obey(ChooseLaw{"receding-horizon", 0.06, 1e4});  // much stronger than the chain is heavy
  session->obey(Grab{3, Vector3::Zero(), Vector3(3.5, 0.0, 0.0)});
  session->obey(Play{});
  for (int i = 1; i <= 5; ++i) {
    session->obey(Drag{Vector3(3.5 - 0.2 * i, 0.06 * i, 0.1 * i)});
    pass(0.01);
  }
  pass(1.0);
  const auto energy = [&] {
    const std::vector<double> numbers = frame();
    return numbers[2] + numbers[3];
  };
  double last = energy();
  for (int i = 0; i < 4; ++i) {
    pass(0.5);
    const double present = energy();
    EXPECT_LT(present, last + 0.02 * std::abs(last));
    last = present;
  }
}

// A mouse that comes in jerks leaves a chain swinging past the hand, with nothing left to lift it once it hangs still.
TEST_F(LiveSession, AHandThatJerksFetchesWhatHasSwungAway) {
  for (const double pause : {0.05, 0.19, 0.28, 0.49}) {
    begin(example("ball-chain"), {.out = "", .playing = false});
    const Vector3 before(7.5, 0, 0), target(4.76, -0.86, 0.28);
    session->obey(Grab{7, Vector3::Zero(), before});
    session->obey(Play{});
    for (int i = 1; i <= 8; ++i) {
      session->obey(Drag{before + i / 8.0 * (target - before)});
      pass(pause);
    }
    pass(30.0);
    const std::vector<double> numbers = frame();
    const Vector3 rod(&numbers[frameHead + 7 * frameBody]);
    EXPECT_LT((rod - target).norm(), 0.1) << "jerks every " << pause << " s";
  }
}

TEST_F(LiveSession, NumbersBetweenStepsAreThoseOfTheStep) {
  begin(example("ball-chain"));
  session->obey(ChooseStep{0.03});
  pass(0.5);
  session->obey(Pause{});
  const std::vector<double> numbers = frame();
  EXPECT_NEAR(numbers[1], 0.5, 1e-9);  // bodies are drawn at the time that is due
  EXPECT_LT(numbers[10], 1e-9);        // and no joint has opened
}

/// Time, energy, momentum and where the bodies are: what another integrator must not change. Orientations as matrices, since
/// two opposite quaternions are the same one.
std::vector<double> stateOf(const std::vector<double>& frame) {
  std::vector<double> state(frame.begin() + 1, frame.begin() + 10);
  for (std::size_t body = frameHead; body < frame.size(); body += frameBody) {
    const Matrix3 axes = rotationMatrix(Quaternion(frame.data() + body + 3));
    state.insert(state.end(), frame.data() + body, frame.data() + body + 3);
    state.insert(state.end(), axes.data(), axes.data() + 9);
  }
  return state;
}

TEST_F(LiveSession, SpringsOnJointsAndBushingsGoOnAnotherWay) {
  for (const char* name : {"engine-mounts", "hexapod", "rod-in-sleeve", "bennett"}) {
    begin(example(name));
    pass(0.3);
    for (const Command& choice :
         {Command(ChooseStep{0.0015}), Command(ChooseIntegrator{"director-em-4"}), Command(ChooseStep{0.001}),
          Command(ChooseIntegrator{"linear-implicit-euler"}), Command(ChooseIntegrator{"director-em"})}) {
      session->obey(Pause{});
      session->obey(Play{});  // both the end of the step
      const std::vector<double> before = stateOf(frame());
      session->obey(choice);
      const News news = session->takeNews();
      ASSERT_TRUE(news.notices.empty()) << name << ": " << news.notices[0];
      const std::vector<double> after = stateOf(frameNumbers(*news.frame));
      // director-em's velocities satisfy the joints in the mean of a step; what goes on begins with some that do at its end
      for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_NEAR(after[i], before[i], 1e-7 * (1.0 + std::abs(before[i]))) << name << ", number " << i;
      pass(0.1);
      session->obey(Play{});  // for a new status
      EXPECT_TRUE(parseJson(*session->takeNews().status)["failure"].text().empty()) << name;
    }
  }
}

// Bushings measure from where the mechanism stood at the beginning; the classical integrators go on with that as well.
TEST_F(LiveSession, GoesOnWithWhatRemembersTheBeginning) {
  begin(example("engine-mounts"));
  pass(0.3);
  session->takeNews();
  session->obey(ChooseIntegrator{"dop853"});
  News news = session->takeNews();
  EXPECT_TRUE(news.notices.empty());
  EXPECT_EQ(parseJson(*news.status)["integrator"].text(), "dop853");
}

TEST_F(LiveSession, SaysWhereItCannotGoOn) {
  begin(example("engine-mounts"));
  pass(0.3);
  session->takeNews();
  session->obey(ChooseIntegrator{"mpl"});
  News news = session->takeNews();
  ASSERT_EQ(news.notices.size(), 1u);
  EXPECT_NE(news.notices[0].find("remembers how the mechanism stood at the beginning"), std::string::npos);
  EXPECT_EQ(parseJson(*news.status)["integrator"].text(), "director-em");
  // at the beginning it can
  session->obey(Pause{});
  session->obey(Reset{});
  session->obey(ChooseIntegrator{"mpl"});
  news = session->takeNews();
  EXPECT_TRUE(news.notices.empty());
  EXPECT_EQ(parseJson(*news.status)["integrator"].text(), "mpl");
}

TEST_F(LiveSession, TakesAnIntegratorThatCanBePulled) {
  for (const char* name : {"heavy-top", "lang-a", "free-body"}) {
    begin(example(name));
    pass(0.2);
    session->obey(Pause{});
    session->obey(Play{});
    const std::vector<double> before = stateOf(frame());
    const Vector3 centre = Vector3::Map(before.data() + 9);
    session->obey(Grab{0, Vector3::Zero(), centre});
    News news = session->takeNews();
    ASSERT_EQ(news.notices.size(), 1u) << name;
    EXPECT_NE(news.notices[0].find("director-em goes on"), std::string::npos);
    const std::vector<double> after = stateOf(frameNumbers(*news.frame));
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(after[i], before[i], 1e-9 * (1.0 + std::abs(before[i]))) << name << ", number " << i;
    const Vector3 target = centre + Vector3(0.01, 0.02, 0.0);
    for (int i = 0; i < 20; ++i) {
      session->obey(Drag{target});
      pass(0.05);
    }
    const std::vector<double> numbers = frame();
    EXPECT_EQ(numbers[16], 0.0) << name;
    EXPECT_GT(Vector3::Map(numbers.data() + 23).norm(), 0.0) << name;
  }
}

// The pointer is one more hand beside the actuators of the model, whichever engine moves them.
TEST_F(LiveSession, AModelWithActuatorsIsPulledAsWell) {
  begin(example("steered-chain"));
  for (const char* integrator : {"linear-implicit-euler", "director-em", "linear-implicit-euler"}) {
    session->obey(ChooseIntegrator{integrator});
    pass(0.2);
    const std::vector<double> before = frame();
    const Vector3 centre = Vector3::Map(before.data() + frameHead + 4 * frameBody);
    session->obey(Grab{4, Vector3::Zero(), centre});
    session->obey(Drag{centre + Vector3(0.0, 0.1, 0.05)});
    pass(0.3);
    const News news = session->takeNews();
    EXPECT_TRUE(news.notices.empty()) << integrator;
    EXPECT_EQ(parseJson(*news.status)["integrator"].text(), integrator);
    const std::vector<double> numbers = frame();
    EXPECT_EQ(numbers[16], 4.0) << integrator;
    EXPECT_GT(Vector3::Map(numbers.data() + 23).norm(), 0.1) << integrator;
    EXPECT_LT(numbers[10], 1e-3) << integrator;
    // the line from the point that is held begins at the body as it is drawn
    EXPECT_LT((Vector3::Map(numbers.data() + 17) - Vector3::Map(numbers.data() + frameHead + 4 * frameBody)).norm(),
              1e-12);
    session->obey(Release{});
  }
}

TEST_F(LiveSession, MeasuresAnotherWayToSimulateAnew) {
  constexpr std::size_t meanStep = 13, worstStep = 14;
  session.emplace(example("heavy-top"), SessionOptions{}, [this] { return now += 1e-5; });  // every look takes a while
  pass(1.0);
  EXPECT_GT(frame()[meanStep], 0.0);
  EXPECT_GT(frame()[worstStep], 0.0);
  session->obey(ChooseIntegrator{"director-em"});
  EXPECT_EQ(frame()[meanStep], 0.0);
  EXPECT_EQ(frame()[worstStep], 0.0);
  pass(1.0);
  EXPECT_GT(frame()[worstStep], 0.0);
  session->obey(ChooseExample{"free-body"});
  EXPECT_EQ(frame()[worstStep], 0.0);
}

TEST_F(LiveSession, SaysWhichBodyIsNotThere) {
  begin(example("heavy-top"));
  session->takeNews();
  session->obey(Grab{7, Vector3::Zero(), Vector3::Zero()});
  EXPECT_EQ(session->takeNews().notices, std::vector<std::string>{"there is no such body to be pulled"});
}

TEST_F(LiveSession, ShowsAFinishedRunAndGoesBackToSimulating) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(test::polhode("run heavy-top --end 0.2 --out " + (folder / "run.csv")).exitCode, 0);
  begin(example("heavy-top"));
  session->show(openRunFile(folder / "run.csv", std::nullopt));
  pass(0.1);
  News news = session->takeNews();
  EXPECT_FALSE(news.frame);
  ASSERT_TRUE(news.run);
  EXPECT_EQ(parseJson(*news.scene)["mode"].text(), "run");
  EXPECT_EQ(parseJson(*news.scene)["bodies"][0]["shape"]["type"].text(), "sphere");  // a CSV file has no shapes
  for (const Command& command :
       {Command(Play{}), Command(StepOnce{}), Command(Reset{}), Command(Record{true}), Command(ChooseStep{0.1}),
        Command(Grab{0, Vector3::Zero(), Vector3::Zero()}), Command(Release{})})
    session->obey(command);
  session->obey(ChooseExample{"free-body"});
  pass(0.1);
  news = session->takeNews();
  EXPECT_TRUE(news.frame);
  EXPECT_FALSE(news.run);
}

}  // namespace
}  // namespace polhode::live::session_test
