#include "support/json.h"
#include "support/live_session.h"

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
  std::string text = hinged;
  text.replace(text.find("{}"), 2, "director-em");
  begin({"hinged.toml", readModelText(text, "hinged.toml")});
  const std::vector<double> before = frame();
  session->obey(Lead{0, 0, 0.8});
  pass(2.0);
  const std::vector<double> after = frame();
  EXPECT_GT(after[3], before[3] + 1.0);  // it was lifted
  EXPECT_NEAR(after[2] + after[3] - after[26], before[2] + before[3] - before[26], 1e-9);
}

TEST_F(LeadingLiveSession, LeadsASlideAgainstItsSpring) {
  begin(example("quarter-car"));
  const Model model = example("quarter-car").file.model;
  session->obey(Watch{{{"joint", 1}}});
  session->obey(Lead{1, 0, -0.1});
  pass(0.9);  // before the road rises
  EXPECT_NEAR(coordinate(model), -0.1, 0.01);
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
