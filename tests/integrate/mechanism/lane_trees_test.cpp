#include "integrate/mechanism/lane_trees.h"

#include "../../support/mechanisms.h"
#include "integrate/mechanism/director_engine.h"
#include "system/mechanism_observation.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace polhode::lane_trees_test {
namespace {

using Members = std::vector<std::shared_ptr<const Mechanism>>;

/// Mechanisms of one structure, each a little different.
Members varied(const Model& model, int count) {
  Members members;
  for (int i = 0; i < count; ++i) {
    Model own = model;
    for (std::size_t b = 0; b < own.bodies.size(); ++b) {
      own.bodies[b].mass *= 1.0 + 0.05 * i;
      own.bodies[b].inertia *= 1.0 + 0.03 * i * static_cast<double>(b + 1);
    }
    own.gravity *= 1.0 - 0.01 * i;
    members.push_back(std::make_shared<const Mechanism>(own));
  }
  return members;
}

std::vector<MechanismMotion> after(const Members& members, int width, int steps, double h) {
  std::vector<MechanismMotion> all;
  for (std::size_t first = 0; first < members.size(); first += static_cast<std::size_t>(width)) {
    const auto end = std::min(members.size(), first + static_cast<std::size_t>(width));
    const auto lanes = LaneTrees::make(
        {members.begin() + static_cast<std::ptrdiff_t>(first), members.begin() + static_cast<std::ptrdiff_t>(end)}, h,
        width);
    for (int i = 0; i < steps; ++i) lanes->step();
    for (std::size_t m = 0; m < end - first; ++m) {
      EXPECT_EQ(lanes->failure(m), "");
      all.push_back(lanes->motion(m));
    }
  }
  return all;
}

double energyOf(const Mechanism& mechanism, const MechanismMotion& bodies) {
  return kineticEnergy(mechanism, bodies) + potentialEnergy(mechanism, bodies);
}

// What becomes of a member hangs neither on the width nor on its neighbours: also with steps that many iterations need.
TEST(LaneTrees, SameBitsForEveryWidth) {
  for (const Model& model : {test::ballChain(3), test::mixedChain(), test::spatialDoublePendulum()})
    for (const double h : {0.002, 0.05}) {
      const Members members = varied(model, 5);
      const auto alone = after(members, 1, 60, h);
      for (const int width : {2, 4, 8}) {
        const auto together = after(members, width, 60, h);
        for (std::size_t m = 0; m < members.size(); ++m)
          EXPECT_EQ(std::memcmp(alone[m].data(), together[m].data(), alone[m].size() * sizeof(MovingPlacement)), 0)
              << model.name << " member " << m << " width " << width << " step " << h;
      }
    }
}

// They are those of director-em, and keep what it keeps.
TEST(LaneTrees, MovesAsDirectorEm) {
  for (const Model& model : {test::ballChain(4), test::mixedChain(), test::spatialDoublePendulum()}) {
    const Members members = varied(model, 3);
    const auto motions = after(members, 4, 500, 2e-3);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const Mechanism& mechanism = *members[m];
      DirectorEngine engine(mechanism);
      MechanismState state = engine.start();
      const double energy = energyOf(mechanism, state.bodies);
      for (int i = 0; i < 500; ++i) ASSERT_TRUE(engine.step(state, 2e-3).converged);
      for (std::size_t b = 0; b < state.bodies.size(); ++b) {
        EXPECT_LT((state.bodies[b].at.x - motions[m][b].at.x).norm(), 1e-11) << model.name;
        EXPECT_LT((state.bodies[b].at.D - motions[m][b].at.D).norm(), 1e-11) << model.name;
      }
      EXPECT_NEAR(energyOf(mechanism, motions[m]), energy, 1e-12 * (1.0 + std::abs(energy))) << model.name;
    }
  }
}

// Steps of another length in between, as at the end of a run.
TEST(LaneTrees, TakesShorterSteps) {
  const Members members = varied(test::ballChain(2), 2);
  const auto lanes = LaneTrees::make(members, 1e-3, 4);
  for (int i = 0; i < 10; ++i) lanes->step();
  lanes->step(4e-4);
  EXPECT_NEAR(lanes->time(), 0.0104, 1e-15);
  DirectorEngine engine(*members[1]);
  MechanismState state = engine.start();
  for (int i = 0; i < 10; ++i) engine.step(state, 1e-3);
  engine.step(state, 4e-4);
  EXPECT_LT((state.bodies[1].at.x - lanes->motion(1)[1].at.x).norm(), 1e-13);
}

// Members that fall harder and harder are stepped by themselves where the lanes do not converge, and stay where they are, with
// a sentence, where director-em gives up; the others do not notice.
TEST(LaneTrees, HardMembersAreSteppedByThemselves) {
  const Members calm = varied(test::ballChain(2), 3);
  const auto others = after(calm, 4, 40, 0.05);
  int moving = 0, stopped = 0;
  for (const double factor : {2.0, 4.0, 8.0, 16.0, 400.0}) {
    Model wild = test::ballChain(2);
    wild.gravity *= factor;
    Members members = calm;
    members.insert(members.begin() + 1, std::make_shared<const Mechanism>(wild));
    const auto lanes = LaneTrees::make(members, 0.05, 4);
    for (int i = 0; i < 40; ++i) lanes->step();
    const double before = energyOf(*members[1], initialMotion(*members[1]));
    EXPECT_NEAR(energyOf(*members[1], lanes->motion(1)), before, 1e-11 * (1.0 + factor)) << factor;
    if (lanes->failure(1).empty()) {
      ++moving;
    } else {
      ++stopped;
      EXPECT_NE(lanes->failure(1).find("did not converge"), std::string::npos);
    }
    for (const auto& [with, without] : {std::pair(0, 0), std::pair(2, 1), std::pair(3, 2)})
      EXPECT_EQ(lanes->motion(static_cast<std::size_t>(with))[1].at.x,
                others[static_cast<std::size_t>(without)][1].at.x);
  }
  EXPECT_GT(moving, 1);
  EXPECT_GT(stopped, 0);
}

TEST(LaneTrees, KnowsWhatFits) {
  const Mechanism chain(test::ballChain(3)), longer(test::ballChain(4)), hinged(test::hingedChain(3)),
      loop(test::bricard());
  EXPECT_TRUE(LaneTrees::fit(chain, *varied(test::ballChain(3), 2)[1]));
  EXPECT_FALSE(LaneTrees::fit(chain, longer));
  EXPECT_FALSE(LaneTrees::fit(chain, hinged));
  EXPECT_FALSE(LaneTrees::fit(loop, loop));
}

}  // namespace
}  // namespace polhode::lane_trees_test
