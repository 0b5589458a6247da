#include "integrate/mechanism/gauss_engine.h"

#include "integrate/catalogue.h"
#include "integrate/mechanism/mechanism_stepper.h"
#include "io/examples.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "system/joint_gaps.h"
#include "system/null_space_mechanism.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// Gauss collocation of mechanisms. References are runs of DOP853 at 1e-14 on minimal coordinates, other equations by another
/// method.
namespace polhode::gauss_engine_test {
namespace {

std::shared_ptr<const Mechanism> mechanismOf(const std::string& example, const std::string& more = "") {
  return std::make_shared<const Mechanism>(readModelText(findExample(example)->text + more, example).model);
}

/// A force between two bodies of an example, at points that move.
std::string between(const char* first, const char* second, const char* what) {
  return fmt::format(
      "\n[[force]]\nname = \"between\"\nbodies = [\"{}\", \"{}\"]\npoints = [[0.1, 0.2, 0.1], [0.9, 0.1, 0.2]]\n{}\n",
      first, second, what);
}

MechanismMotion endOf(const std::string& integrator, const Mechanism& mechanism, double end, int steps) {
  const auto stepper = makeMechanismStepper(integrator, mechanism, end, end / steps, 0.0);
  while (stepper->time() < end) stepper->step();
  return stepper->told(end, MechanismStepper::motionFrom(stepper->state()));
}

MechanismMotion referenceOf(const std::shared_ptr<const Mechanism>& mechanism, double end) {
  const auto equations = makeNullSpaceMechanism(mechanism, "quaternion");
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = 1e-14;
  const auto stepper =
      makeOdeStepper("dop853", *equations, 0.0, equations->stateOf(initialMotion(*mechanism)), end, options);
  while (stepper->time() < end) stepper->step();
  return equations->motionOf(stepper->time(), stepper->state());
}

/// The largest differences of placements and of their rates.
std::pair<double, double> difference(const MechanismMotion& a, const MechanismMotion& b) {
  double placed = 0.0, moving = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    placed = std::max({placed, (a[i].at.x - b[i].at.x).norm(), (a[i].at.D - b[i].at.D).norm()});
    moving = std::max({moving, (a[i].rate.v - b[i].rate.v).norm(), (a[i].rate.W - b[i].rate.W).norm()});
  }
  return {placed, moving};
}

struct OrderCase {
  const char* example;
  std::string more;
  double end;
  int steps[3];  // of the coarser runs of order 4, 6 and 8
};

// A tree, loops, loops with a damper; what a finite step adds to the order is below a tenth at these steps.
TEST(GaussEngine, HasOrderTwoSInPlacementsAndVelocities) {
  const std::string damper = between("crank", "bar AB", "type = \"damper\"\ndamping = 2");
  for (const OrderCase& c :
       {OrderCase{"spatial-double-pendulum", "", 0.375, {16, 12, 6}}, OrderCase{"peaucellier", "", 0.2, {20, 20, 8}},
        OrderCase{"peaucellier", damper, 0.2, {20, 20, 8}}}) {
    const auto mechanism = mechanismOf(c.example, c.more);
    const MechanismMotion reference = referenceOf(mechanism, c.end);
    for (const int k : {0, 1, 2}) {
      const int order = 4 + 2 * k;
      const std::string integrator = fmt::format("director-gauss-{}", order);
      const auto coarse = difference(endOf(integrator, *mechanism, c.end, c.steps[k]), reference);
      const auto fine = difference(endOf(integrator, *mechanism, c.end, 2 * c.steps[k]), reference);
      const std::string what = fmt::format("{} on {} {}", integrator, c.example, c.more);
      EXPECT_GT(fine.first, 1e-12) << what;  // above rounding
      EXPECT_NEAR(std::log2(coarse.first / fine.first), order, 0.1) << what;
      EXPECT_NEAR(std::log2(coarse.second / fine.second), order, 0.1) << what;
    }
  }
}

/// A sledge that is drawn to and fro, a rod that hangs on it, a second rod that is turned against the first, and a mass on a
/// rope that is pulled in and paid out from its end: all three kinds of drives, the angle between bodies that both move.
const std::string driven = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "sledge"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "upper"
mass = 1
inertia = [0.02, 0.1, 0.11]
position = [0.5, 0, 0]
angular_velocity = { body = [0.4, 0.3, 0.5] }
[[body]]
name = "lower"
mass = 0.8
inertia = [0.02, 0.08, 0.07]
position = [1.3, 0, 0]
[[body]]
name = "mass"
mass = 0.5
inertia = [0.01, 0.02, 0.03]
position = [1.6, 0, -0.7]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "sledge"]
point = [0, 0, 0]
axis = [1, 0, 0]
drive = { displacement = { formula = "0.1*(1 - cos(5*t))" } }
[[joint]]
name = "ball"
type = "spherical"
bodies = ["sledge", "upper"]
point = [0, 0, 0]
[[joint]]
name = "elbow"
type = "revolute"
bodies = ["upper", "lower"]
point = [1, 0, 0]
axis = [0, 1, 0.2]
drive = { angle = { formula = "0.7*sin(3*t)" } }
[[joint]]
name = "rope"
type = "distance"
bodies = ["lower", "mass"]
points = [[1.6, 0, 0], [1.6, 0, -0.7]]
length = { formula = "0.7 + 0.1*(cos(4*t) - 1)" }
)toml";

