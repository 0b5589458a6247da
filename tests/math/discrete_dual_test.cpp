#include "math/discrete_dual.h"

#include "math/dual.h"

#include <gtest/gtest.h>

namespace polhode::discrete_dual_test {
namespace {

/// Every operation at once, for positive x and y.
template <class S>
S expression(const Vector<S, 2>& q) {
  using std::cos, std::exp, std::log, std::pow, std::sin, std::sqrt, std::tan;
  const S &x = q[0], &y = q[1];
  return sin(x * y) + cos(x) / y - exp(-x) * log(y) + sqrt(x + y) + pow(x, 3) - pow(y, 2.5) + tan(x) / (1.0 + y * y);
}

template <class T = double>
DiscreteDual<2, T> evaluate(const Vector<T, 2>& q0, const Vector<T, 2>& q1) {
  using D = DiscreteDual<2, T>;
  const Vector<D, 2> q(D(q0[0], q1[0], Vector<T, 2>::Unit(0)), D(q0[1], q1[1], Vector<T, 2>::Unit(1)));
  return expression<D>(q);
}

const Vector<double, 2> start(0.4, 1.3);

TEST(DiscreteDual, GradientTimesStepIsTheIncrement) {
  for (const double length : {1.0, 1e-1, 1e-3, 1e-6}) {
    const Vector<double, 2> end = start + length * Vector<double, 2>(0.6, -0.3);
    const auto f = evaluate<double>(start, end);
    EXPECT_DOUBLE_EQ(f.end, expression<double>(end));
    EXPECT_NEAR(f.gradient.dot(end - start), f.end - f.start, 1e-14) << length;
  }
}

TEST(DiscreteDual, EndsMayBeSwapped) {
  const Vector<double, 2> end(0.9, 0.7);
  EXPECT_LT((evaluate<double>(start, end).gradient - evaluate<double>(end, start).gradient).norm(), 1e-14);
}

TEST(DiscreteDual, IsTheDerivativeWhereTheEndsMeetAndSecondOrderAround) {
  const auto exact = gradient([](const auto& q) { return expression(q); }, start);
  EXPECT_LT((evaluate<double>(start, start).gradient - exact).norm(), 1e-14);

  const Vector<double, 2> direction(0.6, -0.3);
  const auto error = [&](double h) {
    return (evaluate<double>(start - h * direction, start + h * direction).gradient - exact).norm();
  };
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 2.0, 0.01);
}

// The increment has all its digits where a subtraction has none left.
TEST(DiscreteDual, IncrementsDoNotCancel) {
  using Increment = DiscreteDual<1>;
  const double tiny = 1e-14;
  const Vector<Increment, 2> q(Increment(0.5, 0.5 + tiny, Vector<double, 1>(0.5 + tiny - 0.5)), Increment(1.3));
  const double slope = gradient([](const auto& x) { return expression(x); }, Vector<double, 2>(0.5, 1.3))[0];
  EXPECT_NEAR(expression<Increment>(q).gradient[0] / (0.5 + tiny - 0.5), slope, 1e-12 * std::abs(slope));
}

// The series of the quotients meet the closed forms where one takes over from the other.
TEST(DiscreteDual, QuotientsAreSmooth) {
  for (const double x : {0.00999, 0.01001}) {
    EXPECT_NEAR(discrete::sinc(x), std::sin(x) / x, 2e-16);
    EXPECT_NEAR(discrete::sinhc(x), std::sinh(x) / x, 1e-14);  // exp(x) - exp(-x) loses two digits here
  }
  for (const double b : {1.0198, 1.0206})
    EXPECT_NEAR(discrete::logarithmicQuotient(1.0, b), std::log(b) / (b - 1), 1e-14);
}

TEST(DiscreteDual, CanBeDifferentiated) {
  using Variable = Dual<2>;
  const Vector<double, 2> end(0.45, 1.25);
  const Vector<Variable, 2> variables(Variable::variable(end[0], 0), Variable::variable(end[1], 1));
  const auto f = evaluate<Variable>(Vector<Variable, 2>(start[0], start[1]), variables);

  const double step = 1e-5;
  for (int j = 0; j < 2; ++j) {
    const Vector<double, 2> e = step * Vector<double, 2>::Unit(j);
    const Vector<double, 2> difference =
        (evaluate<double>(start, end + e).gradient - evaluate<double>(start, end - e).gradient) / (2 * step);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(f.gradient[i].derivative()[j], difference[i], 1e-9);
  }
}

}  // namespace
}  // namespace polhode::discrete_dual_test
