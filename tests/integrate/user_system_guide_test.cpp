// What docs/user-systems.md promises: its example, with every integrator.

#include "integrate/bdf_dae.h"
#include "integrate/fitting.h"
#include "support/spring_references.h"
#include "system/index_formulation.h"
#include "system/named_system.h"
#include "system/user_system.h"

#include <gtest/gtest.h>

namespace polhode::user_system_guide_test {
namespace {

class BeadOnAWire : public UserSystem<BeadOnAWire, 2, 1> {
 public:
  double mass = 0.3, curvature = 2;

  std::string name() const override { return "bead"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {
    return Position<S>(mass, mass).asDiagonal();
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return mass * 9.81 * q[1];
  }
  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    return Gaps<S>(q[1] - 0.5 * curvature * q[0] * q[0]);
  }
};

TEST(UserSystemGuide, TheBeadRunsWithEveryIntegrator) {
  const BeadOnAWire bead;
  const Eigen::Vector4d start(1, 1, 0, 0);
  for (const Fit& fit : fittingIntegrators(bead, start.head(2))) {
    ASSERT_TRUE(fit.fits) << fit.reason;
    const auto stepper = makeConstrainedStepper(fit.integrator, bead, 0.0, start, 10.0, 0.01);
    while (stepper->time() < 10.0) stepper->step();
    const bool conserves = fit.integrator.find("midpoint") == fit.integrator.npos;
    EXPECT_NEAR(stepper->generalisedEnergy(), 0.3 * 9.81, conserves ? 1e-12 : 1e-2) << fit.integrator;
    EXPECT_LT(stepper->positionGap(), 1e-15) << fit.integrator;
  }
}

// A user's system is a ConstrainedSystem, singular mass included: the index forms run it too.
TEST(UserSystemGuide, IndexFormulationsRunAUsersSystem) {
  const std::shared_ptr<const ConstrainedSystem> springs = namedSystem("mass-spring").make();
  const VectorX start = namedSystem("mass-spring").initialState();
  const IndexFormulation equations(springs, ConstraintLevel::acceleration);
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = 1e-10;
  BdfDae stepper(equations, 0, equations.initialValue(0, start.head(3), start.tail(3)), 1.0, options);
  while (stepper.time() < 1.0) stepper.step();
  EXPECT_LT((stepper.state().head(6) - test::massSpringAt1()).norm(), 1e-7);
}

}  // namespace
}  // namespace polhode::user_system_guide_test
