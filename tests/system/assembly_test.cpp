#include "system/assembly.h"

#include "math/euler_map.h"
#include "math/rotation_maps.h"
#include "polhode/error.h"
#include "support/linkages.h"
#include "system/joint_opening.h"

#include <numbers>

#include <gtest/gtest.h>

namespace polhode::assembly_test {
namespace {

Body bodyAt(const std::string& name, const Vector3& position, const Vector3& turn = Vector3::Zero()) {
  Body body;
  body.name = name;
  body.position = position;
  body.orientation = expS3(turn);
  return body;
}

/// A four-bar linkage in the plane: ground (0,0) - crank 1 - coupler 2 - rocker 1.5 - ground (2,0), hinges about z. The
/// bars are drawn where they roughly are, each turned by `angles`.
Model sketch(double crankAngle, double couplerAngle, double rockerAngle, double couplerLength = 2.0) {
  Model model;
  model.bodies = {bodyAt("crank", {0.1, 0.5, 0}, {0, 0, crankAngle}),
                  bodyAt("coupler", {1, 1, 0.1}, {0, 0, couplerAngle}),
                  bodyAt("rocker", {2, 0.6, 0}, {0, 0, rockerAngle})};
  // along its own x axis each bar has its ends at -l/2 and l/2
  const auto end = [&](std::size_t body, double at) -> Vector3 {
    return model.bodies[body].position + rotationMatrix(model.bodies[body].orientation) * Vector3(at, 0, 0);
  };
  const auto hinge = [&](const char* name, const char* first, const char* second, const Vector3& p1,
                         const Vector3& p2) {
    Joint joint{name, "revolute", first, second, p1};
    joint.secondPoint = p2;
    model.joints.push_back(joint);
  };
  hinge("A", "ground", "crank", {0, 0, 0}, end(0, -0.5));
  hinge("B", "crank", "coupler", end(0, 0.5), end(1, -couplerLength / 2));
  hinge("C", "coupler", "rocker", end(1, couplerLength / 2), end(2, 0.75));
  hinge("D", "ground", "rocker", {2, 0, 0}, end(2, -0.75));
  return model;
}

double largestGap(const Model& model) {
  const Mechanism mechanism(model);
  double largest = 0.0;
  for (const JointOpening& gap : jointOpenings(mechanism, initialMotion(mechanism)))
    largest = std::max({largest, gap.distance, gap.angle, gap.speed, gap.turning});
  return largest;
}

std::string errorOf(Model model) {
  try {
    assemble(model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(Assembly, ClosesALoopFromARoughSketch) {
  Model model = sketch(1.4, 0.2, 1.2);
  EXPECT_GT(largestGap(model), 0.05);
  assemble(model);
  EXPECT_LT(largestGap(model), 1e-14);
  // the lengths of the bars are kept
  EXPECT_NEAR((model.joints[1].point - model.joints[0].point).norm(), 1.0, 1e-14);
  EXPECT_NEAR((model.joints[2].point - model.joints[1].point).norm(), 2.0, 1e-14);
  EXPECT_NEAR((model.joints[2].point - model.joints[3].point).norm(), 1.5, 1e-14);
}

TEST(Assembly, LeavesWhatIsClosedAsItIs) {
  Model model = sketch(1.4, 0.2, 1.2);
  assemble(model);
  const Model before = model;
  assemble(model);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    EXPECT_EQ(model.bodies[b].position, before.bodies[b].position);
    EXPECT_EQ(model.bodies[b].orientation, before.bodies[b].orientation);
  }
}

TEST(Assembly, NamesTheJointOfALoopThatCannotClose) {
  const std::string error = errorOf(sketch(1.4, 0.2, 1.2, 6.0));  // 6 > 1 + 1.5 + 2
  EXPECT_NE(error.find("cannot be closed: a gap of"), std::string::npos) << error;
  EXPECT_NE(error.find("joint '"), std::string::npos) << error;
}

TEST(Assembly, NamesAJointOfAContradiction) {
  // a rod of one metre between two points of the ground that are three metres apart
  Model model;
  model.bodies = {bodyAt("rod", {0, 0, 0})};
  Joint left{"left", "spherical", "ground", "rod", {-1.5, 0, 0}},
      right{"right", "spherical", "ground", "rod", {1.5, 0, 0}};
  left.secondPoint = Vector3(-0.5, 0, 0);
  right.secondPoint = Vector3(0.5, 0, 0);
  model.joints = {left, right};
  EXPECT_NE(errorOf(model).find("' cannot be closed: a gap of 1 m"), std::string::npos) << errorOf(model);
}

TEST(Assembly, FindsTheVelocitiesOfALoopFromOneBody) {
  Model model = sketch(1.4, 0.2, 1.2);
  assemble(model);
  model.bodies[0].angularVelocity = {0, 0, 2};
  std::vector<GivenVelocities> given(3, {false, false});
  given[0].angularVelocity = true;
  EXPECT_FALSE(completeVelocities(model, given, false));
  EXPECT_LT(largestGap(model), 1e-14);
  EXPECT_EQ(model.bodies[0].angularVelocity, Vector3(0, 0, 2));
  // the end of the crank moves at 2 rad/s x 1 m
  EXPECT_NEAR(model.bodies[0].velocity.norm(), 1.0, 1e-14);
  EXPECT_GT(model.bodies[2].angularVelocity.norm(), 0.1);
}

TEST(Assembly, LetsAnAngularVelocityThatIsNotGivenBeZeroWhereItCan) {
  Model model;
  model.bodies = {bodyAt("upper", {0.5, 0, 0}), bodyAt("lower", {1.5, 0, 0})};
  model.bodies[0].angularVelocity = {0, 0, 3};
  model.joints = {{"shoulder", "revolute", "ground", "upper", {0, 0, 0}},
                  {"elbow", "revolute", "upper", "lower", {1, 0, 0}}};
  EXPECT_FALSE(completeVelocities(model, {{false, true}, {false, false}}, false));
  EXPECT_LT((model.bodies[0].velocity - Vector3(0, 1.5, 0)).norm(), 1e-15);
  EXPECT_LT((model.bodies[1].velocity - Vector3(0, 3, 0)).norm(), 2e-15);
  EXPECT_EQ(model.bodies[1].angularVelocity, Vector3(0, 0, 0));
}

TEST(Assembly, RefusesVelocitiesThatContradictAJoint) {
  Model model;
  model.bodies = {bodyAt("arm", {1, 0, 0})};
  model.bodies[0].angularVelocity = {0, 0, 1};
  model.joints = {{"hinge", "revolute", "ground", "arm", {0, 0, 0}}};
  const auto found = completeVelocities(model, {{}}, false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->joint, 0u);
  EXPECT_NE(found->problem.sentence.find("is violated: its points part at 1 m/s"), std::string::npos);

  model.bodies[0].angularVelocity = {0, 1, 0};
  const auto turning = completeVelocities(model, {{false, true}}, false);
  ASSERT_TRUE(turning);
  EXPECT_NE(turning->problem.sentence.find("its axes part at 1 rad/s"), std::string::npos) << turning->problem.sentence;
}

TEST(Assembly, TakesRedundantJoints) {
  // a door on two hinges: five of the ten equations say nothing new
  Model model;
  model.bodies = {bodyAt("door", {0.5, 0, 1})};
  model.bodies[0].angularVelocity = {0, 0, 1};
  model.joints = {{"low", "revolute", "ground", "door", {0, 0, 0}}, {"high", "revolute", "ground", "door", {0, 0, 2}}};
  EXPECT_FALSE(completeVelocities(model, {{false, true}}, false));
  EXPECT_LT((model.bodies[0].velocity - Vector3(0, 0.5, 0)).norm(), 1e-15);
}

TEST(Assembly, SaysWhatItChanged) {
  Model model = sketch(1.4, 0.2, 1.2);
  AssemblyReport report;
  ASSERT_FALSE(closeJoints(model, true, &report));
  EXPECT_GT(report.move, 0.01);
  EXPECT_NE(report.words().find("assembling moved '"), std::string::npos) << report.words();
  EXPECT_EQ(report.words().find("energy"), std::string::npos) << "everything is at rest: " << report.words();

  model.bodies[0].angularVelocity = {0, 0, 2};
  AssemblyReport velocities;
  ASSERT_FALSE(completeVelocities(model, std::vector<GivenVelocities>(3), true, &velocities));
  EXPECT_GT(velocities.speed, 0.01);
  EXPECT_NE(velocities.words().find("changed the kinetic energy from"), std::string::npos) << velocities.words();

  AssemblyReport nothing;
  ASSERT_FALSE(closeJoints(model, true, &nothing));
  ASSERT_FALSE(completeVelocities(model, std::vector<GivenVelocities>(3), true, &nothing));
  EXPECT_EQ(nothing.words(), "");
}

TEST(Assembly, SaysWhatParts) {
  // two hinges in line about crossed axes: the body's spin about z keeps the points and turns the axes apart
  Model model;
  model.bodies = {bodyAt("rod", {0, 0, 0})};
  Joint hinge{"j0", "revolute", "ground", "rod", {0, 0, 0}};
  hinge.axis = Vector3::UnitX();
  model.joints = {hinge};
  model.bodies[0].angularVelocity = {0, 0, 0.5};
  const auto problem = completeVelocities(model, {GivenVelocities{}}, false);
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->problem.sentence.find("its axes part at 0.5 rad/s"), std::string::npos);
  EXPECT_EQ(problem->problem.sentence.find("points"), std::string::npos) << problem->problem.sentence;
}

TEST(Assembly, FindsVelocitiesOfALinkageThatIsWrittenWithFewDigits) {
  for (const int digits : {5, 6, 9}) {
    Model model = test::written(test::inRandomPlane(test::sixBar(), 4), digits);
    const Vector3 axis = model.joints[0].axis.normalized();
    model.bodies[0].angularVelocity = rotationMatrix(model.bodies[0].orientation).transpose() * (2.0 * axis);
    std::vector<GivenVelocities> given(model.bodies.size(), {false, false});
    given[0].angularVelocity = true;
    ASSERT_FALSE(completeVelocities(model, given, false)) << digits;
    const Mechanism mechanism(model);
    EXPECT_GT(kineticEnergy(mechanism, initialMotion(mechanism)), 1.0);
    EXPECT_LT(largestGap(model), 2e3 * std::pow(10.0, -digits)) << digits;
  }
}

}  // namespace polhode::assembly_test
