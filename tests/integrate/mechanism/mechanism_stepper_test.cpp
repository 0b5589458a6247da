#include "integrate/mechanism/mechanism_stepper.h"

#include "io/examples.h"
#include "polhode/io/model_file.h"
#include "system/joint_gaps.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace polhode::mechanism_stepper_test {
namespace {

Mechanism mechanismOf(const std::string& text) {
  return Mechanism(readModelText(text, "test.toml").model);
}

/// A slide that a load pushes with a table over time.
const std::string pushed = R"toml(
[[body]]
name = "slide"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "slide"]
point = [0, 0, 0]
axis = [1, 0, 0]
[[force]]
name = "push"
type = "load"
body = "slide"
force = [4, 0, 0]
scale = { table = [[0, 0], [0.25, 1], [0.55, 1], [0.6, 0]] }
)toml";

/// A lift of 10 kg that is drawn up with 0.5 m/s, then held: the slope jumps at t = 0.305.
const std::string lift = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "lift"
mass = 10
inertia = [1, 1, 1]
velocity = [0, 0, 0.5]
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["ground", "lift"]
point = [0, 0, 0]
axis = [0, 0, 1]
drive = { displacement = { formula = "0.5*min(t, 0.305)" } }
)toml";

std::vector<double> timesOf(Stepper& stepper, double end) {
  std::vector<double> times;
  while (stepper.time() < end) {
    stepper.step();
    times.push_back(stepper.time());
  }
  return times;
}

bool contains(const std::vector<double>& times, double time) {
  return std::find(times.begin(), times.end(), time) != times.end();
}

TEST(MechanismStepper, FixedStepsEndWhereALoadKinksAndTheGridGoesOn) {
  const Mechanism mechanism = mechanismOf(pushed);
  const auto stepper = makeMechanismStepper("director-em", mechanism, 1.0, 0.1, 0.0);
  const std::vector<double> times = timesOf(*stepper, 1.0);
  EXPECT_EQ(times.size(), 12u);  // ten on the grid, where 0.6 is one, and two between
  for (const double time : {0.25, 0.55}) EXPECT_TRUE(contains(times, time)) << time;
  for (int k = 1; k <= 10; ++k) EXPECT_TRUE(contains(times, k == 10 ? 1.0 : k * 0.1)) << k;

  // The load is linear between its kinks, so that its impulse over each step is exact: 4 N s times the table's area.
  EXPECT_NEAR(stepper->mechanismState().bodies[0].rate.v[0], 0.5 * 4.0 * (0.125 + 0.3 + 0.025), 1e-14);
}

TEST(MechanismStepper, ChosenStepsEndThereTooAndPassNothing) {
  const Mechanism mechanism = mechanismOf(pushed);
  const auto stepper = makeMechanismStepper("director-em", mechanism, 100.0, std::nullopt, 1e-3);
  const std::vector<double> times = timesOf(*stepper, 100.0);
  for (const double time : {0.25, 0.55, 0.6}) EXPECT_TRUE(contains(times, time)) << time;
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_LE(times[i] - times[i - 1], 2.0 * (1 + 1e-12));
  EXPECT_NEAR(stepper->mechanismState().bodies[0].rate.v[0], 0.9, 1e-12);

  const auto limited = makeMechanismStepper("director-em", mechanism, 10.0, std::nullopt, 1e-3, 0.125);
  double before = 0.0;
  for (const double time : timesOf(*limited, 10.0)) {
    EXPECT_LE(time - before, 0.125 * (1 + 1e-12));
    before = time;
  }
}

// Behind the kink the lift rests and the drive carries its weight, in the first whole step and at the end: nothing rings.
TEST(MechanismStepper, BehindAKinkOfADriveVelocityAndForceAreRight) {
  const Mechanism mechanism = mechanismOf(lift);
  const MechanismJoint& drive = mechanism.joints().back();
  ASSERT_TRUE(drive.drives);
  for (const char* const integrator : {"director-em", "director-em-4", "director-gauss-4", "director-gauss-10"})
    for (const double h : {0.01, 0.007, 0.04}) {
      const auto stepper = makeMechanismStepper(integrator, mechanism, 1.0, h, 0.0);
      while (stepper->time() < 1.0) {
        stepper->step();
        const MechanismState& state = stepper->mechanismState();
        const double energy = kineticEnergy(mechanism, state.bodies) + potentialEnergy(mechanism, state.bodies);
        EXPECT_NEAR(energy - state.work, 0.5 * 10 * 0.25, 1e-12) << h << " " << state.time;
        if (state.time < 0.305 + h) continue;
        EXPECT_NEAR(state.bodies[0].rate.v[2], 0.0, 1e-13) << h << " " << state.time;
        if (state.time < 0.305 + 2 * h) continue;
        // positions rounded to 1e-16 m leave 4 m 1e-16/h^2, and a part of a composition may be h/5 long
        EXPECT_NEAR(state.multipliers[drive.firstRow], 98.1, 1e-8) << h << " " << state.time;
      }
    }
}

// 37 steps of 0.01 s end one last digit before the kink at 0.37 s, and the rate behind it is taken over all the same.
TEST(MechanismStepper, BehindAKinkOnTheGridVelocityIsRight) {
  std::string text = lift;
  text.replace(text.find("0.5*min(t, 0.305)"), 17, "0.5*t - 1.5*max(0, t - 0.37)");
  const Mechanism mechanism = mechanismOf(text);
  for (const char* const integrator : {"director-em", "director-em-4", "director-gauss-4"}) {
    const auto stepper = makeMechanismStepper(integrator, mechanism, 0.5, 0.01, 0.0);
    while (stepper->time() < 0.365) stepper->step();
    EXPECT_EQ(stepper->time(), 37 * 0.01) << integrator;
    EXPECT_NEAR(stepper->mechanismState().bodies[0].rate.v[2], -1.0, 1e-13) << integrator;
  }
}

/// The largest gap of the joints in the middle of a step, over half a second.
double gapBetweenSteps(const Mechanism& mechanism, double h) {
  const auto stepper = makeMechanismStepper("director-em", mechanism, 0.5, h, 0.0);
  double largest = 0.0;
  VectorX y;
  while (stepper->time() < 0.5) {
    stepper->step();
    const double middle = 0.5 * (stepper->previousTime() + stepper->time());
    stepper->interpolate(middle, y);
    const MechanismMotion motion = MechanismStepper::motionFrom(y);
    largest = std::max(largest, JointGaps(mechanism).at(middle, motion)[0].size);
    for (const MovingPlacement& body : motion) {
      EXPECT_LT((body.at.D.transpose() * body.at.D - Matrix3::Identity()).norm(), 1e-14);
      const Matrix3 spin = body.at.D.transpose() * body.rate.W;
      EXPECT_LT((spin + spin.transpose()).norm(), 1e-13 * (1 + spin.norm()));
    }
  }
  return largest;
}

TEST(MechanismStepper, BetweenStepsDirectorsAreOrthonormalAndJointsClosedToThirdOrder) {
  // velocities at the ends of steps are right to the second order, and cubics through them to the third
  const Mechanism mechanism = mechanismOf(findExample("spatial-double-pendulum")->text);
  const double coarse = gapBetweenSteps(mechanism, 0.01), fine = gapBetweenSteps(mechanism, 0.005);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_GT(std::log2(coarse / fine), 2.8);
}

}  // namespace
}  // namespace polhode::mechanism_stepper_test
