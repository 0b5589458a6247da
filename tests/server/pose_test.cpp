#include "control/pose.h"

#include "support/json.h"
#include "support/live_session.h"
#include "support/sanitized.h"

#include <cmath>

namespace polhode::live::pose_test {
namespace {

using test::example;
using test::Json;
using test::LiveSession;
using test::parseJson;

struct PosingLiveSession : LiveSession {
  static constexpr std::size_t kinetic = 2, potential = 3, gap = 10, work = 26;
  Json status() {
    session->obey(Watch{});  // after any command there is a new one
    return parseJson(*session->takeNews().status);
  }
  static Vector3 placeIn(const std::vector<double>& numbers, std::size_t body) {
    return Vector3::Map(numbers.data() + frameHead + frameBody * body);
  }
  void beginPaused(Scenario scenario) {
    SessionOptions options;
    options.playing = false;
    begin(std::move(scenario), options);
    session->advance();
  }
  std::vector<double> dragged(const Vector3& target) {
    session->obey(Drag{target});
    session->advance();
    return frame();
  }
};

TEST_F(PosingLiveSession, APullWhilePausedPosesTheMechanismWithItsLoopsClosed) {
  for (const auto& [name, body] : {std::pair("four-bar-loop", 1), {"bricard", 3}, {"andrews-squeezer", 2}}) {
    beginPaused(example(name));
    const std::vector<double> before = frame();
    const auto index = static_cast<std::size_t>(body);
    // back to where the body comes by itself: a place that can be reached
    session->obey(Play{});
    pass(name == std::string("andrews-squeezer") ? 0.01 : 0.1);
    const Vector3 reachable = placeIn(frame(), index);
    ASSERT_GT((reachable - placeIn(before, index)).norm(), 1e-5) << name;
    session->obey(Reset{});
    session->obey(Pause{});
    session->obey(Grab{index, Vector3::Zero(), placeIn(before, index)});
    const std::vector<double> posed = dragged(reachable);
    EXPECT_EQ(posed[1], 0.0) << name;
    EXPECT_LT((placeIn(posed, index) - reachable).norm(), 1e-6) << name;
    EXPECT_LT(posed[gap], 1e-9) << name;
    session->obey(Release{});
    session->obey(Play{});
    pass(0.02);
    EXPECT_EQ(parseJson(*session->takeNews().status)["failure"].text(), "") << name;
    EXPECT_GT(time(), 0.0) << name;
    EXPECT_LT(frame()[gap], 1e-7) << name;
  }
}

// Out of reach the point comes as near as it can: a chain is stretched towards the pointer.
TEST_F(PosingLiveSession, OutOfReachItComesAsNearAsItCan) {
  beginPaused(example("ball-chain"));
  const Model model = example("ball-chain").file.model;
  const std::size_t last = model.bodies.size() - 1;
  const double length = model.bodies[last].position.norm();
  session->obey(Grab{last, Vector3::Zero(), model.bodies[last].position});
  const Vector3 target(0.0, 3.0 * length, 0.0);
  std::vector<double> numbers;
  for (int i = 0; i < (test::isSanitized ? 2 : 10); ++i) numbers = dragged(target);
  EXPECT_LT(numbers[gap], 1e-9);
  EXPECT_GT(placeIn(numbers, last)[1], (test::isSanitized ? 0.1 : 0.98) * length);
}

// Later than at the beginning it is at rest then, its energy is the work of who posed it, and it can be undone.
TEST_F(PosingLiveSession, StandsStillCountsAsWorkAndIsUndone) {
  begin(example("planar-double-pendulum"));
  pass(0.3);
  session->obey(Pause{});
  session->obey(StepOnce{});
  const std::vector<double> before = frame();
  session->obey(Grab{1, Vector3::Zero(), placeIn(before, 1)});
  dragged(placeIn(before, 1) + Vector3(0.05, 0.1, 0.0));
  const std::vector<double> posed = dragged(placeIn(before, 1) + Vector3(0.1, 0.2, 0.0));
  session->obey(Release{});
  EXPECT_EQ(posed[1], before[1]);
  EXPECT_LT(posed[kinetic], 1e-20);
  const auto balance = [](const std::vector<double>& n) { return n[kinetic] + n[potential] - n[work]; };
  EXPECT_NEAR(balance(posed), balance(before), 1e-9);
  session->obey(Play{});
  pass(0.2);
  EXPECT_NEAR(balance(frame()), balance(before), 1e-8);
  EXPECT_EQ(status()["poses"].number(), 1.0);

  session->obey(Undo{});  // one pull is one change
  const std::vector<double> undone = frame();
  EXPECT_EQ(undone[1], before[1]);
  for (std::size_t i = frameHead; i < undone.size(); ++i) EXPECT_NEAR(undone[i], before[i], 1e-12) << i;
  EXPECT_FALSE(status()["undoable"].boolean());
  session->obey(Play{});
  pass(0.1);
  EXPECT_GT(time(), before[1]);
}

// The past before a pose can still be gone back to.
TEST_F(PosingLiveSession, LeavesThePast) {
  begin(example("planar-double-pendulum"));
  pass(0.3);
  session->obey(Pause{});
  const Vector3 place = placeIn(frame(), 1);
  session->obey(Grab{1, Vector3::Zero(), place});
  dragged(place + Vector3(0.0, 0.2, 0.0));
  session->obey(Release{});
  EXPECT_EQ(status()["past"]["from"].number(), 0.0);
  session->obey(Seek{0.1});
  EXPECT_NEAR(time(), 0.1, 0.02);
  EXPECT_GT(frame()[kinetic], 0.0);
}

// At the beginning bodies go on moving as the model has them begin: a top that is tilted otherwise still spins.
TEST_F(PosingLiveSession, AtTheBeginningItBeginsAsTheModelDoes) {
  beginPaused(example("heavy-top"));
  const std::vector<double> before = frame();
  session->obey(Turn{0, Vector3::Zero()});
  const std::vector<double> posed = dragged({0.3, 0.0, 0.0});
  EXPECT_GT((placeIn(posed, 0) - placeIn(before, 0)).norm(), 1e-3);
  EXPECT_NEAR(posed[kinetic], before[kinetic], 0.2 * before[kinetic]);
  EXPECT_LT(posed[11], 1e-9);  // joints stay closed
}

TEST_F(PosingLiveSession, ASliderPosesAJoint) {
  beginPaused(example("quarter-car"));
  session->obey(Watch{{{"joint", 1}}});
  session->obey(Lead{1, 0, 0.1});
  session->obey(Lead{1, 0, 0.15});
  session->advance();
  const std::vector<double> numbers = frame();
  EXPECT_NEAR(numbers[frameHead + 2 * frameBody], 0.15, 1e-8);
  session->obey(Release{});
  EXPECT_EQ(session->takeNews().status->find("\"lead\""), std::string::npos);
  session->obey(Undo{});
  EXPECT_NEAR(frame()[frameHead + 2 * frameBody], 0.0, 1e-12);
}

// What was taken while time stood still is pulled by the hand as soon as it goes.
TEST_F(PosingLiveSession, TimeThatGoesOnMakesAPullOfIt) {
  beginPaused(example("lang-a"));  // whose integrator knows no hand
  const Vector3 place = placeIn(frame(), 0);
  session->obey(Grab{0, Vector3::Zero(), place});
  EXPECT_NE(status()["integrator"].text(), "director-em");
  session->obey(Play{});
  session->obey(Drag{place + Vector3(0.01, 0.0, 0.0)});
  pass(0.1);
  const std::vector<double> numbers = frame();
  EXPECT_EQ(numbers[16], 0.0);
  EXPECT_GT(Vector3::Map(numbers.data() + 23).norm(), 0.0);
}

TEST_F(PosingLiveSession, SaysWhatCannotBePosed) {
  beginPaused(example("ball-chain"));
  session->takeNews();
  session->obey(Lead{0, 0, 0.1});  // a ball joint has no coordinate
  session->obey(Turn{99, Vector3::Zero()});
  session->advance();
  EXPECT_EQ(session->takeNews().notices.size(), 2u);
}

}  // namespace
}  // namespace polhode::live::pose_test
