#include "support/json.h"
#include "support/live_session.h"

#include <cmath>

/// A load or a motor of the model that somebody leads in place of its scale over time.
namespace polhode::live::strength_test {
namespace {

using test::example;
using test::Json;
using test::LiveSession;
using test::parseJson;

/// A mass on a rail that a motor pushes with 6 N times a scale over time: 2 kg, 3 m/s^2.
Scenario pushed(const std::string& integrator, const std::string& scale) {
  const std::string text =
      "[model]\nname = \"Pushed\"\ngravity = [0, 0, 0]\n[[body]]\nname = \"m\"\nmass = 2\ninertia = [1, 1, 1]\n"
      "[[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"m\"]\npoint = [0, 0, 0]\n"
      "axis = [1, 0, 0]\n[[force]]\nname = \"motor\"\ntype = \"joint-motor\"\njoint = \"rail\"\neffort = 6\nscale = " +
      scale + "\n[simulation]\nstep = 0.001\nintegrator = \"" + integrator + "\"\n";
  return {"pushed.toml", readModelText(text, "pushed.toml")};
}

struct StrengtheningLiveSession : LiveSession {
  static constexpr std::size_t kinetic = 2, potential = 3, work = 26;
  double speed() { return std::sqrt(frame()[kinetic]); }  // of 2 kg
  double drift() {
    const std::vector<double> n = frame();
    return n[kinetic] + n[potential] - n[work];
  }
  Json status() {
    session->obey(Steer{});  // after any command the status is news
    return parseJson(*session->takeNews().status);
  }
  /// Up to the end of a step.
  void passes(double seconds) {
    session->obey(Play{});
    pass(seconds);
    session->obey(Pause{});
    session->obey(StepOnce{});
  }
};

// Twice as strong it pushes twice as hard from that instant on, all that it does is work, and given back it is as the model has it.
TEST_F(StrengtheningLiveSession, LeadsAMotorAndGivesItBack) {
  for (const char* integrator : {"director-em", "linear-implicit-euler", "dop853", "radau5"}) {
    begin(pushed(integrator, "{ formula = \"0.5\" }"), {.out = "", .playing = false});
    session->obey(Watch{{{"force", 0}}});
    const auto accelerates = [&](double times) {
      const std::vector<double> before = frame();
      passes(0.2);
      const std::vector<double> after = frame();
      const double lasted = after[1] - before[1];
      EXPECT_GT(lasted, 0.19);
      EXPECT_NEAR(std::sqrt(after[kinetic]) - std::sqrt(before[kinetic]), 3.0 * times * lasted, 1e-6)
          << integrator << ", " << times << " times";
      EXPECT_NEAR(after.back(), times, 1e-12) << integrator;
    };
    accelerates(0.5);
    session->obey(Strengthen{0, 2.0});
    EXPECT_EQ(status()["strengths"][0]["factor"].number(), 2.0);
    accelerates(2.0);
    session->obey(Strengthen{0, 1.0});  // moved on
    accelerates(1.0);
    session->obey(Strengthen{0, std::nullopt});
    EXPECT_TRUE(status()["strengths"].items().empty());
    accelerates(0.5);
    EXPECT_NEAR(drift(), 0.0, integrator == std::string("linear-implicit-euler") ? 2e-3 : 1e-8) << integrator;
    EXPECT_TRUE(session->takeNews().notices.empty());
  }
}

// Going back in time gives it back; another integrator leads it on.
TEST_F(StrengtheningLiveSession, IsLedOnWithAnotherIntegratorAndForgottenInThePast) {
  begin(pushed("director-em", "1"), {.out = "", .playing = false});
  passes(0.1);
  session->obey(Strengthen{0, -1.0});
  passes(0.3);                     // backwards in the end
  const auto acceleration = [&] {  // of the speed
    const double before = speed(), from = time();
    passes(0.2);
    return (speed() - before) / (time() - from);
  };
  session->obey(ChooseIntegrator{"dop853"});
  EXPECT_NEAR(acceleration(), 3.0, 1e-6);
  session->obey(ChooseIntegrator{"director-em"});
  EXPECT_NEAR(acceleration(), 3.0, 1e-6);
  session->obey(Seek{0.05});  // it moves forwards there
  EXPECT_TRUE(status()["strengths"].items().empty());
  EXPECT_NEAR(acceleration(), 3.0, 1e-6);
  EXPECT_NEAR(speed(), 3.0 * time(), 1e-6);
}

TEST_F(StrengtheningLiveSession, SaysWhatCanBeLed) {
  begin(pushed("director-em", "1"));
  session->obey(Watch{{{"force", 0}}});
  const Json motor = status()["watched"][0];
  EXPECT_EQ(motor["size"]["unit"].text(), "N");
  EXPECT_EQ(motor["size"]["size"].number(), 6.0);
  EXPECT_EQ(motor["quantities"].items().back()["name"].text(), "factor");
  session->takeNews();
  session->obey(Strengthen{1, 2.0});
  EXPECT_EQ(session->takeNews().notices,
            std::vector<std::string>{"the model has no load, torque or motor of the number 1"});
  begin(example("quarter-car"));
  session->obey(Watch{{{"force", 0}}});
  EXPECT_EQ(session->takeNews().status->find("\"size\""), std::string::npos);  // a spring
}

}  // namespace
}  // namespace polhode::live::strength_test
