#include "integrate/single_body/quaternion_em.h"

#include "integrate/single_body/cases.h"
#include "integrate/single_body/reference.h"
#include "integrate/single_body/step_or_throw.h"
#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::single_body::quaternion_em_test {
namespace {

template <class Scheme>
void expectReferenceEnd() {
  const Case body = freeBody();
  const Scheme scheme(body.top);
  auto state = scheme.start(body.start);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(scheme.step(state, 0.05).converged);
  const Vector3 momentum = 2.0 * body.top.inertia.cwiseProduct(state.Omega);
  const Quaternion v = 0.5 * multiply(state.q, pureQuaternion(state.Omega));
  const Quaternion p = multiply(state.q, pureQuaternion(momentum));
  const auto& end = reference::quaternionEm;
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(rotationMatrix(state.q)(i / 3, i % 3), end.R[i], 1e-12);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(v[i], end.v[i], 1e-11);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(p[i], end.p[i], 1e-10);
}

TEST(QuaternionEm, EndsWhereTheReferenceEnds) {
  expectReferenceEnd<QuaternionEm>();
}
TEST(QuaternionEmNine, EndsWhereTheReferenceEnds) {
  expectReferenceEnd<QuaternionEmNine>();
}

TEST(QuaternionEmNine, GivesTheSameAsThreeUnknowns) {
  const Case body = asymmetricTop();
  const QuaternionEm three(body.top);
  const QuaternionEmNine nine(body.top);
  TopState a = body.start, b = body.start;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(three.step(a, 0.05).converged);
    ASSERT_TRUE(nine.step(b, 0.05).converged);
  }
  EXPECT_LT(angleBetween(a.q, b.q), 1e-12);
}

// Kinon & Betsch, footnote 5: from q1 = q0 the nine equations are not solved for the top at h = 0.01.
// Newton's method wanders; it is given up after 20 iterations (it would have arrived at the 24th, by chance).
TEST(QuaternionEmNine, SaysThatItDoesNotConvergeFromABadGuess) {
  const Case body = heavyTop();
  const QuaternionEmNine scheme(body.top, Guess::rest);
  TopState state = body.start;
  double time = 0.25;
  try {
    stepOrThrow(scheme, state, time, 0.01);
    FAIL();
  } catch (const SimulationError& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.time(), 0.25);
    for (const char* part : {"quaternion-em-nine", "t = 0.25", "h = 0.01", "20 iterations", "h |Omega| = 1.41",
                             "smaller step", "director-em"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
    }
  }
  EXPECT_EQ(time, 0.25);
  EXPECT_EQ(state.q, body.start.q);
}

}  // namespace
}  // namespace polhode::single_body::quaternion_em_test
