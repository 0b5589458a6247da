#include "system/redundancy.h"

#include "math/rotation_maps.h"
#include "support/linkages.h"
#include "support/mechanisms.h"

#include <gtest/gtest.h>

namespace polhode::redundancy_test {

TEST(Redundancy, CountsRoundingsAsRepetitions) {
  // an axis that is off by a hundred thousandth of a radian, and by a hundredth, which is no rounding
  const auto with = [](double tilt) {
    Model model = test::fourBar();
    model.joints[2].axis = Vector3(tilt, 0.0, 1.0);
    return model;
  };
  const Mechanism exact(with(0.0)), rounded(with(1e-5)), tilted(with(1e-2));
  EXPECT_EQ(Redundancy(exact).rows().size(), 3u);
  EXPECT_LT(Redundancy(exact).largestRounding(), 1e-14);
  const Redundancy found(rounded);
  EXPECT_EQ(found.freedoms(), 1);
  EXPECT_GT(found.largestRounding(), 1e-6);
  EXPECT_LT(found.largestRounding(), 1e-4);
  EXPECT_EQ(Redundancy(tilted).freedoms(), 0) << "whoever tilts an axis by half a degree means it";
}

TEST(Redundancy, DoesNotDependOnUnitsOrOnTheOrigin) {
  Model small = test::sliderCrank();
  for (Body& body : small.bodies) body.position *= 1e-3;
  for (Joint& joint : small.joints) joint.point *= 1e-3;
  EXPECT_EQ(Redundancy(Mechanism(small)).freedoms(), 1);
  EXPECT_EQ(Redundancy(Mechanism(test::written(test::inRandomPlane(small, 3), 6))).freedoms(), 1);
  const Model far = test::placed(test::sixBar(), Matrix3::Identity(), Vector3(1e4, -2e4, 3e3));
  EXPECT_EQ(Redundancy(Mechanism(far)).freedoms(), 1);
}

TEST(Redundancy, KeepsRowsThatDoNotDependOnEachOther) {
  for (const Model& model : {test::fourBar(), test::jansenLeg(), test::bennettLoop(), test::bricardLoop()}) {
    const Mechanism mechanism(model);
    EXPECT_GT(Redundancy(mechanism).weakest(), 0.01) << model.name;
  }
}

TEST(Redundancy, IsTheSameWhereTheStartIsSingular) {
  // a parallelogram that is stretched out, exact and with six digits in a tilted plane
  Model model = test::fourBar();
  const Vector3 points[] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}};
  for (std::size_t j = 0; j < 4; ++j) model.joints[j].point = points[j];
  for (std::size_t b = 0; b < 3; ++b) model.bodies[b].position = 0.5 * (points[b] + points[b + 1]);
  for (const int digits : {15, 9, 6}) {
    const Mechanism mechanism(test::written(test::inRandomPlane(model, 5), digits));
    const Redundancy found(mechanism);
    EXPECT_EQ(found.freedoms(), 1) << digits;
    EXPECT_TRUE(found.startsSingular()) << digits;
  }
}

TEST(Redundancy, LooksAgainWhereTheChoiceHasBecomeBad) {
  // Bennett's linkage, its first hinge turned through: the choice of the start does not serve everywhere
  const Mechanism mechanism(test::bennettLoop());
  Redundancy redundancy(mechanism);
  MechanismMotion bodies = initialMotion(mechanism);
  EXPECT_FALSE(redundancy.review(0.0, bodies)) << "nothing has moved";
  const std::vector<int> before = redundancy.rows();
  for (MovingPlacement& body : bodies)
    body.at = {expSO3(Vector3(0.0, 0.0, 1.5)) * body.at.x, expSO3(Vector3(0.0, 0.0, 1.5)) * body.at.D};
  redundancy.review(0.0, bodies);
  EXPECT_EQ(redundancy.rows().size(), before.size());
}

TEST(Redundancy, SaysWhatARowRepeats) {
  // the same crank driven twice would be one row too many; here: the closing hinge of a four-bar repeats its own kept rows
  const Mechanism mechanism(test::fourBar());
  const Redundancy redundancy(mechanism);
  const MechanismMotion start = initialMotion(mechanism);
  for (const int row : redundancy.rows())
    for (const int other : redundancy.repeatedBy(row, 0.0, start)) EXPECT_FALSE(redundancy.contains(other));
}

}  // namespace polhode::redundancy_test
