#include "../support/mechanisms.h"
#include "../support/sanitized.h"
#include "integrate/mechanism/lane_trees.h"
#include "system/mechanism_observation.h"
#include "walked_members.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

// What a GPU runs, on the processor.
namespace polhode::ensemble::tree_walk_test {
namespace {

using test::distance;
using test::Members;
using Walked = test::WalkedMembers;

/// Mechanisms of one structure with masses of their own.
Members varied(const Model& model, int count) {
  Members members;
  for (int i = 0; i < count; ++i) {
    Model own = model;
    for (Body& body : own.bodies) body.mass *= 1.0 + 0.05 * i, body.inertia *= 1.0 + 0.03 * i;
    members.push_back(std::make_shared<const Mechanism>(own));
  }
  return members;
}

/// A body that carries two, one of which carries another one.
Model branched() {
  Model model = test::ballChain(4);
  model.joints[3].first = model.bodies[0].name;
  model.joints[3].point = model.joints[1].point;
  model.bodies[3] = model.bodies[1];
  model.bodies[3].name = "other";
  model.joints[3].second = "other";
  return model;
}

/// `count` members of which each has masses of its own, where there are several.
void expectAsInLanes(const Model& model, int count, const WalkKind& kind) {
  const Members members = varied(model, count);
  Walked walked(members);
  EXPECT_EQ(walked.parts().kind.hinges, kind.hinges);
  EXPECT_EQ(walked.parts().kind.branches, kind.branches);
  EXPECT_EQ(walked.parts().kind.varied, kind.varied);
  const double h = 1e-3;
  std::vector<double> energies;
  for (std::int64_t m = 0; m < count; ++m) energies.push_back(walked.energy(m));
  const int steps = test::isSanitized ? 100 : 1000;
  EXPECT_LT(walked.go(steps, h), count * 21 * steps / 10);  // iterations: two a step
  const auto lanes = LaneTrees::make(members, h, 4);
  for (int i = 0; i < steps; ++i) lanes->step();
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto member = static_cast<std::int64_t>(m);
    EXPECT_LT(distance(walked.motion(member), lanes->motion(m)), 1e-12) << model.name << ", member " << m;
    const double kinetic = kineticEnergy(*members[m], walked.motion(member)), most = 1e-13 * kinetic;
    EXPECT_NEAR(walked.energy(member), energies[m], most);
    EXPECT_NEAR(walked.energy(member), kinetic + potentialEnergy(*members[m], walked.motion(member)), most);
  }
}

TEST(TreeWalk, GoesWhereLanesGo) {
  expectAsInLanes(test::ballChain(8), 3, {false, false, true});
  expectAsInLanes(test::ballChain(2), 1, {false, false, false});
  expectAsInLanes(test::mixedChain(), 3, {true, false, true});
  expectAsInLanes(test::spatialDoublePendulum(), 1, {false, false, false});
  expectAsInLanes(test::hingedChain(3), 1, {true, false, false});
  expectAsInLanes(branched(), 3, {false, true, true});
  expectAsInLanes(branched(), 1, {false, true, false});
  Model hinged = branched();
  for (Joint& joint : hinged.joints) joint.type = "revolute", joint.axis = Vector3::UnitY();
  expectAsInLanes(hinged, 2, {true, true, true});
  expectAsInLanes(hinged, 1, {true, true, false});
}

// What pulls from outside does so as in lanes, and members that are put elsewhere go on from there.
TEST(TreeWalk, TakesLoadsAndPlaces) {
  const double h = 1e-3;
  for (const Model& model : {test::ballChain(3), test::hingedChain(3)}) {
    const Members members = varied(model, 3);
    Walked walked(members);
    const auto lanes = LaneTrees::make(members, h, 4);
    std::vector<double> forces, torques;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const Vector3 force(1.0, 0.0, 30.0 + 5.0 * static_cast<double>(m)), torque(0.0, 3.0, 0.0);
      forces.insert(forces.end(), force.begin(), force.end());
      torques.insert(torques.end(), torque.begin(), torque.end());
      lanes->setLoad(m, 1, force, torque);
    }
    walked.setLoads(1, forces, torques);
    EXPECT_LT(walked.go(200, h), 3 * 21 * 200 / 10);
    for (int i = 0; i < 200; ++i) lanes->step();
    for (std::size_t m = 0; m < 3; ++m)
      EXPECT_LT(distance(walked.motion(static_cast<std::int64_t>(m)), lanes->motion(m)), 1e-12) << model.name;
    EXPECT_GT(distance(walked.motion(0), walked.motion(2)), 1e-3);  // their loads differ

    walked.place(2, initialMotion(*members[2]));
    walked.setLoads(1, {}, {});
    walked.go(100, h);
    const auto fresh = LaneTrees::make({members[2]}, h, 1);
    for (int i = 0; i < 100; ++i) fresh->step();
    EXPECT_LT(distance(walked.motion(2), fresh->motion(0)), 1e-12) << model.name;
  }
}

// What does not converge is said, and the member stays where it was.
TEST(TreeWalk, TellsWhatDoesNotConverge) {
  Walked walked(varied(test::ballChain(2), 1));
  const MechanismMotion before = walked.motion(0);
  EXPECT_NONFATAL_FAILURE(walked.go(1, 50.0), "step 0 of member 0");
  EXPECT_EQ(distance(walked.motion(0), before), 0.0);
}

}  // namespace
}  // namespace polhode::ensemble::tree_walk_test
