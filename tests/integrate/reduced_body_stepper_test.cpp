#include "integrate/reduced_body_stepper.h"

#include "integrate/catalogue.h"
#include "support/integration_runs.h"
#include "system/ball_of_top.h"
#include "system/free_rotation.h"
#include "system/single_body.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <gtest/gtest.h>

/// Gauss collocation of free bodies and of tops, of whose motion part is known in closed form, against the same method with the
/// equations as they stand.
namespace polhode::test::reduced_body_stepper_test {
namespace {

struct Motion {
  std::string name;
  Vector3 inertia, angularVelocity;
  Vector3 centre = Vector3::Zero();  // gravity pulls where it is not zero
};

const std::vector<Motion> motions = {
    {"around the largest moment", {6.0, 8.0, 3.0}, {10.0, 20.0, 20.0}},
    {"around the smallest, backwards", {6.0, 8.0, 3.0}, {1.0, 2.0, -20.0}},
    {"beside the separatrix", {6.0, 8.0, 3.0}, {20.0, 0.02, 0.02}},
    {"about the middle axis", {6.0, 8.0, 3.0}, {20.0, 0.0, 0.0}},
    {"about a principal axis, backwards", {6.0, 8.0, 3.0}, {0.0, -20.0, 0.0}},
    {"long", {2.0, 5.0, 5.0}, {3.0, -4.0, 5.0}},
    {"flat", {2.0, 4.0, 2.0}, {3.0, -4.0, 5.0}},
    {"flat, about its diameter", {2.0, 4.0, 2.0}, {3.0, 0.0, 5.0}},
    {"ball", {2.0, 2.0, 2.0}, {3.0, -4.0, 5.0}},
    {"rod", {2.0, 0.0, 2.0}, {3.0, 1.0, 5.0}},
    {"at rest", {6.0, 8.0, 3.0}, {0.0, 0.0, 0.0}},
    {"top", {2.0, 2.0, 0.3}, {1.0, 0.5, 30.0}, {0.0, 0.0, 0.4}},
    {"flat top on its first axis, upside down", {3.0, 2.0, 2.0}, {10.0, 0.5, -0.3}, {-0.4, 0.0, 0.0}},
    {"top on its second axis", {2.0, 0.5, 2.0}, {1.0, -12.0, -0.3}, {0.0, 0.4, 0.0}},
    {"spherical pendulum", {2.0, 2.0, 0.0}, {1.0, -2.0, 0.7}, {0.0, 0.0, 1.0}},
    {"leaning body, nothing known", {2.0, 1.5, 1.0}, {2.0, -1.0, 4.0}, {0.3, -0.2, 0.5}}};

const Vector3 gravity(1.0, -2.0, -9.0);

std::unique_ptr<SingleBodySystem> bodyOf(const Motion& motion, const char* coordinates) {
  RigidBodyData data;
  data.inertia = motion.inertia;
  data.centre = motion.centre;
  return makeSingleBody(coordinates, "null-space", data, UniformGravity(data, gravity), nullptr);
}

VectorX startOf(const Motion& motion, const SingleBodySystem& body) {
  BodyMotion start;
  start.orientation = Quaternion(0.5, 0.1, -0.7, 0.5).normalized();
  start.angularVelocity = motion.angularVelocity;
  return body.stateOf(start);
}

IntegratorOptions withStep(double h) {
  IntegratorOptions options;
  options.fixedStep = h;
  return options;
}

/// Steps that turn the body by a third.
double stepOf(const Motion& motion) {
  return 0.3 / (1.0 + motion.angularVelocity.norm());
}

class ReducedBody : public testing::TestWithParam<const char*> {
 protected:
  static std::unique_ptr<Stepper> inlined(const SingleBodySystem& body, const VectorX& start, double h) {
    return findIntegrator("gauss-16").makeInlined(body, start, 1e6, withStep(h));
  }
  static std::unique_ptr<Stepper> plain(const SingleBodySystem& body, double t, const VectorX& start, double h) {
    return makeOdeStepper("gauss-16", body, t, start, 1e6, withStep(h));
  }
};

TEST_P(ReducedBody, MovesAsByTheEquationsAsTheyStand) {
  for (const Motion& motion : motions) {
    const auto body = bodyOf(motion, GetParam());
    const VectorX start = startOf(motion, *body);
    const double h = stepOf(motion);
    VectorX disturbed = start;
    disturbed.tail<3>().array() += 1e-13 * motion.angularVelocity.norm();
    const auto reduced = inlined(*body, start, h), expected = plain(*body, 0.0, start, h),
               nearby = plain(*body, 0.0, disturbed, h);
    VectorX y = start, within = start;
    for (int i = 0; i < 300; ++i) {
      reduced->step();
      expected->step();
      nearby->step();
      // what roundings add up to, and how disturbances grow, along the separatrix above all
      const double rounding = 1e-13 * start.norm() * (1.0 + i) + (nearby->state() - expected->state()).norm();
      ASSERT_LT((reduced->state() - expected->state()).norm(), rounding) << motion.name << ", step " << i;
      const double t = reduced->time() - 0.4 * h;
      reduced->interpolate(t, y);
      expected->interpolate(t, within);
      ASSERT_LT((y - within).norm(), rounding + 1e-11 * start.norm()) << motion.name << ", within step " << i;
    }
  }
}

// A small change, as a projection makes it, and quite another motion.
TEST_P(ReducedBody, GoesOnFromAReplacedState) {
  for (const Motion& motion : motions)
    for (const double change : {1e-9, 0.5}) {
      const auto body = bodyOf(motion, GetParam());
      const VectorX start = startOf(motion, *body);
      const double h = stepOf(motion);
      const auto reduced = inlined(*body, start, h);
      for (int i = 0; i < 10; ++i) reduced->step();
      BodyMotion other = body->motionOf(reduced->state());
      other.angularVelocity += change * Vector3(1.0, -2.0, 1.5);
      other.orientation = (other.orientation + change * Quaternion(0.1, 0.2, -0.3, 0.4)).normalized();
      VectorX before = start, after = start;
      reduced->interpolate(9.5 * h, before);
      reduced->replaceState(body->stateOf(other));
      EXPECT_EQ(reduced->state(), body->stateOf(other));
      reduced->interpolate(9.5 * h, after);
      EXPECT_EQ(before, after) << "what was is as it was";
      const auto expected = plain(*body, reduced->time(), reduced->state(), h);
      for (int i = 0; i < 50; ++i) {
        reduced->step();
        expected->step();
      }
      EXPECT_LT((reduced->state() - expected->state()).norm(), 1e-11 * start.norm()) << motion.name;
    }
}

/// The largest drifts of a run: of the energy, of the angular momentum (with gravity about the vertical), relative, and of the
/// constraint of the coordinates.
struct Drift {
  double energy = 0.0, momentum = 0.0, constraint = 0.0;
};
Drift driftOf(const Motion& motion, const char* coordinates, const char* integrator, double h, int steps) {
  const auto body = bodyOf(motion, coordinates);
  const auto stepper =
      findIntegrator(integrator).makeInlined(*body, startOf(motion, *body), 2.0 * h * steps, withStep(h));
  const auto momentum = [&]() -> Vector3 {
    const BodyMotion now = body->motionOf(stepper->state());
    return now.directors * motion.inertia.cwiseProduct(now.angularVelocity);
  };
  const auto energy = [&] {
    const BodyMotion now = body->motionOf(stepper->state());
    return 0.5 * now.angularVelocity.dot(motion.inertia.cwiseProduct(now.angularVelocity)) -
           gravity.dot(now.directors * motion.centre);
  };
  const Vector3 momentumThen = momentum();
  const double energyThen = energy(), size = std::abs(energyThen) + gravity.norm() * motion.centre.norm();
  Drift drift;
  for (int i = 0; i < steps; ++i) {
    stepper->step();
    drift.energy = std::max(drift.energy, std::abs(energy() - energyThen) / size);
    const Vector3 change = momentum() - momentumThen;
    const double kept = motion.centre.isZero() ? change.norm() : std::abs(gravity.normalized().dot(change));
    drift.momentum = std::max(drift.momentum, kept / momentumThen.norm());
    drift.constraint = std::max(drift.constraint, body->positionViolation(stepper->state()));
  }
  EXPECT_EQ(stepper->warning(), "");
  return drift;
}

/// Steps of more than a radian, and a few roundings: they do not add up.
constexpr double coarse = 4.0, fewRoundings = 5e-15;

TEST_P(ReducedBody, KeepsAllThatAFreeBodyKeeps) {
  for (const Motion& motion : motions) {
    if (!motion.centre.isZero() || motion.angularVelocity.isZero()) continue;
    for (const char* integrator : {"gauss-4", "gauss-10"}) {
      const Drift drift = driftOf(motion, GetParam(), integrator, coarse * stepOf(motion), 3000);
      EXPECT_LT(drift.energy, fewRoundings) << motion.name;
      EXPECT_LT(drift.momentum, fewRoundings) << motion.name;
      EXPECT_LT(drift.constraint, fewRoundings) << motion.name;
    }
  }
}

// The momentum about the vertical is of the third degree in quaternions.
TEST_P(ReducedBody, KeepsAllThatATopKeeps) {
  for (const Motion& motion : motions) {
    if (motion.name.find("top") == std::string::npos && motion.name.find("pendulum") == std::string::npos) continue;
    for (const char* integrator : {"gauss-4", "gauss-10"}) {
      const Drift drift = driftOf(motion, GetParam(), integrator, coarse * stepOf(motion), 3000);
      EXPECT_LT(drift.energy, fewRoundings) << motion.name;
      EXPECT_LT(drift.constraint, fewRoundings) << motion.name;
      if (GetParam() == std::string("director")) {
        EXPECT_LT(drift.momentum, fewRoundings) << motion.name;
      }
    }
  }
}

// At the steps that reach an error of 1e-6 in the shortest time (bench/gauss_bench.cpp).
TEST_P(ReducedBody, LongRunOfAMillionCoarseStepsKeepsAll) {
  const Motion& free = motions.front();
  const Motion nutating = {"nutating top", {2.0, 2.0, 0.25}, {0.0, 0.0, 50.0}, {0.0, 0.0, 26.0}};
  for (const auto& [motion, h] : {std::pair(free, 1.0 / 9.0), std::pair(nutating, 1.0 / 7.0)}) {
    const Drift drift = driftOf(motion, GetParam(), "gauss-16", h, 1'000'000);
    std::printf("%s: energy %.1e, momentum %.1e, constraint %.1e\n", motion.name.c_str(), drift.energy, drift.momentum,
                drift.constraint);
    EXPECT_LT(drift.energy, 1e-14) << motion.name;
    EXPECT_LT(drift.constraint, 1e-14) << motion.name;
    if (motion.centre.isZero() || GetParam() == std::string("director")) {
      EXPECT_LT(drift.momentum, 1e-14) << motion.name;
    }
  }
}

// The angle that counts the turns weighs no less after many of them.
TEST_P(ReducedBody, ChoosesItsStepsAlikeAfterManyTurns) {
  const Motion& motion = motions.front();
  const auto body = bodyOf(motion, GetParam());
  const auto stepper = findIntegrator("gauss-8").makeInlined(*body, startOf(motion, *body), 400.0, withTolerance(1e-8));
  runTo(200.0, *stepper);
  const long half = stepper->work().steps;
  runTo(400.0, *stepper);
  EXPECT_NEAR(static_cast<double>(stepper->work().steps - half) / static_cast<double>(half), 1.0, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Gauss, ReducedBody, testing::Values("quaternion", "director"),
                         [](const auto& instance) { return std::string(instance.param); });

// A body whose moments or centre are off by more than roundings is no top.
TEST(BallOfTop, KnowsItsAxis) {
  using Ball = BallOfTop<QuaternionCoordinates>;
  RigidBodyData body;
  body.inertia = {2.0, 0.5, 2.0 * (1.0 + std::numeric_limits<double>::epsilon())};
  body.centre = {1e-17, -0.4, 0.0};
  EXPECT_EQ(Ball::axisOf(body), 1);
  body.centre[0] = 1e-12;
  EXPECT_EQ(Ball::axisOf(body), std::nullopt);
  body.centre[0] = 0.0;
  body.inertia[0] = 2.0 + 1e-12;
  EXPECT_EQ(Ball::axisOf(body), std::nullopt);
}

// What only roundings can bring about: the angular momentum on the other side of the body than that whose angle is counted.
TEST(FreeRotation, SaysWhenItsAxisNoLongerFits) {
  FreeRotation rotation(Vector3(6.0, 8.0, 3.0));
  BodyMotion motion;
  motion.angularVelocity = {1.0, 20.0, 2.0};
  FreeRotation::State y = rotation.begin(motion);
  EXPECT_FALSE(rotation.isLost(y));
  y[2] = -y[2];
  EXPECT_TRUE(rotation.isLost(y));
}

}  // namespace
}  // namespace polhode::test::reduced_body_stepper_test
