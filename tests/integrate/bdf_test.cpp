#include "integrate/bdf.h"

#include "polhode/error.h"
#include "support/integration_runs.h"
#include "support/lang_examples.h"
#include "system/director_body.h"
#include "system/index0_ode.h"
#include "system/quaternion_body.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace polhode::test::bdf_test {
namespace {

/// y' = f(t, y) from a function, of one component.
class ScalarOde : public OdeSystem {
 public:
  explicit ScalarOde(std::function<double(double, double)> f) : f_(std::move(f)) {}
  int size() const override { return 1; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override { dydt[0] = f_(t, y[0]); }

 private:
  std::function<double(double, double)> f_;
};

struct Errors {
  double rotation, angularVelocity, constraint;
};

/// Lang's example in index-0 form, integrated to the time of its reference.
template <class Body>
Errors errorsOf(const LangExample& example, double tolerance, Bdf::Projection projection) {
  const auto body = std::make_shared<Body>(example.body, example.forces);
  const Index0Ode ode(body);
  const VectorX q0 = body->position(Vector3::Zero(), example.orientation);
  const VectorX y0 = ode.initialValue(q0, body->velocity(q0, Vector3::Zero(), example.angularVelocity));
  Bdf bdf(ode, 0.0, y0, example.end, withTolerance(tolerance), projection);
  runTo(example.end, bdf);

  const int n = body->coordinates();
  const VectorX q = bdf.state().head(n), v = bdf.state().tail(n);
  VectorX g(body->constraints());
  body->constraint(q, g);
  return {(body->directors(q) - example.referenceRotation).template lpNorm<Eigen::Infinity>(),
          (body->angularVelocity(q, v) - example.referenceAngularVelocity).template lpNorm<Eigen::Infinity>(),
          g.lpNorm<Eigen::Infinity>()};
}

template <class Body>
class BdfLangTest : public testing::Test {};
using Bodies = testing::Types<QuaternionBody, DirectorBody>;
TYPED_TEST_SUITE(BdfLangTest, Bodies);

// Measured: 8e-5 to 2e-4 at 1e-6 and 6e-9 to 2e-7 at 1e-10. Errors of BDF scatter by a factor of ten with the
// order chosen.
TYPED_TEST(BdfLangTest, ErrorFollowsTheTolerance) {
  for (const auto projection : {Bdf::Projection::none, Bdf::Projection::everyStep}) {
    const Errors loose = errorsOf<TypeParam>(langA(), 1e-6, projection);
    const Errors tight = errorsOf<TypeParam>(langA(), 1e-10, projection);
    EXPECT_LT(loose.rotation, 2e-3);
    EXPECT_LT(tight.rotation, 1e-6);
    EXPECT_LT(tight.rotation, 0.05 * loose.rotation);
    EXPECT_LT(tight.angularVelocity, 1e-5);
  }
}

// The racket turns over at 50 rad/s: its errors grow by some 1e3 on the way.
TYPED_TEST(BdfLangTest, ReachesTheReferenceOfTheTumblingRacket) {
  const Errors errors = errorsOf<TypeParam>(langB(), 1e-11, Bdf::Projection::everyStep);
  EXPECT_LT(errors.rotation, 1e-5);
  EXPECT_LT(errors.angularVelocity, 1e-3);
}

// Projection inside the method ends the drift without restarting it.
TYPED_TEST(BdfLangTest, ProjectionKeepsTheConstraints) {
  EXPECT_GT(errorsOf<TypeParam>(langA(), 1e-6, Bdf::Projection::none).constraint, 1e-6);
  EXPECT_LT(errorsOf<TypeParam>(langA(), 1e-6, Bdf::Projection::everyStep).constraint, 1e-14);
}

// y' = -1e6 (y - cos t): an explicit method would need 3e5 steps.
TEST(Bdf, TakesLargeStepsOnAStiffEquation) {
  const ScalarOde ode([](double t, double y) { return -1e6 * (y - std::cos(t)); });
  Bdf bdf(ode, 0.0, VectorX::Ones(1), 1.0, withTolerance(1e-8));
  runTo(1.0, bdf);
  EXPECT_NEAR(bdf.state()[0], std::cos(1.0) + 1e-6 * std::sin(1.0), 1e-7);
  EXPECT_LT(bdf.work().steps, 500);
}

TEST(Bdf, EndsExactlyAtTheEndAndStaysThere) {
  const ScalarOde ode([](double, double y) { return y; });
  for (const double end : {1.0, -1.0}) {
    Bdf bdf(ode, 0.0, VectorX::Ones(1), end, withTolerance(1e-10));
    runTo(end, bdf);
    const long steps = bdf.work().steps;
    bdf.step();
    EXPECT_EQ(bdf.time(), end);
    EXPECT_EQ(bdf.work().steps, steps);
    EXPECT_NEAR(bdf.state()[0], std::exp(end), 1e-7);
  }
}

// Dense output has the order of the step.
TEST(Bdf, InterpolatesWithinTheLastStep) {
  const ScalarOde ode([](double, double y) { return y; });
  Bdf bdf(ode, 0.0, VectorX::Ones(1), 1.0, withTolerance(1e-9));
  VectorX y(1);
  bdf.interpolate(0.0, y);
  EXPECT_EQ(y[0], 1.0);
  while (bdf.time() < 1.0) {
    bdf.step();
    for (const double fraction : {0.0, 0.3, 0.7, 1.0}) {
      const double t = (1.0 - fraction) * bdf.previousTime() + fraction * bdf.time();
      bdf.interpolate(t, y);
      EXPECT_NEAR(y[0], std::exp(t), 1e-6);  // as the steps themselves: measured 2e-7
    }
  }
  EXPECT_THROW(bdf.interpolate(0.0, y), InputError);
}

TEST(Bdf, ReplacedStateIsWhereItGoesOn) {
  const ScalarOde ode([](double, double y) { return y; });
  Bdf bdf(ode, 0.0, VectorX::Ones(1), 1.0, withTolerance(1e-9));
  while (bdf.time() < 0.5) bdf.step();
  const double restart = bdf.time();
  const WorkCounts before = bdf.work();
  bdf.replaceState(VectorX::Constant(1, 5.0));
  EXPECT_EQ(bdf.state()[0], 5.0);
  runTo(1.0, bdf);
  EXPECT_NEAR(bdf.state()[0], 5.0 * std::exp(1.0 - restart), 1e-6);
  EXPECT_GT(bdf.work().steps, before.steps);
  EXPECT_GT(bdf.work().rhsEvaluations, before.rhsEvaluations);
}

// Every call of the right-hand side is counted, those for Jacobians too.
TEST(Bdf, CountsEveryEvaluation) {
  long calls = 0;
  const ScalarOde ode([&](double, double y) {
    ++calls;
    return -y;
  });
  Bdf bdf(ode, 0.0, VectorX::Ones(1), 1.0, withTolerance(1e-6));
  runTo(1.0, bdf);
  const WorkCounts& work = bdf.work();
  EXPECT_EQ(work.rhsEvaluations, calls);
  EXPECT_GE(work.newtonIterations, work.steps);
  EXPECT_GT(work.jacobians, 0);
  EXPECT_GE(work.factorisations, work.jacobians);
}

// y' = y^2 from y(0) = 1 has a pole at t = 1. The error says where, and nothing is printed.
TEST(Bdf, FailureSaysWhenAndLeavesTheState) {
  const ScalarOde ode([](double, double y) { return y * y; });
  Bdf bdf(ode, 0.0, VectorX::Ones(1), 2.0, withTolerance(1e-6));
  testing::internal::CaptureStderr();
  try {
    runTo(2.0, bdf);
    FAIL() << "it stepped over the pole";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), 1.0, 1e-3);
    EXPECT_EQ(error.time(), bdf.time());
    EXPECT_NE(std::string(error.what()).find("bdf failed at t = "), std::string::npos);
    EXPECT_TRUE(bdf.state().allFinite());
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// What the system throws arrives at the caller, through the C code between them.
TEST(Bdf, PassesOnWhatTheSystemThrows) {
  const ScalarOde ode([](double t, double) -> double {
    if (t > 0.5) throw SimulationError(t, "gimbal lock");
    return 1.0;
  });
  Bdf bdf(ode, 0.0, VectorX::Ones(1), 1.0, withTolerance(1e-6));
  try {
    runTo(1.0, bdf);
    FAIL() << "the exception was lost";
  } catch (const SimulationError& error) {
    EXPECT_STREQ(error.what(), "gimbal lock");
    EXPECT_NEAR(bdf.time(), 0.5, 1e-6);
  }
}

TEST(Bdf, StopsAtTheLargestNumberOfSteps) {
  const ScalarOde ode([](double, double y) { return -y; });
  IntegratorOptions options = withTolerance(1e-6);
  options.mostSteps = 3;
  Bdf bdf(ode, 0.0, VectorX::Ones(1), 1.0, options);
  EXPECT_THROW(runTo(1.0, bdf), SimulationError);
  EXPECT_EQ(bdf.work().steps, 3);
}

TEST(Bdf, RefusesNegativeTolerances) {
  const ScalarOde ode([](double, double y) { return -y; });
  EXPECT_THROW(Bdf(ode, 0.0, VectorX::Ones(1), 1.0, withTolerance(-1.0)), InputError);
}

}  // namespace
}  // namespace polhode::test::bdf_test
