#include "polhode/model/conservation.h"

#include "polhode/analysis/run.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::conservation_test {
namespace {

Model freeBody(const Vector3& gravity = Vector3::Zero()) {
  Model model;
  model.name = "a body";
  model.gravity = gravity;
  Body body;
  body.name = "body";
  body.mass = 2.0;
  body.inertia = Vector3(1.0, 2.0, 2.5).asDiagonal();
  body.position = {0.3, -0.2, 0.5};
  body.velocity = {1.0, 2.0, -0.5};
  body.angularVelocity = {0.5, -1.0, 2.0};
  model.bodies = {body};
  return model;
}

/// The same body on a ball joint.
Model top(const Vector3& point, const Vector3& gravity) {
  Model model = freeBody(gravity);
  Body& body = model.bodies.front();
  body.position = point + Vector3(0.2, 0.4, 0.8);
  body.velocity = body.angularVelocity.cross(body.position - point);  // the body axes are those of space
  Joint tip;
  tip.name = "tip", tip.type = "spherical", tip.first = "ground", tip.second = "body", tip.point = point;
  model.joints = {tip};
  return model;
}

Model springTop(const Vector3& point, const Vector3& anchor, const Vector3& gravity) {
  Model model = top(point, gravity);
  Force spring;
  spring.name = spring.type = "spring";
  spring.first = "ground", spring.second = "body";
  spring.firstPoint = anchor, spring.secondPoint = model.bodies.front().position + Vector3(0.1, 0.0, 0.3);
  spring.law = ForceLaw::polynomial({20.0});
  model.forces = {spring};
  return model;
}

std::vector<std::string> names(const Model& model) {
  std::vector<std::string> all;
  for (const ConservedMomentum& momentum : conservationOf(model).all) all.push_back(momentum.name());
  return all;
}

using Names = std::vector<std::string>;
using Flags = std::array<bool, 3>;

TEST(Conservation, FreeBodyKeepsAll) {
  const Conservation found = conservationOf(freeBody());
  EXPECT_EQ(found.linear, (Flags{true, true, true}));
  EXPECT_EQ(found.angular, (Flags{true, true, true}));
  EXPECT_EQ(found.all.size(), 6u);
  EXPECT_TRUE(found.energy);
}

TEST(Conservation, FreeBodyUnderGravity) {
  const Model model = freeBody({0, 0, -9.81});
  const Conservation found = conservationOf(model);
  EXPECT_EQ(found.linear, (Flags{true, true, false}));
  EXPECT_EQ(found.angular, (Flags{false, false, true}));
  EXPECT_EQ(names(model), (Names{"linear momentum along x", "linear momentum along y", "angular momentum about z",
                                 "angular momentum about the centre of mass along x",
                                 "angular momentum about the centre of mass along y",
                                 "angular momentum about the centre of mass along z"}));
}

TEST(Conservation, TopTurnsAboutTheVerticalThroughItsPoint) {
  EXPECT_EQ(names(top(Vector3::Zero(), {0, 0, -9.81})), (Names{"angular momentum about z"}));
  EXPECT_EQ(names(top({1.0, 2.0, 3.0}, {0, 0, -9.81})), (Names{"angular momentum about z through (1, 2, 0)"}));
  // about the origin it is not conserved: the point's force has a moment there
  EXPECT_EQ(conservationOf(top({1.0, 2.0, 3.0}, {0, 0, -9.81})).angular, (Flags{false, false, false}));
  EXPECT_EQ(conservationOf(top({0.0, 0.0, 3.0}, {0, 0, -9.81})).angular, (Flags{false, false, true}));
  // without gravity about every axis through the point
  EXPECT_EQ(names(top({1.0, 2.0, 3.0}, Vector3::Zero())),
            (Names{"angular momentum about x through (1, 2, 3)", "angular momentum about y through (1, 2, 3)",
                   "angular momentum about z through (1, 2, 3)"}));
}

TEST(Conservation, GravityMayPointAnywhere) {
  EXPECT_EQ(names(top(Vector3::Zero(), {0, -6.0, -8.0})), (Names{"angular momentum about (0, 0.6, 0.8)"}));
  const Conservation found = conservationOf(freeBody({0, -6.0, -8.0}));
  EXPECT_EQ(found.linear, (Flags{true, false, false}));
  EXPECT_EQ(found.angular, (Flags{false, false, false}));
  ASSERT_EQ(found.all.size(), 6u);
  EXPECT_NEAR(std::abs(found.all[1].direction.dot(Vector3(0, 0.8, -0.6))), 1.0, 1e-14);
  EXPECT_EQ(found.all[2].kind, MomentumKind::angular);
  EXPECT_NEAR(found.all[2].direction.dot(Vector3(0, 0.6, 0.8)), 1.0, 1e-14);
}

TEST(Conservation, SpringToTheGround) {
  // in line with the vertical through the point it leaves that axis, beside it none
  EXPECT_EQ(names(springTop({1, 0, 0}, {1, 0, 2}, {0, 0, -9.81})),
            (Names{"angular momentum about z through (1, 0, 0)"}));
  EXPECT_EQ(names(springTop({1, 0, 0}, {1.5, 0, 2}, {0, 0, -9.81})), Names{});
  // without gravity the axis through point and anchor
  EXPECT_EQ(names(springTop({0, 0, 0}, {0, 3, 4}, Vector3::Zero())), (Names{"angular momentum about (0, 0.6, 0.8)"}));
}

/// A body held to the ground by one joint; its axis is (0, 0.6, 0.8), through (1, 0, 0).
Model held(const std::string& type, const Vector3& gravity, bool groundIsSecond = false) {
  Model model = freeBody(gravity);
  Joint joint{"joint", type, "ground", "body", {1, 0, 0}, {0, 0.6, 0.8}, {}, {}, {}};
  if (type == "universal") joint.secondAxis = Vector3::UnitX();
  if (groundIsSecond) std::swap(joint.first, joint.second);
  model.joints = {joint};
  return model;
}

TEST(Conservation, JointsToTheGround) {
  const std::string about = "angular momentum about (0, 0.6, 0.8) through (1, 0, 0)",
                    along = "linear momentum along (0, 0.6, 0.8)";
  const Vector3 none = Vector3::Zero();
  for (const bool swapped : {false, true}) {
    EXPECT_EQ(names(held("revolute", none, swapped)), (Names{about}));
    EXPECT_EQ(names(held("cylindrical", none, swapped)), (Names{along, about}));
    EXPECT_EQ(names(held("prismatic", none, swapped)), (Names{along}));
    EXPECT_EQ(names(held("fixed", none, swapped)), Names{});
    EXPECT_EQ(names(held("distance", none, swapped)).size(), 3u);
    EXPECT_EQ(names(held("planar", none, swapped)).size(), 3u);
    EXPECT_EQ(names(held("planar", none, swapped)).front(), "linear momentum along x");
    // gravity along the axis leaves the rotation and takes the translation; gravity across it takes the rotation
    EXPECT_EQ(names(held("cylindrical", {0, 6, 8}, swapped)), (Names{about}));
    EXPECT_EQ(names(held("cylindrical", {1, 0, 0}, swapped)), (Names{along}));
    EXPECT_EQ(names(held("revolute", {0, 0, -9.81}, swapped)), Names{});
  }
  EXPECT_EQ(names(held("universal", none)), (Names{about}));
  EXPECT_EQ(names(held("universal", none, true)), (Names{"angular momentum about x"}));  // goes through the origin
}

TEST(Conservation, JointsBetweenBodiesTakeNothing) {
  Model model = freeBody();
  model.bodies.push_back(model.bodies.front());
  model.bodies.back().name = "other";
  model.joints = {{"hinge", "revolute", "body", "other", {1, 0, 0}, {0, 0, 1}, {}, {}, {}}};
  EXPECT_EQ(conservationOf(model).all.size(), 6u);
}

// Whatever is said to be conserved is so in an accurate simulation, and nothing is kept back: of the other coordinate
// components each changes.
TEST(Conservation, HoldsInSimulations) {
  SimulationSettings settings;
  settings.tolerance = 1e-13;
  settings.end = 1.0;
  const Model models[] = {freeBody(),
                          freeBody({0, 0, -9.81}),
                          freeBody({1, 2, 3}),
                          top({1, 2, 3}, {0, 0, -9.81}),
                          top({1, 2, 3}, {0, -6, -8}),
                          top({1, 2, 3}, Vector3::Zero()),
                          springTop({1, 0, 0}, {1, 0, 2}, {0, 0, -9.81}),
                          springTop({1, 0, 0}, {1.5, 0, 2}, Vector3::Zero())};
  for (const Model& model : models) {
    const RunResult result = simulate(model, settings);
    ASSERT_EQ(result.failure, "");
    for (const MomentumDrift& component : result.conservedMomenta)
      EXPECT_LT(component.drift, 1e-11) << component.momentum.name();
    for (int i = 0; i < 3; ++i) {
      const auto index = static_cast<std::size_t>(i);
      EXPECT_EQ(result.conserved.linear[index], result.linearMomentumDrift[i] < 1e-11) << i;
      EXPECT_EQ(result.conserved.angular[index], result.angularMomentumDrift[i] < 1e-11) << i;
    }
  }
}

}  // namespace
}  // namespace polhode::conservation_test
