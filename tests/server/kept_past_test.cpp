#include "server/kept_past.h"

#include "support/command.h"
#include "support/json.h"
#include "support/live_session.h"
#include "support/sanitized.h"

#include <cmath>
#include <map>

namespace polhode::live::kept_past_test {
namespace {

using test::example;
using test::LiveSession;
using test::parseJson;
using Numbers = std::vector<double>;

/// All that a frame tells of the mechanism: not its number in the sequence, how long steps take, or who pulls.
Numbers stateOf(const Numbers& frame) {
  Numbers state(frame.begin() + 1, frame.begin() + 12);
  state.insert(state.end(), frame.begin() + 26, frame.end());
  return state;
}

Numbers stateOf(const LiveSimulation& simulation) {
  return stateOf(test::frameNumbers(packFrame(0.0, simulation.observe(simulation.reached()), {}, std::nullopt)));
}

struct Case {
  const char *model, *integrator;
  double step;  // 0: chosen
};

// Every kind of engine goes on from where it was as it did the first time, bit by bit.
TEST(KeptPast, GoesOnBitByBit) {
  const std::vector<Case> cases = {{"ball-chain", "director-em", 0.002},
                                   {"steered-chain", "linear-implicit-euler", 0.002},
                                   {"heavy-top", "dop853", 0.0},
                                   {"engine-mounts", "director-em", 0.002},
                                   {"engine-mounts", "radau5", 0.0},
                                   {"heavy-top", "null-eml", 0.001},
                                   {"steered-chain", "director-em", 0.002},
                                   {"quarter-car", "dopri5", 0.0},
                                   {"ball-chain", "director-gauss-4", 0.005}};
  for (const Case& each : std::span(cases).first(test::isSanitized ? 4 : cases.size())) {
    const ModelFile file = example(each.model).file;
    SimulationSettings settings = file.simulation;
    settings.integrator = each.integrator;
    settings.step = each.step > 0.0 ? std::optional(each.step) : std::nullopt;
    LiveSimulation simulation(file.model, settings);
    for (int i = 0; i < 20; ++i) simulation.step();
    const Moment moment = simulation.moment();
    const Numbers there = stateOf(simulation);
    std::vector<Numbers> first;
    for (int i = 0; i < 20; ++i) {
      simulation.step();
      simulation.moment();  // to be kept changes nothing
      first.push_back(stateOf(simulation));
    }
    simulation.goBackTo(moment);
    EXPECT_EQ(stateOf(simulation), there) << each.model << " with " << each.integrator;
    for (int i = 0; i < 20; ++i) {
      simulation.step();
      ASSERT_EQ(stateOf(simulation), first[static_cast<std::size_t>(i)])
          << each.model << " with " << each.integrator << ", step " << i;
    }
  }
}

TEST(KeptPast, TakesNoMoreMemoryThanItMay) {
  const ModelFile file = example("ball-chain").file;
  LiveSimulation simulation(file.model, file.simulation);
  constexpr std::size_t most = 3'000'000;
  KeptPast past(most);
  past.keep(simulation, 0.01);
  std::vector<double> times = {0.0};
  for (int i = 0; i < 1000; ++i) {
    simulation.step();
    past.keep(simulation, 0.002);
    times.push_back(simulation.reached());
    ASSERT_LE(past.bytes(), most);
  }
  EXPECT_LT(past.size(), 1000u);
  EXPECT_EQ(past.from(), 0.0);
  EXPECT_EQ(past.to(), simulation.reached());
  // the last steps are there one by one, and older ones are farther apart
  for (std::size_t i = 1; i <= KeptPast::singleSteps; ++i) EXPECT_EQ(past.lookBy(-1).time, times[times.size() - 1 - i]);
  past.lookAt(0.0);
  const double old = past.lookBy(1).time;
  EXPECT_GT(old, 2.0 * (times[2] - times[1]));
}

// However long the run is there are moments all along it: the older ones lie evenly.
TEST(KeptPast, LeadsBackToAnyMinute) {
  const ModelFile file = example("ball-chain").file;
  LiveSimulation simulation(file.model, file.simulation);
  KeptPast past(3'000'000);
  past.keep(simulation, 0.002);
  for (int i = 0; i < 8000; ++i) {
    simulation.step();
    past.keep(simulation, 0.002);
  }
  const double length = past.to();
  double last = past.lookAt(0.0).time, most = 0.0;
  for (std::size_t i = 1; i < past.size(); ++i) {
    const double next = past.lookBy(1).time;
    most = std::max(most, next - last);
    last = next;
  }
  // half of them are the newest ones; the others are between once and twice as far apart as they would have to be
  EXPECT_LT(most, 6.0 * length / static_cast<double>(past.size()));
}

struct LiveSessionPast : LiveSession {
  /// What the session says of its past, which is news after a command.
  test::Json past() { return parseJson(*session->takeNews().status)["past"]; }

