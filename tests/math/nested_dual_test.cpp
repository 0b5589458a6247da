#include "math/dual.h"

#include <gtest/gtest.h>

namespace polhode::nested_dual_test {
namespace {

template <class S>
S expression(const S& x) {
  using std::atan, std::cos, std::exp, std::log, std::pow, std::sin, std::sqrt, std::tan, std::tanh;
  return sin(x) * exp(-x) + log(x) / sqrt(x) + atan(x) * pow(x, 2.5) + tan(0.3 * x) - cos(x) * tanh(x) +
         2 / (1 + x * x);
}

// Second derivatives by nesting agree with central differences of first derivatives (error 1e-10 at this
// step).
TEST(NestedDual, GivesSecondDerivatives) {
  using First = Dual<1>;
  using Second = Dual<1, First>;
  for (const double x : {0.3, 0.9, 1.7}) {
    const Second f = expression(Second::variable(First::variable(x, 0), 0));
    const double step = 1e-5;
    const double slope0 = expression(First::variable(x - step, 0)).derivative()[0];
    const double slope1 = expression(First::variable(x + step, 0)).derivative()[0];
    EXPECT_DOUBLE_EQ(value(f), expression(x));
    EXPECT_NEAR(f.derivative()[0].derivative()[0], (slope1 - slope0) / (2 * step), 1e-6);
    EXPECT_DOUBLE_EQ(f.derivative()[0].value(), f.value().derivative()[0]);
  }
}

// A quadratic form has its matrix as its second derivative, exactly.
TEST(NestedDual, FindsTheMatrixOfAQuadraticForm) {
  using First = Dual<3>;
  using Second = Dual<3, First>;
  Matrix3 A;
  A << 2, -1, 0.5, -1, 3, 0.25, 0.5, 0.25, 1;
  Vector<Second, 3> x;
  for (int i = 0; i < 3; ++i) x[i] = Second::variable(First::variable(0.1 * i - 0.3, i), i);
  const Second f = 0.5 * x.dot(A.cast<Second>() * x);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_DOUBLE_EQ(f.derivative()[i].derivative()[j], A(i, j));
}

}  // namespace
}  // namespace polhode::nested_dual_test
