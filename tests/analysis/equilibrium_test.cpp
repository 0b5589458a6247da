#include "analysis/equilibrium.h"

#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "support/linkages.h"
#include "support/mechanisms.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::equilibrium_test {
namespace {

Body rod(const std::string& name, const Vector3& from, const Vector3& to, double mass) {
  Body body;
  body.name = name;
  body.mass = mass;
  const Vector3 along = to - from;
  body.inertia = mass / 12.0 * (along.squaredNorm() * Matrix3::Identity() - along * along.transpose());
  body.inertia += 0.01 * Matrix3::Identity();
  body.position = 0.5 * (from + to);
  return body;
}

Joint hinge(const std::string& first, const std::string& second, const Vector3& point) {
  Joint joint;
  joint.name = first + "-" + second;
  joint.type = "revolute";
  joint.first = first;
  joint.second = second;
  joint.point = point;
  joint.axis = Vector3::UnitY();
  return joint;
}

/// The four-bar of Drake's examples: links of 4 m and 20 kg, 2 m between the hinges on the ground, g = 9.8; here with its
/// crank at some angle to the vertical.
Model drakesFourBar(double crank) {
  const Vector3 A(0.0, 0.0, 0.0), D(2.0, 0.0, 0.0), B(4.0 * std::sin(crank), 0.0, -4.0 * std::cos(crank));
  const Vector3 toD = D - B, across = Vector3(-toD.z(), 0.0, toD.x()).normalized();
  const Vector3 C = 0.5 * (B + D) + std::sqrt(16.0 - 0.25 * toD.squaredNorm()) * -across;
  Model model;
  model.name = "four-bar";
  model.gravity = Vector3(0.0, 0.0, -9.8);
  model.bodies = {rod("crank", A, B, 20.0), rod("coupler", B, C, 20.0), rod("rocker", C, D, 20.0)};
  model.joints = {hinge("ground", "crank", A), hinge("crank", "coupler", B), hinge("coupler", "rocker", C),
                  hinge("rocker", "ground", D)};
  return model;
}

/// A slider between two springs that are too long for their place.
Model toggle() {
  Model model;
  model.name = "toggle";
  Body slider;
  slider.name = "slider";
  slider.position = Vector3(0.0, 0.05, 0.0);
  model.bodies = {slider};
  Joint guide = hinge("ground", "slider", Vector3::Zero());
  guide.type = "prismatic";
  model.joints = {guide};
  for (const double side : {-1.0, 1.0}) {
    Force spring;
    spring.name = side < 0.0 ? "left" : "right";
    spring.type = "spring";
    spring.second = "slider";
    spring.firstPoint = Vector3(side, 0.0, 0.0);
    spring.secondPoint = slider.position;
    spring.law = ForceLaw::polynomial({100.0});
    spring.rest = 1.2;
    model.forces.push_back(spring);
  }
  return model;
}

/// The first equilibrium must be one: the forces vanish beside the loads, the joints are closed.
void expectRests(const Equilibrium& found) {
  EXPECT_LE(found.reduced.force.norm(), 1e-12 * found.reduced.load);
  EXPECT_LE(found.observation.positionViolation, 1e-12);
}

TEST(Equilibrium, OfDrakesFourBarIsKnown) {
  for (const double crank : {0.4, -0.1, 0.8}) {
    const Equilibrium found = EquilibriumSearch(drakesFourBar(crank)).fromStart();
    expectRests(found);
    EXPECT_TRUE(found.isStable());
    const Vector3 middle = found.observation.bodies[0].position;
    EXPECT_NEAR(std::atan2(-middle.z(), -middle.x()), std::atan(std::sqrt(15.0)), 1e-12) << crank;
    // all of the weight on the two hinges of the ground, and their pulls inwards from the moments about the crank's hinge
    const double side = 20.0 * 9.8 / std::sqrt(15.0);
    EXPECT_NEAR(found.observation.joints[0].force.z(), 1.5 * 20.0 * 9.8, 1e-9);
    EXPECT_NEAR(found.observation.joints[0].force.x(), side, 1e-9);
  }
}

TEST(Equilibrium, OfAChainHangsDown) {
  for (const Model& model : {test::hingedChain(5), test::ballChain(4), test::pointMassPendulum(false)}) {
    const Equilibrium found = EquilibriumSearch(model).fromStart();
    expectRests(found);
    EXPECT_TRUE(found.isStable()) << model.name;
    EXPECT_FALSE(found.atStart);
  }
  // a chain of rods of one metre on ball joints: straight down
  const Equilibrium chain = EquilibriumSearch(test::ballChain(4)).fromStart();
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_LT((chain.observation.bodies[i].position - Vector3(0.0, 0.0, -0.5 - static_cast<double>(i))).norm(), 1e-12);
  EXPECT_EQ(chain.neutral, 4 - chain.reduced.idleTurns);  // each rod about itself
}

// Rods of weight W between two pins of one height: the pull H along the chain is the same in all hinges, and the moments of
// each rod give tan(slope of rod i) = (W / H)(i - (n - 1)/2): equal steps; the span gives H.
TEST(Equilibrium, OfAChainBetweenTwoPinsHasSlopesInEqualSteps) {
  const int count = 7;
  const double span = 4.5, weight = 9.81;
  double low = 1e-3, high = 1e3;  // for W / H
  const auto reach = [&](double ratio) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += 1.0 / std::hypot(1.0, ratio * (i - 0.5 * (count - 1)));
    return sum;
  };
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    (reach(middle) > span ? low : high) = middle;
  }
  Model model;
  model.name = "chain";
  model.gravity = Vector3(0.0, 0.0, -weight);
  // drawn as a zigzag whose rods have the length one: up and down by turns, the middle one level
  Vector3 end = Vector3::Zero();
  const double slope = std::acos((span - 1.0) / (count - 1.0));
  for (int i = 0; i < count; ++i) {
    const double angle = i == count / 2 ? 0.0 : (i < count / 2 ? -slope : slope);
    const Vector3 next = end + Vector3(std::cos(angle), 0.0, std::sin(angle));
    model.bodies.push_back(rod("rod" + std::to_string(i), end, next, 1.0));
    model.joints.push_back(
        hinge(i == 0 ? "ground" : model.bodies[static_cast<std::size_t>(i - 1)].name, model.bodies.back().name, end));
    end = next;
  }
  model.joints.push_back(hinge(model.bodies.back().name, "ground", end));
  ASSERT_NEAR(end.x(), span, 1e-12);
  ASSERT_NEAR(end.z(), 0.0, 1e-12);
  const Equilibrium found = EquilibriumSearch(model).fromStart();
  expectRests(found);
  EXPECT_TRUE(found.isStable());
  Vector3 hinge = Vector3::Zero();
  for (int i = 0; i < count; ++i) {
    const Vector3 middle = found.observation.bodies[static_cast<std::size_t>(i)].position;
    const Vector3 half = middle - hinge;
    EXPECT_NEAR(half.z() / half.x(), low * (i - 0.5 * (count - 1)), 1e-10) << i;
    hinge += 2.0 * half;
  }
}

