#include "integrate/reduced_body_stepper.h"

#include "integrate/catalogue.h"
#include "support/integration_runs.h"
#include "system/ball_of_top.h"
#include "system/free_rotation.h"
#include "system/single_body.h"

#include <cmath>
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
    {"beside the separatrix", {6.0, 8.0, 3.0}, {20.0, 1e-3, 1e-3}},
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

std::unique_ptr<SingleBodySystem> bodyOf(const Motion& motion, const char* coordinates) {
  RigidBodyData data;
  data.inertia = motion.inertia;
  data.centre = motion.centre;
  return makeSingleBody(coordinates, "null-space", data, UniformGravity(data, Vector3(1.0, -2.0, -9.0)), nullptr);
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
    const auto reduced = inlined(*body, start, h), expected = plain(*body, 0.0, start, h);
    VectorX y = start, within = start;
    for (int i = 0; i < 300; ++i) {
      reduced->step();
      expected->step();
      // roundings, which grow along the separatrix
      const double rounding = 1e-13 * start.norm() * (motion.name == "beside the separatrix" ? 1e5 : 1.0 + i);
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

// Energy, all of the angular momentum and the constraint of the coordinates, at steps of more than a radian.
TEST_P(ReducedBody, KeepsAllThatAFreeBodyKeeps) {
  for (const Motion& motion : motions) {
    if (!motion.centre.isZero() || motion.angularVelocity.isZero()) continue;
    const auto body = bodyOf(motion, GetParam());
    for (const char* integrator : {"gauss-4", "gauss-10"}) {
      const auto stepper =
          findIntegrator(integrator).makeInlined(*body, startOf(motion, *body), 1e6, withStep(4.0 * stepOf(motion)));
      const auto momentum = [&]() -> Vector3 {
        const BodyMotion now = body->motionOf(stepper->state());
        return now.directors * motion.inertia.cwiseProduct(now.angularVelocity);
      };
      const auto energy = [&] {
        const Vector3 Omega = body->motionOf(stepper->state()).angularVelocity;
        return 0.5 * Omega.dot(motion.inertia.cwiseProduct(Omega));
      };
      const Vector3 momentumThen = momentum();
      const double energyThen = energy();
      for (int i = 0; i < 500; ++i) {
        stepper->step();
        ASSERT_LT((momentum() - momentumThen).norm(), 1e-14 * momentumThen.norm()) << motion.name;
        ASSERT_NEAR(energy() / energyThen, 1.0, 1e-14) << motion.name;
        // roundings of the coordinates from the angle and the angular velocity, which do not add up
        ASSERT_LT(body->positionViolation(stepper->state()), 2e-15) << motion.name;
      }
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
