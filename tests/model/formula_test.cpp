#include "model/formula.h"

#include "polhode/error.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::formula_test {
namespace {

struct FormulaCase {
  const char* text;
  double (*expected)(double);
};

const FormulaCase cases[] = {
    {"1.5e-3", [](double) { return 1.5e-3; }},
    {"2 - 3 - 4", [](double) { return -5.0; }},
    {"8/4/2", [](double) { return 1.0; }},
    {"2^3^2", [](double) { return 512.0; }},
    {"-t^2", [](double t) { return -t * t; }},
    {"2^-t", [](double t) { return std::pow(2.0, -t); }},
    {"--t*-2", [](double t) { return -2.0 * t; }},
    {"(1 + t)*(1 - t)", [](double t) { return 1.0 - t * t; }},
    {"0.3*sin(2*pi*t) + cos(t)/2", [](double t) { return 0.3 * std::sin(2 * std::numbers::pi * t) + std::cos(t) / 2; }},
    {"tan(t) + atan(t) + asin(t/9) - acos(t/9)",
     [](double t) { return std::tan(t) + std::atan(t) + std::asin(t / 9) - std::acos(t / 9); }},
    {"sinh(t) - cosh(t) * tanh(t)", [](double t) { return std::sinh(t) - std::cosh(t) * std::tanh(t); }},
    {"sqrt(exp(t)) + log(t + e) + abs(-t)",
     [](double t) { return std::exp(t / 2) + std::log(t + std::numbers::e) + std::abs(t); }},
    {"min(t, 0.5) + max(t, 0.7)", [](double t) { return std::min(t, 0.5) + std::max(t, 0.7); }},
    {"3*step(t - 0.25)", [](double t) { return t < 0.25 ? 0.0 : 3.0; }},
};

TEST(Formula, HasTheValueOfItsExpression) {
  for (const FormulaCase& c : cases)
    for (const double t : {0.1, 0.25, 0.6, 1.3}) {
      const double expected = c.expected(t);
      EXPECT_NEAR(Formula(c.text).value(t), expected, 1e-14 * std::max(1.0, std::abs(expected)))
          << c.text << " at " << t;
    }
}

TEST(Formula, RateIsTheDerivative) {
  // a central difference of width 2d has an error of d^2 f''' / 6 and a rounding of about 1e-16 / d
  const double d = 1e-5;
  for (const FormulaCase& c : cases)
    for (const double t : {0.1, 0.3, 0.6, 0.9})
      EXPECT_NEAR(Formula(c.text).rate(t), (c.expected(t + d) - c.expected(t - d)) / (2 * d), 1e-8)
          << c.text << " at " << t;
}

TEST(Formula, KnowsWhereItPassesFromOneCaseToAnother) {
  const auto times = [](const char* text, double to) { return Formula(text).breakTimes(0.0, to); };
  EXPECT_TRUE(times("sin(t) + exp(-t)", 100.0).empty());
  EXPECT_EQ(times("3*step(t - 0.25)", 1.0), std::vector<double>{0.25});
  EXPECT_EQ(times("3*step(t - 0.25)", 0.25), std::vector<double>{0.25});
  EXPECT_TRUE(times("3*step(t - 0.25)", 0.2).empty());
  EXPECT_TRUE(times("step(t)", 1.0).empty());  // behind the beginning only
  const std::vector<double> ramp = times("min(1, max(0, (t - 1)/2))^3", 1000.0);
  ASSERT_EQ(ramp.size(), 2u);
  EXPECT_NEAR(ramp[0], 1.0, 1e-15);
  EXPECT_NEAR(ramp[1], 3.0, 1e-15);
  EXPECT_EQ(times("min(3, 2)*t + abs(-2)", 9.0), std::vector<double>{});

  // each root of |sin 50 t| in 20 seconds
  const std::vector<double> many = times("abs(sin(50*t))", 20.0);
  ASSERT_EQ(many.size(), 318u);
  for (std::size_t i = 0; i < many.size(); ++i)
    EXPECT_NEAR(many[i], static_cast<double>(i + 1) * std::numbers::pi / 50, 1e-13);

  // cases that last a short time only, long after the beginning
  for (const double width : {1e-2, 1e-4, 1e-6}) {
    const Formula bump(fmt::format("max(0, 1 - ((t - 500)/{})^2)", width));
    const std::vector<double> both = bump.breakTimes(0.0, 1000.0);
    ASSERT_EQ(both.size(), 2u) << width;
    EXPECT_NEAR(both[0], 500.0 - width, 1e-12);
    EXPECT_NEAR(both[1], 500.0 + width, 1e-12);
  }
}

TEST(Formula, AtABreakTheCaseBehindItCounts) {
  const Formula formula("step(t^2 - 2)");
  const std::vector<double> times = formula.breakTimes(0.0, 2.0);
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(formula.value(times[0]), 1.0);
  EXPECT_EQ(formula.value(std::nextafter(times[0], 0.0)), 0.0);

  // at the first number of the case behind it, equal arguments included
  for (const char* text : {"min(t, 0.3037)", "min(0.3037, t)", "-max(-t, -0.3037)", "-max(-0.3037, -t)"}) {
    const Formula ramp(text);
    const std::vector<double> stops = ramp.breakTimes(0.0, 1.0);
    ASSERT_EQ(stops.size(), 1u) << text;
    EXPECT_EQ(ramp.rate(stops[0]), 0.0) << text;
    EXPECT_EQ(ramp.rate(std::nextafter(stops[0], 0.0)), 1.0) << text;
  }
}

TEST(Formula, WhatIsNotANumberIsNotHiddenByCases) {
  for (const char* text : {"min(sqrt(-1 - t), t)", "min(t, sqrt(-1 - t))", "max(sqrt(-1 - t), t)",
                           "max(t, sqrt(-1 - t))", "step(sqrt(-1 - t))"})
    EXPECT_TRUE(std::isnan(Formula(text).value(1.0))) << text;
}

TEST(Formula, KeepsWithinItsRange) {
  for (const FormulaCase& c : cases)
    for (const double from : {0.1, 0.4, 0.8}) {
      const Formula formula(c.text);
      const Interval range = formula.range(from, from + 0.3);
      for (int i = 0; i <= 30; ++i) EXPECT_TRUE(range.contains(formula.value(from + 0.01 * i))) << c.text;
    }
}

TEST(Formula, SaysWhatIsWrongAndWhere) {
  const struct {
    const char* text;
    const char* sentence;
  } broken[] = {
      {"", "formula '' is empty"},
      {"  ", "is empty"},
      {"2*(t", "is wrong at character 5: a ')' is missing for the '(' at character 3"},
      {"2 t", "is wrong at character 3: 't' is not expected"},
      {"2*", "is wrong at character 3: it ends where"},
      {"sn(t)", "is wrong at character 1: 'sn' is unknown; did you mean 'sin'?"},
      {"sin t", "is wrong at character 5: a '(' is missing behind 'sin'"},
      {"min(t)", "is wrong at character 1: 'min' takes two arguments, not 1"},
      {"sin(t, 2)", "is wrong at character 1: 'sin' takes one argument, not 2"},
      {"t $ 2", "is wrong at character 3: '$' is not expected"},
      {"1e999", "is wrong at character 1: this is not a number"},
      {")", "is wrong at character 1"},
  };
  for (const auto& c : broken) {
    try {
      Formula formula(c.text);
      ADD_FAILURE() << "accepted: " << c.text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(c.sentence), std::string::npos) << error.what();
    }
  }
}

