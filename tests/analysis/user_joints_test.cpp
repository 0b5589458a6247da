// Joints that a user writes travel in the model: every engine for mechanisms moves it with them.
#include "analysis/present_model.h"
#include "polhode/analysis/run.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "polhode/model/joint_type.h"
#include "support/settings.h"

#include <string>

#include <gtest/gtest.h>

namespace polhode::user_joints_test {
namespace {

using test::by;

/// A hinge written anew, its equations in another order and of other signs than those of the library.
std::shared_ptr<const JointType> hinge() {
  return std::make_shared<const JointType>(
      JointType{"my hinge",
                "",
                JointNeeds::pointAndAxis,
                [](const JointGeometry& g) {
                  std::vector<JointEquation> equations = {{axesForm(g.first.z(), g.second.y())},
                                                          {axesForm(g.first.z(), g.second.x())}};
                  for (int k = 2; k >= 0; --k)
                    equations.push_back({pointForm(-Vector3::Unit(k), g.first.point, g.second.point)});
                  return equations;
                },
                {{MotionKind::rotation, 2}},
                true,
                {{"angle", MotionKind::rotation, 2}}});
}

/// A pin in a slot: a point of the second body stays on an axis of the first. The library has no such joint.
std::shared_ptr<const JointType> pinInSlot() {
  return std::make_shared<const JointType>(JointType{"pin in slot",
                                                     "",
                                                     JointNeeds::pointAndAxis,
                                                     [](const JointGeometry& g) {
                                                       std::vector<JointEquation> equations;
                                                       for (const Vector3& across : {g.first.x(), g.first.y()})
                                                         equations.push_back(
                                                             {axisPointForm(across, g.first.point, g.second.point)});
                                                       return equations;
                                                     },
                                                     {},
                                                     false,
                                                     {{"displacement", MotionKind::translation, 2}}});
}

/// A rod of 1 m whose end slides along a slot in x, level at first and turning about the vertical.
Model rodInSlot() {
  Model model;
  model.name = "rod in a slot";
  model.gravity = {0, 0, -9.81};
  model.bodies.resize(1);
  Body& rod = model.bodies[0];
  rod.name = "rod";
  rod.mass = 2.0;
  rod.inertia = Vector3(0.001, 2.0 / 12, 2.0 / 12).asDiagonal();
  rod.position = {0.5, 0, 0};
  rod.angularVelocity = {0, 0, 1};
  rod.velocity = {0, 0.5, 0};
  Joint pin{"pin", "", "ground", "rod"};
  pin.axis = Vector3::UnitX();
  pin.own = pinInSlot();
  model.joints = {pin};
  return model;
}

TEST(UserJoints, AHingeOfOnesOwnMovesTheWalkerAsTheLibrarysDoes) {
  const Model given = loadModel("jansen-walker").model;
  Model model = given;
  for (Joint& joint : model.joints)  // the bearing and all of one leg
    if (joint.name == "bearing" || joint.name.starts_with("left1")) joint.own = hinge();
  for (const auto& [integrator, accuracy] : {std::pair{"director-em", 1e-9}, {"dop853", 1e-7}}) {
    Simulation own(model, by(integrator, 2e-3, 0.1)), library(given, by(integrator, 2e-3, 0.1));
    own.advanceTo(0.1);
    library.advanceTo(0.1);
    EXPECT_NEAR(own.joint("bearing").angle(), library.joint("bearing").angle(), accuracy) << integrator;
    EXPECT_NEAR(own.joint("bearing").rate(), library.joint("bearing").rate(), accuracy) << integrator;
    EXPECT_NEAR(own.energy(), library.energy(), accuracy) << integrator;
    EXPECT_LT((own.joint("bearing").reaction() - library.joint("bearing").reaction()).norm(), 1e3 * accuracy)
        << integrator;
  }
}

TEST(UserJoints, TellAllCoordinatesThatTheyName) {
  Model model = rodInSlot();
  JointType type = *pinInSlot();
  for (int k = 0; k < 8; ++k) type.coordinates.push_back({"again" + std::to_string(k), MotionKind::translation, 2});
  model.joints[0].own = std::make_shared<const JointType>(type);
  Simulation simulation(model, by("director-em", 1e-3, 0.1));
  simulation.advanceTo(0.1);
  const auto& told = simulation.observe().joints[0].coordinates;
  ASSERT_EQ(told.size(), 9u);
  for (const auto& each : told) EXPECT_EQ(each.value, told[0].value) << each.name;
}

// Nothing pulls along the slot: the centre of mass stays where it is along x. Where the slot turns nothing, the vertical part
// of the motion is that of any other integrator.
TEST(UserJoints, APinSlidesInItsSlot) {
  Simulation fine(rodInSlot(), by("dop853", 1e-3, 0.5));
  fine.advanceTo(0.5);
  const std::pair<const char*, double> ways[] = {
      {"director-em", 1e-4}, {"director-em-4", 1e-7}, {"radau5", 1e-7}, {"linear-implicit-euler", 0.05}};
  for (const auto& [integrator, accuracy] : ways) {
    Simulation simulation(rodInSlot(), by(integrator, 1e-3, 0.5));
    const double energy = simulation.energy();
    simulation.advanceTo(0.5);
    const Vector3 position = simulation.body("rod").position();
    EXPECT_NEAR(position.x(), 0.5, 1e-9) << integrator;
    EXPECT_LT((position - fine.body("rod").position()).norm(), accuracy) << integrator;
    EXPECT_LT(position.z(), -0.1) << integrator;
    EXPECT_NEAR(simulation.joint("pin").reaction().x(), 0.0, 1e-8) << integrator;
    EXPECT_NEAR(simulation.joint("pin").coordinate("displacement"), fine.joint("pin").coordinate("displacement"),
                accuracy)
        << integrator;
    EXPECT_NEAR(simulation.energy(), energy, std::string(integrator).starts_with("director-em") ? 1e-11 : 0.1);
  }
}

TEST(UserJoints, GoOnWhereAModelIsTakenOver) {
  Simulation whole(rodInSlot(), by("dop853", 1e-3, 0.4)), first(rodInSlot(), by("dop853", 1e-3, 0.4));
  first.advanceTo(0.2);
  Simulation second(presentModel(rodInSlot(), 0.2, first.observe().bodies), by("dop853", 1e-3, 0.2));
  whole.advanceTo(0.4);
  second.advanceTo(0.2);
  EXPECT_LT((whole.body("rod").position() - second.body("rod").position()).norm(), 1e-7);
}

TEST(UserJoints, AreJudged) {
  const auto refusal = [](const Model& model) -> std::string {
    try {
      Simulation(model, by("director-em", 1e-3, 1.0));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto with = [](auto change) {
    Model model = rodInSlot();
    JointType type = *model.joints[0].own;
    change(type);
    model.joints[0].own = std::make_shared<const JointType>(type);
    return model;
  };
  EXPECT_EQ(refusal(rodInSlot()), "");
  EXPECT_NE(refusal(with([](JointType& type) { type.spansTree = true; })).find("2 equations and 0 motions"),
            std::string::npos);
  EXPECT_NE(refusal(with([](JointType& type) { type.equations = nullptr; })).find("without an equation"),
            std::string::npos);
  Model open = rodInSlot();
  open.joints[0].secondPoint = Vector3(0, 0.1, 0);
  EXPECT_NE(refusal(open).find("joint 'pin' is open at t = 0"), std::string::npos) << refusal(open);
}

}  // namespace
}  // namespace polhode::user_joints_test
