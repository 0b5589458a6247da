#include "control/hand_rack.h"

#include "analysis/engine_registry.h"
#include "io/examples.h"
#include "math/euler_map.h"
#include "math/rotation_maps.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <cmath>

#include <gtest/gtest.h>

/// Actuators of model files: what they lead, with the schemes that move them.
namespace polhode::hand_rack_test {
namespace {

const std::string twoRods = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "upper"
mass = 1
inertia = [0.01, 0.1, 0.1]
position = [0.5, 0, 0]
[[body]]
name = "lower"
mass = 1
inertia = [0.01, 0.1, 0.1]
position = [1.5, 0, 0]
[[joint]]
name = "shoulder"
type = "revolute"
bodies = ["ground", "upper"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "elbow"
type = "revolute"
bodies = ["upper", "lower"]
point = [1, 0, 0]
axis = [0, 1, 0]
)toml";

/// Both angles are led; the shoulder over more than a full turn.
const std::string ledJoints = R"toml(
[[actuator]]
name = "first motor"
joint = "shoulder"
follow = { formula = "4*t" }
control = { method = "receding-horizon", time_constant = 0.02 }
[[actuator]]
name = "second motor"
joint = "elbow"
coordinate = "angle"
follow = { formula = "0.5*sin(2*t)" }
control = { method = "receding-horizon", time_constant = 0.02 }
)toml";

const std::string freeBody = R"toml(
[[body]]
name = "body"
mass = 1
inertia = [0.2, 0.4, 0.5]
)toml";

SimulationSettings settingsOf(const std::string& integrator, double end) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = 1e-3;
  settings.end = end;
  return settings;
}

RunResult resultOf(const std::string& text, const std::string& integrator, double end) {
  const RunResult result = simulate(readModelText(text, "test.toml").model, settingsOf(integrator, end));
  EXPECT_EQ(result.failure, "");
  return result;
}

TEST(Actuators, LeadJointCoordinatesOverFullTurns) {
  for (const char* integrator : {"linear-implicit-euler", "director-em"}) {
    const Observation end = resultOf(twoRods + ledJoints, integrator, 2.0).final;
    const Matrix3 upper = rotationMatrix(end.bodies[0].orientation), lower = rotationMatrix(end.bodies[1].orientation);
    const Matrix3 shoulder = expSO3(Vector3(0, 8.0, 0)), elbow = expSO3(Vector3(0, 0.5 * std::sin(4.0), 0));
    EXPECT_LT((upper - shoulder).norm(), 0.02) << integrator;
    EXPECT_LT((lower - shoulder * elbow).norm(), 0.02) << integrator;
  }
}

TEST(Actuators, TheConservingEngineBalancesTheWorkOfHands) {
  const RunResult result = resultOf(twoRods + ledJoints, "director-em", 1.0);
  EXPECT_GT(result.energyDrift, 0.1);
  EXPECT_LT(result.balanceError, 1e-12);
  EXPECT_LT(result.positionViolation, 1e-12);
}

TEST(Actuators, LeadAnOrientation) {
  const std::string hand = R"toml(
[[actuator]]
name = "hand"
body = "body"
quantity = "orientation"
follow = { table = [[0, 0, 0, 0], [0.1, 0.6, -0.64, 0.48]] }
)toml";
  const Matrix3 expected = expSO3(Vector3(0.6, -0.64, 0.48));
  for (const char* integrator : {"linear-implicit-euler", "director-em", "director-em-4"}) {
    const Observation end = resultOf(freeBody + hand, integrator, 1.5).final;
    EXPECT_LT((rotationMatrix(end.bodies[0].orientation) - expected).norm(), 1e-8) << integrator;
    EXPECT_LT(end.bodies[0].angularVelocity.norm(), 1e-7) << integrator;
    EXPECT_LT(end.bodies[0].position.norm(), 1e-10) << integrator;
  }
}

