#include "polhode/model/signal.h"

#include "polhode/error.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::signal_test {
namespace {

/// "time:order " of each.
std::string breaksOf(const Signal& signal, double from, double to) {
  std::string text;
  for (const SignalBreak& each : signal.breaks(from, to)) text += fmt::format("{:.15g}:{} ", each.time, each.order);
  return text;
}

TEST(Signal, ConstantIsTheSameAtAllTimes) {
  const Signal signal(2.5);
  EXPECT_TRUE(signal.isConstant());
  EXPECT_EQ(signal.value(-1e9), 2.5);
  EXPECT_EQ(signal.rate(3.0), 0.0);
  EXPECT_EQ(Signal().value(1.0), 0.0);
}

TEST(Signal, TableIsLinearInBetweenAndConstantOutside) {
  const Signal signal = Signal::table({0.0, 0.5, 1.0}, {0.0, 1.0, 0.0});
  EXPECT_EQ(signal.value(-1.0), 0.0);
  EXPECT_EQ(signal.value(0.25), 0.5);
  EXPECT_EQ(signal.value(0.5), 1.0);
  EXPECT_EQ(signal.value(0.75), 0.5);
  EXPECT_EQ(signal.value(2.0), 0.0);
  EXPECT_EQ(signal.rate(0.25), 2.0);
  EXPECT_EQ(signal.rate(0.5), -2.0);  // from the right
  EXPECT_EQ(signal.rate(1.0), 0.0);
}

TEST(Signal, TableBreaksAtItsPoints) {
  const Signal ramp = Signal::table({0.0, 0.5, 0.75, 1.0}, {0.0, 1.0, 1.5, 0.0});
  EXPECT_EQ(breaksOf(ramp, -1.0, 2.0), "0:1 0.75:1 1:1 ");  // no kink at 0.5
  EXPECT_EQ(breaksOf(ramp, 0.0, 0.75), "0.75:1 ");          // behind the beginning, until the end
  const Signal jump = Signal::table({0.0, 1.0, 1.0, 2.0}, {0.0, 1.0, 5.0, 5.0});
  EXPECT_EQ(breaksOf(jump, -1.0, 3.0), "0:1 1:0 ");
  EXPECT_EQ(breaksOf(Signal(3.0), 0.0, 9.0), "");
}

TEST(Signal, SamplesJump) {
  EXPECT_EQ(breaksOf(Signal::samples({0.0, 0.1, 0.2, 0.3}, {1.0, 3.0, 3.0, -2.0}), -1.0, 1.0), "0.1:0 0.3:0 ");
}

TEST(Signal, FormulasBreakInTheDerivativeThatJumps) {
  const auto of = [](const char* text) { return breaksOf(Signal::formula(text), 0.0, 2.0); };
  EXPECT_EQ(of("0.1*step(t - 1)"), "1:0 ");
  EXPECT_EQ(of("abs(t - 1)"), "1:1 ");
  EXPECT_EQ(of("max(0, t - 1)^2"), "1:2 ");
  EXPECT_EQ(of("max(0, t - 1)^3"), "1:3 ");
  EXPECT_EQ(of("sqrt(max(0, t - 1))"), "1:1 ");
  // the bump of a road: its velocity is steady, its acceleration jumps
  EXPECT_EQ(of("0.025*(1-cos(2*pi*(t-0.5)/0.1))*step(t-0.5)*step(0.6-t)"), "0.5:2 0.6:2 ");
  EXPECT_EQ(of("sin(t)"), "");
}

TEST(Signal, KnowsItsRange) {
  const Signal table = Signal::table({0.0, 1.0, 2.0}, {0.0, 1.0, -5.0});
  EXPECT_EQ(table.range(0.25, 0.5), (std::array{0.25, 0.5}));
  EXPECT_EQ(table.range(0.5, 1.5), (std::array{-2.0, 1.0}));
  const Signal samples = Signal::samples({0.0, 1.0, 2.0}, {0.0, 1.0, -5.0});
  EXPECT_EQ(samples.range(0.0, 1.5), (std::array{0.0, 1.0}));
  EXPECT_EQ(samples.range(1.0, 9.0), (std::array{-5.0, 1.0}));
}

TEST(Signal, TableJumpsWhereATimeStandsTwice) {
  const Signal signal = Signal::table({0.0, 1.0, 1.0, 2.0}, {0.0, 1.0, 5.0, 5.0});
  EXPECT_EQ(signal.value(0.5), 0.5);
  EXPECT_EQ(signal.value(std::nextafter(1.0, 0.0)), std::nextafter(1.0, 0.0));
  EXPECT_EQ(signal.value(1.0), 5.0);
  EXPECT_EQ(signal.rate(1.0), 0.0);
}

TEST(Signal, SamplesHoldUntilTheNext) {
  const Signal signal = Signal::samples({0.0, 0.1, 0.2}, {1.0, 3.0, -2.0});
  EXPECT_EQ(signal.value(-0.5), 1.0);
  EXPECT_EQ(signal.value(0.0999), 1.0);
  EXPECT_EQ(signal.value(0.1), 3.0);
  EXPECT_EQ(signal.value(9.0), -2.0);
  EXPECT_EQ(signal.rate(0.1), 0.0);
}

TEST(Signal, RefusesPointsOutOfOrderOrNotFinite) {
  EXPECT_THROW(Signal::table({}, {}), InputError);
  EXPECT_THROW(Signal::table({0.0, 1.0}, {0.0}), InputError);
  EXPECT_THROW(Signal::table({0.0, 1.0, 0.5}, {0, 0, 0}), InputError);
  EXPECT_THROW(Signal::table({0.0, 1.0, 1.0, 1.0}, {0, 0, 0, 0}), InputError);
  EXPECT_THROW(Signal::samples({0.0, 0.0}, {0, 1}), InputError);
  EXPECT_THROW(Signal::samples({0.0, std::numeric_limits<double>::infinity()}, {0, 1}), InputError);
  EXPECT_THROW(Signal::samples({0.0}, {std::nan("")}), InputError);
}

TEST(Signal, FormulaThatIsNotFiniteSaysWhen) {
  const Signal signal = Signal::formula("1/(t - 2)");
  EXPECT_EQ(signal.value(3.0), 1.0);
  EXPECT_EQ(signal.rate(3.0), -1.0);
  try {
    signal.value(2.0);
    FAIL() << "no error";
  } catch (const SimulationError& error) {
    EXPECT_STREQ(error.what(), "formula '1/(t - 2)' is not finite at t = 2; write one that is bounded");
    EXPECT_EQ(error.time(), 2.0);
  }
}

TEST(Signal, FunctionHasTheRateThatIsGiven) {
  const Signal signal = Signal::function([](double t) { return t * t; }, [](double t) { return 2 * t; });
  EXPECT_EQ(signal.value(3.0), 9.0);
  EXPECT_EQ(signal.rate(3.0), 6.0);
  EXPECT_EQ(Signal::function([](double t) { return t; }).rate(1.0), 0.0);
}

TEST(Signal, SplineGoesThroughItsPointsWithAContinuousSecondDerivative) {
  const std::vector<double> times = {0.0, 0.4, 1.0, 1.1, 2.0}, values = {1.0, -0.5, 0.7, 0.9, 0.2};
  for (const SplineEnds ends : {SplineEnds::rest, SplineEnds::free}) {
    const Signal spline = Signal::spline(times, values, ends);
    EXPECT_FALSE(spline.hasPoints());
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_NEAR(spline.value(times[i]), values[i], 1e-15);
      const bool isEnd = i == 0 || i + 1 == times.size();
      const double before = std::nextafter(times[i], -1.0);
      EXPECT_NEAR(spline.value(before), spline.value(times[i]), 1e-14);
      EXPECT_NEAR(spline.rate(before), spline.rate(times[i]), 1e-12);
      if (isEnd && ends == SplineEnds::rest) continue;
      EXPECT_NEAR(spline.acceleration(before), spline.acceleration(times[i]), 1e-11);
    }
    for (const double t : {-0.3, 0.1, 0.5, 1.05, 1.7, 2.4}) {
      const double d = 1e-5;
      EXPECT_NEAR(spline.rate(t), (spline.value(t + d) - spline.value(t - d)) / (2 * d), 1e-7);
      EXPECT_NEAR(spline.acceleration(t), (spline.rate(t + d) - spline.rate(t - d)) / (2 * d), 1e-6);
    }
    for (const double from : {-1.0, 0.2, 1.0})
      for (double t = from; t <= 2.5; t += 0.01) {
        const auto [least, greatest] = spline.range(from, 2.5);
        EXPECT_LE(least, spline.value(t));
        EXPECT_GE(greatest, spline.value(t));
      }
  }
}

