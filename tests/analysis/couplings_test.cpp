#include "../support/sanitized.h"
#include "analysis/engine_registry.h"
#include "analysis/equilibrium.h"
#include "analysis/modes.h"
#include "polhode/analysis/run.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "system/mobility.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// Gears, racks and screws against closed forms, in every formulation and with every kind of integrator.
namespace polhode::couplings_test {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

Model read(const std::string& text) {
  return readModelText(text, "test.toml").model;
}

/// A small and a large wheel on parallel axles, 20 and 60 teeth, the small one turned by 0.5 N m.
const std::string wheels = R"toml(
[[body]]
name = "small"
mass = 1
inertia = [0.01, 0.01, 0.02]
[[body]]
name = "large"
mass = 3
inertia = [0.2, 0.2, 0.36]
position = [0.4, 0, 0]
[[joint]]
name = "first"
type = "revolute"
bodies = ["ground", "small"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "second"
type = "revolute"
bodies = ["ground", "large"]
point = [0.4, 0, 0]
axis = [0, 0, 1]
[[coupling]]
name = "mesh"
type = "gear"
joints = ["first", "second"]
teeth = [20, 60]
[[force]]
name = "motor"
type = "joint-motor"
joint = "first"
effort = 0.5
)toml";

/// A sun of 20 teeth that is turned by 0.1 N m, a planet of 30, an arm, and the ground as ring of 80.
const std::string planetary = R"toml(
[[body]]
name = "arm"
mass = 0.5
inertia = [0.005, 0.006, 0.01]
[[body]]
name = "sun"
mass = 1
inertia = [0.001, 0.001, 0.002]
[[body]]
name = "planet"
mass = 2
inertia = [0.002, 0.002, 0.004]
position = [0.25, 0, 0]
[[joint]]
name = "ring"
type = "revolute"
bodies = ["ground", "arm"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "centre"
type = "revolute"
bodies = ["arm", "sun"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["arm", "planet"]
point = [0.25, 0, 0]
axis = [0, 0, 1]
[[coupling]]
name = "inner"
type = "gear"
joints = ["centre", "pin"]
teeth = [20, 30]
[[coupling]]
name = "outer"
type = "gear"
joints = ["ring", "pin"]
teeth = [80, 30]
[[force]]
name = "load"
type = "torque"
body = "sun"
torque = [0, 0, 0.1]
)toml";

/// A spindle of 2 kg on a thread of 1 m a turn, upright.
const std::string screw = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "spindle"
mass = 2
inertia = [0.03, 0.03, 0.04]
[[joint]]
name = "nut"
type = "cylindrical"
bodies = ["ground", "spindle"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[coupling]]
name = "thread"
type = "screw"
joint = "nut"
pitch = 1
)toml";

/// A rack of 3 kg on a spring, with a pinion of radius 0.1 m and 0.02 kg m^2.
const std::string rack = R"toml(
[[body]]
name = "rack"
mass = 3
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0.1]
velocity = [0.5, 0, 0]
[[body]]
name = "pinion"
mass = 1
inertia = [0.01, 0.02, 0.01]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "pinion"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["ground", "rack"]
point = [0, 0, 0.1]
axis = [1, 0, 0]
[[coupling]]
name = "mesh"
type = "rack"
joints = ["axle", "slide"]
radius = 0.1
[[force]]
name = "spring"
type = "joint-spring"
joint = "slide"
stiffness = 20
)toml";

/// Two pendulums of different length whose hinges are geared, 2 to 3, the first let go at 1 rad.
const std::string pendulums = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "one"
mass = 2
inertia = [0.03, 0.05, 0.02]
position = [{0}, 0, {1}]
orientation = {{ axis = [0, 1, 0], radians = {2} }}
[[body]]
name = "two"
mass = 1
inertia = [0.01, 0.02, 0.01]
position = [1, 0, -0.3]
[[joint]]
name = "first"
type = "revolute"
bodies = ["ground", "one"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "second"
type = "revolute"
bodies = ["ground", "two"]
point = [1, 0, 0]
axis = [0, 1, 0]
[[coupling]]
name = "mesh"
type = "gear"
joints = ["first", "second"]
teeth = [30, 20]
)toml";

Model pendulumsAt(double angle) {
  return read(fmt::format(fmt::runtime(pendulums), -0.5 * std::sin(angle), -0.5 * std::cos(angle), angle));
}

struct Method {
  const char *integrator, *formulation, *coordinates;
  double step, tolerance, error;  // a step of zero adapts
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {{"director-em-8", "null-space", "quaternion", 0.005, 0.0, 1e-9},
                                          {"director-em", "null-space", "quaternion", 1e-3, 0.0, 2e-4},
                                          {"linear-implicit-euler", "null-space", "quaternion", 1e-4, 0.0, 1e-3},
                                          {"dop853", "null-space", "quaternion", 0.0, 1e-12, 1e-9},
                                          {"radau5", "null-space", "cardan", 0.0, 1e-9, 1e-6},
                                          {"dop853", "absolute", "quaternion", 0.0, 1e-12, 1e-9},
                                          {"dopri5", "absolute", "director", 0.0, 1e-10, 1e-7},
                                          {"bdf", "index-3", "quaternion", 0.0, 1e-9, 2e-5},
                                          {"bdf", "index-2", "director", 0.0, 1e-9, 2e-5},
                                          {"bdf", "index-1", "quaternion", 0.0, 1e-9, 2e-5},
                                          {"bdf", "ggl", "quaternion", 0.0, 1e-9, 2e-5}};
  return all;
}

