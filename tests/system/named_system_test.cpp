#include "system/named_system.h"

#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::named_system_test {
namespace {

TEST(NamedSystem, HasTheModelProblemsOfKinonAndBetsch) {
  for (const char* name : {"mass-spring", "spring-pendulum"}) {
    const NamedSystem& named = namedSystem(name);
    const auto system = named.make();
    EXPECT_EQ(system->name(), name);
    EXPECT_FALSE(named.description.empty());
    const VectorX state = named.initialState();
    ASSERT_EQ(state.size(), 2 * system->coordinates());

    // they start on their constraints
    VectorX g(system->constraints());
    system->constraint(state.head(system->coordinates()), g);
    EXPECT_LT(g.norm(), 1e-15);
  }
  EXPECT_EQ(namedSystem("mass-spring").step, 0.1);
  EXPECT_EQ(namedSystem("mass-spring").end, 10.0);
}

TEST(NamedSystem, UnknownNameIsRefusedWithTheKnownOnes) {
  try {
    namedSystem("mass-sprung");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "there is no system 'mass-sprung'; there are mass-spring, spring-pendulum");
  }
}

}  // namespace
}  // namespace polhode::named_system_test