  /// Steps one by one; the states at their ends, by their time.
  std::map<double, Numbers> steps(int count) {
    std::map<double, Numbers> states;
    for (int i = 0; i < count; ++i) {
      session->obey(StepOnce{});
      const Numbers numbers = frame();
      states[numbers[1]] = stateOf(numbers);
    }
    return states;
  }

  /// Plays for that long, and then up to the end of a step; its state.
  Numbers play(double seconds) {
    session->obey(Play{});
    pass(seconds);
    session->obey(Pause{});
    session->obey(StepOnce{});
    return stateOf(frame());
  }
};

TEST_F(LiveSessionPast, PlaysAgainFromAnInstantAsItDidTheFirstTime) {
  begin(example("ball-chain"), {.out = "", .playing = false});
  session->obey(ChooseStep{0.002});
  const std::map<double, Numbers> first = steps(300);
  session->obey(Seek{0.2});
  News news = session->takeNews();
  EXPECT_TRUE(parseJson(*news.status)["past"]["isLookedAt"].boolean());
  const Numbers there = test::frameNumbers(*news.frame);
  EXPECT_NEAR(there[1], 0.2, 0.02);  // moments that old are a picture apart
  EXPECT_EQ(stateOf(there), first.at(there[1]));
  const Numbers later = play(0.3);
  ASSERT_TRUE(first.contains(later[0])) << later[0];
  EXPECT_EQ(later, first.at(later[0]));
  EXPECT_GT(later[0], there[1] + 0.29);
}

TEST_F(LiveSessionPast, NothingIsLostUntilItGoesOn) {
  begin(example("ball-chain"), {.out = "", .playing = false});
  const std::map<double, Numbers> first = steps(50);
  const double end = first.rbegin()->first;
  session->obey(Seek{0.5 * end});
  session->obey(StepBack{});
  session->obey(StepBack{});
  session->obey(StepOnce{});
  News news = session->takeNews();
  const Numbers there = test::frameNumbers(*news.frame);
  EXPECT_EQ(stateOf(there), first.at(there[1]));
  EXPECT_LT(there[1], end);
  session->obey(Seek{1e9});
  news = session->takeNews();
  EXPECT_FALSE(parseJson(*news.status)["past"]["isLookedAt"].boolean());
  EXPECT_EQ(stateOf(test::frameNumbers(*news.frame)), first.at(end));
  EXPECT_TRUE(news.notices.empty());
  session->obey(StepBack{});
  EXPECT_EQ(time(), std::prev(first.end(), 2)->first);
  session->obey(Seek{-1.0});
  EXPECT_EQ(time(), 0.0);
  session->obey(Play{});
  pass(0.1);
  news = session->takeNews();
  ASSERT_EQ(news.notices.size(), 1u);
  EXPECT_NE(news.notices[0].find("what came after"), std::string::npos) << news.notices[0];
  EXPECT_FALSE(parseJson(*news.status)["past"]["isLookedAt"].boolean());
}

// Between the ends of long steps the integrator's own polynomial is looked at.
TEST_F(LiveSessionPast, IsAtAnyTimeWithDenseOutput) {
  begin(example("heavy-top"));
  pass(0.5);
  session->obey(Seek{0.25});
  const Numbers numbers = frame();
  EXPECT_EQ(numbers[1], 0.25);
  EXPECT_NEAR(numbers[frameHead], 0.075 * std::sin(M_PI / 3) * std::sin(2.5), 1e-7);  // examples/heavy-top.toml
}

TEST_F(LiveSessionPast, GoesBackBehindAnotherIntegrator) {
  begin(example("heavy-top"), {.out = "", .playing = false});
  session->obey(ChooseIntegrator{"director-em"});
  session->obey(ChooseStep{0.001});
  const std::map<double, Numbers> first = steps(40);
  session->obey(ChooseIntegrator{"null-eml"});  // knows nothing of the beginning
  const std::map<double, Numbers> second = steps(20);
  session->obey(ChooseIntegrator{"linear-implicit-euler"});
  steps(20);
  session->obey(Seek{second.begin()->first});
  News news = session->takeNews();
  EXPECT_EQ(parseJson(*news.status)["integrator"].text(), "null-eml");
  Numbers later = play(0.01);
  EXPECT_EQ(later, second.at(later[0]));
  session->obey(Seek{0.02});
  EXPECT_EQ(parseJson(*session->takeNews().status)["integrator"].text(), "director-em");
  later = play(0.01);
  EXPECT_EQ(later, first.at(later[0]));
}

TEST_F(LiveSessionPast, TheHandOfThenIsGone) {
  for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
    begin(example("ball-chain"), {.out = "", .playing = false});
    session->obey(ChooseIntegrator{integrator});
    session->obey(ChooseStep{0.002});
    const std::map<double, Numbers> first = steps(40);
    session->obey(Grab{3, Vector3::Zero(), Vector3(3.5, 0.0, 0.0)});
    session->obey(Drag{Vector3(3.0, 0.5, 0.5)});
    const std::map<double, Numbers> pulled = steps(40);
    // in the midst of the pull: nobody gives it energy any more
    session->obey(Seek{std::next(pulled.begin(), 30)->first});
    const Numbers there = frame();
    EXPECT_EQ(there[16], -1.0) << integrator;
    EXPECT_EQ(there[1], std::next(pulled.begin(), 30)->first) << integrator;
    const Numbers later = play(0.05);
    constexpr std::size_t work = 11;
    EXPECT_EQ(later[work] - there[26], 0.0) << integrator;
    // before it: as if it had not been
    session->obey(Seek{0.02});
    const Numbers again = play(0.04);
    EXPECT_EQ(again, first.at(again[0])) << integrator;
  }
}

TEST_F(LiveSessionPast, SaysWhatCannotBeGoneBackThrough) {
  begin(example("heavy-top"));
  session->obey(ChooseIntegrator{"bdf"});
  pass(0.1);
  const double before = time();
  session->obey(Seek{0.05});
  session->obey(StepBack{});
  const News news = session->takeNews();
  ASSERT_EQ(news.notices.size(), 2u);
  EXPECT_NE(news.notices[0].find("'bdf' cannot be gone back with"), std::string::npos) << news.notices[0];
  EXPECT_EQ(parseJson(*news.status)["past"]["why"].text(), news.notices[0]);
  EXPECT_EQ(test::frameNumbers(*news.frame)[1], before);
  session->obey(ChooseIntegrator{"dop853"});
  EXPECT_EQ(past()["why"].text(), "");
}

// What is recorded never tells two futures in one file.
TEST_F(LiveSessionPast, RecordingsEndWhereItGoesBack) {
  const test::TemporaryFolder folder;
  begin(example("heavy-top"), {.out = folder / "all.csv"});
  session->obey(Record{true});
  pass(0.4);
  session->obey(Seek{0.2});
  EXPECT_TRUE(parseJson(*session->takeNews().status)["recording"].boolean());
  session->obey(Play{});
  pass(0.3);
  const News news = session->takeNews();
  ASSERT_EQ(news.notices.size(), 2u);
  EXPECT_NE(news.notices[1].find("went back in time"), std::string::npos) << news.notices[1];
  ASSERT_EQ(news.recordings.size(), 1u);
  EXPECT_NEAR(news.recordings[0]->recording.column("time").back(), 0.4, 0.0101);
  session->finish();
  EXPECT_NEAR(readRecording(folder / "all.csv").recording.column("time").back(), 0.4, 0.0101);
  const Recording second = readRecording(folder / "all-2.csv").recording;
  EXPECT_NEAR(second.column("time").front(), 0.2, 0.05);
  EXPECT_NEAR(second.column("time").back(), 0.5, 0.06);
}

// A run that has failed goes on from before that, in smaller steps.
TEST_F(LiveSessionPast, LeadsOutOfAFailure) {
  begin(example("heavy-top"), {.out = "", .playing = false});
  session->obey(ChooseIntegrator{"director-em"});
  session->obey(ChooseStep{0.001});
  steps(30);
  session->obey(ChooseIntegrator{"quaternion-vi"});
  session->obey(ChooseStep{0.5});  // has no solution: h |Omega| must be below 1
  session->obey(Play{});
  pass(0.6);
  EXPECT_NE(parseJson(*session->takeNews().status)["failure"].text(), "");
  session->obey(StepBack{});
  EXPECT_EQ(parseJson(*session->takeNews().status)["failure"].text(), "");
  session->obey(Play{});
  pass(0.1);
  EXPECT_GT(time(), 0.1);
}

}  // namespace
}  // namespace polhode::live::kept_past_test
