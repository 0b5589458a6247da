#include "integrate/mechanism/loop_tree.h"

#include "integrate/mechanism/director_engine.h"
#include "polhode/io/load_model.h"
#include "polhode/io/model_file.h"
#include "support/mechanisms.h"
#include "system/mechanism_extent.h"

#include <limits>

#include <gtest/gtest.h>

/// Loops along the tree, beside the general engine, which solves the same equations in another way.
namespace polhode::loop_tree_test {
namespace {

using namespace test;

Model swingingLadder() {
  Model model = ladder(21);
  model.gravity = Vector3(5.0, 3.0, -8.0);
  return model;
}

/// Three boxes on hinges, whose axes are not parallel, with all that acts across a hinge or holds at the ground; stiff.
constexpr const char* sprungLeg = R"(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "thigh"
shape = { box = { size = [0.1, 0.2, 0.5] } }
mass = 2
position = [0, 0, -0.25]
angular_velocity = { space = [0, 1, 0] }
[[body]]
name = "shank"
shape = { box = { size = [0.1, 0.1, 0.4] } }
mass = 1
position = [0, 0, -0.7]
angular_velocity = { space = [0, 1, 0] }
velocity = [-0.7, 0, 0]
[[body]]
name = "foot"
shape = { box = { size = [0.2, 0.1, 0.05] } }
mass = 0.5
position = [0.05, 0, -0.9]
angular_velocity = { space = [0, 1, 0] }
velocity = [-0.9, 0, -0.05]
[[joint]]
name = "hip"
type = "revolute"
bodies = ["ground", "thigh"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "knee"
type = "revolute"
bodies = ["thigh", "shank"]
point = [0, 0, -0.5]
axis = [0, 1, 0]
[[joint]]
name = "ankle"
type = "revolute"
bodies = ["foot", "shank"]
point = [0, 0, -0.9]
axis = [1, 0, 0]
[[force]]
name = "muscle"
type = "spring"
bodies = ["shank", "thigh"]
points = [[0.06, 0.02, -0.6], [0.07, -0.03, -0.3]]
stiffness = 50000
damping = 20
length = 0.3
[[force]]
name = "tendon"
type = "spring"
bodies = ["shank", "foot"]
points = [[0.05, 0.05, -0.7], [-0.04, 0.06, -0.92]]
stiffness = 20000
length = 0.2
[[force]]
name = "pad"
type = "spring"
bodies = ["foot", "ground"]
points = [[0.1, 0, -0.92], [0.1, 0, -1.4]]
stiffness = 3000
damping = 5
length = 0.4
[[force]]
name = "cartilage"
type = "joint-damper"
joint = "ankle"
damping = 0.3
[[force]]
name = "drive"
type = "joint-motor"
joint = "knee"
effort = 4
)";

struct Case {
  std::string name;
  Model model;
  double step;
};

std::vector<Case> cases() {
  return {{"loops that close in the ground", manyFourBars(20), 0.002},
          {"loops that close within", rings(21), 0.002},
          {"loops beside loops", swingingLadder(), 0.001},
          {"a loop that moves by its form alone", bricard(), 0.01},
          {"a few flat loops", manyFourBars(2), 0.01},
          {"no loop", mixedChain(), 0.01},
          {"jansen-walker", loadModel("jansen-walker").model, 0.001},
          {"rope-bridge", loadModel("rope-bridge").model, 0.001},
          {"peaucellier", loadModel("peaucellier").model, 0.001},
          {"bennett", loadModel("bennett").model, 0.001},
          {"forces across hinges", readModelText(sprungLeg, "leg.toml").model, 0.001},
          {"a damper", loadModel("furuta-pendulum").model, 0.001},
          {"a spring at the ground", loadModel("spring-top").model, 0.001},
          {"loops, a spring and a motor", loadModel("andrews-squeezer").model, 1e-5}};
}

void expectAlike(const MechanismState& a, const MechanismState& b, double size, const std::string& where) {
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_LT((a.bodies[i].at.x - b.bodies[i].at.x).norm(), 1e-11 * size) << where << ", body " << i;
    EXPECT_LT((a.bodies[i].at.D - b.bodies[i].at.D).norm(), 1e-11) << where << ", body " << i;
  }
  EXPECT_LT((a.multipliers - b.multipliers).cwiseAbs().maxCoeff(), 1e-6 * b.multipliers.cwiseAbs().maxCoeff()) << where;
  EXPECT_NEAR(a.work, b.work, 1e-10 * std::max(1.0, std::abs(b.work))) << where;
}

TEST(LoopTree, AgreesWithTheGeneralEngine) {
  for (const Case& c : cases()) {
    const Mechanism mechanism(c.model);
    ASSERT_TRUE(LoopTree::fits(mechanism)) << c.name;
    LoopTree loops(mechanism, 1);
    GeneralEngine general(mechanism, 1);
    MechanismState a = startOf(mechanism), b = a;
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(loops.step(a, c.step, 0, {}).converged) << c.name << ", step " << i;
      ASSERT_TRUE(general.step(b, c.step, 0).converged) << c.name << ", step " << i;
    }
    expectAlike(a, b, mechanismSize(mechanism), c.name);
  }
}

