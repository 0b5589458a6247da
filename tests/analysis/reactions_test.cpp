#include "analysis/engine_registry.h"
#include "analysis/observable.h"
#include "io/examples.h"
#include "math/euler_map.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "support/files.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

/// Reactions, accelerations and forces of springs, dampers and motors: at the instant that they are told for, the same with
/// every integrator, and as accurate as the motion.
namespace polhode::reactions_test {
namespace {

constexpr double g = 9.81;

Model read(const std::string& text) {
  return readModelText(text, "test.toml").model;
}

Model example(const std::string& name) {
  return readModelText(findExample(name)->text, name).model;
}

SimulationSettings by(const std::string& integrator, double step, double end, const std::string& formulation = "") {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.end = end;
  settings.tolerance = 1e-12;
  if (step > 0.0) settings.step = step;
  if (!formulation.empty()) settings.formulation = formulation;
  return settings;
}

Observation at(const Model& model, const SimulationSettings& settings, double time) {
  const auto simulation = makeEngine(model, settings);
  if (time > 0.0) simulation->advanceTo(time);
  return simulation->observe(simulation->stepper().time(), simulation->stepper().state());
}

template <class Parts>
const auto& named(const Parts& parts, const std::string& name) {
  for (const auto& part : parts)
    if (part.name == name) return part;
  throw std::out_of_range(name);
}

double quantity(const ForceObservation& force, const std::string& name) {
  return named(force.quantities, name).value;
}

void expectVector(const Vector3& value, const Vector3& expected, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(value[i], expected[i], tolerance) << "component " << i;
}

/// The largest difference of the reactions of all joints.
double apart(const Observation& a, const Observation& b) {
  double largest = 0.0;
  EXPECT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t j = 0; j < a.joints.size(); ++j)
    largest = std::max(
        {largest, (a.joints[j].force - b.joints[j].force).norm(), (a.joints[j].torque - b.joints[j].torque).norm()});
  return largest;
}

double largestForce(const Observation& o) {
  double largest = 0.0;
  for (const JointObservation& joint : o.joints) largest = std::max(largest, joint.force.norm());
  return largest;
}

// ---- closed forms ----------------------------------------------------------------------------------------------------

const std::string pendulum = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "rod"
mass = 2
inertia = [0.01, 0.3, 0.3]
position = [0.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "rod"]
point = [0, 0, 0]
axis = [0, 1, 0]
)toml";

// Along the rod m (g sin + w^2 l) holds it, across it m g cos (1 - m l^2/I), both of the state that is told with them.
TEST(Reactions, OfAPendulumBelongToTheStateBesideThem) {
  const double m = 2.0, l = 0.5, inertia = 0.3 + m * l * l;
  struct Way {
    const char* integrator;
    double step, accuracy;  // of classical integrators that with which the centre stays on its circle
  };
  for (const auto& [integrator, step, accuracy] :
       {Way{"director-em", 0.01, 1e-9}, Way{"director-em-4", 0.01, 1e-9}, Way{"dop853", 0.0, 1e-8},
        Way{"radau5", 0.0, 1e-8}, Way{"bdf", 0.0, 1e-6}, Way{"eml", 0.01, 1e-9}, Way{"mpl", 0.01, 1e-9},
        Way{"linear-implicit-euler", 0.01, 1e-9}}) {
    SCOPED_TRACE(integrator);
    for (const double time : {0.0, 0.37}) {
      SimulationSettings settings = by(integrator, step, 0.37);
      settings.tolerance = 1e-10;
      const Observation o = at(read(pendulum), settings, time);
      const Vector3 along = rotationMatrix(o.bodies[0].orientation).col(0);  // away from the hinge
      const Vector3 across = Vector3::UnitY().cross(along);
      const double w = o.bodies[0].angularVelocity[1];
      const double up = -Vector3::UnitZ().dot(along), alpha = -m * g * l * Vector3::UnitZ().dot(across) / inertia;
      const Vector3 expected =
          -m * (g * up + w * w * l) * along + m * (l * alpha + g * Vector3::UnitZ().dot(across)) * across;
      expectVector(o.joints[0].force, expected, accuracy);
      expectVector(o.joints[0].torque, Vector3::Zero(), accuracy);
      ASSERT_EQ(o.accelerations.size(), 1u) << integrator;
      expectVector(o.accelerations[0].linear, l * (alpha * across - w * w * along), accuracy);
      expectVector(o.accelerations[0].angular, Vector3(0.0, alpha, 0.0), accuracy);
      if (time == 0.0) expectVector(o.joints[0].force, Vector3(0.0, 0.0, m * g * (1.0 - m * l * l / inertia)), 1e-9);
    }
  }
}