std::shared_ptr<const Mechanism> drivenMechanism() {
  return std::make_shared<const Mechanism>(readModelText(driven, "driven.toml").model);
}

TEST(GaussEngine, HasOrderTwoSWithDrives) {
  const auto mechanism = drivenMechanism();
  const double end = 0.4;
  const MechanismMotion reference = referenceOf(mechanism, end);
  for (const auto& [order, steps] : {std::pair(4, 32), std::pair(6, 16), std::pair(8, 8)}) {
    const std::string integrator = fmt::format("director-gauss-{}", order);
    const auto coarse = difference(endOf(integrator, *mechanism, end, steps), reference);
    const auto fine = difference(endOf(integrator, *mechanism, end, 2 * steps), reference);
    EXPECT_GT(fine.first, 1e-12) << integrator;  // above rounding
    EXPECT_NEAR(std::log2(coarse.first / fine.first), order, 0.1) << integrator;
    EXPECT_NEAR(std::log2(coarse.second / fine.second), order, 0.1) << integrator;
  }
}

/// What drifts over a run.
struct Drift {
  double energy = 0.0, momentum = 0.0, gap = 0.0, orthonormality = 0.0;
};

Drift driftOf(const std::string& integrator, const Mechanism& mechanism, double h, int steps) {
  const auto stepper = makeMechanismStepper(integrator, mechanism, h * steps, h, 0.0);
  const MechanismSums start = sumsOf(mechanism, initialMotion(mechanism));
  const JointGaps gaps(mechanism);
  Drift drift;
  for (int i = 0; i < steps; ++i) {
    stepper->step();
    const auto bodies = MechanismStepper::motionIn(stepper->state());
    const MechanismSums now = sumsOf(mechanism, bodies);
    const double gained = now.kineticEnergy + now.potentialEnergy - start.kineticEnergy - start.potentialEnergy;
    drift.energy = std::max(drift.energy, std::abs(gained - MechanismStepper::workFrom(stepper->state())));
    drift.momentum = std::max(drift.momentum, std::abs((now.angularMomentum - start.angularMomentum).z()));
    drift.gap = std::max(drift.gap, gaps.at(stepper->time(), bodies)[0].size);
    for (const MovingPlacement& body : bodies)
      drift.orthonormality =
          std::max(drift.orthonormality, (body.at.D.transpose() * body.at.D - Matrix3::Identity()).norm());
  }
  return drift;
}

// On ball joints to the ground under gravity: the energy and the angular momentum about the vertical.
TEST(GaussEngine, KeepsWhatTheMechanismKeeps) {
  const auto mechanism = mechanismOf("spatial-double-pendulum");
  for (const char* integrator : {"director-gauss-4", "director-gauss-10", "director-gauss-16"}) {
    const Drift drift = driftOf(integrator, *mechanism, 0.02, 400);
    EXPECT_LT(drift.energy, 1e-12) << integrator;
    EXPECT_LT(drift.momentum, 1e-12) << integrator;
    EXPECT_LT(drift.gap, 1e-14) << integrator;
    EXPECT_LT(drift.orthonormality, 1e-14) << integrator;
  }
}

// Bennett's loop has rows that repeat others; the spring's energy is not quadratic; the damper's work is accounted for.
TEST(GaussEngine, KeepsLoopsWithRedundantRowsSpringsAndTheBalanceOfDampers) {
  const Drift bennett = driftOf("director-gauss-8", *mechanismOf("bennett"), 0.01, 200);
  EXPECT_LT(bennett.energy, 1e-12);
  EXPECT_LT(bennett.gap, 1e-12);
  for (const char* damping : {"", "\ndamping = 3"}) {
    const std::string spring = between("bar1", "bar3", "type = \"spring\"\nstiffness = 40\nlength = 0.5") + damping;
    const Drift drift = driftOf("director-gauss-6", *mechanismOf("four-bar-loop", spring), 0.02, 200);
    EXPECT_LT(drift.energy, 1e-11) << damping;  // of 100 J
    EXPECT_LT(drift.gap, 1e-13) << damping;
  }
}

// The work of the drives is all that changes the energy, by up to 17 J.
TEST(GaussEngine, BalancesTheWorkOfDrivesAndKeepsTheirRows) {
  const auto mechanism = drivenMechanism();
  for (const auto& [integrator, h] : {std::pair("director-gauss-4", 0.01), std::pair("director-gauss-6", 0.02),
                                      std::pair("director-gauss-10", 0.02), std::pair("director-gauss-16", 0.025)}) {
    const Drift drift = driftOf(integrator, *mechanism, h, 400);
    EXPECT_LT(drift.energy, 2e-12) << integrator;
    EXPECT_LT(drift.gap, 1e-14) << integrator;
    EXPECT_LT(drift.orthonormality, 1e-14) << integrator;
  }
}