SimulationSettings settingsOf(const Method& method, double end) {
  SimulationSettings settings;
  settings.integrator = method.integrator;
  settings.formulation = method.formulation;
  settings.coordinates = method.coordinates;
  if (method.step > 0.0) settings.step = method.step;
  if (method.tolerance > 0.0) settings.tolerance = method.tolerance;
  settings.end = end;
  return settings;
}

/// What a coordinate of a joint ought to be at the end.
struct Expected {
  std::size_t joint, coordinate;
  double value, rate;
};

/// Coordinates at the end by all methods.
void expectEnd(const Model& model, double end, const std::vector<Expected>& all) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(fmt::format("{} {} {}", method.integrator, method.formulation, method.coordinates));
    const RunResult result = simulate(model, settingsOf(method, end));
    ASSERT_EQ(result.failure, "");
    double size = std::numeric_limits<double>::infinity();  // of the motion
    for (const auto& [joint, coordinate, value, rate] : all) {
      ASSERT_GT(result.final.joints.size(), joint);
      const JointObservation::Coordinate& found = result.final.joints[joint].coordinates[coordinate];
      EXPECT_NEAR(found.value, value, method.error * std::max(1.0, std::abs(value)));
      EXPECT_NEAR(found.rate, rate, 10.0 * method.error * std::max(1.0, std::abs(rate)));
      size = std::min(size, std::max(1.0, std::abs(value)));
    }
    EXPECT_LT(result.positionViolation, method.error * size);  // index 1 and 2 drift as their coordinates do
  }
}

// I = 0.02 + 0.36/9 seen from the small wheel; the teeth bring 0.04 of it about.
TEST(Couplings, GearedWheelsTurnTogether) {
  const double acceleration = 0.5 / (0.02 + 0.36 / 9.0), end = 2.0;
  const Model model = read(wheels);
  EXPECT_EQ(mobilityOf(Mechanism(model)).freedoms, 1);
  expectEnd(model, end,
            {{0, 0, 0.5 * acceleration * end * end, acceleration * end},
             {1, 0, -0.5 * acceleration * end * end / 3.0, -acceleration * end / 3.0}});
  for (const Method& method : {methods()[0], methods()[3], methods()[5]}) {
    const RunResult result = simulate(model, settingsOf(method, end));
    ASSERT_EQ(result.final.joints.size(), 3u);
    EXPECT_EQ(result.final.joints[2].name, "mesh");
    // what the large wheel brakes the small one with
    EXPECT_NEAR(result.final.joints[2].torque[2], -0.04 * acceleration, 1e-6) << method.integrator;
    EXPECT_NEAR(result.final.joints[0].torque[2], 0.0, 1e-9);
  }
}

// Willis: the sun turns 1 + 80/20 times as fast as the arm, the planet 1 - 80/30 times.
TEST(Couplings, APlanetaryGearFollowsWillis) {
  const double inertia = 0.01 + 2.0 * 0.25 * 0.25 + 0.002 * 25.0 + 0.004 * std::pow(1.0 - 8.0 / 3.0, 2);
  const double acceleration = 0.5 / inertia, end = 1.0, arm = 0.5 * acceleration * end * end;
  const Model model = read(planetary);
  EXPECT_EQ(mobilityOf(Mechanism(model)).freedoms, 1);
  EXPECT_EQ(mobilityOf(Mechanism(model)).redundant(), 0);
  expectEnd(model, end, {{0, 0, arm, acceleration * end}, {1, 0, 4.0 * arm, 4.0 * acceleration * end}});
}

// A gear that says again what others say is no contradiction.
TEST(Couplings, RepeatedOnesAreRedundant) {
  Model model = read(wheels);
  model.couplings.push_back(model.couplings.front());
  model.couplings.back().name = "other face";
  EXPECT_EQ(mobilityOf(Mechanism(model)).freedoms, 1);
  EXPECT_EQ(mobilityOf(Mechanism(model)).redundant(), 1);
  for (const Method& method : {methods()[0], methods()[3], methods()[5]})
    EXPECT_NEAR(simulate(model, settingsOf(method, 1.0)).final.joints[0].coordinates[0].value,
                0.25 / (0.02 + 0.36 / 9.0), 1e-8);
}

// z'' = -g/(1 + I/(m k^2)) with k = pitch/(2 pi); the thread carries what does not fall.
TEST(Couplings, AScrewFallsSlowly) {
  const double k = 1.0 / turn, fall = 9.81 / (1.0 + 0.04 / (2.0 * k * k)), end = test::isSanitized ? 0.3 : 1.0;
  const Model model = read(screw);
  expectEnd(model, end,
            {{0, 0, -0.5 * fall * end * end, -fall * end}, {0, 1, -0.5 * fall * end * end / k, -fall * end / k}});
  const RunResult result = simulate(model, settingsOf(methods()[3], end));
  EXPECT_NEAR(result.final.joints[1].force[2], 2.0 * (9.81 - fall), 1e-7);
  EXPECT_NEAR(result.final.joints[1].torque[2], -0.04 * fall / k, 1e-9);
}

