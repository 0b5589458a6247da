#include "integrate/single_body/quaternion_vi.h"

#include "integrate/single_body/cases.h"
#include "integrate/single_body/step_or_throw.h"
#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::single_body::quaternion_vi_test {
namespace {

// For a spin about a principal axis the scheme reads sin(angle) = h Omega.
TEST(QuaternionVi, TurnsByTheArcSineOfTheStep) {
  const QuaternionVi scheme(freeBody().top);
  for (const double turn : {0.1, 0.5, 0.9, 0.999}) {
    TopState state{.Omega = {0.0, 0.0, 1.0}};
    ASSERT_TRUE(scheme.step(state, turn).converged) << turn;
    EXPECT_NEAR(2.0 * std::asin(state.q[3]), std::asin(turn), 1e-13);
  }
  for (const double turn : {1.001, 1.5, 3.0, 10.0}) {
    TopState state{.Omega = {0.0, 0.0, 1.0}};
    EXPECT_FALSE(scheme.step(state, turn).converged) << turn;
  }
}

// The discrete Euler-Lagrange equations (E1) hold between two steps, up to a multiple of q_n.
TEST(QuaternionVi, SatisfiesTheDiscreteEulerLagrangeEquations) {
  const Case body = asymmetricTop();
  const QuaternionVi scheme(body.top);
  const double h = 0.05;
  TopState a = body.start, b = a, c;
  ASSERT_TRUE(scheme.step(b, h).converged);
  c = b;
  ASSERT_TRUE(scheme.step(c, h).converged);

  const auto mass = [&](const Quaternion& q) -> Eigen::Matrix4d {
    return 4.0 * bodyMatrix(q).transpose() * body.top.inertia.asDiagonal() * bodyMatrix(q);
  };
  const Eigen::Matrix4d H = body.top.potentialHessian();
  const Quaternion sum = (mass(a.q) + mass(c.q)) * b.q / h - 0.25 * h * H * (a.q + 2.0 * b.q + c.q);
  EXPECT_LT((bodyMatrix(b.q) * sum).norm() * h, 1e-14);
}

TEST(QuaternionVi, KeepsTheEnergyOfAFreeBodyExactly) {
  const Case body = freeBody();
  const QuaternionVi scheme(body.top);
  TopState state = body.start;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(scheme.step(state, 0.02).converged);
  EXPECT_NEAR(scheme.energy(state) / 2500.0, 1.0, 1e-13);
}

// Over 200 000 steps the energy error of the top neither grows nor drifts.
TEST(QuaternionVi, HasABoundedEnergyErrorUnderGravity) {
  const Case body = heavyTop();
  const QuaternionVi scheme(body.top);
  TopState state = body.start;
  const double energy = scheme.energy(state);
  for (int i = 0; i < 200000; ++i) {
    ASSERT_TRUE(scheme.step(state, 0.005).converged);
    ASSERT_NEAR(scheme.energy(state) / energy, 1.0, 4e-4) << i;
  }
}

TEST(QuaternionVi, SaysWhereItHasNoSolution) {
  const Case body = heavyTop();
  const QuaternionVi scheme(body.top);
  for (const double h : {0.01, 0.1 / 14}) {  // the limit is at 0.00711
    TopState state = body.start;
    double time = 0.0;
    try {
      stepOrThrow(scheme, state, time, h);
      FAIL() << h;
    } catch (const SimulationError& error) {
      const std::string text = error.what();
      for (const char* part :
           {"quaternion-vi", "h |Omega| = 1.", "only while h |Omega| is below about 1", "director-em"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
      }
    }
    EXPECT_EQ(state.q, body.start.q);
  }
}

}  // namespace
}  // namespace polhode::single_body::quaternion_vi_test
