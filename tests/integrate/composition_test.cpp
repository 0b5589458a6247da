#include "integrate/composition.h"

#include "integrate/single_body/all_schemes.h"
#include "integrate/single_body/cases.h"

#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace polhode::composition_test {
namespace {

using namespace single_body;

// A symmetric scheme is the exponential of h Y1 + h^3 Y3 + h^5 Y5 + ... with vector fields that do not
// commute. Its powers are sums over words in the letters 1, 3, 5, 7, a letter counting as its degree. A
// composition is of order p if it equals exp(h Y1) in all words of degree up to p: these are all order
// conditions, and no more.
using Word = std::vector<int>;
using Series = std::map<Word, long double>;

int degree(const Word& word) {
  int sum = 0;
  for (int letter : word) sum += letter;
  return sum;
}

Series multiply(const Series& a, const Series& b, int order) {
  Series product;
  for (const auto& [left, x] : a) {
    for (const auto& [right, y] : b) {
      if (degree(left) + degree(right) > order) continue;
      Word word = left;
      word.insert(word.end(), right.begin(), right.end());
      product[word] += x * y;
    }
  }
  return product;
}

Series exponential(const Series& exponent, int order) {
  Series sum{{{}, 1.0L}}, power{{{}, 1.0L}};
  for (int n = 1; n <= order; ++n) {
    power = multiply(power, exponent, order);
    for (auto& [word, x] : power) sum[word] += (x /= n);
  }
  return sum;
}

template <int Order>
long double largestOrderDefect(int order) {
  Series composed{{{}, 1.0L}};
  for (const long double g : compositionCoefficients<Order>()) {
    Series field;
    for (int letter = 1; letter <= order; letter += 2) field[{letter}] = std::pow(g, letter);
    composed = multiply(exponential(field, order), composed, order);
  }
  for (const auto& [word, x] : exponential({{{1}, 1.0L}}, order)) composed[word] -= x;
  long double largest = 0.0L;
  for (const auto& [word, x] : composed) largest = std::max(largest, std::abs(x));
  return largest;
}

// The coefficients are doubles: their own rounding of 1e-16 is what remains.
TEST(Composition, SatisfiesAllOrderConditionsToRoundOff) {
  EXPECT_LT(largestOrderDefect<4>(4), 5e-16L);
  EXPECT_LT(largestOrderDefect<6>(6), 5e-16L);
  EXPECT_LT(largestOrderDefect<8>(8), 5e-16L);
}

TEST(Composition, DoesNotPretendToMore) {
  EXPECT_GT(largestOrderDefect<4>(5), 1e-3L);
  EXPECT_GT(largestOrderDefect<6>(7), 1e-3L);
  EXPECT_GT(largestOrderDefect<8>(9), 1e-4L);
}

struct Measured {
  double error, energyDrift, momentumDrift;
};

/// The heavy top at t = 0.1.
template <class Scheme>
Measured measure(const Scheme& scheme, int steps) {
  const Case body = heavyTop();
  auto state = scheme.start(body.start);
  const double energy = scheme.energy(state), momentum = scheme.angularMomentum(state)[2];
  Measured m{};
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(scheme.step(state, 0.1 / steps).converged);
    m.energyDrift = std::max(m.energyDrift, std::abs(scheme.energy(state) / energy - 1.0));
    m.momentumDrift = std::max(m.momentumDrift, std::abs(scheme.angularMomentum(state)[2] / momentum - 1.0));
  }
  m.error = (rotationMatrix(scheme.top(state).q).col(2) - steadyAxis(0.1)).norm();
  return m;
}

/// The order over two decades of error and more, from one coarse and one fine run.
template <class Base, int Order>
void expectOrder(int coarse, int fine) {
  const Composition<Base, Order> scheme(heavyTop().top);
  const Measured a = measure(scheme, coarse), b = measure(scheme, fine);
  EXPECT_GT(a.error / b.error, 100.0) << scheme.name << Order;
  EXPECT_NEAR(std::log(a.error / b.error) / std::log(double(fine) / coarse), Order, 0.1) << scheme.name << Order;
  for (const Measured& m : {a, b}) {
    EXPECT_LT(m.momentumDrift, 1e-13) << scheme.name << Order;
    if (Base::energyLaw == EnergyLaw::always) {
      EXPECT_LT(m.energyDrift, 1e-13) << scheme.name << Order;
    }
  }
}

template <class Base>
void expectOrders() {
  expectOrder<Base, 4>(40, 160);
  expectOrder<Base, 6>(50, 120);
  expectOrder<Base, 8>(20, 40);
}

TEST(Composition, ReachesItsOrderAndConserves) {
  expectOrders<DirectorEm>();
  expectOrders<NullEml>();
  expectOrders<Ggl>();
  expectOrders<QuaternionEm>();
  expectOrders<SimoWong>();
  expectOrders<Mpl>();
}

// mph and quaternion-vi come to their asymptotic regime later (h |Omega| well below 1), where round-off is
// near.
TEST(Composition, ReachesItsOrderWithTheLessAccurateSchemes) {
  expectOrder<Mph, 4>(80, 320);
  expectOrder<Mph, 6>(80, 200);
  expectOrder<Mph, 8>(40, 80);
  expectOrder<QuaternionVi, 4>(80, 320);
  expectOrder<QuaternionVi, 6>(100, 240);
  expectOrder<QuaternionVi, 8>(40, 80);
}

struct Unpaired : DirectorEm {
  using DirectorEm::DirectorEm;
  static constexpr bool nearIdentity = true;  // it is not
};

// What composition.h says of schemes that do not tend to the identity: with one step a stage they stay at
// order 4.
TEST(Composition, NeedsPairsWhereVelocitiesAreCarriedAlong) {
  const Composition<Unpaired, 8> scheme(heavyTop().top);
  EXPECT_NEAR(std::log2(measure(scheme, 40).error / measure(scheme, 80).error), 4.0, 0.1);
}

TEST(Composition, DirectorEm8ResolvesTheTopForASecond) {
  const Case body = heavyTop();
  const Composition<DirectorEm, 8> scheme(body.top);
  auto state = scheme.start(body.start);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(scheme.step(state, 1.0 / 400).converged);
  EXPECT_LT((rotationMatrix(scheme.top(state).q).col(2) - steadyAxis(1.0)).norm(), 1e-11);
}

TEST(Composition, LeavesTheStateWhenASubStepFails) {
  const Case body = heavyTop();
  const Composition<QuaternionVi, 4> scheme(body.top);
  auto state = scheme.start(body.start);
  const StepReport report = scheme.step(state, 0.015);  // its middle sub-step, of 0.0099, has no solution
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(state.q, body.start.q);
}

}  // namespace
}  // namespace polhode::composition_test
