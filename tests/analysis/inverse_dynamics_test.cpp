#include "analysis/inverse_dynamics.h"

#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "support/mechanisms.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace polhode::inverse_dynamics_test {
namespace {

std::vector<double> evenTimes(double end, int count) {
  std::vector<double> times;
  for (int i = 0; i <= count; ++i) times.push_back(end * i / count);
  return times;
}

std::vector<InverseMotor> motors(const Model& model, const std::vector<std::string>& names) {
  std::vector<InverseMotor> all;
  for (const std::string& name : names)
    for (const InverseMotor& motor : motorsNamed(model, name)) all.push_back(motor);
  return all;
}

InverseResult efforts(const Model& model, const std::vector<std::string>& names,
                      const std::vector<FollowedQuantity>& motion, const std::vector<double>& times) {
  return InverseDynamics(model, motors(model, names)).along(motion, times);
}

const std::vector<std::string> hinges = {"joint.hinge1.angle", "joint.hinge2.angle"};
const std::vector<std::string> legs = {"joint.slide1", "joint.slide2", "joint.slide3",
                                       "joint.slide4", "joint.slide5", "joint.slide6"};

std::vector<FollowedQuantity> swing() {
  return {{hinges[0], Signal::formula("0.3*sin(2*t)")}, {hinges[1], Signal::formula("0.5*(1 - cos(3*t))")}};
}

/// The platform on a circle, without turning.
std::vector<FollowedQuantity> circle() {
  return {{"platform.position.x", Signal::formula("0.05*cos(3*t)")},
          {"platform.position.y", Signal::formula("0.05*sin(3*t)")},
          {"platform.position.z", Signal(0.6)},
          {"platform.rotation.x", Signal(0.0)},
          {"platform.rotation.y", Signal(0.0)},
          {"platform.rotation.z", Signal(0.0)}};
}

/// The largest distance of a body from where the motion is, over a run with the efforts as motors; steps of a fixed size.
double departure(const Model& model, const InverseResult& result, const std::string& integrator, double step,
                 const std::string& body) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = step;
  settings.end = result.rows.back().time;
  Simulation simulation(withEfforts(model, result.recording()), settings);
  double largest = 0.0;
  std::size_t index = 0;
  while (model.bodies[index].name != body) ++index;
  for (const InverseRow& row : result.rows) {
    if (row.time > 0.0) simulation.advanceTo(row.time);
    largest = std::max(largest, (simulation.body(body).position() - row.observation.bodies[index].position).norm());
  }
  return largest;
}

// Two rods of 1 m and 1 kg on hinges, angles a and a + b from the horizontal, by Lagrange's equations:
//   T = 2/3 a'^2 + 1/6 (a' + b')^2 + 1/2 a' (a' + b') cos b,   V = g (3/2 sin a + 1/2 sin(a + b)).
TEST(InverseDynamics, DoublePendulumNeedsTheTorquesOfItsEquations) {
  const Model model = loadModel("planar-double-pendulum").model;
  const InverseResult result = efforts(model, hinges, swing(), evenTimes(2.0, 50));
  EXPECT_EQ(result.freedoms, 2);
  EXPECT_EQ(result.freedomsLeft, 0);
  const double g = 9.81;
  for (const InverseRow& row : result.rows) {
    const double t = row.time;
    const double a = 0.3 * std::sin(2 * t), a1 = 0.6 * std::cos(2 * t), a2 = -1.2 * std::sin(2 * t);
    const double b = 0.5 * (1 - std::cos(3 * t)), b1 = 1.5 * std::sin(3 * t), b2 = 4.5 * std::cos(3 * t);
    const double second = (a2 + b2) / 3 + a2 * std::cos(b) / 2 + a1 * a1 * std::sin(b) / 2 + g * std::cos(a + b) / 2;
    const double both = 4 * a2 / 3 + (a2 + b2) / 3 + (2 * a2 + b2) * std::cos(b) / 2 -
                        b1 * (2 * a1 + b1) * std::sin(b) / 2 + g * (3 * std::cos(a) + std::cos(a + b)) / 2;
    EXPECT_NEAR(row.efforts[1], second, 1e-12) << t;
    EXPECT_NEAR(row.efforts[0], both, 3e-12) << t;
    EXPECT_NEAR(row.speeds[0], a1, 1e-13);
    EXPECT_NEAR(row.speeds[1], b1, 1e-13);
    EXPECT_NEAR(row.observation.joints[1].coordinates[0].value, b, 1e-13);
  }
}

