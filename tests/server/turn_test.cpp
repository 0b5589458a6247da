#include "support/json.h"
#include "support/live_session.h"

#include <cmath>

namespace polhode::live::turn_test {
namespace {

using test::example;
using test::LiveSession;
using test::parseJson;

struct TurningLiveSession : LiveSession {
  static constexpr std::size_t force = 23, torque = 27;
  static Vector3 at(const std::vector<double>& numbers, std::size_t start) {
    return Vector3::Map(numbers.data() + start);
  }
};

// A rod of 2 kg and 1 m that hangs from a ball joint, or from a hinge about y.
std::string hanging(const std::string& joint, const std::string& integrator) {
  return "[model]\nname = \"Hanging\"\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 2\n"
         "shape = { cylinder = { radius = 0.02, height = 1 } }\nposition = [0, 0, -0.5]\n"
         "[[joint]]\nname = \"pivot\"\ntype = \"" +
         joint + "\"\nbodies = [\"ground\", \"rod\"]\npoint = [0, 0, 0]\n" +
         (joint == "revolute" ? "axis = [0, 1, 0]\n" : "") + "[simulation]\nintegrator = \"" + integrator +
         "\"\nstep = 0.001\n";
}

TEST_F(TurningLiveSession, ATorqueTurnsABodyAndHoldsItThere) {
  for (const char* joint : {"revolute", "spherical"})
    for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
      begin({"hanging.toml", readModelText(hanging(joint, integrator), "hanging.toml")});
      session->obey(Turn{0, {0, 0, -0.5}});
      session->obey(Drag{{0, 0.3, 0}});
      pass(0.5);
      session->obey(Drag{{0, 0.6, 0}});
      pass(4.0);
      const std::vector<double> numbers = frame();
      // turned by 0.6 rad about y, at rest, and held against its weight by the torque m g l/2 sin 0.6
      EXPECT_NEAR(std::atan2(-numbers[frameHead], -numbers[frameHead + 2]), 0.6, 0.01) << joint << ' ' << integrator;
      EXPECT_LT(numbers[2], 1e-4) << joint << ' ' << integrator;
      EXPECT_NEAR(at(numbers, torque)[1], 2 * 9.81 * 0.5 * std::sin(0.6), 0.2) << joint << ' ' << integrator;
      EXPECT_EQ(at(numbers, force).norm(), 0.0);
      // the point that is held, and where it would be
      EXPECT_EQ(numbers[16], 0.0);
      EXPECT_LT((at(numbers, 17) - Vector3(-std::sin(0.6), 0, -std::cos(0.6))).norm(), 0.02) << joint;
      EXPECT_LT((at(numbers, 17) - at(numbers, 20)).norm(), 0.02) << joint << ' ' << integrator;
      session->obey(Release{});
      EXPECT_EQ(frame()[16], -1.0);
    }
}

TEST_F(TurningLiveSession, TheEnergyOfATorqueIsInTheBalance) {
  begin({"hanging.toml", readModelText(hanging("spherical", "director-em"), "hanging.toml")});
  const std::vector<double> before = frame();
  session->obey(Turn{0, Vector3::Zero()});
  session->obey(Drag{{0.5, 0.6, 0}});
  pass(1.0);
  const std::vector<double> after = frame();
  EXPECT_GT(after[3], before[3] + 1.0);  // it was lifted
  EXPECT_NEAR(after[2] + after[3] - after[26], before[2] + before[3] - before[26], 1e-9);
}

TEST_F(TurningLiveSession, ATorqueIsNoLargerThanTheHandsForceOnAnArmAsLongAsTheMechanism) {
  begin({"hanging.toml", readModelText(hanging("revolute", "director-em"), "hanging.toml")});
  session->obey(ChooseLaw{"critically-damped", 0.05, 3.0});
  session->obey(Turn{0, Vector3::Zero()});
  session->obey(Drag{{0, 2, 0}});
  double largest = 0.0;
  for (int i = 0; i < 100; ++i) {
    pass(0.01);
    largest = std::max(largest, at(frame(), torque).norm());
  }
  EXPECT_GT(largest, 1.0);
  EXPECT_LT(largest, 3.0 * 1.1);  // the rod is 1 m long, and a little thick
}

TEST_F(TurningLiveSession, IsRecordedAndHeldOnWithAnotherLawAndStep) {
  begin({"hanging.toml", readModelText(hanging("revolute", "director-em"), "hanging.toml")});
  session->obey(Record{true});
  session->obey(Turn{0, Vector3::Zero()});
  session->obey(Drag{{0, 0.6, 0}});
  pass(0.5);
  session->obey(Record{false});
  const News news = session->takeNews();
  ASSERT_EQ(news.recordings.size(), 1u);
  const std::vector<double> torques = news.recordings.front()->recording.column("hand.torque.y");
  EXPECT_GT(*std::max_element(torques.begin(), torques.end()), 1.0);
  session->obey(ChooseLaw{"servo", 0.1, 100.0});
  session->obey(ChooseStep{2e-3});
  pass(3.0);
  const std::vector<double> numbers = frame();
  EXPECT_NEAR(std::atan2(-numbers[frameHead], -numbers[frameHead + 2]), 0.6,
              0.01);  // from where it stood when it was taken
}

TEST_F(TurningLiveSession, SaysWhichBodyCannotBeTurned) {
  begin(example("simple-pendulum"));  // a point mass
  session->takeNews();
  session->obey(Turn{0, Vector3::Zero()});
  session->obey(Turn{9, Vector3::Zero()});
  const std::vector<std::string> notices = session->takeNews().notices;
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_NE(notices[0].find("no moments of inertia"), std::string::npos) << notices[0];
  pass(0.1);
  EXPECT_EQ(frame()[16], -1.0);
}

}  // namespace
}  // namespace polhode::live::turn_test
