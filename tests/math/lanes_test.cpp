#include "math/lanes.h"

#include "math/fused_lanes.h"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace polhode::lanes_test {
namespace {

/// Every lane as a number alone.
template <int W>
void expectEachLaneAlone() {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(-3.0, 3.0);
  double a[W], b[W], c[W], found[W];
  for (int trial = 0; trial < 100; ++trial) {
    for (int i = 0; i < W; ++i) a[i] = any(random), b[i] = any(random), c[i] = any(random);
    const auto A = Lanes<W>::from(a), B = Lanes<W>::from(b), C = Lanes<W>::from(c);
    const auto expectLanes = [&](Lanes<W> lanes, auto alone) {
      lanes.to(found);
      for (int i = 0; i < W; ++i) EXPECT_EQ(found[i], alone(i)) << W << " lanes, lane " << i;
    };
    expectLanes(A + B, [&](int i) { return a[i] + b[i]; });
    expectLanes(A - B, [&](int i) { return a[i] - b[i]; });
    expectLanes(A * B, [&](int i) { return a[i] * b[i]; });
    expectLanes(A / B, [&](int i) { return a[i] / b[i]; });
    expectLanes(-A, [&](int i) { return -a[i]; });
    expectLanes(Lanes<W>(0.1) + A, [&](int i) { return 0.1 + a[i]; });
    expectLanes(multiplyAdd(A, B, C), [&](int i) {
      return multiplyAdd(Lanes<1>::from(a + i), Lanes<1>::from(b + i), Lanes<1>::from(c + i))[0];
    });
    EXPECT_NEAR(multiplyAdd(A, B, C)[W - 1], a[W - 1] * b[W - 1] + c[W - 1], 1e-14);
  }
}

TEST(Lanes, AreEachANumberAlone) {
  expectEachLaneAlone<1>();
  expectEachLaneAlone<2>();
  expectEachLaneAlone<4>();
  expectEachLaneAlone<8>();
}

TEST(Lanes, AreAScalarOfVectors) {
  const Vector<Lanes<4>, 3> u(Lanes<4>(1.0), Lanes<4>(2.0), Lanes<4>(3.0));
  const Vector<Lanes<4>, 3> v = Vector3(2.0, 0.5, -1.0).cast<Lanes<4>>();
  const Vector<Lanes<4>, 3> w = u.cross(v);
  const Vector3 expected = Vector3(1.0, 2.0, 3.0).cross(Vector3(2.0, 0.5, -1.0));
  for (int i = 0; i < 3; ++i)
    for (int lane = 0; lane < 4; ++lane) EXPECT_EQ(w[i][lane], expected[i]);
}

/// Every formula with products in sums has the bits that each of its lanes has alone, and is right to round-off.
template <int W>
void expectFusedAlike() {
  using Vec = Vector<FusedLanes<W>, 3>;
  using Vec1 = Vector<FusedLanes<1>, 3>;
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> any(-3.0, 3.0);
  for (int trial = 0; trial < 50; ++trial) {
    double of[9][W];
    for (auto& numbers : of)
      for (double& number : numbers) number = any(random);
    const auto formulas = [](const auto& a, const auto& b, const auto& c) {
      using Scalar = typename std::decay_t<decltype(a)>::Scalar;
      const Eigen::Matrix<Scalar, 3, 3> M = a * b.transpose(), P = M.lazyProduct(M.transpose());
      const Vector<Scalar, 3> Pc = P * c, axc = a.cross(c);
      Scalar sum = a[0] * b[0] - c[1] * c[2];
      sum += a[1] * b[2];
      sum -= a[2] * c[0];
      return std::array<Scalar, 8>{sum,    a.dot(b),           c.squaredNorm(),    Pc[0] + Pc[2],
                                   axc[1], a[0] - b[0] * c[0], a[1] * b[1] - c[1], -(a[2] * b[2]) / c[2]};
    };
    const auto vector = [&](int k) {
      return Vec(FusedLanes<W>(Lanes<W>::from(of[k])), FusedLanes<W>(Lanes<W>::from(of[k + 1])),
                 FusedLanes<W>(Lanes<W>::from(of[k + 2])));
    };
    const auto together = formulas(vector(0), vector(3), vector(6));
    for (int lane = 0; lane < W; ++lane) {
      const auto one = [&](int k) { return Vec1(of[k][lane], of[k + 1][lane], of[k + 2][lane]); };
      const auto number = [&](int k) { return Vector3(of[k][lane], of[k + 1][lane], of[k + 2][lane]); };
      const auto alone = formulas(one(0), one(3), one(6));
      const auto plain = formulas(number(0), number(3), number(6));
      for (std::size_t k = 0; k < plain.size(); ++k) {
        EXPECT_EQ(together[k][lane], alone[k][0]) << W << " lanes, formula " << k;
        EXPECT_NEAR(alone[k][0], plain[k], 1e-12 * (1.0 + std::abs(plain[k]))) << k;
      }
    }
  }
}

TEST(FusedLanes, HaveTheSameBitsForEveryWidth) {
  expectFusedAlike<1>();
  expectFusedAlike<2>();
  expectFusedAlike<4>();
  expectFusedAlike<8>();
}

#ifdef __FMA__
/// (1 + e)^2 = 1 + 2 e + e^2, of which e^2 is lost where the product is rounded before the sum.
TEST(FusedLanes, RoundSumsOfProductsOnce) {
  const double e = std::ldexp(1.0, -30);
  const FusedLanes<4> a = 1.0 + e, less = -1.0 - 2.0 * e;
  EXPECT_EQ((a * a + less)[0], e * e);
  EXPECT_EQ((less + a * a)[3], e * e);
  EXPECT_EQ((a * a - FusedLanes<4>(1.0 + 2.0 * e))[1], e * e);
  EXPECT_EQ((FusedLanes<4>(1.0 + 2.0 * e) - a * a)[2], -e * e);
  using Vec = Vector<FusedLanes<4>, 3>;
  const Vec u(less, a, FusedLanes<4>(0.0)), v(FusedLanes<4>(1.0), a, FusedLanes<4>(1.0));
  EXPECT_EQ(u.dot(v)[0], e * e);
  EXPECT_EQ((Eigen::Matrix<FusedLanes<4>, 3, 3>(v * Vec::Ones().transpose()).transpose() * u)[0][0], e * e);
}
#endif

}  // namespace
}  // namespace polhode::lanes_test
