#include "system/mobility.h"

#include <gtest/gtest.h>

namespace polhode::mobility_test {
namespace {

/// Rods between points, each hinged to the next; the ground carries both ends.
Model loop(const std::vector<Vector3>& points, const std::vector<Vector3>& axes, const std::string& type) {
  Model model;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    Body rod;
    rod.name = "rod" + std::to_string(i + 1);
    rod.position = 0.5 * (points[i] + points[i + 1]);
    model.bodies.push_back(rod);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string first = i == 0 ? "ground" : model.bodies[i - 1].name;
    const std::string second = i + 1 == points.size() ? "ground" : model.bodies[i].name;
    Joint joint{"P" + std::to_string(i), type, first, second, points[i]};
    joint.axis = axes[i];
    model.joints.push_back(joint);
  }
  return model;
}

Mobility mobility(const Model& model) {
  return mobilityOf(Mechanism(model));
}

const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();

}  // namespace

TEST(Mobility, OfBricardsMechanism) {
  // IFToMM A04: 30 rows of rank 29
  const Model model =
      loop({{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}}, {y, z, x, y, z, x}, "revolute");
  const Mechanism mechanism(model);
  const Mobility found = mobilityOf(mechanism);
  EXPECT_EQ(mechanism.rows(), 30);
  EXPECT_EQ(found.freedoms, 1);
  EXPECT_EQ(found.redundant(), 1);
  EXPECT_FALSE(found.startsSingular);
}

TEST(Mobility, OfAPlanarFourBar) {
  const Mobility found = mobility(loop({{0, 0, 0}, {0, 1, 0}, {2, 1.5, 0}, {2, 0, 0}}, {z, z, z, z}, "revolute"));
  EXPECT_EQ(found.freedoms, 1);
  EXPECT_EQ(found.redundant(), 3);
}

TEST(Mobility, OfAFourBarThatIsStretchedOut) {
  // a parallelogram in its dead position: two rates are free, elsewhere one
  const Mobility dead = mobility(loop({{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}}, {z, z, z, z}, "revolute"));
  EXPECT_TRUE(dead.startsSingular);
  EXPECT_EQ(dead.freedoms, 1);
  EXPECT_EQ(dead.redundant(), 3);
}

TEST(Mobility, OfTreesAndFreeBodies) {
  Model model = loop({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {z, z, z}, "spherical");
  model.joints.pop_back();
  EXPECT_EQ(mobility(model).freedoms, 6);
  model.joints.erase(model.joints.begin());
  EXPECT_EQ(mobility(model).freedoms, 9);
}

TEST(Mobility, OfARodOnTwoDistances) {
  Model model = loop({{0, 0, 0}, {1, 0, 0}}, {z, z}, "distance");
  model.joints[0].point = {0, 0, 1};
  model.joints[0].secondPoint = Vector3(0, 0, 0);
  model.joints[1].point = {1, 0, 0};
  model.joints[1].secondPoint = Vector3(1, 0, 1);
  EXPECT_EQ(mobility(model).freedoms, 4);
  EXPECT_EQ(mobility(model).redundant(), 0);
}

TEST(Mobility, NamesABodyThatNoInertiaResists) {
  // a frame without mass between two hinges, across each other or in line
  Model model = loop({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {z, y, z}, "revolute");
  model.joints.pop_back();
  EXPECT_EQ(unresistedBody(Mechanism(model)), -1);
  model.bodies[0].mass = 0.0;
  model.bodies[0].inertia.setZero();
  EXPECT_EQ(unresistedBody(Mechanism(model)), -1) << "the second rod is carried by it";
  model.joints[1].point = {0, 0, 0};
  model.joints[1].axis = z;
  EXPECT_EQ(unresistedBody(Mechanism(model)), 0) << "it turns alone";

  // a pendulum without mass; a point mass, whose spin does not matter
  model.bodies = {model.bodies[0]};
  model.joints = {{"pivot", "spherical", "ground", "rod1", {0, 0, 0}}};
  EXPECT_EQ(unresistedBody(Mechanism(model)), 0);
  model.bodies[0].mass = 1.0;
  EXPECT_EQ(unresistedBody(Mechanism(model)), -1);
}

TEST(Mobility, NamesTheJointOfARow) {
  const Mechanism mechanism(loop({{0, 0, 0}, {0, 1, 0}, {2, 1.5, 0}, {2, 0, 0}}, {z, z, z, z}, "revolute"));
  EXPECT_EQ(jointOfRow(mechanism, 0).name, "P0");
  EXPECT_EQ(jointOfRow(mechanism, 9).name, "P1");
  EXPECT_EQ(jointOfRow(mechanism, 19).name, "P3");
}

}  // namespace polhode::mobility_test
