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
  std::vector<double> bodies_, branches_, elimination_;
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

// What does not converge is said, and the member stays where it was.
TEST(TreeWalk, TellsWhatDoesNotConverge) {
  Walked walked(varied(test::ballChain(2), 1));
  const MechanismMotion before = walked.motion(0);
  EXPECT_NONFATAL_FAILURE(walked.go(1, 50.0), "step 0 of member 0");
  EXPECT_EQ(distance(walked.motion(0), before), 0.0);
}

}  // namespace
}  // namespace polhode::ensemble::tree_walk_test
