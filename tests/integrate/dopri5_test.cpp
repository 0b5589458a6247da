#include "integrate/dopri5.h"

#include "integrate/dop853.h"
#include "support/allocation_count.h"
#include "support/integration_runs.h"
#include "system/null_space_body.h"

#include <cmath>

#include <gtest/gtest.h>

/// What is special to the two codes of Dormand & Prince; the rest is in all_integrators_test.cpp.
namespace polhode::test::dopri5_test {
namespace {

using Body = NullSpaceBody<QuaternionCoordinates>;

/// Lang's example A.
Body gyroTop() {
  RigidBodyData data;
  data.mass = 11.09;
  data.inertia = Vector3(50.0, 42.0, 10.0);
  data.centre = Vector3(0.0, 0.0, 1.0);
  return Body(data, UniformGravity(data, Vector3(0.0, 0.0, -9.81)));
}

Body::State start() {
  Body::State y;
  y << std::sqrt(3.0) / 2.0, 0.5, 0.0, 0.0, 0.0, 0.0, 20.0;
  return y;
}

template <class Method>
void expectNoAllocation() {
  const Body body = gyroTop();
  Method method(body, 0.0, start(), 1e6, withTolerance(1e-8));
  Body::State y;
  const long before = allocationCount();
  for (int i = 0; i < 1000; ++i) {
    method.step();
    method.interpolate(0.5 * (method.previousTime() + method.time()), y);
    y = method.state();
    method.replaceState(y);
  }
  EXPECT_EQ(allocationCount(), before);
}

TEST(Dopri5, AllocatesNothingForASingleBody) {
  expectNoAllocation<Dopri5<Body>>();
}
TEST(Dop853, AllocatesNothingForASingleBody) {
  expectNoAllocation<Dop853<Body>>();
}

// SciPy 1.10's build of the original takes 10706 evaluations on Lang A at 1e-6: 12 for each of 892 steps and two for
// the first step size. The published count of 11598 has one evaluation more a step, that of the first stage anew.
TEST(Dop853, MayReuseItsFirstStage) {
  const Body body = gyroTop();
  Dop853<Body> reusing(body, 0.0, start(), 60.0, withTolerance(1e-6), FirstStage::reused);
  runTo(60.0, reusing);
  EXPECT_EQ(reusing.work().rhsEvaluations, 10706);
  EXPECT_EQ(reusing.work().steps, 892);

  Dop853<Body> anew(body, 0.0, start(), 60.0, withTolerance(1e-6));
  runTo(60.0, anew);
  EXPECT_EQ(anew.work().rhsEvaluations, 11598);
  EXPECT_EQ(anew.state(), reusing.state());
}

/// y' = y.
struct Growth {
  static constexpr int Size = 1;
  using State = Vector<double, 1>;
  int size() const { return 1; }
  void derivative(double, const State& y, State& dydt) const { dydt = y; }
};

/// The largest error inside one step of size h.
template <class Code>
double denseError(double h) {
  const Growth growth;
  IntegratorOptions loose = withTolerance(1.0);
  loose.initialStep = h;
  Code code(growth, 0.0, Growth::State(1.0), 10.0, loose);
  code.step();
  double worst = 0.0;
  for (int i = 1; i < 10; ++i) {
    Growth::State y;
    const double t = 0.1 * i * code.time();
    code.interpolate(t, y);
    worst = std::max(worst, std::abs(y[0] - std::exp(t)));
  }
  return worst;
}

// A polynomial of order p leaves an error of h^(p+1) inside the step.
TEST(Dopri5, DenseOutputHasOrderFour) {
  EXPECT_NEAR(std::log2(denseError<Dopri5<Growth>>(0.1) / denseError<Dopri5<Growth>>(0.05)), 5.0, 0.3);
}
TEST(Dop853, DenseOutputHasOrderSeven) {
  EXPECT_NEAR(std::log2(denseError<Dop853<Growth>>(0.8) / denseError<Dop853<Growth>>(0.4)), 8.0, 0.5);
}

}  // namespace
}  // namespace polhode::test::dopri5_test
