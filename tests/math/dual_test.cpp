#include "math/dual.h"

#include "math/quaternion.h"
#include "math/random.h"

#include <gtest/gtest.h>

namespace polhode::dual_test {
namespace {

using test::cases, test::distance, test::Random, test::roundOff;
using D = Dual<1>;

/// A function of dual numbers, its value and its derivative, known by heart.
struct Rule {
  const char* name;
  D (*function)(const D&);
  double (*value)(double);
  double (*slope)(double);
};

const Rule rules[] = {
    {"sin", [](const D& x) { return sin(x); }, std::sin, std::cos},
    {"cos", [](const D& x) { return cos(x); }, std::cos, [](double x) { return -std::sin(x); }},
    {"tan", [](const D& x) { return tan(x); }, std::tan, [](double x) { return std::pow(std::cos(x), -2); }},
    {"asin", [](const D& x) { return asin(x); }, std::asin, [](double x) { return 1 / std::cos(std::asin(x)); }},
    {"acos", [](const D& x) { return acos(x); }, std::acos, [](double x) { return -1 / std::cos(std::asin(x)); }},
    {"atan", [](const D& x) { return atan(x); }, std::atan, [](double x) { return 1 / (1 + x * x); }},
    {"sinh", [](const D& x) { return sinh(x); }, std::sinh, std::cosh},
    {"cosh", [](const D& x) { return cosh(x); }, std::cosh, std::sinh},
    {"tanh", [](const D& x) { return tanh(x); }, std::tanh, [](double x) { return std::pow(std::cosh(x), -2); }},
    {"exp", [](const D& x) { return exp(x); }, std::exp, std::exp},
    {"log", [](const D& x) { return log(x); }, std::log, [](double x) { return 1 / x; }},
    {"sqrt", [](const D& x) { return sqrt(x); }, std::sqrt, [](double x) { return 0.5 / std::sqrt(x); }},
    {"square", [](const D& x) { return square(x); }, [](double x) { return x * x; }, [](double x) { return 2 * x; }},
    {"abs(-x)", [](const D& x) { return abs(-x); }, std::abs, [](double) { return 1.0; }},
    {"x^3.5", [](const D& x) { return pow(x, 3.5); }, [](double x) { return std::pow(x, 3.5); },
     [](double x) { return 3.5 * std::pow(x, 2.5); }},
    {"x^x", [](const D& x) { return pow(x, x); }, [](double x) { return std::pow(x, x); },
     [](double x) { return std::pow(x, x) * (std::log(x) + 1); }},
    {"x/(1 + x)", [](const D& x) { return x / (1 + x); }, [](double x) { return x / (1 + x); },
     [](double x) { return 1 / (1 + x) / (1 + x); }},
};

TEST(Dual, everyRuleOfDifferentiation) {
  Random random;
  for (const Rule& rule : rules) {
    for (int k = 0; k < cases; ++k) {
      const double x = random.uniform(0.05, 0.95);  // inside the domain of every function in the list
      const D y = rule.function(D::variable(x, 0));
      const double slope = rule.slope(x);
      EXPECT_NEAR(y.value(), rule.value(x), 2 * roundOff * std::abs(y.value())) << rule.name << " at " << x;
      // two ways to the same slope, of about five roundings; x^x loses what log(x) + 1 cancels
      EXPECT_NEAR(y.derivative()[0], slope, 16 * roundOff * (std::abs(slope) + 1)) << rule.name << " at " << x;
    }
  }
}

TEST(Dual, functionsOfTwoVariables) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector<double, 2> x = random.uniform(0.5, 2) * random.direction<2>();
    // hypot and atan2 are polar coordinates: their gradients point outward and around
    const Vector<double, 2> outward = x.normalized(), around(-outward[1], outward[0]);
    const double tolerance = 8 * roundOff / x.norm();
    EXPECT_LT(distance(gradient([](const auto& p) { return hypot(p[0], p[1]); }, x), outward), tolerance);
    EXPECT_LT(distance(gradient([](const auto& p) { return atan2(p[1], p[0]); }, x), around / x.norm()), tolerance);
  }
}

TEST(Dual, comparesValues) {
  const D a = D::variable(1, 0);
  EXPECT_TRUE(a == 1.0 && a < 2.0 && a >= 1.0 && a != 3.0);
}

TEST(Dual, powersAtZero) {
  EXPECT_EQ(pow(D::variable(0, 0), 0.0).derivative()[0], 0);
  EXPECT_EQ(pow(D::variable(0, 0), 1.0).derivative()[0], 1);
  EXPECT_EQ(pow(D::variable(-2, 0), 2.0).derivative()[0], -4);
  EXPECT_EQ(pow(D::variable(-2, 0), D(2)).derivative()[0], -4);  // a constant exponent needs no logarithm
}

// The derivative of a quadratic form x^T A x is (A + A^T) x.
TEST(Dual, gradientOfAQuadraticForm) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Matrix3 A = random.matrix<3, 3>();
    const Vector3 x = random.matrix<3>();
    const auto form = [&](const auto& y) { return y.dot(A * y); };                   // constants beside dual numbers
    EXPECT_LT(distance(gradient(form, x), (A + A.transpose()) * x), 16 * roundOff);  // sums of six products
  }
}

TEST(Dual, jacobianOfAQuaternionProduct) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = random.matrix<4>(), q = random.matrix<4>();
    const auto product = [&](const auto& x) {
      using T = typename std::decay_t<decltype(x)>::Scalar;
      return multiply(Vector<T, 4>(p.cast<T>()), x);
    };
    EXPECT_EQ(jacobian(product, q), leftMatrix(p));  // products with ones and zeros: exact
  }
}

// Longer than one sweep, and not a multiple of it.
TEST(Dual, jacobianOfDynamicSize) {
  constexpr int n = 19;
  const VectorX x = Random().matrix<n>();
  const auto neighbours = [](const auto& y) {
    auto z = y;
    for (Eigen::Index k = 1; k < y.size(); ++k) z[k] = y[k] * y[k - 1];
    return z;
  };
  MatrixX expected = MatrixX::Zero(n, n);
  expected(0, 0) = 1;
  for (int k = 1; k < n; ++k) {
    expected(k, k) = x[k - 1];
    expected(k, k - 1) = x[k];
  }
  EXPECT_EQ(jacobian(neighbours, x), expected);
  EXPECT_EQ(gradient([](const auto& y) { return y.squaredNorm(); }, x), 2 * x);
}

// Factorisations work too: d(A^-1 b)/dA_11 = -A^-1 e1 (e1^T A^-1 b).
TEST(Dual, throughALinearSolve) {
  Random random;
  const Matrix3 A = random.matrix<3, 3>() + 3 * Matrix3::Identity();
  const Vector3 b = random.matrix<3>();
  const auto solve = [&](const Vector<D, 1>& corner) {
    Eigen::Matrix<D, 3, 3> M = A.cast<D>();
    M(0, 0) = corner[0];
    return Vector<D, 3>(M.partialPivLu().solve(b.cast<D>()));
  };
  const Vector3 expected = -A.inverse().col(0) * A.inverse().row(0).dot(b);
  // the condition number of A is below 4
  EXPECT_LT(distance(jacobian(solve, Vector<double, 1>(A(0, 0))), expected), 32 * roundOff);
}

}  // namespace
}  // namespace polhode::dual_test