TEST(Actuators, TheSteeredChainStaysClosedWithTheConservingEngine) {
  ModelFile file = readModelText(findExample("steered-chain")->text, "steered-chain.toml");
  file.simulation.integrator = "director-em";
  file.simulation.end = 1.0;
  for (const char* method : {"receding-horizon", "critically-damped"}) {
    file.model.actuators[0].control.method = method;
    const RunResult result = simulate(file.model, file.simulation);
    EXPECT_EQ(result.failure, "");
    EXPECT_LT(result.positionViolation, 1e-9);
    EXPECT_LT(result.balanceError, 1e-12);
    const Body& link = result.final.bodies[2];
    const Vector3 held = link.position + rotationMatrix(link.orientation) * Vector3(0, 0, -0.1);
    const Vector3 hand(0.25 * std::sin(2.0), 0.1 * (1.0 - std::cos(3.0)), -0.45);
    EXPECT_LT((held - hand).norm(), std::string(method) == "receding-horizon" ? 0.01 : 0.04) << method;
  }
}

// A force over time on a free body, by every kind of signal and integrator: v is its integral.
TEST(Actuators, ApplyForcesAndTorques) {
  const std::string push = R"toml(
[[actuator]]
name = "push"
body = "body"
force = { formula = ["2*t", "0", "0"] }
[[actuator]]
name = "twist"
body = "body"
torque = { table = [[0, 0, 0, 1], [1, 0, 0, 1]] }
)toml";
  for (const char* integrator : {"director-em", "dop853", "linear-implicit-euler"}) {
    const Observation end = resultOf(freeBody + push, integrator, 1.0).final;
    const double allowed = std::string(integrator) == "linear-implicit-euler" ? 2e-3 : 1e-8;
    EXPECT_NEAR(end.bodies[0].velocity[0], 1.0, allowed) << integrator;
    EXPECT_NEAR(end.bodies[0].angularVelocity[2], 1.0 / 0.5, allowed) << integrator;
  }
}

TEST(Actuators, ApplyAnEffortAtAJoint) {
  const std::string still = twoRods + R"toml(
[[actuator]]
name = "hold shoulder"
joint = "shoulder"
effort = { formula = "-9.81*2" }
[[actuator]]
name = "hold elbow"
joint = "elbow"
effort = { table = [[0, -4.905]] }
)toml";
  // the weight of both rods, turning them about +y, is held exactly
  const Observation end = resultOf(still, "director-em", 0.5).final;
  EXPECT_LT((end.bodies[1].position - Vector3(1.5, 0, 0)).norm(), 1e-10);
}

/// The positions of both rods at the end, bit by bit.
VectorX positionsAfter(Engine& engine, double end) {
  engine.advanceTo(end);
  const Observation o = engine.observe(engine.stepper().time(), engine.stepper().state());
  VectorX all(6);
  all << o.bodies[0].position, o.bodies[1].position;
  return all;
}

TEST(HandRack, HandsComeAndGo) {
  const Model model = readModelText(twoRods, "test.toml").model;
  for (const char* integrator : {"linear-implicit-euler", "director-em", "director-em-4"}) {
    const auto make = [&] { return makeEngine(model, settingsOf(integrator, 2.0)); };
    const VectorX alone = positionsAfter(*make(), 1.0);

    // one that is told nothing changes nothing
    std::unique_ptr<Engine> engine = make();
    Hand& waiting = engine->hands().grab(1, Vector3::Zero(), lawFor(model));
    EXPECT_EQ(positionsAfter(*engine, 1.0), alone) << integrator;
    EXPECT_EQ(waiting.pull.force, Vector3::Zero());

    // two that hold both rods where they were, and a load that they bear: with springs of their time constant in place of
    // hands (k = 1/(w T^2), about 100 N/m) it would hang by more than 0.1 m
    engine = make();
    HandRack& hands = engine->hands();
    const Vector3 upper(0.5, 0, 0), lower(1.5, 0, 0);
    Hand& first = hands.grab(0, Vector3::Zero(), lawFor(model));
    Hand& second = hands.grab(1, Vector3::Zero(), lawFor(model));
    engine->setLoad(1, Vector3(0.5, 0, 0), Vector3(0, 0, -5), Vector3::Zero());
    first.push(0.0, upper);
    second.push(0.0, lower);
    engine->advanceTo(1.0);
    const VectorX held = positionsAfter(*engine, 1.0);
    EXPECT_LT((held.head<3>() - upper).norm(), 0.02) << integrator;
    EXPECT_LT((held.tail<3>() - lower).norm(), 0.02) << integrator;
    EXPECT_GT(second.pull.force.z(), 5.0) << integrator;

    // once they have let go it moves on as one that nobody has ever held, the load included
    hands.release(first);
    hands.release(second);
    EXPECT_TRUE(hands.empty());
    std::unique_ptr<Engine> other = make();
    other->setLoad(1, Vector3(0.5, 0, 0), Vector3(0, 0, -5), Vector3::Zero());
    const Observation now = engine->observe(engine->stepper().time(), engine->stepper().state());
    other->goOnFrom(now.time, now.bodies);
    EXPECT_LT((positionsAfter(*engine, 1.5) - positionsAfter(*other, 1.5)).norm(), 1e-9) << integrator;
  }
}

