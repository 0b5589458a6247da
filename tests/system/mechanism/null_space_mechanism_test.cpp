#include "system/null_space_mechanism.h"

#include "support/mechanisms.h"
#include "system/index0_ode.h"
#include "system/instant_dynamics.h"
#include "system/joint_gaps.h"
#include "system/joint_reaction.h"
#include "system/mechanism_system.h"

#include <cmath>

#include <gtest/gtest.h>

/// The recursive null-space form against the dense index-0 form in absolute coordinates: both must give the same
/// accelerations and reactions for any velocities that the joints allow.
namespace polhode::null_space_mechanism_test {
namespace {

std::shared_ptr<const Mechanism> mechanismOf(const Model& model) {
  return std::make_shared<const Mechanism>(model);
}

/// A state at the initial position with arbitrary rates that the loops allow.
VectorX movingState(const NullSpaceMechanism& system) {
  VectorX y = system.stateOf(initialMotion(system.mechanism()));
  for (int i = 0; i < system.rates(); ++i) y[system.positions() + i] = 0.7 * std::sin(1.0 + 1.7 * i);
  return system.stateOf(system.motionOf(0.0, y));
}

/// How x and Omega of all bodies accelerate, from a finite difference of velocities along the derivative.
class SameAccelerations : public ::testing::TestWithParam<const char*> {
 protected:
  static Model model() {
    const std::string name = GetParam();
    if (name == "planar double pendulum") return test::hingedPendulum();
    if (name == "spatial double pendulum") return test::spatialDoublePendulum();
    if (name == "four-bar") return test::manyFourBars(2);
    if (name == "Bricard") return test::bricard();
    if (name == "slider-crank") return test::spatialSliderCrank();
    if (name == "zoo") return test::jointZoo();
    return test::ballChain(5);
  }
};

TEST_P(SameAccelerations, AsTheAbsoluteForm) {
  const auto mechanism = mechanismOf(model());
  const auto tree = makeNullSpaceMechanism(mechanism, "quaternion");
  const auto system = makeMechanismSystem(mechanism, "quaternion");
  const Index0Ode absolute(system);

  const VectorX y = movingState(*tree);
  const MechanismMotion motion = tree->motionOf(0.0, y);
  EXPECT_LT(JointGaps(*mechanism).at(0.0, motion)[1].size, 1e-13);

  VectorX dydt(tree->size());
  tree->derivative(0.0, y, dydt);
  const VectorX q = system->position(motion), v = system->velocity(q, motion);
  EXPECT_LT((dydt.head(tree->positions()) - v).cwiseAbs().maxCoeff(), 1e-13);

  // q'' along the null-space motion by a central difference of q'.
  const auto velocityAt = [&](double h) -> VectorX {
    const VectorX moved = y + h * dydt;
    VectorX rate(tree->size());
    tree->derivative(0.0, moved, rate);
    return rate.head(tree->positions());
  };
  const double h = 1e-4;
  const VectorX qdd = (8.0 * (velocityAt(h) - velocityAt(-h)) - (velocityAt(2 * h) - velocityAt(-2 * h))) / (12.0 * h);
  VectorX absoluteRate(absolute.size());
  absolute.derivative(0.0, absolute.initialValue(q, v), absoluteRate);
  const VectorX expected = absoluteRate.tail(system->coordinates());
  EXPECT_LT((qdd - expected).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + expected.cwiseAbs().maxCoeff()));
}

TEST_P(SameAccelerations, AndTheSameReactionsWhereTheyAreUnique) {
  const auto mechanism = mechanismOf(model());
  const auto tree = makeNullSpaceMechanism(mechanism, "director");
  if (!tree->loops().redundantRows().empty()) GTEST_SKIP() << "reactions are not unique";
  const auto system = makeMechanismSystem(mechanism, "director");
  const Index0Ode absolute(system);
  const VectorX y = movingState(*tree);
  const MechanismMotion motion = tree->motionOf(0.0, y);
  const VectorX q = system->position(motion), v = system->velocity(q, motion);
  const VectorX pulls = -absolute.multipliers(0.0, absolute.initialValue(q, v));
  const std::vector<Wrench> reactions = InstantDynamics(mechanism).at(0.0, motion).reactions;
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    const MechanismJoint& joint = mechanism->joints()[j];
    const Wrench expected = jointReaction(joint, 0.0, motionOf(motion, joint.first).at,
                                          motionOf(motion, joint.second).at, pulls.data() + joint.firstRow);
    const double size = 1.0 + expected.force.norm() + expected.torque.norm();
    EXPECT_LT((reactions[j].force - expected.force).norm(), 1e-9 * size) << mechanism->joints()[j].name;
    EXPECT_LT((reactions[j].torque - expected.torque).norm(), 1e-9 * size) << mechanism->joints()[j].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, SameAccelerations,
                         ::testing::Values("planar double pendulum", "spatial double pendulum", "four-bar", "Bricard",
                                           "slider-crank", "zoo", "chain"));

TEST(LoopClosure, FindsFreedomsAndRedundantRows) {
  const auto count = [](const Model& model) {
    const auto system = makeNullSpaceMechanism(mechanismOf(model), "quaternion");
    return std::pair(system->loops().freedoms(), system->loops().redundantRows().size());
  };
  EXPECT_EQ(count(test::bricard()), std::pair(1, std::size_t{1}));
  // Each loop of hinges in the plane says three times what is true anyway.
  EXPECT_EQ(count(test::manyFourBars(3)), std::pair(1, std::size_t{9}));
  EXPECT_EQ(count(test::spatialSliderCrank()), std::pair(1, std::size_t{0}));
  EXPECT_EQ(count(test::ballChain(4)), std::pair(12, std::size_t{0}));
}

}  // namespace
}  // namespace polhode::null_space_mechanism_test