// (m + I/r^2) x'' = -k x
TEST(Couplings, ARackSwingsWithItsPinion) {
  const double omega = std::sqrt(20.0 / (3.0 + 0.02 / 0.01)), end = 1.3;
  const Model model = read(rack);
  EXPECT_NEAR(model.bodies[1].angularVelocity[1], 5.0, 1e-12);  // follows from that of the rack
  expectEnd(model, end, {{1, 0, 0.5 / omega * std::sin(omega * end), 0.5 * std::cos(omega * end)}});
  EquilibriumSearch search(model);
  const Modes modes = modesAbout(search.fromStart(), search.size());
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_NEAR(modes.modes[0].frequency, omega / turn, 1e-10);
}

// (J1 r^2 + J2) q2'' + (m1 g l1 r^2 + m2 g l2) q2 = 0 with q1 = r q2, r = -2/3
TEST(Couplings, GearedPendulumsHaveOneMode) {
  const Model model = pendulumsAt(0.0);
  const double square = 4.0 / 9.0, inertia = (0.05 + 2.0 * 0.25) * square + 0.02 + 0.09,
               stiffness = 9.81 * (2.0 * 0.5 * square + 0.3);
  EquilibriumSearch search(model);
  const Modes modes = modesAbout(search.fromStart(), search.size());
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_NEAR(modes.modes[0].frequency, std::sqrt(stiffness / inertia) / turn, 1e-10);
}

// Steps in which the pendulums turn by half a radian: the wheels stay in mesh, and the energy is kept.
TEST(Couplings, CoarseStepsKeepEnergyAndMesh) {
  const Model model = pendulumsAt(2.5);
  SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = 0.05;
  settings.end = 100.0;
  Simulation simulation(model, settings);
  const double energy = simulation.energy(), first = simulation.joint("first").angle(),
               second = simulation.joint("second").angle();
  double off = 0.0, drift = 0.0, farthest = 0.0;
  while (simulation.time() < settings.end - 1e-9) {
    simulation.step();
    const double one = simulation.joint("first").angle() - first, two = simulation.joint("second").angle() - second;
    off = std::max(off, std::abs(3.0 * one + 2.0 * two));
    drift = std::max(drift, std::abs(simulation.energy() - energy));
    farthest = std::max(farthest, std::abs(one));
  }
  EXPECT_GT(farthest, 1.0);
  EXPECT_LT(off, 1e-11);
  EXPECT_LT(drift, 1e-11);
}

// In a carrier that flies, wheels take nothing from the momenta.
TEST(Couplings, FlyingWheelsKeepAllMomenta) {
  Model model = read(wheels);
  model.forces.clear();
  Body carrier;
  carrier.name = "carrier";
  carrier.inertia = Vector3(0.3, 0.5, 0.4).asDiagonal();
  carrier.position = Vector3(0.1, 0.2, -0.1);
  model.bodies.push_back(carrier);
  for (Joint& joint : model.joints) joint.first = "carrier";
  const Vector3 omega(0.7, -0.4, 1.1), spin(0.0, 0.0, 9.0);
  for (Body& body : model.bodies) {
    body.velocity = omega.cross(body.position);
    body.angularVelocity = omega + (body.name == "small"   ? spin
                                    : body.name == "large" ? Vector3(-spin / 3.0)
                                                           : Vector3::Zero());
  }
  SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = 0.05;
  settings.end = 50.0;
  const RunResult result = simulate(model, settings);
  EXPECT_EQ(result.failure, "");
  EXPECT_LT(result.energyDrift, 1e-12);
  EXPECT_LT(result.positionViolation, 1e-12);
  EXPECT_EQ(result.conservedMomenta.size(), 6u);
  for (const MomentumDrift& each : result.conservedMomenta) EXPECT_LT(each.drift, 1e-12) << each.momentum.name();
}

TEST(Couplings, WhatDoesNotMoveThemSaysSo) {
  for (const char* integrator : {"eml", "mpl"}) {
    SimulationSettings settings;
    settings.integrator = integrator;
    settings.step = 0.01;
    const std::string found = obstacleOf(read(wheels), settings);
    EXPECT_NE(found.find("does not move coupled joints, and the model has the gear 'mesh'"), std::string::npos)
        << found;
  }
}

TEST(Couplings, VelocitiesThatTheTeethDoNotAllowAreRefused) {
  std::string text = wheels;
  for (const auto& [name, spin] : {std::pair{"small", "3"}, {"large", "1"}})
    text.insert(text.find("mass", text.find(fmt::format("\"{}\"", name))),
                fmt::format("angular_velocity = {{ space = [0, 0, {}] }}\n", spin));
  try {
    read(text);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("is violated by coupling 'mesh'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace polhode::couplings_test