// Two bodies in space that turn each other: what a drive between them gives to one it takes from the other.
TEST(GaussEngine, DrivesBetweenBodiesKeepMomenta) {
  const Mechanism mechanism(readModelText(R"toml(
[[body]]
name = "bus"
mass = 5
inertia = [1, 2, 2.5]
angular_velocity = { body = [0.3, 0.1, 0.2] }
[[body]]
name = "arm"
mass = 2
inertia = [0.1, 0.6, 0.5]
position = [1.2, 0, 0]
[[joint]]
name = "shoulder"
type = "revolute"
bodies = ["bus", "arm"]
point = [0.5, 0.1, 0]
axis = [0.1, 1, 0]
drive = { angle = { formula = "2*sin(t)^2" } }
)toml",
                                          "satellite.toml")
                                .model);
  const auto stepper = makeMechanismStepper("director-gauss-8", mechanism, 10.0, 0.05, 0.0);
  const MechanismSums start = sumsOf(mechanism, initialMotion(mechanism));
  double least = 1e3, most = 0.0;  // energies
  while (stepper->time() < 10.0) {
    stepper->step();
    const MechanismSums now = sumsOf(mechanism, MechanismStepper::motionIn(stepper->state()));
    EXPECT_LT((now.linearMomentum - start.linearMomentum).norm(), 1e-13);
    EXPECT_LT((now.angularMomentum - start.angularMomentum).norm(), 1e-13);
    EXPECT_NEAR(now.kineticEnergy - stepper->mechanismState().work, start.kineticEnergy, 1e-12);
    least = std::min(least, now.kineticEnergy), most = std::max(most, now.kineticEnergy);
  }
  EXPECT_GT(most - least, 0.5);
}

// The polynomial of three stages is right to the third order within a step, and a little better.
TEST(GaussEngine, MovesWithinAStepAlongItsPolynomial) {
  const auto mechanism = mechanismOf("spatial-double-pendulum");
  double last = 0.0;
  for (const double h : {0.04, 0.02}) {
    const auto stepper = makeMechanismStepper("director-gauss-6", *mechanism, 0.2, h, 0.0);
    while (stepper->time() < 0.079) stepper->step();
    double error = 0.0;
    for (const double part : {0.2, 0.4, 0.6, 0.8}) {
      const double t = 0.08 - part * h;
      VectorX y;
      stepper->interpolate(t, y);
      error = std::max(error, difference(MechanismStepper::motionFrom(y), referenceOf(mechanism, t)).first);
    }
    EXPECT_LT(error, 1e-4);
    if (last > 0.0) {
      EXPECT_GT(std::log2(last / error), 2.9);
    }
    last = error;
  }
}

TEST(GaussEngine, ChoosesItsSteps) {
  const auto mechanism = mechanismOf("spatial-double-pendulum");
  const MechanismMotion reference = referenceOf(mechanism, 1.0);
  double last = 1.0;
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    const auto stepper = makeMechanismStepper("director-gauss-8", *mechanism, 1.0, std::nullopt, tolerance);
    while (stepper->time() < 1.0) stepper->step();
    const double error = difference(MechanismStepper::motionFrom(stepper->state()), reference).first;
    EXPECT_LT(error, 100.0 * tolerance);
    EXPECT_LT(error, last);
    last = error;
  }
}

// A load that is set from outside: a body alone falls and is pushed, by one formula.
TEST(GaussEngine, TakesLoads) {
  const auto mechanism = std::make_shared<const Mechanism>(
      readModelText("[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"stone\"\nmass = 2\ninertia = [1, 2, 2.5]\n",
                    "stone.toml")
          .model);
  const auto stepper = makeMechanismStepper("director-gauss-4", *mechanism, 1.0, 0.1, 0.0);
  stepper->setLoad(0, BodyLoad(mechanism->bodies()[0], Vector3::Zero(), Vector3(4.0, 0.0, 0.0), Vector3::Zero()));
  while (stepper->time() < 1.0) stepper->step();
  const MovingPlacement& stone = stepper->mechanismState().bodies[0];
  EXPECT_LT((stone.at.x - Vector3(1.0, 0.0, -4.905)).norm(), 1e-14);
  EXPECT_NEAR(stepper->mechanismState().work, 4.0, 1e-14);
}

}  // namespace
/// Long steps of a chain that is not stiff are made shorter, not solved in modes: one factorisation a stage and attempt is all.
TEST(GaussEngine, HighOrderAtACoarseToleranceNeedsNoModes) {
  const auto mechanism = mechanismOf("ball-chain");
  const auto stepper = makeMechanismStepper("director-gauss-12", *mechanism, 1.0, std::nullopt, 1e-6, 1.0);
  while (stepper->time() < 1.0) stepper->step();
  const WorkCounts& work = stepper->work();
  EXPECT_LE(work.factorisations, 6 * (work.steps + work.rejected));
  EXPECT_LE(work.steps + work.rejected, 40);
}

}  // namespace polhode::gauss_engine_test