// The run with these efforts is as far away as the integrator is wrong: order 2, and 4 by composition.
TEST(InverseDynamics, FedBackTheRunFollowsToTheOrderOfTheIntegrator) {
  const Model model = loadModel("planar-double-pendulum").model;
  const InverseResult result = efforts(model, hinges, swing(), evenTimes(1.0, 50));
  std::vector<double> far;
  for (const double step : {0.02, 0.01, 0.005}) far.push_back(departure(model, result, "director-em", step, "rod2"));
  EXPECT_NEAR(std::log2(far[0] / far[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(far[1] / far[2]), 2.0, 0.1);
  const double coarse = departure(model, result, "director-em-4", 0.02, "rod2"),
               fine = departure(model, result, "director-em-4", 0.01, "rod2");
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.3);
}

// Forces along x and y at the end of the second rod do the work of both torques as well; of all combinations the one with the
// least sum of squares is orthogonal to what does nothing.
TEST(InverseDynamics, MoreMotorsThanFreedomsShareTheLoad) {
  const Model model = loadModel("planar-double-pendulum").model;
  const std::vector<std::string> more = {hinges[0], hinges[1], "rod2.force.x", "rod2.force.y", "rod1.torque.z"};
  const std::vector<double> times = evenTimes(1.0, 10);
  const InverseResult least = efforts(model, more, swing(), times), only = efforts(model, hinges, swing(), times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_LT(least.rows[i].efforts.norm(), only.rows[i].efforts.norm());
    // the power is that of the motion
    EXPECT_NEAR(least.rows[i].efforts.dot(least.rows[i].speeds), only.rows[i].efforts.dot(only.rows[i].speeds), 1e-11);
    // of the efforts t, (t_hinge1, t_hinge2, fx, fy, tz) = A^T w for the columns of A: what acts on (a, b)
    const Observation& at = only.rows[i].observation;
    const double a = at.joints[0].coordinates[0].value, ab = a + at.joints[1].coordinates[0].value;
    Eigen::Matrix<double, 2, 5> A;
    A << 1, 0, -std::sin(a) - 0.5 * std::sin(ab), std::cos(a) + 0.5 * std::cos(ab), 1,  //
        0, 1, -0.5 * std::sin(ab), 0.5 * std::cos(ab), 0;
    const VectorX expected = A.transpose() * (A * A.transpose()).inverse() * only.rows[i].efforts;
    EXPECT_LT((least.rows[i].efforts - expected).norm(), 1e-11);
  }
}

TEST(InverseDynamics, TooFewMotorsAreRefusedWithTheBodyThatNobodyMoves) {
  const Model model = loadModel("planar-double-pendulum").model;
  try {
    efforts(model, {"joint.hinge1"}, swing(), {0.0, 0.1});
    FAIL() << "was not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("none of them turns 'rod2' about (0, 0, "), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(efforts(model, {"joint.hinge3"}, swing(), {0.0}), InputError);
  EXPECT_THROW(efforts(model, hinges, {{"joint.hinge1.displacement", Signal(0.0)}}, {0.0}), InputError);
}

// A run of high accuracy with a constant torque of 0.033 N m: from all of its motion, and from the angle of the crank alone,
// by way of the loops.
TEST(InverseDynamics, TheTorqueOfAndrewsCrankIsRecovered) {
  const Model model = loadModel("andrews-squeezer").model;
  SimulationSettings settings;
  settings.integrator = "dop853";
  settings.tolerance = 1e-13;
  settings.end = 0.03;
  settings.outputEvery = 2e-5;
  const Recording run = simulate(model, settings, true).recording;
  ASSERT_TRUE(tellsWholeMotion(run, model));
  InverseDynamics inverse(model, motors(model, {"drive"}));
  for (const InverseRow& row : inverse.along(run).rows) EXPECT_NEAR(row.efforts[0], 0.033, 1e-12);
  double worst = 0.0;
  for (const InverseRow& row : inverse.along(motionOfTable(run, model, {"joint.O.angle"}), run.column("time")).rows)
    worst = std::max(worst, std::abs(row.efforts[0] - 0.033));
  EXPECT_LT(worst, 1e-9);  // N m; 1.1e-10 was measured
}

// The legs carry the platform: their power is what its energy changes by, less that of the dampers in the legs; and the run
// with these forces goes round on the circle.
TEST(InverseDynamics, HexapodGoesAlongACircle) {
  const Model model = loadModel("hexapod").model;
  const InverseResult result = efforts(model, legs, circle(), evenTimes(1.0, 100));
  EXPECT_EQ(result.freedoms, 6);
  for (const InverseRow& row : result.rows) {
    EXPECT_LT(row.missing, 1e-12);
    EXPECT_LT(row.observation.positionViolation, 1e-13);
    // with the efforts the mechanism accelerates as the circle does
    const Vector3 acceleration(-0.45 * std::cos(3 * row.time), -0.45 * std::sin(3 * row.time), 0.0);
    EXPECT_LT((row.observation.accelerations[0].linear - acceleration).norm(), 1e-10);
    EXPECT_LT(row.observation.accelerations[0].angular.norm(), 1e-9);
  }
  const double coarse = departure(model, result, "director-em", 0.01, "platform"),
               fine = departure(model, result, "director-em", 0.005, "platform");
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
}

// Without its orientation the platform has three freedoms more, and the legs can do what the given point asks for only together
// with them.
TEST(InverseDynamics, FreedomsThatNobodyAsksOfAreRefusedWhereMotorsActElsewhere) {
  const Model model = loadModel("hexapod").model;
  std::vector<FollowedQuantity> point = circle();
  point.resize(3);
  InverseDynamics inverse(model, motors(model, {"platform.force"}));
  const InverseResult pulled = inverse.along(point, evenTimes(0.1, 5));
  EXPECT_EQ(pulled.freedomsLeft, 3);
  EXPECT_LT(pulled.rows.back().missing, 1e-9);
  EXPECT_THROW(efforts(model, {legs[0], legs[1], legs[2]}, point, {0.0, 0.1}), InputError);
}

// Jansen's walker, Bennett's and Bricard's loops in space, Peaucellier's linkage: rows of joints that repeat each other, and one
// freedom; the power of the crank's motor is what the energy changes by, here by differences of eighth order.
TEST(InverseDynamics, LoopsWithRepeatedRows) {
  for (const auto& [name, coordinate] : {std::pair{"jansen-walker", "joint.bearing.angle"},
                                         {"bennett", "joint.hinge1.angle"},
                                         {"bricard", "joint.P0.angle"},
                                         {"peaucellier", "joint.P.angle"}}) {
    const Model model = loadModel(name).model;
    const InverseResult result =
        efforts(model, {coordinate}, {{coordinate, Signal::formula("0.1*sin(3*t)")}}, evenTimes(0.1, 10));
    const auto energy = [&](std::size_t i) { return result.rows[i].observation.energy(); };
    const double rate = (0.8 * (energy(6) - energy(4)) - 0.2 * (energy(7) - energy(3)) +
                         4.0 / 105.0 * (energy(8) - energy(2)) - 1.0 / 280.0 * (energy(9) - energy(1))) /
                        0.01;
    EXPECT_EQ(result.freedoms, 1) << name;
    double scale = 0.0;
    for (std::size_t i = 0; i <= 10; ++i) scale = std::max(scale, std::abs(energy(i)));
    EXPECT_NEAR(result.rows[5].efforts[0] * result.rows[5].speeds[0], rate, 1e-9 * (scale + std::abs(rate))) << name;
    EXPECT_GT(std::abs(rate), 1e-6) << name;
  }
}

// A turn about a changing axis: a free body needs the torque of Euler's equations.
TEST(InverseDynamics, AFreeBodyIsTurnedByEulersTorque) {
  Model model;
  model.name = "body";
  Body body;
  body.name = "box";
  body.inertia = Vector3(1.0, 2.0, 2.5).asDiagonal();
  model.bodies = {body};
  std::vector<FollowedQuantity> motion = {{"box.rotation.x", Signal::formula("2*sin(t)")},
                                          {"box.rotation.y", Signal::formula("0.4*t")},
                                          {"box.rotation.z", Signal::formula("1 - cos(2*t)")}};
  for (const char* axis : {"x", "y", "z"}) motion.push_back({std::string("box.position.") + axis, Signal(0.0)});
  const InverseResult result = efforts(model, {"box.torque", "box.force"}, motion, evenTimes(3.0, 300));
  // the torque is the rate of the angular momentum, here by differences of eighth order
  const auto momentum = [&](std::size_t i) -> Vector3 { return result.rows[i].observation.angularMomentum; };
  for (std::size_t i = 4; i + 4 < result.rows.size(); i += 10) {
    const Vector3 rate =
        (0.8 * (momentum(i + 1) - momentum(i - 1)) - 0.2 * (momentum(i + 2) - momentum(i - 2)) +
         4.0 / 105.0 * (momentum(i + 3) - momentum(i - 3)) - 1.0 / 280.0 * (momentum(i + 4) - momentum(i - 4))) /
        0.01;
    EXPECT_LT((result.rows[i].efforts.head<3>() - rate).norm(), 1e-10) << result.rows[i].time;
  }
}

// The hand of the steered chain: what it pulled with is found in its run, and so is what leads its point along x and y, while
// all other freedoms follow.
TEST(InverseDynamics, TheSteeredChain) {
  const ModelFile file = loadModel("steered-chain");
  SimulationSettings settings = file.simulation;
  settings.end = 0.5;
  settings.outputEvery = 0.02;
  const Recording run = simulate(file.model, settings, true).recording;
  const InverseResult found = InverseDynamics(file.model, motors(file.model, {"hand"})).along(run);
  EXPECT_EQ(found.motors.size(), 3u);
  EXPECT_EQ(found.freedoms, 15);
  for (const InverseRow& row : found.rows) EXPECT_LT(row.missing, 1e-9);
  EXPECT_GT(found.rows.back().efforts.norm(), 1.0);

  const std::vector<FollowedQuantity> motion = {{"hand.position.x", Signal::formula("0.1*(1 - cos(2*t))")},
                                                {"hand.position.y", Signal::formula("0.05*(1 - cos(3*t))")}};
  const InverseResult led = efforts(file.model, {"hand.force.x", "hand.force.y"}, motion, evenTimes(0.5, 100));
  EXPECT_EQ(led.freedomsLeft, 13);
  for (const InverseRow& row : led.rows) EXPECT_LT(row.missing, 1e-9);
  const double coarse = departure(file.model, led, "director-em", 0.005, "link3"),
               fine = departure(file.model, led, "director-em", 0.0025, "link3");
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
  EXPECT_LT(fine, 1e-4);
}

TEST(InverseDynamics, SaysWhenTheMotionIsOutOfReach) {
  const std::vector<FollowedQuantity> away = {{"rod2.position.x", Signal::formula("1.2 + 0.6*t")},
                                              {"rod2.position.y", Signal::formula("0.2")}};
  // stretched out where it starts: nothing can be said of where it is to go
  EXPECT_THROW(efforts(loadModel("planar-double-pendulum").model, hinges, away, evenTimes(1.0, 10)), InputError);
  const Model bent = loadModel("planar-double-pendulum", {"body.rod2.position=[1, -0.5, 0]",
                                                          "body.rod2.orientation={ axis = [0, 0, 1], degrees = -90 }"})
                         .model;
  try {
    efforts(bent, hinges, away, evenTimes(1.0, 10));
    FAIL() << "was not refused";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), (std::sqrt(1.5 * 1.5 - 0.04) - 1.2) / 0.6, 1e-3);
    EXPECT_NE(std::string(error.what()).find("out of reach"), std::string::npos) << error.what();
  }
}

// A motion that begins elsewhere is reached by the assembly; drives of the model that no motor stands for stay.
TEST(InverseDynamics, BeginsWhereTheMotionDoes) {
  const Model model = loadModel("planar-double-pendulum").model;
  const std::vector<FollowedQuantity> motion = {{hinges[0], Signal::formula("-pi/2 + 0.1*t^2")},
                                                {hinges[1], Signal::formula("0.2*cos(t)")}};
  const InverseResult result = efforts(model, hinges, motion, evenTimes(0.5, 50));
  const Vector3 expected(0.5 * std::sin(0.2), -1.0 - 0.5 * std::cos(0.2), 0.0);
  EXPECT_LT((result.rows.front().observation.bodies[1].position - expected).norm(), 1e-13);
  EXPECT_LT(departure(model, result, "director-em-4", 0.01, "rod2"), 1e-6);
  for (const double away : {0.4, 0.5, 0.7}) {  // strides end where it begins, however little is left of them
    const InverseResult held =
        efforts(model, hinges, {{hinges[0], Signal(away)}, {hinges[1], Signal(0.0)}}, {0.0, 1.0});
    EXPECT_NEAR(held.rows[1].efforts[0], 2.0 * 9.81 * std::cos(away), 1e-12);
  }
  EXPECT_THROW(
      efforts(model, hinges, {{hinges[0], Signal::formula("abs(t - 0.5)")}, {hinges[1], Signal(0.0)}}, {0.0, 1.0}),
      InputError);
}

}  // namespace
}  // namespace polhode::inverse_dynamics_test
