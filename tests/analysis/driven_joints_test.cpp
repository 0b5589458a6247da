#include "analysis/engines/classical_mechanism_engine.h"
#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "polhode/model/conservation.h"
#include "support/sanitized.h"
#include "system/mobility.h"

#include <cmath>

#include <gtest/gtest.h>

/// Joints that follow a signal, in every formulation and with every kind of integrator.
namespace polhode::driven_joints_test {
namespace {

Model read(const std::string& text) {
  return readModelText(text, "test.toml").model;
}

/// A crank of 1 m and 2 kg along x that is turned evenly about y, against gravity.
const std::string crank = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "crank"
mass = 2
inertia = [0.01, 0.2, 0.2]
position = [0.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = [0, 1, 0]
drive = { angle = { formula = "-2*t" } }
)toml";

/// A pendulum on a sledge that is pushed along x with the acceleration 3 m/s^2.
const std::string sledge = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "sledge"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "rod"
mass = 1
inertia = [0.01, 0.1, 0.1]
position = [0.5, 0, 0]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "sledge"]
point = [0, 0, 0]
axis = [1, 0, 0]
drive = { displacement = { formula = "1.5*t^2" } }
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["sledge", "rod"]
point = [0, 0, 0]
axis = [0, 1, 0]
)toml";

/// A mass on a rope that is pulled in, turning on a table.
const std::string rope = R"toml(
[[body]]
name = "mass"
mass = 1
inertia = [0, 0, 0]
position = [1, 0, 0]
velocity = [-0.5, 2, 0]
[[joint]]
name = "table"
type = "planar"
bodies = ["ground", "mass"]
point = [1, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "rope"
type = "distance"
bodies = ["ground", "mass"]
points = [[0, 0, 0], [1, 0, 0]]
length = { formula = "1 - 0.5*t" }
)toml";

struct Method {
  const char *integrator, *formulation;
  double step, tolerance, error;  // a step of zero adapts
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {{"director-em-8", "null-space", 0.02, 0.0, 1e-9},
                                          {"director-gauss-8", "null-space", 0.02, 0.0, 1e-9},
                                          {"director-gauss", "null-space", 0.0, 1e-11, 1e-9},
                                          {"dop853", "null-space", 0.0, 1e-12, 1e-9},
                                          {"dop853", "absolute", 0.0, 1e-12, 1e-9},
                                          {"bdf", "index-3", 0.0, 1e-8, 2e-5},
                                          {"bdf", "index-2", 0.0, 1e-8, 2e-5},
                                          {"bdf", "index-1", 0.0, 1e-8, 2e-5},
                                          {"bdf", "ggl", 0.0, 1e-8, 2e-5}};
  return all;
}

RunResult resultOf(const Model& model, const Method& method, double end) {
  SimulationSettings settings;
  settings.integrator = method.integrator;
  settings.formulation = method.formulation;
  if (method.step > 0.0) settings.step = method.step;
  if (method.tolerance > 0.0) settings.tolerance = method.tolerance;
  settings.end = end;
  const RunResult result = simulate(model, settings);
  EXPECT_EQ(result.failure, "") << method.integrator << " " << method.formulation;
  return result;
}

TEST(DrivenJoints, TakeADegreeOfFreedom) {
  EXPECT_EQ(mobilityOf(Mechanism(read(crank))).freedoms, 0);
  EXPECT_EQ(mobilityOf(Mechanism(read(sledge))).freedoms, 1);
}

TEST(DrivenJoints, VelocitiesFollowFromTheDrive) {
  const Model model = read(crank);
  EXPECT_NEAR(model.bodies[0].angularVelocity[1], -2.0, 1e-14);
  EXPECT_NEAR(model.bodies[0].velocity[2], 1.0, 1e-14);
}

// Turned evenly from the horizontal upwards, the crank is where the formula says, and only its weight loads the drive.
TEST(DrivenJoints, ACrankTurnsAsItIsTold) {
  for (const Method& method : methods()) {
    const RunResult result = resultOf(read(crank), method, 1.2);
    const Observation& end = result.final;
    const Vector3 expected(0.5 * std::cos(2.4), 0.0, 0.5 * std::sin(2.4));
    EXPECT_LT((end.bodies[0].position - expected).norm(), method.error) << method.integrator << method.formulation;
    EXPECT_LT(result.positionViolation, method.error);
    ASSERT_EQ(end.joints.size(), 2u);
    EXPECT_EQ(end.joints[1].name, "hinge drive");
    // the conserving scheme has it as of the middle of its last (part of a) step
    const double torque = -2.0 * 9.81 * 0.5 * std::cos(2.4), allowed = method.step > 0.0 ? 0.5 : 100.0 * method.error;
    EXPECT_NEAR(end.joints[1].torque[1], torque, allowed) << method.integrator << method.formulation;
  }
}

// In the frame of the sledge gravity is tilted: (-3, 0, -9.81).
TEST(DrivenJoints, ASledgeThatAcceleratesTiltsGravity) {
  Model tilted = read(sledge);
  tilted.gravity = Vector3(-3.0, 0.0, -9.81);
  tilted.joints[0].drives[0].follow = Signal(0.0);
  for (Body& body : tilted.bodies) body.velocity.setZero();
  const Observation expected = resultOf(tilted, {"dop853", "null-space", 0.0, 1e-13, 0.0}, 2.0).final;
  for (const Method& method : methods()) {
    const Observation end = resultOf(read(sledge), method, 2.0).final;
    EXPECT_LT((end.bodies[1].position - Vector3(6.0, 0.0, 0.0) - expected.bodies[1].position).norm(), 10 * method.error)
        << method.integrator << " " << method.formulation;
  }
}