TEST(Formula, RefusesEndlessNesting) {
  EXPECT_THROW(Formula(std::string(100000, '(')), InputError);
  EXPECT_THROW(Formula("t" + std::string(100000, '^')), InputError);
  std::string powers = "2";
  for (int i = 0; i < 1000; ++i) powers += "^2";
  EXPECT_THROW(Formula{powers}, InputError);
  EXPECT_EQ(Formula(std::string(100000, '-') + "t").value(2.0), 2.0);  // signs are counted, not nested
  std::string sum = "1";
  for (int i = 0; i < 1000; ++i) sum += "+1";
  EXPECT_EQ(Formula(sum).value(0.0), 1001.0);  // length alone is no harm
}

TEST(Formula, KnowsParametersAndQuantities) {
  const Formula formula("2*mass*v_1^2 + t - w", "t", {{"mass", 3.0}}, {"w", "v_1"});
  const std::array<double, 2> quantities = {0.5, 4.0};
  EXPECT_EQ(formula.value(7.0, quantities), 2 * 3 * 16 + 7 - 0.5);
  EXPECT_TRUE(formula.polynomial().empty());
  EXPECT_EQ(Formula("a*x^2 + x", "x", {{"a", 3.0}}).polynomial(), std::vector<double>({0, 1, 3}));
  EXPECT_EQ(Formula("2*length", "", {{"length", 0.5}}).value(0.0), 1.0);
  try {
    Formula("2*lenght", "", {{"length", 0.5}});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "formula '2*lenght' is wrong at character 3: 'lenght' is unknown; did you mean 'length'?");
  }
  EXPECT_THROW(Formula("2*t", "", {{"length", 0.5}}), InputError);
}

TEST(Formula, IsTakenOnOneSideOnly) {
  EXPECT_EQ(Formula("t - 1").oneSided(1.0).value(0.0), 0.0);
  EXPECT_EQ(Formula("t - 1").oneSided(1.0).value(3.0), 2.0);
  EXPECT_EQ(Formula("t - 1").oneSided(-1.0).value(0.0), -1.0);
  EXPECT_EQ(Formula("t - 1").oneSided(-1.0).breakTimes(0.0, 3.0).size(), 1u);
}

}  // namespace
}  // namespace polhode::formula_test