// Where steps are chosen a hand looks a millisecond ahead, and steps may be twenty long: it comes near, and swings a little.
TEST(HandRack, LeadsWhereStepsAreChosen) {
  const Model model = readModelText(twoRods, "test.toml").model;
  SimulationSettings settings = settingsOf("director-em", 2.0);
  settings.step.reset();
  settings.tolerance = 1e-6;
  const std::unique_ptr<Engine> engine = makeEngine(model, settings);
  const Vector3 aim(1.0, 0, -0.8);
  engine->hands().grab(1, Vector3::Zero(), lawFor(model)).push(0.0, aim);
  EXPECT_LT((positionsAfter(*engine, 2.0).tail<3>() - aim).norm(), 0.1);
}

// With what their laws remember, and the turns of the shoulder.
TEST(HandRack, ActuatorsGoOnFromACheckpoint) {
  const Model model = readModelText(twoRods + ledJoints, "test.toml").model;
  for (const char* integrator : {"linear-implicit-euler", "director-em"}) {
    const std::unique_ptr<Engine> first = makeEngine(model, settingsOf(integrator, 2.0)),
                                  second = makeEngine(model, settingsOf(integrator, 2.0));
    first->advanceTo(1.0);
    Archive saved;
    first->persist(saved);
    Archive archive(saved.bytes());
    second->persist(archive);
    archive.requireEnd();
    EXPECT_EQ(positionsAfter(*first, 2.0), positionsAfter(*second, 2.0)) << integrator;
    EXPECT_EQ(first->hands()[1].pull.force, second->hands()[1].pull.force) << integrator;
  }
}

TEST(Actuators, WhatDoesNotFitIsRefused) {
  const auto expectRefused = [](const std::string& text, const std::string& integrator, const std::string& sentence) {
    try {
      const ModelFile file = readModelText(text, "test.toml");
      makeEngine(file.model, settingsOf(integrator, 1.0));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
  };
  const auto actuator = [](const std::string& lines) { return twoRods + "[[actuator]]\nname = \"hand\"\n" + lines; };
  expectRefused(twoRods + ledJoints, "dop853", "does not move actuators");
  expectRefused(actuator("body = \"lower\"\nfollow = \"live\"\ncontrol = { method = \"servo\" }\n"), "director-em",
                "choose that integrator, or the method 'receding-horizon'");
  expectRefused(actuator("joint = \"knee\"\nfollow = \"live\"\n"), "director-em", "is the unknown joint 'knee'");
  expectRefused(actuator("joint = \"elbow\"\ncoordinate = \"angel\"\nfollow = \"live\"\n"), "director-em",
                "did you mean 'angle'?");
  expectRefused(actuator("joint = \"elbow\"\nbody = \"lower\"\nfollow = \"live\"\n"), "director-em",
                "does not go with 'joint'");
  expectRefused(actuator("body = \"lower\"\nforce = { formula = [\"1\", \"0\", \"0\"] }\nfollow = \"live\"\n"),
                "director-em", "does not go with 'force'");
  expectRefused(actuator("body = \"lower\"\nforce = \"live\"\n"), "director-em", "while the simulation runs");
  expectRefused(actuator("body = \"lower\"\nquantity = \"orientatoin\"\nfollow = \"live\"\n"), "director-em",
                "did you mean 'orientation'?");
  expectRefused(actuator("joint = \"elbow\"\nfollow = { formula = [\"t\", \"0\", \"0\"] }\n"), "director-em",
                "follow: formula");
}

}  // namespace
}  // namespace polhode::hand_rack_test
