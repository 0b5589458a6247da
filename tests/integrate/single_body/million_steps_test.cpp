// Round-off must not add up: a million steps of the free body and of the heavy top. The three fastest schemes
// are in the suite; all of them run with scripts/test --long.
#include "integrate/single_body/all_schemes.h"
#include "integrate/single_body/cases.h"
#include "support/sanitized.h"

#include <iostream>

#include <gtest/gtest.h>

namespace polhode::single_body::million_steps_test {
namespace {

constexpr int manySteps = test::isSanitized ? 50'000 : 1'000'000;

template <class Scheme>
void expectNoDrift(const Case& body, double h) {
  const Scheme scheme(body.top);
  const bool free = body.top.gravity.isZero();
  auto state = scheme.start(body.start);
  const double energy = scheme.energy(state);
  const Vector3 momentum = scheme.angularMomentum(state);
  double energyDrift = 0.0, momentumDrift = 0.0, lengthDrift = 0.0;
  for (int i = 1; i <= manySteps; ++i) {
    ASSERT_TRUE(scheme.step(state, h).converged) << Scheme::name << ", step " << i;
    if (i % 100 != 0) continue;
    const Vector3 change = scheme.angularMomentum(state) - momentum;
    energyDrift = std::max(energyDrift, std::abs(scheme.energy(state) / energy - 1.0));
    momentumDrift = std::max(momentumDrift, (free ? change.norm() : std::abs(change[2])) / momentum.norm());
    lengthDrift = std::max(lengthDrift, std::abs(scheme.top(state).q.norm() - 1.0));
  }
  std::cout << Scheme::name << (free ? " free body" : " heavy top") << ", h = " << h << ": energy " << energyDrift
            << ", momentum " << momentumDrift << ", |q| " << lengthDrift << "\n";
  EXPECT_LT(momentumDrift, 1e-11) << Scheme::name;
  EXPECT_LT(lengthDrift, 1e-15) << Scheme::name;
  if (Scheme::energyLaw == EnergyLaw::always || (free && Scheme::energyLaw == EnergyLaw::whenFree)) {
    EXPECT_LT(energyDrift, 1e-11) << Scheme::name;
  }
}

TEST(MillionSteps, AddUpToNoDrift) {
  expectNoDrift<DirectorEm>(heavyTop(), 0.003);
  expectNoDrift<NullEml>(freeBody(), 0.001);
  expectNoDrift<QuaternionEm>(heavyTop(), 0.003);
}

TEST(MillionSteps, LongRunOfEveryScheme) {
  AllSchemes::forEach([]<class Scheme>() {
    for (const double h : {0.005, 0.001, 1e-5}) expectNoDrift<Scheme>(heavyTop(), h);
    for (const double h : {0.001, 1e-5}) expectNoDrift<Scheme>(freeBody(), h);
  });
}

}  // namespace
}  // namespace polhode::single_body::million_steps_test
