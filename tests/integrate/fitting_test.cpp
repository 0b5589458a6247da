#include "integrate/fitting.h"

#include "polhode/error.h"
#include "support/test_systems.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::fitting_test {
namespace {

using namespace test;

std::string refusal(std::string_view integrator, const ConstrainedSystem& system, const VectorX& state) {
  try {
    makeConstrainedStepper(integrator, system, 0, state, 1, 0.01);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Fitting, HamiltonianSchemesRefuseASingularMassAndSayWhoFits) {
  const NamedSystem& named = namedSystem("mass-spring");
  const auto system = named.make();
  const std::string rest =
      " does not fit 'mass-spring': its mass matrix is singular (rank 2 of 3) and the integrator needs the "
      "inverse; "
      "these do: livens-em, livens-em-chain, livens-em-ggl, lagrange-em, livens-midpoint, "
      "variational-midpoint";
  EXPECT_EQ(refusal("hamilton-em", *system, named.initialState()), "hamilton-em" + rest);
  EXPECT_EQ(refusal("mph-inverse", *system, named.initialState()), "hamilton-midpoint" + rest);
}

TEST(Fitting, EveryIntegratorFitsARegularSystem) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  for (const Fit& fit : fittingIntegrators(*system, named.initialState().head(3))) {
    EXPECT_TRUE(fit.fits) << fit.integrator << " " << fit.reason;
    EXPECT_EQ(refusal(fit.integrator, *system, named.initialState()), "");
  }
}

TEST(Fitting, NoneFitsRedundantConstraints) {
  EXPECT_EQ(refusal("livens-em", *twiceConstrained(), Eigen::Vector4d(1, 0, 0, 1)),
            "livens-em does not fit 'twice': 1 of its 2 constraints depend on the others; leave them out; "
            "no integrator here does");
}

TEST(Fitting, NoneFitsAFreeDirectionWithoutMass) {
  EXPECT_EQ(refusal("livens-em", *massless(), Eigen::Vector4d(1, 0, 0, 1)),
            "livens-em does not fit 'massless': in 1 direction that its constraints allow it has no mass; "
            "no integrator here does");
}

TEST(Fitting, UnknownNamesAreRefusedWithTheKnownOnes) {
  const auto pendulum = planarDoublePendulum();
  EXPECT_NE(refusal("livens", *pendulum, doublePendulumState()).find("there is no integrator 'livens'"),
            std::string::npos);
  EXPECT_NE(refusal("livens-em-5", *pendulum, doublePendulumState()).find("there is no integrator 'livens-em-5'"),
            std::string::npos);
}

}  // namespace
}  // namespace polhode::fitting_test