// Angular momentum about the pulley is kept: r^2 phi' = 2.
TEST(DrivenJoints, ARopeIsPulledIn) {
  for (const Method& method : methods()) {
    const Observation end = resultOf(read(rope), method, 1.0).final;
    const double radius = 0.5, angle = 2.0 / (0.5 * radius) - 2.0 / 0.5;  // the integral of 2/(1 - t/2)^2
    const Vector3 expected(radius * std::cos(angle), radius * std::sin(angle), 0.0);
    EXPECT_LT((end.bodies[0].position - expected).norm(), 10 * method.error)
        << method.integrator << " " << method.formulation;
  }
}

// The drive's work is all that changes the energy.
TEST(DrivenJoints, TheConservingEngineBalancesTheWorkOfDrives) {
  for (const std::string& text : {crank, sledge, rope}) {
    const Model model = read(text);
    EXPECT_FALSE(conservationOf(model).energy);
    for (const char* integrator : {"director-em", "director-em-4", "director-gauss-4", "director-gauss-12"}) {
      const RunResult result = resultOf(model, {integrator, "null-space", 0.01, 0.0, 0.0}, 1.0);
      EXPECT_GT(result.energyDrift, 0.1);
      EXPECT_LT(result.balanceError, 1e-13) << text;
      EXPECT_LT(result.positionViolation, 1e-13);
    }
  }
}

TEST(DrivenJoints, MomentaThatADriveChangesAreNotClaimed) {
  const auto names = [](const Model& model) {
    std::string all;
    for (const ConservedMomentum& momentum : conservationOf(model).all) all += momentum.name() + ";";
    return all;
  };
  Model model = read(crank);
  model.gravity.setZero();
  EXPECT_EQ(names(model), "");
  model.joints[0].drives.clear();
  EXPECT_EQ(names(model), "angular momentum about y;");
  EXPECT_EQ(names(read(rope)), "angular momentum about z;");
}

// Car axis problem: values of the test set for IVP solvers (Mazzia & Magherini 2008), to all their digits.
void expectCarAxis(const Observation& end, double tolerance, const std::string& method) {
  EXPECT_NEAR(end.bodies[1].position[0], 0.04934557842755629, tolerance) << method;
  EXPECT_NEAR(end.bodies[1].position[1], 0.4969894602303324, tolerance) << method;
  EXPECT_NEAR(end.bodies[2].position[0], 1.041742524885400, tolerance) << method;
  EXPECT_NEAR(end.bodies[2].position[1], 0.3739110272652214, tolerance) << method;
}

TEST(DrivenJoints, CarAxis) {
  const Model model = readModelText(findExample("car-axis")->text, "car-axis.toml").model;
  for (const Method& method : std::vector<Method>{{"dop853", "null-space", 0.0, 1e-12, 1e-9},
                                                  {"dop853", "absolute", 0.0, 1e-12, 1e-9},
                                                  {"radau5", "null-space", 0.0, 1e-11, 1e-8},
                                                  {"bdf", "ggl", 0.0, 1e-8, 1e-5},
                                                  {"director-em-8", "null-space", 0.005, 0.0, 1e-9},
                                                  {"director-gauss-8", "null-space", 0.01, 0.0, 1e-9},
                                                  {"director-gauss", "null-space", 0.0, 1e-11, 1e-9}}) {
    if (test::isSanitized && method.formulation != std::string("null-space")) continue;
    expectCarAxis(resultOf(model, method, 3.0).final, method.error,
                  std::string(method.integrator) + method.formulation);
  }
}

TEST(DrivenJoints, RealTimeFollowsThem) {
  Model model = read(sledge);
  SimulationSettings settings;
  settings.integrator = "linear-implicit-euler";
  settings.step = 1e-3;
  settings.end = 2.0;
  const Observation end = simulate(model, settings).final;
  EXPECT_NEAR(end.bodies[0].position[0], 6.0, 1e-2);
  EXPECT_NEAR(end.bodies[0].velocity[0], 6.0, 1e-2);
}

void expectRefused(std::string text, const std::string& from, const std::string& to, const std::string& sentence) {
  text.replace(text.find(from), from.size(), to);
  try {
    read(text);
    FAIL() << "nothing was wrong with " << to;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(DrivenJoints, WhatDoesNotFitIsRefused) {
  expectRefused(crank, "angle =", "angel =", "unknown key 'angel'; did you mean 'angle'?");
  expectRefused(crank, "-2*t", "0.3 + t", "drives its angle from 0.3 at t = 0, where the angle is zero; subtract 0.3");
  expectRefused(crank, "formula = \"-2*t\"", "table = [[0, 0], [1, 2]]", "at whose points the velocity jumps");
  expectRefused(crank, "-2*t", "log(t)", "not finite at t = 0");
  expectRefused(sledge, "1.5*t^2", "0.2 + t", "is open at t = 0: a gap of 0.2 m is left");
  expectRefused(rope, "1 - 0.5*t", "1 - t", "is violated: its points part");
  SimulationSettings settings;
  settings.integrator = "eml";
  settings.step = 0.01;
  EXPECT_THROW(makeEngine(read(sledge), settings), InputError);
  expectRefused(rope, "length =", "drive =", "has the key 'drive', which a distance joint does not have; remove it");
}

}  // namespace
}  // namespace polhode::driven_joints_test
