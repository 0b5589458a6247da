#include "polhode/model/force_law.h"

#include "polhode/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace polhode::force_law_test {

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

TEST(ForceLaw, PullsOrPushesOnly) {
  for (const ForceLaw& law : {ForceLaw::polynomial({5}), ForceLaw::polynomial({5, -2, 3, 0.5}),
                              ForceLaw::table({-1, 0, 0.5, 2}, {-3, 1, 1, 4}), ForceLaw::table({1, 2}, {3, 2}),
                              ForceLaw::table({1, 2}, {-3, -2}), ForceLaw::formula("sin(x) + a", {{"a", 0.2}})}) {
    const ForceLaw rope = law.pullsOnly(), stop = law.pushesOnly();
    for (double e = -7.0; e <= 9.0; e += 0.13) {
      EXPECT_NEAR(rope.tension(e), std::max(law.tension(e), 0.0), 1e-13 * (1 + std::abs(law.tension(e)))) << e;
      EXPECT_NEAR(stop.tension(e), std::min(law.tension(e), 0.0), 1e-13 * (1 + std::abs(law.tension(e)))) << e;
      EXPECT_NEAR(rope.mean(0.3, e) * (e - 0.3), rope.potential(e) - rope.potential(0.3),
                  1e-12 * (1 + std::abs(rope.potential(e))));
    }
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

TEST(ForceLaw, OfAFormulaThatIsAPolynomialIsThatPolynomial) {
  const ForceLaw law = ForceLaw::formula("200*x + 5e3*x^3 - x*(1 - x)/4"),
                 same = ForceLaw::polynomial({199.75, 0.25, 5e3});
  for (const double e : {-0.3, 0.0, 0.7}) {
    EXPECT_EQ(law.tension(e), same.tension(e));
    EXPECT_EQ(law.mean(e, 0.2), same.mean(e, 0.2));
  }
  EXPECT_TRUE(ForceLaw::formula("-(-50)*x").isLinear());
  EXPECT_EQ(ForceLaw::formula("50*x").stiffness(), 50.0);
  EXPECT_FALSE(ForceLaw::formula("50*x + 1").isLinear());
}

/// Formulas with their potentials in closed form.
struct FormulaWithPotential {
  const char* text;
  double (*potential)(double);  // up to a constant
  double least = -4.0, greatest = 4.0;
};
const FormulaWithPotential formulas[] = {
    {"3 + 2*x", [](double e) { return e * (3 + e); }},
    {"sin(40*x) + x", [](double e) { return -std::cos(40 * e) / 40 + e * e / 2; }},
    {"exp(2*x)", [](double e) { return std::exp(2 * e) / 2; }},
    {"100*tanh(1000*x)",
     [](double e) { return 0.1 * (1000 * std::abs(e) + std::log1p(std::exp(-2000 * std::abs(e)))); }},
    {"max(x, 0)^1.5", [](double e) { return 0.4 * std::pow(std::max(e, 0.0), 2.5); }},
    {"abs(x - 0.3)*x",
     [](double e) {  // of e^2 - 0.3 e on the right, less on the left
       const double right = e * e * (e / 3 - 0.15), least = 0.09 * (0.1 - 0.15);
       return e >= 0.3 ? right : 2 * least - right;
     }},
    {"7*step(x - 0.1) - 2*step(x + 3)", [](double e) { return 7 * std::max(e - 0.1, 0.0) - 2 * std::max(e + 3, 0.0); }},
    {"min(x, max(1, 5*x - 7))",
     [](double e) {
       if (e < 1) return e * e / 2;
       if (e < 1.6) return e - 0.5;
       if (e < 1.75) return 2.5 * (e * e - 2.56) - 7 * (e - 1.6) + 1.1;
       return 2.5 * (3.0625 - 2.56) - 7 * 0.15 + 1.1 + (e * e - 3.0625) / 2;
     }},
    {"4/x^2", [](double e) { return -4 / e; }, 0.01, 9.0},
    {"sqrt(1 - x^2)", [](double e) { return 0.5 * (e * std::sqrt(1 - e * e) + std::asin(e)); }, -1.0, 1.0},
    {"10*sqrt(1.4 - x)", [](double e) { return -20.0 / 3.0 * std::pow(1.4 - e, 1.5); }, -3.0, 1.375},
    {"1/x^13 - 1/x^7", [](double e) { return -1 / (12 * std::pow(e, 12)) + 1 / (6 * std::pow(e, 6)); }, 0.8, 20.0}};

TEST(ForceLaw, OfAFormulaIsIntegratedToRounding) {
  for (const FormulaWithPotential& each : formulas) {
    const ForceLaw law = ForceLaw::formula(each.text);
    const double width = each.greatest - each.least;
    for (int i = 0; i <= 24; ++i)
      for (int k = 0; k <= 24; ++k) {
        const double a = each.least + width * i / 24, b = each.least + width * (k + 0.37 * (k < 24)) / 24;
        const double difference = each.potential(b) - each.potential(a);
        const double size = 1.0 + std::abs(each.potential(a)) + std::abs(each.potential(b)) +
                            std::abs(law.potential(a)) + std::abs(law.potential(b));
        ASSERT_NEAR(law.mean(a, b) * (b - a), difference, 4e-15 * size) << each.text << " " << a << " " << b;
        ASSERT_NEAR(law.potential(b) - law.potential(a), difference, 4e-15 * size) << each.text << " " << a << " " << b;
        ASSERT_EQ(law.mean(a, b), law.mean(b, a));
      }
  }
}

TEST(ForceLaw, OfAFormulaKeepsItsPotentialOverManySteps) {
  // up and down with steps of all sizes, across kinks, jumps and zero: what the means add up to is the potential
  for (const FormulaWithPotential& each : formulas) {
    const ForceLaw law = ForceLaw::formula(each.text);
    double e = 0.5 * (each.least + each.greatest), sum = law.potential(e), largest = 1.0;
    for (int i = 0; i < 5000; ++i) {
      const double share = 0.5 + 0.499 * std::sin(0.37 * i) * std::cos(1e-3 * i);
      const double next = each.least + (each.greatest - each.least) * share;
      sum += law.mean(e, next) * (next - e);
      e = next;
      largest = std::max(largest, std::abs(sum));
    }
    // roundings of one step add up as those of a sum do, by chance: sqrt(5000) times 1e-16
    EXPECT_NEAR(sum, law.potential(e), 1e-13 * largest) << each.text;
  }
}

TEST(ForceLaw, OfAFormulaHasTheSlopeOfItsMean) {
  const double d = 1e-6;
  for (const char* text : {"sin(4*x) + 2", "exp(2*x)", "max(x, 0)^1.5", "abs(x - 0.3)*x"}) {
    const ForceLaw law = ForceLaw::formula(text);
    for (const double a : {-0.9, 0.1, 0.45, 1.7})
      for (const double b : {-0.8, 0.11, 0.7, 1.9}) {
        EXPECT_NEAR(law.meanSlope(a, b), (law.mean(a, b + d) - law.mean(a, b - d)) / (2 * d), 1e-8)
            << text << a << " " << b;
        EXPECT_NEAR(law.slope(b), (law.tension(b + d) - law.tension(b - d)) / (2 * d), 1e-8) << text << b;
      }
    EXPECT_NEAR(law.meanSlope(0.7, 0.7), 0.5 * law.slope(0.7), 1e-15);
  }
}

TEST(ForceLaw, OfAFormulaIsNotANumberWhereTheFormulaOrItsIntegralIsNot) {
  EXPECT_TRUE(std::isnan(ForceLaw::formula("log(x)").mean(-0.1, 0.1)));
  EXPECT_TRUE(std::isnan(ForceLaw::formula("log(x)").mean(-0.2, -0.1)));
  EXPECT_NEAR(ForceLaw::formula("log(x)").mean(0.0, 1.0), -1.0, 1e-14);  // an integral there is
  EXPECT_TRUE(std::isnan(ForceLaw::formula("1/x^2").mean(-0.1, 0.2)));   // and here there is none
  EXPECT_TRUE(std::isnan(ForceLaw::formula("1/(x - 0.3)").mean(0.1, 0.2 + 0.3)));
  EXPECT_TRUE(std::isnan(ForceLaw::formula("sin(1e9*x)").mean(0.1, 0.2)));  // too quick to be integrated
  const ForceLaw law = ForceLaw::formula("exp(x)");
  for (const double wild : {1e3, 1e30, 1e300, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_FALSE(std::isfinite(law.mean(0.0, wild)));
    EXPECT_FALSE(std::isfinite(law.potential(wild)));
    law.meanSlope(0.0, wild);
    law.meanSlope(wild, 0.0);
  }
}

TEST(ForceLaw, RefusesFormulasThatAreNoLaw) {
  const auto refusal = [](const char* text) {
    try {
      ForceLaw::formula(text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* constant : {"5", "sin(2)", "0*x", "x - x"})
    EXPECT_NE(refusal(constant).find("does not depend on x"), std::string::npos) << constant;
  EXPECT_NE(refusal("200*t").find("'t' is unknown"), std::string::npos) << refusal("200*t");
  EXPECT_NE(refusal("200*x +").find("a number, x or a function"), std::string::npos) << refusal("200*x +");
  EXPECT_NE(refusal("sqrt(-1 - x^2)").find("not finite"), std::string::npos) << refusal("sqrt(-1 - x^2)");
}

TEST(ForceLaw, RefusesWhatIsNoLaw) {
  EXPECT_THROW(ForceLaw::polynomial({}), InputError);
  EXPECT_THROW(ForceLaw::polynomial({0.0 / 0.0}), InputError);
  EXPECT_THROW(ForceLaw::table({0}, {0}), InputError);
  EXPECT_THROW(ForceLaw::table({0, 0}, {0, 1}), InputError);
}

}  // namespace polhode::force_law_test
