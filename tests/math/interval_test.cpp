#include "math/interval.h"

#include <gtest/gtest.h>

namespace polhode::interval_test {
namespace {

using Function = double (*)(double);
using Bounds = Interval (*)(const Interval&);

struct IntervalCase {
  const char* name;
  Function function;
  Bounds bounds;
  double from, to;  // where it is defined
};

const IntervalCase cases[] = {
    {"sin", [](double x) { return std::sin(x); }, [](const Interval& x) { return sin(x); }, -20, 20},
    {"cos", [](double x) { return std::cos(x); }, [](const Interval& x) { return cos(x); }, -20, 20},
    {"tan", [](double x) { return std::tan(x); }, [](const Interval& x) { return tan(x); }, -20, 20},
    {"asin", [](double x) { return std::asin(x); }, [](const Interval& x) { return asin(x); }, -1, 1},
    {"acos", [](double x) { return std::acos(x); }, [](const Interval& x) { return acos(x); }, -1, 1},
    {"atan", [](double x) { return std::atan(x); }, [](const Interval& x) { return atan(x); }, -9, 9},
    {"sinh", [](double x) { return std::sinh(x); }, [](const Interval& x) { return sinh(x); }, -9, 9},
    {"cosh", [](double x) { return std::cosh(x); }, [](const Interval& x) { return cosh(x); }, -9, 9},
    {"tanh", [](double x) { return std::tanh(x); }, [](const Interval& x) { return tanh(x); }, -9, 9},
    {"exp", [](double x) { return std::exp(x); }, [](const Interval& x) { return exp(x); }, -9, 9},
    {"log", [](double x) { return std::log(x); }, [](const Interval& x) { return log(x); }, 0.1, 9},
    {"sqrt", [](double x) { return std::sqrt(x); }, [](const Interval& x) { return sqrt(x); }, 0, 9},
    {"abs", [](double x) { return std::abs(x); }, [](const Interval& x) { return abs(x); }, -9, 9},
    {"x^3", [](double x) { return std::pow(x, 3); }, [](const Interval& x) { return pow(x, 3.0); }, -9, 9},
    {"x^4", [](double x) { return std::pow(x, 4); }, [](const Interval& x) { return pow(x, 4.0); }, -9, 9},
    {"x^-2", [](double x) { return std::pow(x, -2); }, [](const Interval& x) { return pow(x, -2.0); }, -9, 9},
    {"x^1.5", [](double x) { return std::pow(x, 1.5); }, [](const Interval& x) { return pow(x, 1.5); }, 0, 9},
    {"2^x", [](double x) { return std::pow(2, x); }, [](const Interval& x) { return pow(2.0, x); }, -9, 9},
    {"3/x", [](double x) { return 3 / x; }, [](const Interval& x) { return 3.0 / x; }, -9, 9},
    {"x(x - 1)", [](double x) { return x * (x - 1); }, [](const Interval& x) { return x * (x - 1.0); }, -9, 9},
};

TEST(Interval, HoldsAllValues) {
  for (const IntervalCase& c : cases)
    for (int width = 1; width <= 40; width += 3)
      for (int begin = 0; begin + width <= 40; ++begin) {
        const double a = c.from + begin * (c.to - c.from) / 40, b = a + width * (c.to - c.from) / 40;
        const Interval bounds = c.bounds({a, b});
        for (int i = 0; i <= 50; ++i) {
          const double value = c.function(a + i * (b - a) / 50);
          EXPECT_TRUE(bounds.contains(value) || std::isinf(value)) << c.name << " from " << a << " to " << b;
        }
      }
}

TEST(Interval, IsNarrowWhereAnArgumentOccursOnce) {
  const Interval s = sin(Interval(1.0, 2.0));
  EXPECT_NEAR(s.least(), std::sin(1.0), 1e-14);
  EXPECT_EQ(s.greatest(), 1.0);
  const Interval q = pow(Interval(-1.0, 2.0), 2.0);
  EXPECT_EQ(q.least(), 0.0);
  EXPECT_NEAR(q.greatest(), 4.0, 1e-14);
}

TEST(Interval, KnowsNothingWhereNothingIsDefined) {
  EXPECT_TRUE(std::isinf(log(Interval(-2.0, -1.0)).least()));
  EXPECT_TRUE(std::isinf((1.0 / Interval(-1.0, 1.0)).greatest()));
  EXPECT_TRUE(std::isinf(tan(Interval(1.0, 2.0)).greatest()));
}

}  // namespace
}  // namespace polhode::interval_test
