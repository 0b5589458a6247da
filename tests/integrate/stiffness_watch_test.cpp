#include "integrate/catalogue.h"
#include "support/integration_runs.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::test::stiffness_watch_test {
namespace {

/// y' = -c(t) (y - cos t): smooth, but stiff where the damping c is large.
class Damped : public OdeSystem {
 public:
  explicit Damped(double damping) : damping_(damping) {}
  int size() const override { return 1; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    dydt[0] = -damping_ * (y[0] - std::cos(t));
  }

 private:
  double damping_;
};

std::string warningOf(const std::string& integrator, double damping, double end) {
  const Damped ode(damping);
  const auto stepper = makeOdeStepper(integrator, ode, 0.0, VectorX::Ones(1), end, withTolerance(1e-5));
  runTo(end, *stepper);
  return stepper->warning();
}

TEST(StiffnessWatch, SaysThatADampedMotionIsStiff) {
  for (const char* integrator : {"dopri5", "dop853"}) {
    const std::string warning = warningOf(integrator, 1e5, 0.2);
    EXPECT_NE(warning.find("stiff from t = 0.0"), std::string::npos) << integrator << ": " << warning;
    EXPECT_NE(warning.find("radau5"), std::string::npos) << warning;
  }
}

TEST(StiffnessWatch, IsSilentWhereAccuracyLimitsTheStep) {
  for (const char* integrator : {"dopri5", "dop853"}) EXPECT_EQ(warningOf(integrator, 1.0, 800.0), "") << integrator;
  EXPECT_EQ(warningOf("radau5", 1e5, 0.2), "");
}

}  // namespace
}  // namespace polhode::test::stiffness_watch_test