TEST(Equilibrium, OfAToggleIsFoundOnBothSides) {
  EquilibriumSearch search(toggle());
  const std::vector<Equilibrium> found = search.fromStarts(8);
  ASSERT_EQ(found.size(), 2u);
  const double y = std::sqrt(1.2 * 1.2 - 1.0);
  EXPECT_NEAR(std::abs(found[0].observation.bodies[0].position.y()), y, 1e-12);
  EXPECT_NEAR(found[0].observation.bodies[0].position.y(), -found[1].observation.bodies[0].position.y(), 1e-12);
  for (const Equilibrium& each : found) {
    EXPECT_TRUE(each.isStable());
    ASSERT_EQ(each.stiffness.size(), 1u);
    EXPECT_NEAR(each.stiffness[0], 2.0 * 100.0 * y * y / 1.44, 1e-9);  // of two springs at an angle
  }
}

TEST(Equilibrium, OfLinkagesThatRepeatTheirJointsIsStable) {
  for (const Model& model :
       {test::fourBar(), test::sixBar(), test::sliderCrank(), test::jansenLeg(), test::bennettLoop(),
        test::bricardLoop(), test::inRandomPlane(test::written(test::fourBar(), 6), 3)}) {
    const Equilibrium found = EquilibriumSearch(model).fromStart();
    EXPECT_LE(found.reduced.force.norm(), 1e-10 * found.reduced.load) << model.name;
    EXPECT_EQ(found.reduced.freedoms(), 1) << model.name;
    EXPECT_TRUE(found.isStable()) << model.name;
  }
}

TEST(Equilibrium, OfTheHexapodCarriesItsWeight) {
  const Model model = loadModel("hexapod").model;
  const Equilibrium found = EquilibriumSearch(model).fromStart();
  expectRests(found);
  EXPECT_TRUE(found.isStable());
  EXPECT_EQ(found.stiffness.size(), 6u);
  double weight = 0.0, carried = 0.0;
  for (const Body& body : model.bodies) weight += 9.81 * body.mass;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (model.joints[j].first == "ground") carried += found.observation.joints[j].force.z();
    if (model.joints[j].second == "ground") carried -= found.observation.joints[j].force.z();
  }
  EXPECT_NEAR(carried, weight, 1e-8);
}

TEST(Equilibrium, AtTheTopIsUnstable) {
  Model model = test::hingedChain(1);
  model.gravity = -model.gravity;
  const Equilibrium down = EquilibriumSearch(test::hingedChain(1)).fromStart();
  Model standing = model;  // hangs where the other one stands
  for (Body& body : standing.bodies) {
    body.position = down.observation.bodies[0].position;
    body.orientation = down.observation.bodies[0].orientation;
  }
  standing.joints[0].secondPoint.reset();
  const Equilibrium found = EquilibriumSearch(standing).fromStart();
  EXPECT_TRUE(found.atStart);
  EXPECT_TRUE(found.isUnstable());
  EXPECT_NEAR(found.stiffness[0], -down.stiffness[0], 1e-9);
}

TEST(Equilibrium, OfARingOfEqualBarsIsSingular) {
  const Equilibrium found = EquilibriumSearch(test::rings(1)).fromStart();  // folded up
  EXPECT_LE(found.reduced.force.norm(), 1e-9 * found.reduced.load);         // where joints hardly say which way is free
  EXPECT_TRUE(found.isSingular());
  EXPECT_FALSE(EquilibriumSearch(drakesFourBar(0.4)).fromStart().isSingular());
}

TEST(Equilibrium, OfAFreeBodyIsNeutralOrThereIsNone) {
  Model model;
  model.name = "box";
  Body box;
  box.name = "box";
  model.bodies = {box};
  const Equilibrium found = EquilibriumSearch(model).fromStart();
  EXPECT_EQ(found.neutral, 6);
  EXPECT_EQ(found.rigid, 6);
  EXPECT_FALSE(found.isStable());
  model.gravity = Vector3(0.0, 0.0, -9.81);
  try {
    EquilibriumSearch(model).fromStarts(2);
    FAIL() << "a free body falls";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("there is no equilibrium: 'box' accelerates at 9.81 m/s^2"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace polhode::equilibrium_test