TEST(Signal, SplineEndsAtRestOrGoesOnStraight) {
  const Signal rest = Signal::spline({0.0, 1.0}, {0.0, 1.0});  // 3 t^2 - 2 t^3
  EXPECT_NEAR(rest.value(0.25), 3 * 0.0625 - 2 * 0.015625, 1e-15);
  EXPECT_EQ(rest.value(-1.0), 0.0);
  EXPECT_EQ(rest.value(7.0), 1.0);
  EXPECT_EQ(rest.rate(7.0), 0.0);
  EXPECT_EQ(breaksOf(rest, -1.0, 2.0), "0:2 1:2 ");
  const Signal straight = Signal::spline({0.0, 1.0, 2.0}, {0.0, 1.0, 2.0}, SplineEnds::free);
  EXPECT_NEAR(straight.value(5.0), 5.0, 1e-14);
  EXPECT_EQ(breaksOf(straight, -1.0, 3.0), "0:3 1:3 2:3 ");
}

TEST(Signal, SplineOfASineIsOfFourthOrder) {
  const auto error = [](int pieces) {
    std::vector<double> times, values;
    for (int i = 0; i <= pieces; ++i) {
      times.push_back(std::numbers::pi * i / pieces);
      values.push_back(std::sin(times.back()));  // whose second derivative is zero at both ends
    }
    const Signal spline = Signal::spline(times, values, SplineEnds::free);
    double largest = 0.0;
    for (double t = 0.0; t < 3.0; t += 0.01) largest = std::max(largest, std::abs(spline.value(t) - std::sin(t)));
    return largest;
  };
  EXPECT_NEAR(std::log2(error(20) / error(40)), 4.0, 0.1);
}

