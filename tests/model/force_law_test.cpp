#include "polhode/model/force_law.h"

#include "polhode/error.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode {

TEST(ForceLaw, MeansAreDifferenceQuotientsOfThePotential) {
  for (const ForceLaw& law : {ForceLaw::polynomial({5}), ForceLaw::polynomial({5, -2, 3, 0.5}),
                              ForceLaw::table({-1, 0, 0.5, 2}, {-3, 1, 1, 4})})
    for (const double a : {-1.5, -0.7, 0.1, 0.45, 0.6, 3.0})
      for (const double b : {-1.4, -0.2, 0.3, 0.7, 2.5}) {
        const double size = 1.0 + std::abs(law.potential(a)) + std::abs(law.potential(b));
        EXPECT_NEAR(law.mean(a, b) * (b - a), law.potential(b) - law.potential(a), 2e-15 * size) << a << " " << b;
        const double d = 1e-6;
        EXPECT_NEAR(law.meanSlope(a, b), (law.mean(a, b + d) - law.mean(a, b - d)) / (2 * d), 1e-8) << a << " " << b;
        EXPECT_NEAR(law.tension(b), (law.potential(b + d) - law.potential(b - d)) / (2 * d), 1e-8);
        EXPECT_NEAR(law.mean(b, b), law.tension(b), 1e-15);
      }
}

TEST(ForceLaw, HasTheValuesOfItsTable) {
  const ForceLaw law = ForceLaw::table({-1, 0, 0.5, 2}, {-3, 1, 1, 4});
  EXPECT_EQ(law.tension(-1), -3);
  EXPECT_EQ(law.tension(0.25), 1);
  EXPECT_EQ(law.tension(3), 6);    // goes on with the last slope
  EXPECT_EQ(law.tension(-2), -7);  // and with the first
  EXPECT_EQ(law.potential(0), 0);
  EXPECT_NEAR(law.potential(2), 0.5 + 1.5 * 2.5, 1e-15);
  EXPECT_NEAR(law.potential(-1), 1, 1e-15);  // minus the integral of -3 + 4 (e + 1) from -1 to 0
}

TEST(ForceLaw, RefusesWhatIsNoLaw) {
  EXPECT_THROW(ForceLaw::polynomial({}), InputError);
  EXPECT_THROW(ForceLaw::polynomial({0.0 / 0.0}), InputError);
  EXPECT_THROW(ForceLaw::table({0}, {0}), InputError);
  EXPECT_THROW(ForceLaw::table({0, 0}, {0, 1}), InputError);
}

}  // namespace polhode
