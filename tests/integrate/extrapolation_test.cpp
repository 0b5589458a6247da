#include "integrate/extrapolation.h"

#include "integrate/odex.h"
#include "integrate/seulex.h"
#include "polhode/error.h"
#include "support/allocation_count.h"
#include "support/integration_runs.h"
#include "support/lang_top.h"

#include <gtest/gtest.h>

/// What both extrapolation methods must do; what is special to one is in odex_test.cpp and seulex_test.cpp.
namespace polhode::test::extrapolation_test {
namespace {

struct OdexFor {
  template <OdeType Ode>
  using Method = Odex<Ode>;
};
struct SeulexFor {
  template <OdeType Ode>
  using Method = Seulex<Ode>;
};

template <class MethodFor>
class ExtrapolationTest : public testing::Test {};
using ExtrapolationMethods = testing::Types<OdexFor, SeulexFor>;
TYPED_TEST_SUITE(ExtrapolationTest, ExtrapolationMethods);

TYPED_TEST(ExtrapolationTest, StartsWithTheInitialValueAndStopsAtTheEnd) {
  const QuaternionTop top;
  typename TypeParam::template Method<QuaternionTop> method(top, 0.0, QuaternionTop::initial(), 0.3,
                                                            withTolerance(1e-6));
  QuaternionTop::State y;
  method.interpolate(0.0, y);
  EXPECT_EQ(y, QuaternionTop::initial());
  runTo(0.3, method);
  EXPECT_EQ(method.time(), 0.3);
  const long evaluations = method.work().rhsEvaluations;
  method.step();
  EXPECT_EQ(method.work().rhsEvaluations, evaluations);
}

TYPED_TEST(ExtrapolationTest, GoesOnFromAReplacedState) {
  using Method = typename TypeParam::template Method<QuaternionTop>;
  const QuaternionTop top;
  Method method(top, 0.0, QuaternionTop::initial(), 1.0, withTolerance(1e-8));
  for (int i = 0; i < 4; ++i) method.step();
  const double t = method.time();
  const QuaternionTop::State other = 1.01 * method.state();
  const QuaternionTop::State computed = method.state();
  method.replaceState(other);
  EXPECT_EQ(method.state(), other);

  // dense output still shows the step as it was computed
  QuaternionTop::State y;
  method.interpolate(t, y);
  EXPECT_LT((y - computed).norm(), 1e-10);
  runTo(1.0, method);

  Method fresh(top, t, other, 1.0, withTolerance(1e-12));
  runTo(1.0, fresh);
  EXPECT_LT((method.state() - fresh.state()).norm(), 1e-6);
}

/// y' = y^2, y(0) = 1, with a pole at t = 1.
struct Pole {
  static constexpr int Size = 1;
  using State = Vector<double, 1>;
  int size() const { return 1; }
  void derivative(double, const State& y, State& dydt) const { dydt[0] = y[0] * y[0]; }
};

TYPED_TEST(ExtrapolationTest, SaysWhereItCannotGoOn) {
  const Pole pole;
  typename TypeParam::template Method<Pole> method(pole, 0.0, Pole::State(1.0), 2.0, withTolerance(1e-8));
  try {
    runTo(2.0, method);
    FAIL() << "integrated through a pole";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), 1.0, 1e-6);
    EXPECT_NE(std::string(error.what()).find("step size"), std::string::npos) << error.what();
  }
}

TYPED_TEST(ExtrapolationTest, StopsWhenTheStepsRunOut) {
  const QuaternionTop top;
  IntegratorOptions options = withTolerance(1e-6);
  options.mostSteps = 10;
  typename TypeParam::template Method<QuaternionTop> method(top, 0.0, QuaternionTop::initial(), 60.0, options);
  EXPECT_THROW(runTo(60.0, method), SimulationError);
  EXPECT_EQ(method.work().steps + method.work().rejected, 10);
}

/// The top as a system whose size is known at run time only.
class DynamicTop : public OdeSystem {
 public:
  int size() const override { return 7; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    QuaternionTop::State f;
    top_.derivative(t, y, f);
    dydt = f;
  }

 private:
  QuaternionTop top_;
};

TYPED_TEST(ExtrapolationTest, AllocatesNothingAfterConstruction) {
  const DynamicTop top;
  const VectorX initial = QuaternionTop::initial();
  typename TypeParam::template Method<OdeSystem> method(top, 0.0, initial, 60.0, withTolerance(1e-9));
  VectorX y = initial;
  const long before = allocationCount();
  for (int i = 0; i < 50; ++i) {
    method.step();
    method.interpolate(0.5 * (method.previousTime() + method.time()), y);
    method.replaceState(method.state());
  }
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace polhode::test::extrapolation_test