TEST(Signal, SplineRefusesWhatItCannotGoThrough) {
  EXPECT_THROW(Signal::spline({0.0}, {1.0}), InputError);
  EXPECT_THROW(Signal::spline({0.0, 0.0}, {1.0, 2.0}), InputError);
  EXPECT_THROW(Signal::spline({0.0, 1.0}, {1.0}), InputError);
}

TEST(Signal, FormulaKnowsParameters) {
  EXPECT_EQ(Signal::formula("a*t + b", {{"a", 2.0}, {"b", 0.5}}).value(3.0), 6.5);
  EXPECT_EQ(Signal::formula("a*t + b", {{"a", 2.0}, {"b", 0.5}}).rate(3.0), 2.0);
}

TEST(VectorSignal, IsMadeOfThreeComponents) {
  const VectorSignal circle(Signal::formula("cos(t)"), Signal::formula("sin(t)"), 1.0);
  EXPECT_EQ(circle.value(0.0), Vector3(1, 0, 1));
  EXPECT_EQ(circle.rate(0.0), Vector3(0, 1, 0));
  EXPECT_EQ(VectorSignal(Vector3(1, 2, 3)).value(7.0), Vector3(1, 2, 3));
  const VectorSignal samples = VectorSignal::samples({0.0, 1.0}, {Vector3(1, 2, 3), Vector3(4, 5, 6)});
  EXPECT_EQ(samples.value(0.9), Vector3(1, 2, 3));
  EXPECT_EQ(samples.value(1.0), Vector3(4, 5, 6));
  const VectorSignal table = VectorSignal::table({0.0, 1.0}, {Vector3(0, 2, 3), Vector3(4, 2, 5)});
  EXPECT_EQ(table.value(0.5), Vector3(2, 2, 4));
  EXPECT_EQ(table[0].rate(0.5), 4.0);
}

}  // namespace
}  // namespace polhode::signal_test
