#include "math/euler_map.h"
#include "support/json.h"
#include "support/live_session.h"

#include <cmath>

namespace polhode::live::wish_test {
namespace {

using test::example;
using test::Json;
using test::LiveSession;
using test::parseJson;

/// The chain whose third link follows a formula (examples/steered-chain.toml), with its actuator watched.
struct WishingLiveSession : LiveSession {
  static Vector3 signal(double t) {
    return {0.25 * std::sin(2 * t), 0.1 * (1 - std::cos(3 * t)), -0.6 + 0.15 * std::min(t, 1.0)};
  }
  void beginChain() {
    begin(example("steered-chain"));
    session->obey(Watch{{{"actuator", 0}}});
  }
  /// Force, torque and what it follows, behind all bodies and sensors.
  Vector3 numbersAt(std::size_t start) {
    const std::vector<double> numbers = frame();
    return Vector3::Map(numbers.data() + numbers.size() - 9 + start);
  }
  Vector3 force() { return numbersAt(0); }
  Vector3 followed() { return numbersAt(6); }
  Vector3 heldPoint() {
    const std::vector<double> numbers = frame();
    const Model model = example("steered-chain").file.model;
    std::size_t link = 0;
    while (model.bodies[link].name != "link3") ++link;
    const double* body = numbers.data() + frameHead + frameBody * link;
    const Quaternion now = Quaternion::Map(body + 3);
    const Vector3 arm = rotationMatrix(model.bodies[link].orientation).transpose() *
                        (model.actuators[0].point - model.bodies[link].position);
    return Vector3::Map(body) + rotationMatrix(now) * arm;
  }
};

TEST_F(WishingLiveSession, LeadsAnActuatorAndGivesItBack) {
  beginChain();
  pass(0.5);
  EXPECT_LT((followed() - signal(time())).norm(), 1e-9);
  const Vector3 wish(0.1, -0.1, -0.5);
  session->obey(Wish{0, wish});
  Vector3 last = followed();
  double farthest = 0.0;
  for (int i = 0; i < 100; ++i) {  // there is no jump: 0.3 m within some tenths of a second
    pass(0.01);
    farthest = std::max(farthest, (followed() - last).norm());
    last = followed();
  }
  EXPECT_LT(farthest, 0.02);
  EXPECT_LT((followed() - wish).norm(), 1e-3);
  EXPECT_LT((heldPoint() - wish).norm(), 5e-3);

  session->obey(Wish{0, std::nullopt});
  pass(1.5);
  EXPECT_LT((followed() - signal(time())).norm(), 1e-4);
  EXPECT_LT((heldPoint() - signal(time())).norm(), 0.02);
  EXPECT_TRUE(session->takeNews().notices.empty());
}

TEST_F(WishingLiveSession, IsLedOnWithAnotherIntegratorAndForgottenInThePast) {
  beginChain();
  pass(0.3);
  const Vector3 wish(0.1, -0.1, -0.5);
  session->obey(Wish{0, wish});
  pass(1.0);
  session->obey(ChooseIntegrator{"director-em"});
  const Json status = parseJson(*session->takeNews().status);
  ASSERT_EQ(status["wishes"].items().size(), 1u);
  EXPECT_EQ(status["wishes"][0]["target"][2].number(), -0.5);
  EXPECT_LT((followed() - wish).norm(), 1e-9);
  pass(0.5);
  EXPECT_LT((heldPoint() - wish).norm(), 5e-3);
  session->obey(Seek{0.5});
  EXPECT_LT((followed() - signal(time())).norm(), 1e-9);
  session->obey(Play{});
  pass(0.5);
  EXPECT_LT((followed() - signal(time())).norm(), 1e-9);
}

// A joint that an actuator leads has one slider, with the unit of its coordinate.
TEST_F(WishingLiveSession, TellsWhatAnActuatorLeads) {
  const std::string text =
      "[model]\nname = \"Led\"\n[[body]]\nname = \"rod\"\nmass = 2\n"
      "shape = { cylinder = { radius = 0.02, height = 1 } }\nposition = [0, 0, -0.5]\n"
      "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoint = [0, 0, 0]\n"
      "axis = [0, 1, 0]\n[[actuator]]\nname = \"drive\"\njoint = \"hinge\"\nfollow = { formula = \"sin(t)\" }\n"
      "control = { method = \"receding-horizon\", time_constant = 0.03 }\n"
      "[simulation]\nintegrator = \"director-em\"\nstep = 0.001\n";
  begin({"led.toml", readModelText(text, "led.toml")});
  session->obey(Watch{{{"actuator", 0}}});
  const Json led = parseJson(*session->takeNews().status)["watched"][0];
  ASSERT_EQ(led["coordinates"].items().size(), 1u);
  EXPECT_EQ(led["coordinates"][0]["name"].text(), "angle");
  EXPECT_TRUE(led["coordinates"][0]["turns"].boolean());
  EXPECT_EQ(led["quantities"].items().back()["unit"].text(), "rad");
  session->obey(Wish{0, Vector3(0.7, 0, 0)});
  pass(1.5);
  const std::vector<double> numbers = frame();
  EXPECT_NEAR(numbers.back(), 0.7, 1e-3);
  EXPECT_NEAR(std::atan2(-numbers[frameHead], -numbers[frameHead + 2]), 0.7, 5e-3);
}

TEST_F(WishingLiveSession, SaysWhichActuatorIsNotThere) {
  beginChain();
  session->takeNews();
  session->obey(Wish{3, Vector3(0, 0, 0)});
  EXPECT_EQ(session->takeNews().notices, std::vector<std::string>{"the model has no actuator of the number 3"});
}

}  // namespace
}  // namespace polhode::live::wish_test