// Pulls at a point of a body and turns it; forces, torques and their work.
TEST(LoopTree, IsPulledAtAsTheGeneralEngineIs) {
  for (const Case& c : cases()) {
    const Mechanism mechanism(c.model);
    const std::size_t last = mechanism.bodies().size() - 1;
    std::vector<BodyLoad> loads(last + 1);
    loads[last] = BodyLoad(mechanism.bodies()[last], Vector3(0.02, -0.01, 0.03), Vector3(0.4, 0.3, -0.2),
                           Vector3(0.002, 0.001, -0.003));
    LoopTree loops(mechanism, 1);
    GeneralEngine general(mechanism, 1);
    general.setLoad(last, loads[last]);
    MechanismState a = startOf(mechanism), b = a;
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(loops.step(a, c.step, 0, loads).converged) << c.name << ", step " << i;
      ASSERT_TRUE(general.step(b, c.step, 0).converged) << c.name << ", step " << i;
    }
    EXPECT_NE(b.work, 0.0) << c.name;
    expectAlike(a, b, mechanismSize(mechanism), c.name);
  }
}

// What a step costs, counted: few looks at the equations and one matrix.
TEST(LoopTree, FactorisesOnceAStep) {
  for (const Case& c : cases()) {
    if (c.step > 0.002) continue;
    const Mechanism mechanism(c.model);
    DirectorEngine engine(mechanism);
    MechanismState state = engine.start();
    constexpr int steps = 200;
    int iterations = 0, factorisations = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport report = engine.step(state, c.step);
      ASSERT_TRUE(report.converged) << c.name;
      iterations += report.iterations;
      factorisations += report.factorisations;
    }
    EXPECT_LE(iterations, 4 * steps) << c.name;
    EXPECT_LE(factorisations, 1.1 * steps) << c.name;
  }
}

// A step that is far too long: the state is as it was, and the general engine has its say.
TEST(LoopTree, LeavesTheStateWhereAStepFails) {
  const Mechanism mechanism(loadModel("jansen-walker").model);
  LoopTree loops(mechanism, 1);
  MechanismState state = startOf(mechanism);
  const MechanismState before = state;
  const StepReport report = loops.step(state, 50.0, 0, {});
  ASSERT_FALSE(report.converged);
  EXPECT_EQ(state.time, before.time);
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    EXPECT_EQ(state.bodies[b].at.x, before.bodies[b].at.x);
    EXPECT_EQ(state.bodies[b].rate.W, before.bodies[b].rate.W);
  }
  GeneralEngine general(mechanism);
  MechanismState expected = before;
  DirectorEngine engine(mechanism);
  EXPECT_EQ(engine.step(state, 50.0).converged, general.step(expected, 50.0).converged);
}

// A number that is none does not count as a closed joint or as a step.
TEST(LoopTree, RefusesWhatIsNotANumber) {
  const Mechanism mechanism(loadModel("rope-bridge").model);
  LoopTree loops(mechanism, 1);
  MechanismState state = startOf(mechanism);
  state.bodies[3].rate.v[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(loops.step(state, 1e-3, 0, {}).converged);
  EXPECT_EQ(state.time, 0.0);
}

TEST(LoopTree, LeavesToOthersWhatItDoesNotKnow) {
  for (const char* example : {"quarter-car", "crane", "planetary-gear", "cardan-shaft", "hexapod"})
    EXPECT_FALSE(LoopTree::fits(Mechanism(loadModel(example).model))) << example;
}

}  // namespace
}  // namespace polhode::loop_tree_test
