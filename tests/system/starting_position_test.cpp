#include "system/starting_position.h"

#include "math/euler_map.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "system/joint_opening.h"
#include "system/joint_state.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::starting_position_test {
namespace {

std::string link(const std::string& name, const std::string& position, const std::string& more = "") {
  return fmt::format("[[body]]\nname = \"{}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = {}\n{}\n", name,
                     position, more);
}

std::string joint(const std::string& name, const std::string& type, const std::string& bodies, const std::string& point,
                  const std::string& more = "") {
  return fmt::format("[[joint]]\nname = \"{}\"\ntype = \"{}\"\nbodies = {}\npoint = {}\n{}\n", name, type, bodies,
                     point, more);
}

const std::string about = "axis = [0, 1, 0]\n";  // the axis of all hinges here

/// Two links of length 1 that lie along x, the hinges at 0 and 1.
std::string doublePendulum(const std::string& hip, const std::string& knee, const std::string& ofShank = "") {
  return link("thigh", "[0.5, 0, 0]") + link("shank", "[1.5, 0, 0]", ofShank) +
         joint("hip", "revolute", R"(["ground", "thigh"])", "[0, 0, 0]", about + hip) +
         joint("knee", "revolute", R"(["thigh", "shank"])", "[1, 0, 0]", about + knee);
}

/// A parallelogram with cranks of length 1, upright, 2 apart.
std::string fourBar(const std::string& left, const std::string& right = "") {
  return link("left", "[0, 0, 0.5]") + link("rod", "[1, 0, 1]") + link("right", "[2, 0, 0.5]") +
         joint("A", "revolute", R"(["ground", "left"])", "[0, 0, 0]", about + left) +
         joint("B", "revolute", R"(["left", "rod"])", "[0, 0, 1]", about) +
         joint("C", "revolute", R"(["rod", "right"])", "[2, 0, 1]", about) +
         joint("D", "revolute", R"(["right", "ground"])", "[2, 0, 0]", about + right);
}

Model read(const std::string& text) {
  return readModelText(text, "start.toml").model;
}

std::string errorOf(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Joints are closed and stay so, up to rounding.
void expectClosed(const Model& model) {
  const Mechanism mechanism(model);
  for (const JointOpening& gap : jointOpenings(mechanism, initialMotion(mechanism))) {
    EXPECT_LT(gap.relativePosition, 1e-13);
    EXPECT_LT(gap.relativeVelocity, 1e-12);
  }
}

double coordinate(const Model& model, std::size_t j, std::size_t k = 0) {
  const Mechanism mechanism(model);
  const MechanismMotion bodies = initialMotion(mechanism);
  const MechanismJoint& joint = mechanism.joints()[j];
  return jointCoordinate(joint, joint.type->coordinates[k], motionOf(bodies, joint.first).at,
                         motionOf(bodies, joint.second).at);
}

double rate(const Model& model, std::size_t j, std::size_t k = 0) {
  const Mechanism mechanism(model);
  const MechanismMotion bodies = initialMotion(mechanism);
  const MechanismJoint& joint = mechanism.joints()[j];
  return jointRate(joint, joint.type->coordinates[k], motionOf(bodies, joint.first), motionOf(bodies, joint.second));
}

/// About y a positive angle turns x towards -z.
Vector3 along(double angle) {
  return {std::cos(angle), 0.0, -std::sin(angle)};
}

}  // namespace

TEST(StartingPosition, MovesWhatAJointCarries) {
  const Model model = read(doublePendulum("start = { angle = 0.3 }", "start = { angle = -2 }"));
  EXPECT_LT((model.bodies[0].position - 0.5 * along(0.3)).norm(), 1e-15);
  EXPECT_LT((model.bodies[1].position - along(0.3) - 0.5 * along(-1.7)).norm(), 1e-15);
  EXPECT_NEAR(coordinate(model, 0), 0.3, 1e-15);
  EXPECT_NEAR(coordinate(model, 1), -2.0, 1e-15);
  expectClosed(model);
}

TEST(StartingPosition, LeavesOtherJointsWhereTheyAre) {
  const Model model = read(doublePendulum("start = { angle = 1.2 }", ""));
  EXPECT_LT((model.bodies[1].position - 1.5 * along(1.2)).norm(), 1e-15);
  EXPECT_NEAR(coordinate(model, 1), 0.0, 1e-15);
}

TEST(StartingPosition, GivesRatesToWhatAJointCarries) {
  const Model model = read(doublePendulum("start = { angle = 0.3, angle_rate = 2 }", "start = { angle_rate = -5 }"));
  EXPECT_NEAR(rate(model, 0), 2.0, 1e-14);
  EXPECT_NEAR(rate(model, 1), -5.0, 1e-14);
  const Vector3 knee = along(0.3), half = 0.5 * along(0.3), y = Vector3::UnitY();
  EXPECT_LT((model.bodies[1].velocity - 2.0 * y.cross(knee) + 3.0 * y.cross(half)).norm(), 1e-14);
  expectClosed(model);
  // what is carried and has no rate of its own does not turn against what carries it
  EXPECT_NEAR(rate(read(doublePendulum("start = { angle_rate = 2 }", "")), 1), 0.0, 1e-14);
}

TEST(StartingPosition, DoesNotDependOnTheOrderOfTheBodies) {
  std::string text = doublePendulum("start = { angle = 0.3, angle_rate = 2 }", "start = { angle = 1, angle_rate = 3 }");
  text.replace(text.find(R"(["thigh", "shank"])"), 18, R"(["shank", "thigh"])");
  text.replace(text.find(R"(["ground", "thigh"])"), 19, R"(["thigh", "ground"])");
  const Model model = read(text);
  EXPECT_LT((model.bodies[0].position - 0.5 * along(-0.3)).norm(), 1e-15);
  EXPECT_LT((model.bodies[1].position - along(-0.3) - 0.5 * along(-1.3)).norm(), 1e-15);
  EXPECT_NEAR(coordinate(model, 1), 1.0, 1e-15);
  EXPECT_NEAR(rate(model, 0), 2.0, 1e-14);
  EXPECT_NEAR(rate(model, 1), 3.0, 1e-14);
  expectClosed(model);
}

TEST(StartingPosition, GoesWithEveryKindOfCoordinate) {
  const Model rod =
      read(link("rod", "[0.5, 0, 0]") + joint("sleeve", "cylindrical", R"(["ground", "rod"])", "[0, 0, 0]",
                                              "axis = [0, 0, 2]\nstart = { displacement = 0.4, angle = 1, "
                                              "displacement_rate = 3, angle_rate = -2 }"));
  EXPECT_LT((rod.bodies[0].position - Vector3(0.5 * std::cos(1.0), 0.5 * std::sin(1.0), 0.4)).norm(), 1e-15);
  EXPECT_NEAR(coordinate(rod, 0, 0), 0.4, 1e-15);
  EXPECT_NEAR(coordinate(rod, 0, 1), 1.0, 1e-15);
  EXPECT_NEAR(rate(rod, 0, 0), 3.0, 1e-14);
  EXPECT_NEAR(rate(rod, 0, 1), -2.0, 1e-14);
  EXPECT_NEAR(rod.bodies[0].velocity.z(), 3.0, 1e-14);

  const Model puck = read(link("puck", "[0, 0, 0]") + joint("table", "planar", R"(["ground", "puck"])", "[0, 0, 0]",
                                                            "axis = [0, 0, 1]\nstart = { x = 1, y = 2, angle = 0.5, "
                                                            "x_rate = 3, y_rate = 4, angle_rate = 5 }"));
  EXPECT_LT((puck.bodies[0].position - Vector3(1, 2, 0)).norm(), 1e-15);
  EXPECT_LT((puck.bodies[0].velocity - Vector3(3, 4, 0)).norm(), 1e-14);
  EXPECT_NEAR(puck.bodies[0].angularVelocity.z(), 5.0, 1e-14);
  EXPECT_NEAR(coordinate(puck, 0, 2), 0.5, 1e-15);
}

TEST(StartingPosition, TurnsAUniversalJointAboutBothArms) {
  const Model model = read(link("yoke", "[0, 0, 1]") +
                           joint("cross", "universal", R"(["ground", "yoke"])", "[0, 0, 0]",
                                 "axes = [[1, 0, 0], [0, 1, 0]]\nstart = { first_angle = 0.4, second_angle = 0.7, "
                                 "first_angle_rate = 2, second_angle_rate = 3 }"));
  // about x, then about the arm that it has turned to
  const Matrix3 first = Eigen::AngleAxisd(0.4, Vector3::UnitX()).matrix();
  const Matrix3 R = first * Eigen::AngleAxisd(0.7, Vector3::UnitY()).matrix();
  EXPECT_LT((rotationMatrix(model.bodies[0].orientation) - R).norm(), 1e-15);
  const Vector3 omega = 2.0 * Vector3::UnitX() + 3.0 * first * Vector3::UnitY();
  EXPECT_LT((R * model.bodies[0].angularVelocity - omega).norm(), 1e-14);
  EXPECT_EQ(model.joints[0].start, std::vector<double>({0.4, 0.7}));
  expectClosed(model);
}

TEST(StartingPosition, ClosesLoopsOnTheBranchThatIsWritten) {
  for (const double angle : {0.3, -0.8, 1.4, 2.5, -3.0}) {
    const Model model = read(fourBar(fmt::format("start = {{ angle = {}, angle_rate = 2 }}", angle)));
    expectClosed(model);
    EXPECT_NEAR(coordinate(model, 0), angle, 1e-12);
    EXPECT_NEAR(rate(model, 0), 2.0, 1e-12);
    const Vector3 crank(std::sin(angle), 0, std::cos(angle));
    if (std::abs(angle) < 1.5) {  // a parallelogram stays one until it is flat, where it may fold either way
      EXPECT_LT((model.bodies[1].position - Vector3(1, 0, 0) - crank).norm(), 1e-12) << angle;
      EXPECT_LT((model.bodies[2].position - Vector3(2, 0, 0) - 0.5 * crank).norm(), 1e-12) << angle;
      EXPECT_NEAR(std::abs(rate(model, 3)), 2.0, 1e-11) << angle;
    }
  }
}

TEST(StartingPosition, MovesToTheCoordinateOfAJointThatClosesALoop) {
  const Model model = read(fourBar("", "start = { angle = 1, angle_rate = 3 }"));
  expectClosed(model);
  EXPECT_NEAR(coordinate(model, 3), 1.0, 1e-12);
  EXPECT_NEAR(rate(model, 3), 3.0, 1e-12);
  EXPECT_NEAR(coordinate(model, 0), -1.0, 1e-11);  // the ground is the second body there
}

TEST(StartingPosition, LeavesSpringsRelaxedWhereTheModelIsWritten) {
  const std::string spring = "[[force]]\nname = \"s\"\ntype = \"joint-spring\"\njoint = \"hip\"\nstiffness = 10\n";
  const auto energy = [](const Model& model) {
    const Mechanism mechanism(model);
    return potentialEnergy(mechanism, initialMotion(mechanism));
  };
  const std::string pendulum = doublePendulum("start = { angle = 0.3 }", "");
  EXPECT_NEAR(energy(read(pendulum + spring)), 0.5 * 10 * 0.09, 1e-15);
  EXPECT_NEAR(energy(read(pendulum + spring + "rest = \"initial\"\n")), 0.5 * 10 * 0.09, 1e-15);
  // a cord from (0, 0, 1) to the hip's other end, and a rubber block at the hip that turns with it
  const std::string cord =
      "[[force]]\nname = \"s\"\ntype = \"spring\"\nbodies = [\"ground\", \"thigh\"]\n"
      "points = [[0, 0, 1], [1, 0, 0]]\nstiffness = 10\nlength = \"initial\"\n";
  const double stretch = (along(0.3) - Vector3::UnitZ()).norm() - std::sqrt(2.0);
  EXPECT_NEAR(energy(read(pendulum + cord)), 0.5 * 10 * stretch * stretch, 1e-15);
  const std::string block =
      "[[force]]\nname = \"s\"\ntype = \"bushing\"\nbodies = [\"ground\", \"thigh\"]\n"
      "point = [0, 0, 0]\nstiffness = 5\nturning_stiffness = [0, 10, 0]\n";
  EXPECT_NEAR(energy(read(pendulum + block)), 0.5 * 10 * 0.09, 1e-15);
}

TEST(StartingPosition, TakesAlongWhatIsFixedInABody) {
  const Model model = read(doublePendulum("start = { angle = 0.3 }", "") +
                           "[[force]]\nname = \"f\"\ntype = \"load\"\nbody = \"shank\"\nforce = [1, 0, 0]\n"
                           "point = [2, 0, 0]\n[[sensor]]\nname = \"foot\"\ntype = \"position\"\nbody = \"shank\"\n"
                           "point = [2, 0, 0]\n");
  EXPECT_LT((model.forces[0].secondPoint - 2.0 * along(0.3)).norm(), 1e-15);
  EXPECT_LT((model.sensors[0].point - 2.0 * along(0.3)).norm(), 1e-15);
}

TEST(StartingPosition, LetsADriveBeginElsewhere) {
  const std::string drive = "drive = { angle = { formula = \"0.5*cos(t)\" } }";
  const Model model = read(doublePendulum("start = { angle = 0.5 }\n" + drive, ""));
  EXPECT_NEAR(coordinate(model, 0), 0.5, 1e-15);
  expectClosed(model);
  EXPECT_NE(errorOf(doublePendulum(drive, "")).find("start = { angle = 0.5 }"), std::string::npos);
  EXPECT_NE(errorOf(doublePendulum("start = { angle = 0.5, angle_rate = 1 }\n" + drive, ""))
                .find("start: angle_rate is 1, but the drive begins with"),
            std::string::npos);
}

TEST(StartingPosition, RefusesWhatContradicts) {
  const std::string both = errorOf(fourBar("start = { angle = 0.5 }", "start = { angle = 0.5 }"));
  EXPECT_NE(both.find("cannot be closed where the joints are to start"), std::string::npos) << both;
  const std::string rates = errorOf(fourBar("start = { angle_rate = 1 }", "start = { angle_rate = 1 }"));
  EXPECT_NE(rates.find("rates that joints start with count as drives"), std::string::npos) << rates;
  const std::string spin = "angular_velocity = { space = [0, 3, 0] }";
  EXPECT_NEAR(rate(read(doublePendulum("", "start = { angle_rate = 1 }", spin)), 0), 2.0, 1e-13);
  const std::string given = errorOf(doublePendulum("start = { angle_rate = 1 }", "start = { angle_rate = 1 }", spin));
  EXPECT_NE(given.find("is violated"), std::string::npos) << given;
  EXPECT_NE(errorOf(doublePendulum("start = { angle = 1 }", "", "start = { position = [1, 0, 0] }"))
                .find("let either joints or bodies say where the mechanism starts"),
            std::string::npos);
  EXPECT_NE(errorOf(doublePendulum("start = { angel = 1 }", "")).find("did you mean 'angle'?"), std::string::npos);
  EXPECT_NE(errorOf(doublePendulum("start = { angle = 4 }", "")).find("must be between -pi and pi, not 4"),
            std::string::npos);
  EXPECT_NE(errorOf(link("a", "[0, 0, 0]") +
                    joint("b", "spherical", R"(["ground", "a"])", "[0, 0, 0]", "start = { angle = 1 }"))
                .find("has the key 'start', which a spherical joint does not have"),
            std::string::npos);
}

}  // namespace polhode::starting_position_test
