#include "control/spline_elements.h"

#include "control/exact_gains.h"
#include "support/files.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::spline_elements_test {
namespace {

/// A fraction in lowest terms.
struct Fraction {
  long long numerator = 0, denominator = 1;

  Fraction(long long n = 0, long long d = 1) {
    const long long divisor = std::gcd(n, d) * (d < 0 ? -1 : 1);
    numerator = n / divisor;
    denominator = d / divisor;
  }
  friend Fraction operator+(const Fraction& a, const Fraction& b) {
    const long long common = std::lcm(a.denominator, b.denominator);
    return {a.numerator * (common / a.denominator) + b.numerator * (common / b.denominator), common};
  }
  friend Fraction operator-(const Fraction& a, const Fraction& b) { return a + Fraction(-b.numerator, b.denominator); }
  friend Fraction operator*(const Fraction& a, const Fraction& b) {
    const Fraction p(a.numerator, b.denominator), q(b.numerator, a.denominator);
    return {p.numerator * q.numerator, p.denominator * q.denominator};
  }
  friend Fraction operator/(const Fraction& a, const Fraction& b) { return a * Fraction(b.denominator, b.numerator); }

  std::string text() const {
    return denominator == 1 ? std::to_string(numerator) : fmt::format("{}/{}", numerator, denominator);
  }
};

const test::Json& reference() {
  static const test::Json data = test::readData("control.json")["finite_elements"];
  return data;
}

TEST(SplineElements, AreExactlyThoseOfTheReference) {
  const SplineElements<Fraction> exact;
  const SplineElements<double> rounded;
  for (int i = 0; i < 6; ++i) {
    const auto row = static_cast<std::size_t>(i);
    EXPECT_EQ(exact.load[i].text(), reference()["d"][row].text());
    EXPECT_EQ(exact.atBegin[i].text(), reference()["S_left_t14"][row].text());
    EXPECT_EQ(exact.atEnd[i].text(), reference()["S_right_t54"][row].text());
    EXPECT_NEAR(rounded.load[i], reference()["d_float"][row].number(), 1e-16);
    for (int j = 0; j < 6; ++j) {
      const auto column = static_cast<std::size_t>(j);
      EXPECT_EQ(exact.stiffness(i, j).text(), reference()["B"][row][column].text());
      EXPECT_EQ(exact.mass(i, j).text(), reference()["C"][row][column].text());
      // a few roundings of numbers up to 4
      EXPECT_NEAR(rounded.stiffness(i, j), reference()["B_float"][row][column].number(), 4e-15);
      EXPECT_NEAR(rounded.mass(i, j), reference()["C_float"][row][column].number(), 1e-16);
    }
  }
}

TEST(ControlEquation, SplinesAreNearTheExactSolution) {
  const double h = 1e-3;
  const double neumann = neumannGains(1e-6, 5e-13, h).ofLoad,
               exactNeumann = test::exactNeumannGains(1e-6, 5e-13, h).ofLoad;
  EXPECT_NEAR(neumann / exactNeumann, 1.0, 1e-3);
  const ControlEquationGains exact = test::exactMixedGains(5e-6, 6e-12, h);
  const ControlEquationGains five = mixedGains(5e-6, 6e-12, h, MixedSpace::fiveFunctions);
  const ControlEquationGains four = mixedGains(5e-6, 6e-12, h, MixedSpace::fourFunctions);
  EXPECT_NEAR(five.ofLoad / exact.ofLoad, 1.0, 1e-3);
  EXPECT_NEAR(five.ofLast / exact.ofLast, 1.0, 1e-3);
  // the space of the thesis forces mu' = 0 at t_k: its gains are off by 18% and 5%
  EXPECT_NEAR(std::abs(four.ofLoad / exact.ofLoad - 1.0), 0.18, 0.01);
  EXPECT_NEAR(std::abs(four.ofLast / exact.ofLast - 1.0), 0.05, 0.01);
}

TEST(ControlEquation, H1BecomesL2WhenTheDerivativeIsFree) {
  // mu = f/rho0 at t_k, and zero at the end
  EXPECT_NEAR(neumannGains(1e-5, 1e-25, 1e-3, NeumannPlace::begin).ofLoad, l2Gains(1e-5).ofLoad, 1e-9 * 1e5);
  EXPECT_NEAR(test::exactNeumannGains(1e-5, 1e-25, 1e-3).ofLoad * 1e-5, 0.0, 1e-6);
}

}  // namespace
}  // namespace polhode::spline_elements_test