/// What a single body on a ball joint is moved by; the accuracy at the later time is that of the motion.
struct Mover {
  const char* integrator;
  double step;  // 0: chosen
  const char* formulation;
  double later;  // relative error at t = 0.1
};

class ReactionsOfATop : public ::testing::TestWithParam<Mover> {};

// In steady precession the centre of mass runs along a circle with 10 rad/s: F = m (g - 100 rho) at all times.
TEST_P(ReactionsOfATop, HoldItAtTheStartAndLater) {
  const Model model = example("heavy-top");
  const Mover& mover = GetParam();
  const double m = model.bodies[0].mass, weight = m * g;
  for (const double time : {0.0, 0.1}) {
    SimulationSettings settings = by(mover.integrator, mover.step, 0.1, mover.formulation);
    settings.tolerance = 1e-9;
    const Observation o = at(model, settings, time);
    ASSERT_EQ(o.joints.size(), 1u);
    EXPECT_EQ(o.joints[0].name, "tip");
    const double radius = 0.075 * std::sqrt(0.75), phase = 10.0 * time;
    const Vector3 outward(radius * std::sin(phase), -radius * std::cos(phase), 0.0);
    const double tolerance = time == 0.0 ? 1e-9 : mover.later;
    expectVector(o.joints[0].force, m * (-100.0 * outward + g * Vector3::UnitZ()), tolerance * weight);
    expectVector(o.accelerations.at(0).linear, -100.0 * outward, tolerance * 10.0 * g);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, ReactionsOfATop,
                         ::testing::Values(Mover{"dop853", 0.0, "", 1e-6}, Mover{"dopri5", 0.0, "", 1e-6},
                                           Mover{"odex", 0.0, "", 1e-6}, Mover{"radau5", 0.0, "", 1e-6},
                                           Mover{"seulex", 0.0, "", 1e-6}, Mover{"bdf", 0.0, "", 1e-5},
                                           Mover{"dop853", 0.0, "absolute", 1e-6}, Mover{"bdf", 0.0, "index-1", 1e-5},
                                           Mover{"bdf", 0.0, "index-2", 1e-5}, Mover{"bdf", 0.0, "index-3", 1e-3},
                                           Mover{"bdf", 0.0, "ggl", 1e-5}, Mover{"director-em", 1e-4, "", 1e-2},
                                           Mover{"director-em-8", 1e-3, "", 1e-5}, Mover{"eml", 1e-4, "", 1e-2},
                                           Mover{"reml", 1e-4, "", 1e-2}, Mover{"null-eml", 1e-4, "", 1e-2},
                                           Mover{"mpl", 1e-4, "", 1e-2}, Mover{"mph", 1e-4, "", 1e-2},
                                           Mover{"quaternion-em", 1e-4, "", 1e-2},
                                           Mover{"quaternion-vi", 1e-4, "", 1e-2}, Mover{"simo-wong", 1e-4, "", 1e-2},
                                           Mover{"linear-implicit-euler", 1e-5, "", 5e-2}),
                         [](const auto& each) {
                           std::string name = std::string(each.param.integrator) + "_" + each.param.formulation;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// J Omega' = -Omega x J Omega.
TEST(Accelerations, OfAFreeBodyAreEulers) {
  const Model model = read(R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "box"
mass = 2
inertia = [1, 2, 3]
orientation = { axis = [1, 2, 3], degrees = 40 }
angular_velocity = { body = [0.3, -0.5, 0.7] }
)toml");
  for (const char* integrator : {"dop853", "director-em", "quaternion-em"}) {
    const Observation o = at(model, by(integrator, std::string(integrator) == "dop853" ? 0.0 : 0.01, 1.0), 0.0);
    ASSERT_EQ(o.accelerations.size(), 1u);
    expectVector(o.accelerations[0].angular,
                 Vector3((2 - 3) * -0.5 * 0.7 / 1, (3 - 1) * 0.7 * 0.3 / 2, (1 - 2) * 0.3 * -0.5 / 3), 1e-12);
    expectVector(o.accelerations[0].linear, Vector3(0.0, 0.0, -g), 1e-12);
  }
}

// ---- accuracy --------------------------------------------------------------------------------------------------------

struct Order {
  const char* example;
  const char* integrator;
  double end;
  int steps;
  int order;
};

class ReactionsConverge : public ::testing::TestWithParam<Order> {};

// Half the step leaves 1/2^p of the error, against DOP853. In steps of these lengths the next term of the error is small; it
// shows most with order 8, where shorter ones would leave nothing but round-off.
TEST_P(ReactionsConverge, WithTheOrderOfTheMotion) {
  const auto& [name, integrator, end, steps, order] = GetParam();
  const Model model = example(name);
  SimulationSettings accurate = by("dop853", 0.0, end);
  accurate.tolerance = 1e-13;
  const Observation exact = at(model, accurate, end);
  const double coarse = apart(at(model, by(integrator, end / steps, end), end), exact);
  const double fine = apart(at(model, by(integrator, end / (2 * steps), end), end), exact);
  EXPECT_NEAR(std::log2(coarse / fine), order, order == 8 ? 0.5 : 0.35)
      << coarse << " and " << fine << " N of " << largestForce(exact);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ReactionsConverge,
                         ::testing::Values(Order{"planar-double-pendulum", "director-em", 0.5, 100, 2},
                                           Order{"planar-double-pendulum", "director-em-4", 0.5, 20, 4},
                                           Order{"planar-double-pendulum", "director-em-6", 0.5, 10, 6},
                                           Order{"planar-double-pendulum", "director-em-8", 0.5, 8, 8},
                                           Order{"spatial-slider-crank", "director-em", 0.5, 200, 2},
                                           Order{"four-bar-loop", "director-em", 0.4, 100, 2},
                                           Order{"andrews-squeezer", "director-em", 0.005, 200, 2},
                                           Order{"six-bar", "director-em", 0.3, 100, 2},
                                           Order{"peaucellier", "director-em", 0.2, 100, 2}));

// At the start nothing has been integrated yet.
TEST(Reactions, AtTheStartAreThoseOfEveryIntegrator) {
  for (const char* name : {"andrews-squeezer", "spatial-slider-crank", "six-bar", "peaucellier", "bricard", "four-bars",
                           "bennett", "crane", "hexapod"}) {
    const Model model = example(name);
    const Observation conserving = at(model, by("director-em", 1e-3, 1.0), 0.0);
    const Observation classical = at(model, by("dop853", 0.0, 1.0), 0.0);
    EXPECT_GT(largestForce(conserving), 0.0) << name;
    EXPECT_LT(apart(conserving, classical), 1e-9 * (1.0 + largestForce(classical))) << name;
  }
}

// ---- joints that repeat each other -----------------------------------------------------------------------------------

const std::string shaft = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "shaft"
mass = 3
inertia = [0.1, 1, 1]
angular_velocity = { space = [5, 0, 0] }
[[joint]]
name = "left"
type = "revolute"
bodies = ["ground", "shaft"]
point = [-1, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "right"
type = "revolute"
bodies = ["ground", "shaft"]
point = [1, 0, 0]
axis = [1, 0, 0]
)toml";

TEST(Reactions, OfTwoLikeBearingsShareTheWeight) {
  struct Way {
    const char *integrator, *formulation;
    double step;
  };
  for (const auto& [integrator, formulation, step] :
       {Way{"director-em", "", 0.01}, Way{"director-em-4", "", 0.01}, Way{"dop853", "", 0.0}, Way{"radau5", "", 0.0},
        Way{"bdf", "", 0.0}, Way{"dop853", "absolute", 0.0}, Way{"bdf", "index-2", 0.0}, Way{"bdf", "ggl", 0.0},
        Way{"eml", "", 0.01}, Way{"linear-implicit-euler", "", 0.01}})
    for (const double time : {0.0, 0.1}) {
      SimulationSettings settings = by(integrator, step, 0.1, formulation);
      settings.tolerance = 1e-9;
      const Observation o = at(read(shaft), settings, time);
      for (const JointObservation& bearing : o.joints) {
        SCOPED_TRACE(std::string(integrator) + " " + formulation + " " + bearing.name);
        expectVector(bearing.force, Vector3(0.0, 0.0, 1.5 * g), 1e-6);
        expectVector(bearing.torque, Vector3::Zero(), 1e-6);
      }
    }
}

// Planar loops in space repeat three rows each: the same reactions with every integrator.
TEST(Reactions, OfPlanarLoopsAreTheSameWithEveryIntegrator) {
  const Model model = example("six-bar");
  const Observation exact = at(model, by("dop853", 0.0, 0.2), 0.2);
  for (const char* integrator : {"radau5", "dopri5"})
    EXPECT_LT(apart(at(model, by(integrator, 0.0, 0.2), 0.2), exact), 1e-6 * largestForce(exact)) << integrator;
  EXPECT_LT(apart(at(model, by("director-em-8", 1e-3, 0.2), 0.2), exact), 1e-6 * largestForce(exact));
  EXPECT_LT(apart(at(model, by("linear-implicit-euler", 1e-5, 0.2), 0.2), exact), 1e-2 * largestForce(exact));
}

// ---- bodies without mass ---------------------------------------------------------------------------------------------

const std::string rockers = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "a"
mass = 1
inertia = [0.01, 0.1, 0.1]
position = [0, 0, -0.5]
angular_velocity = { space = [0, 2, 0] }
velocity = [-1, 0, 0]
[[body]]
name = "b"
mass = 2
inertia = [0.01, 0.2, 0.2]
position = [1.2, 0, -0.5]
angular_velocity = { space = [0, 1.7777777777777777, 0] }
velocity = [-0.88888888888888884, 0, 0]
[[joint]]
name = "foot a"
type = "revolute"
bodies = ["ground", "a"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "foot b"
type = "revolute"
bodies = ["ground", "b"]
point = [1.2, 0, 0]
axis = [0, 1, 0]
)toml";

// A coupler without mass between two rockers is a rod: it pulls with the force of a distance joint.
TEST(Reactions, OfACouplerWithoutMassAreThoseOfADistance) {
  const Model rod = read(rockers + R"toml(
[[joint]]
name = "rod"
type = "distance"
bodies = ["a", "b"]
points = [[0, 0, -0.8], [1.2, 0, -0.9]]
)toml");
  const Model coupler = read(rockers + R"toml(
[[body]]
name = "coupler"
mass = 0
inertia = [0, 0, 0]
position = [0.6, 0, -0.85]
[[joint]]
name = "pin a"
type = "revolute"
bodies = ["a", "coupler"]
point = [0, 0, -0.8]
axis = [0, 1, 0]
[[joint]]
name = "pin b"
type = "spherical"
bodies = ["coupler", "b"]
point = [1.2, 0, -0.9]
)toml");
  const Observation a = at(rod, by("director-em", 1e-3, 0.1), 0.0), b = at(coupler, by("director-em", 1e-3, 0.1), 0.0);
  expectVector(named(b.joints, "pin b").force, named(a.joints, "rod").force, 1e-8);
  expectVector(named(b.joints, "foot a").force, named(a.joints, "foot a").force, 1e-8);
  EXPECT_GT(named(a.joints, "rod").force.norm(), 1e-3);  // it does pull
}

// ---- drives and forces -----------------------------------------------------------------------------------------------

// What the cylinders of an excavator hold when it has come to rest, by virtual work.
TEST(Reactions, OfDrivesHoldAnExcavator) {
  const Model model =
      readModelText(test::readFile(std::string(POLHODE_TEST_DATA "/excavator.toml")), "excavator.toml").model;
  SimulationSettings settings = by("dop853", 0.0, 8.0);
  settings.tolerance = 1e-9;
  const Observation o = at(model, settings, 8.0);
  const auto hold = [&](const std::string& cylinder, double expected) {
    EXPECT_NEAR(named(o.joints, cylinder + " drive").force.norm(), std::abs(expected), 1e-2) << cylinder;
  };
  hold("boom cyl", 51604.590);
  hold("stick cyl", -19560.175);
  hold("bucket cyl", -3127.162);
}

const std::string sledge = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "sledge"
mass = 2
inertia = [1, 1, 1]
position = [1, 0, 0]
velocity = [0.5, 0, 0]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "sledge"]
point = [1, 0, 0]
axis = [1, 0, 0]
[[force]]
name = "spring"
type = "spring"
bodies = ["ground", "sledge"]
points = [[0, 0, 1], [1, 0, 1]]
stiffness = 30
length = 0.8
damping = 4
[[force]]
name = "damper"
type = "damper"
bodies = ["sledge", "ground"]
points = [[1, 0, 0], [4, 0, 4]]
damping = 7
[[force]]
name = "motor"
type = "joint-motor"
joint = "rail"
effort = 6
[[force]]
name = "brake"
type = "joint-damper"
joint = "rail"
damping = 3
[[force]]
name = "block"
type = "bushing"
bodies = ["ground", "sledge"]
point = [1, 0, 0.5]
stiffness = [100, 200, 300]
damping = [2, 0, 0]
[[force]]
name = "push"
type = "load"
body = "sledge"
force = [1, 2, 3]
point = [1, 1, 0]
)toml";

// Each by hand, at t = 0, where the sledge moves with 0.5 m/s.
TEST(Forces, AreToldOnTheSecondBodyAtItsPoint) {
  for (const char* integrator : {"director-em", "dop853", "linear-implicit-euler"}) {
    SCOPED_TRACE(integrator);
    const Observation o = at(read(sledge), by(integrator, std::string(integrator) == "dop853" ? 0.0 : 1e-3, 1.0), 0.0);
    ASSERT_EQ(o.forces.size(), 6u);
    const ForceObservation& spring = named(o.forces, "spring");
    const double tension = 30 * (1.0 - 0.8) + 4 * 0.5;
    EXPECT_NEAR(quantity(spring, "length"), 1.0, 1e-12);
    EXPECT_NEAR(quantity(spring, "tension"), tension, 1e-12);
    expectVector(spring.force, Vector3(-tension, 0, 0), 1e-12);
    expectVector(spring.torque, Vector3::Zero(), 1e-12);  // about its point

    // 3-4-5 from the sledge to the ground: it becomes shorter by 0.5 * 3/5 and pushes the ground away
    const ForceObservation& damper = named(o.forces, "damper");
    EXPECT_NEAR(quantity(damper, "length"), 5.0, 1e-12);
    EXPECT_NEAR(quantity(damper, "tension"), -7 * 0.3, 1e-12);
    expectVector(damper.force, 7 * 0.3 * Vector3(0.6, 0, 0.8), 1e-12);
    expectVector(damper.torque, Vector3::Zero(), 1e-12);

    EXPECT_NEAR(quantity(named(o.forces, "motor"), "effort"), 6.0, 1e-12);
    expectVector(named(o.forces, "motor").force, Vector3(6, 0, 0), 1e-12);
    EXPECT_NEAR(quantity(named(o.forces, "brake"), "effort"), -1.5, 1e-12);
    expectVector(named(o.forces, "block").force, Vector3(-2 * 0.5, 0, 0), 1e-12);
    expectVector(named(o.forces, "push").force, Vector3(1, 2, 3), 1e-12);
    expectVector(named(o.forces, "push").torque, Vector3::Zero(), 1e-12);

    // m a = the sum along the rail; the rail bears the rest
    const double sum = -tension - 7 * 0.3 * 0.6 + 6.0 - 1.5 - 1.0 + 1.0;
    expectVector(o.accelerations[0].linear, Vector3(sum / 2.0, 0, 0), 1e-12);
    expectVector(o.joints[0].force, Vector3(0, -2, 2 * g - 3 + 7 * 0.3 * 0.8), 1e-11);
  }
}

// ---- outputs ---------------------------------------------------------------------------------------------------------

TEST(Recordings, HaveAccelerationsReactionsAndForces) {
  SimulationSettings settings = by("director-em", 1e-3, 0.05);
  const RunResult result = simulate(read(sledge), settings, true);
  const auto velocity = result.recording.column("sledge.velocity.x");
  const auto acceleration = result.recording.column("sledge.acceleration.x");
  for (std::size_t i = 1; i + 1 < velocity.size(); ++i)
    EXPECT_NEAR((velocity[i + 1] - velocity[i - 1]) / 2e-3, acceleration[i], 1e-3) << i;
  const auto tension = result.recording.column("spring.tension"), force = result.recording.column("spring.force.x");
  for (std::size_t i = 0; i < tension.size(); ++i) EXPECT_NEAR(force[i], -tension[i], 1e-12);
  EXPECT_NEAR(result.recording.column("motor.effort").front(), 6.0, 1e-12);
  EXPECT_NE(result.recording.column("joint.rail.force.z").front(), 0.0);
  // new columns stand behind those that were there
  const auto& columns = result.recording.columns;
  const auto place = [&](const char* name) {
    return std::find(columns.begin(), columns.end(), name) - columns.begin();
  };
  EXPECT_LT(place("constraint.velocity"), place("sledge.acceleration.x"));
}

// Rows between the steps and the end tell forces as well, whatever is recorded.
TEST(Recordings, TellForcesWhereverARowIs) {
  SimulationSettings settings = by("dop853", 0.0, 0.1);
  settings.outputEvery = 0.013;
  const RunResult result = simulate(read(pendulum), settings, true);
  for (const double force : result.recording.column("joint.hinge.force.z")) EXPECT_GT(force, 1.0);
  EXPECT_GT(simulate(read(pendulum), settings).final.joints[0].force.norm(), 1.0);
  EXPECT_EQ(simulate(read(pendulum), settings).final.accelerations.size(), 1u);
}

TEST(Observables, StopWhereAForceReachesAValue) {
  SimulationSettings settings = by("dop853", 0.0, 1.0);
  settings.stopWhen = "joint.hinge.force.z=20";
  const RunResult result = simulate(read(pendulum), settings);
  EXPECT_TRUE(result.stoppedByEvent);
  EXPECT_NEAR(result.final.joints[0].force[2], 20.0, 1e-6);
}

// A cross that turns about one of its axes only, over more than a turn.
TEST(UniversalJoints, TellTheirAngles) {
  for (const bool about : {true, false}) {
    const Model model = read(std::string(R"toml(
[[body]]
name = "fork"
mass = 1
inertia = [1, 1, 1]
angular_velocity = )toml") + (about ? "{ space = [0, 0, 5] }" : "{ space = [5, 0, 0] }") +
                             R"toml(
[[joint]]
name = "cross"
type = "universal"
bodies = ["ground", "fork"]
point = [0, 0, 0]
axes = [[0, 0, 1], [1, 0, 0]]
)toml");
    for (const char* integrator : {"dop853", "director-em-4"}) {
      const auto simulation = makeEngine(model, by(integrator, 0.01, 2.0));
      Observation o = simulation->observe(0.0, simulation->stepper().state());
      ASSERT_EQ(o.joints[0].coordinates.size(), 2u);
      EXPECT_NEAR(o.joints[0].coordinates[0].value, 0.0, 1e-12);
      EXPECT_NEAR(o.joints[0].coordinates[1].value, 0.0, 1e-12);
      while (simulation->stepper().time() < 2.0) {
        simulation->stepper().step();
        o = simulation->observe(simulation->stepper().time(), simulation->stepper().state(), Detail::motion);
      }
      const auto &first = named(o.joints[0].coordinates, "first_angle"),
                 &second = named(o.joints[0].coordinates, "second_angle");
      EXPECT_NEAR(first.value, about ? 10.0 : 0.0, 1e-4);
      EXPECT_NEAR(second.value, about ? 0.0 : 10.0, 1e-4);
      EXPECT_NEAR(first.rate, about ? 5.0 : 0.0, 1e-6);
      EXPECT_NEAR(second.rate, about ? 0.0 : 5.0, 1e-6);
    }
  }
}

}  // namespace
}  // namespace polhode::reactions_test
