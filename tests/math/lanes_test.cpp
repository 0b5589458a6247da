#include "math/lanes.h"

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

}  // namespace
}  // namespace polhode::lanes_test
