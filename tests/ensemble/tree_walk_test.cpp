#include "../support/mechanisms.h"
#include "../support/sanitized.h"
#include "ensemble/gpu/walk_parts.h"
#include "integrate/mechanism/lane_trees.h"
#include "system/mechanism_observation.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

// What a GPU runs, on the processor.
namespace polhode::ensemble::tree_walk_test {
namespace {

using Members = std::vector<std::shared_ptr<const Mechanism>>;

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

/// Members in the memory of this machine.
class Walked {
 public:
  explicit Walked(const Members& members)
      : parts_(walkParts(members)), bodies_(parts_.bodies), memory_(parts_.memory()) {
    branches_.resize(static_cast<std::size_t>(parts_.branches * keptOfBranch * parts_.groups() * walkWidth));
    elimination_.resize(parts_.links.size() * keptOfElimination);
    memory_.bodies = bodies_.data();
    memory_.branches = branches_.data();
  }

  int go(int steps, double h) {
    int iterations = 0;
    withKind(parts_.kind, [&](auto kind) {
      for (std::int64_t m = 0; m < parts_.members; ++m) {
        TreeWalk<decltype(kind)::value> walk(memory_, m, elimination_.data(), 1);
        walk.begin(h);
        for (int i = 0; i < steps; ++i) {
          const WalkedStep step = walk.step(h, 12);
          EXPECT_TRUE(step.converged) << "step " << i << " of member " << m;
          iterations += step.iterations;
        }
      }
    });
    return iterations;
  }
  void place(std::int64_t member, const MechanismMotion& motion) {
    const std::vector<double> numbers = walkedNumbers(parts_, motion);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      bodies_[parts_.place(member, k / of_body::count, of_body::count, k % of_body::count)] = numbers[k];
  }
  void setLoads(std::size_t body, std::span<const double> forces, std::span<const double> torques) {
    parts_.kind.loads = true;
    loads_.resize(parts_.links.size() * numbersOfLoad * static_cast<std::size_t>(parts_.groups() * walkWidth));
    memory_.loads = loads_.data();
    const auto link = std::find(parts_.bodyOf.begin(), parts_.bodyOf.end(), body) - parts_.bodyOf.begin();
    const std::vector<double> own = walkedLoads(parts_, forces, torques);
    const std::size_t ofLink = static_cast<std::size_t>(numbersOfLoad * walkWidth);
    for (std::size_t k = 0; k < own.size(); ++k)
      loads_[(k / ofLink * parts_.links.size() + static_cast<std::size_t>(link)) * ofLink + k % ofLink] = own[k];
  }
  MechanismMotion motion(std::int64_t member) const { return walkedMotion(parts_, bodies_, member); }
  double energy(std::int64_t member) {
    double energy = 0.0;
    withKind(parts_.kind,
             [&](auto kind) { energy = TreeWalk<decltype(kind)::value>(memory_, member, nullptr, 1).energy(); });
    return energy;
  }
  WalkParts& parts() { return parts_; }

 private:
  WalkParts parts_;
  std::vector<double> bodies_, branches_, loads_, elimination_;
  WalkMemory memory_;
};

double distance(const MechanismMotion& a, const MechanismMotion& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max({largest, (a[i].at.x - b[i].at.x).norm(), (a[i].at.D - b[i].at.D).norm(),
                        1e-2 * (a[i].rate.v - b[i].rate.v).norm(), 1e-2 * (a[i].rate.W - b[i].rate.W).norm()});
  return largest;
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
