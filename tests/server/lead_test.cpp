#include "support/json.h"
#include "support/live_session.h"
#include "support/sanitized.h"

#include <cmath>

namespace polhode::live::lead_test {
namespace {

using test::example;
using test::LiveSession;
using test::parseJson;

struct LeadingLiveSession : LiveSession {
  /// The coordinate of the first joint, which is watched: the first number behind those of the bodies and sensors.
  double coordinate(const Model& model) { return frame().at(frameHead + frameBody * model.bodies.size()); }
};

// A rod that hangs from a hinge, 1 m long.
const char* const hinged =
    "[model]\nname = \"Hinged\"\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 2\n"
    "shape = { cylinder = { radius = 0.02, height = 1 } }\nposition = [0, 0, -0.5]\n"
    "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoint = [0, 0, 0]\naxis = [0, "
    "1, 0]\n"
    "[simulation]\nintegrator = \"{}\"\nstep = 0.001\n";

TEST_F(LeadingLiveSession, BringsAHingeToAnAngleAndHoldsItThere) {
  for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
    std::string text = hinged;
    text.replace(text.find("{}"), 2, integrator);
    const ModelFile file = readModelText(text, "hinged.toml");
    begin({"hinged.toml", file});
    session->obey(Watch{{{"joint", 0}}});
    session->obey(Lead{0, 0, 0.2});
    pass(0.5);
    session->obey(Lead{0, 0, 0.6});
    EXPECT_EQ(parseJson(*session->takeNews().status)["lead"]["target"].number(), 0.6);
    pass(4.0);
    EXPECT_NEAR(coordinate(file.model), 0.6, 0.01) << integrator;
    EXPECT_LT(frame()[2], 1e-4) << integrator;  // joules: it rests, where 1.7 J would be set free

    // free again it swings through the lowest place to the other side, as high as it was
    session->obey(Release{});
    const double period = 2 * M_PI * std::sqrt(2.0 / 3.0 / 9.81);  // of small swings; 2 % more at this angle
    pass(0.51 * period);
    EXPECT_NEAR(coordinate(file.model), -0.6, 0.02) << integrator;
  }
}

TEST_F(LeadingLiveSession, TheEnergyOfAHandIsInTheBalance) {
  // what the energy has changed beyond all work; and the work
  const auto unexplained = [&](const std::string& integrator, const std::string& step) {
    std::string text = hinged;
    text.replace(text.find("{}"), 2, integrator);
    text.replace(text.find("0.001"), 5, step);
    begin({"hinged.toml", readModelText(text, "hinged.toml")});
    const std::vector<double> before = frame();
    session->obey(Lead{0, 0, 0.8});
    pass(2.0);
    const std::vector<double> after = frame();
    EXPECT_GT(after[3], before[3] + 1.0) << integrator;  // it was lifted
    EXPECT_GT(after[26], before[26] + 1.0) << integrator;
    return std::abs(after[2] + after[3] - after[26] - (before[2] + before[3] - before[26]));
  };
  EXPECT_LT(unexplained("director-em", "0.001"), 1e-9);
  const double coarse = unexplained("linear-implicit-euler", "0.001");
  const double fine = unexplained("linear-implicit-euler", "0.0001");
  // the scheme is of first order, and what it loses is little beside the 3 J by which the rod was lifted
  EXPECT_LT(coarse, 0.1);
  EXPECT_LT(fine, 0.15 * coarse);
}

// An actuator of the model leads the chain that it holds, with a work of 2.4 J.
TEST_F(LeadingLiveSession, TheEnergyOfActuatorsIsInTheBalance) {
  const auto unexplained = [&](const std::string& integrator, double step) {
    Scenario scenario = example("steered-chain");
    scenario.file.simulation.integrator = integrator;
    scenario.file.simulation.step = step;
    begin(scenario);
    const std::vector<double> before = frame();
    pass(1.0);
    const std::vector<double> after = frame();
    EXPECT_NEAR(after[26] - before[26], 2.4, 0.05) << integrator;
    return std::abs(after[2] + after[3] - after[26] - (before[2] + before[3] - before[26]));
  };
  EXPECT_LT(unexplained("director-em", 1e-3), 1e-9);
  const double coarse = unexplained("linear-implicit-euler", 1e-3);
  EXPECT_LT(coarse, 0.01);
  EXPECT_LT(unexplained("linear-implicit-euler", 1e-4), 0.15 * coarse);  // of first order
}

TEST_F(LeadingLiveSession, LeadsASlideAgainstItsSpring) {
  begin(example("quarter-car"));
  const Model model = example("quarter-car").file.model;
  session->obey(Watch{{{"joint", 1}}});
  session->obey(Lead{1, 0, -0.1});
  pass(0.9);  // before the road rises
  EXPECT_NEAR(coordinate(model), -0.1, 0.01);
}

// The bridge of 101 bodies, pulled by two thirds of a metre in two seconds, which takes about 200 J, and then held still: once its links
// whipped then, with 1630 J and more from second to second.
TEST_F(LeadingLiveSession, ABridgeThatIsPulledAndHeldComesToRest) {
  if (test::isSanitized) GTEST_SKIP() << "takes minutes";
  const Model bridge = example("rope-bridge").file.model;
  for (const char* integrator : {"director-em", "linear-implicit-euler"})
    for (const char* name : {"rung23", "left31"}) {
      std::size_t body = 0;
      while (bridge.bodies[body].name != name) ++body;
      const Vector3 from = bridge.bodies[body].position, way = 0.67 * Vector3(0.3, 0.2, 0.93).normalized();
      Scenario scenario = example("rope-bridge");
      scenario.file.simulation.integrator = integrator;
      begin(scenario);
      session->obey(Grab{body, Vector3::Zero(), from});
      for (int i = 1; i <= 100; ++i) {
        session->obey(Drag{from + 0.01 * i * way});
        pass(0.02);
      }
      EXPECT_GT(frame()[26], 100.0) << name << ' ' << integrator;
      pass(5.0);
      EXPECT_LT(frame()[2], 0.01) << name << ' ' << integrator;  // 5e-5 of what the pull gave
    }
}

TEST_F(LeadingLiveSession, SaysWhereThereIsNothingToLead) {
  begin(example("ball-chain"));
  session->takeNews();
  session->obey(Lead{0, 0, 0.1});  // a ball joint has no coordinate
  session->obey(Lead{99, 0, 0.1});
  EXPECT_EQ(session->takeNews().notices.size(), 2u);
}

}  // namespace
}  // namespace polhode::live::lead_test
