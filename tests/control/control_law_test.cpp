#include "control/limited_law.h"
#include "control/passive_law.h"
#include "control/spring_damper_law.h"

#include <random>

#include <gtest/gtest.h>

namespace polhode::control_law_test {
namespace {

/// A mobility with these principal values along directions that are no axes.
Matrix3 mobility(const Vector3& values) {
  const Matrix3 axes = Eigen::AngleAxisd(0.7, Vector3(1.0, 2.0, -1.0).normalized()).toRotationMatrix();
  return axes * values.asDiagonal() * axes.transpose();
}

TEST(ForceFor, IsTheSmallestThatGivesTheAcceleration) {
  const Matrix3 W = mobility({2.0, 0.5, 0.0});
  const Vector3 a = W * Vector3(1.0, -2.0, 3.0);
  const Vector3 force = forceFor(a, W);
  EXPECT_LT((W * force - a).norm(), 1e-14);
  EXPECT_LT((forceFor(a, W, 1e6) - force).norm(), 1e-14);
}

TEST(ForceFor, KeepsTheDirectionOfAFreeBody) {
  const Vector3 a(3.0, 0.0, -4.0);
  const Vector3 force = forceFor(a, 0.5 * Matrix3::Identity(), 2.0);
  EXPECT_LT((force - 2.0 * a.normalized()).norm(), 1e-8);
}

TEST(ForceFor, GivesWayWhereJointsHardlyLetThePointMove) {
  const Matrix3 W = Vector3(1.0, 1.0, 1e-6).asDiagonal();
  const Vector3 force = forceFor({1.0, -0.5, 1.0}, W, 10.0);
  EXPECT_LE(force.norm(), 10.0 * (1.0 + 1e-9));
  EXPECT_NEAR(force[0], 1.0, 1e-4);  // cut in proportion it would be 1e-5
  EXPECT_NEAR(force[1], -0.5, 1e-4);
}

TEST(ForceFor, NoOtherForceOfThatSizeComesNearer) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vector3(normal(random), normal(random), normal(random)); };
  for (int i = 0; i < 200; ++i) {
    Vector3 exponents = 3.0 * vector(), values;
    for (int k = 0; k < 3; ++k) values[k] = std::pow(10.0, exponents[k]);
    const Matrix3 W = mobility(values);
    const Vector3 a = vector();
    const double largest = std::exp(normal(random));
    const Vector3 force = forceFor(a, W, largest);
    ASSERT_LE(force.norm(), largest * (1.0 + 1e-9));
    const double best = (W * force - a).norm();
    for (int k = 0; k < 20; ++k) {
      Vector3 other = force + 0.1 * largest * vector();
      if (other.norm() > largest) other *= largest / other.norm();
      ASSERT_GE((W * other - a).norm(), best * (1.0 - 1e-7) - 1e-12);
    }
  }
}

TEST(LimitedLaw, PullsNoHarderThanAllowed) {
  LimitedLaw<Translation> law(std::make_unique<SpringDamperLaw<Translation>>(0.1, 1e9), 5.0);
  SpringDamperLaw<Translation> unlimited(0.1, 1e9);
  for (const Vector3& target : {Vector3(0.01, 0.02, 0.0), Vector3(3.0, 0.0, 4.0)}) {
    law.observe({0.0, target});
    unlimited.observe({0.0, target});
    const DrivenState<Translation> state{0.0, 1e-3, Vector3::Zero()};
    const Vector3 free = unlimited.force(state), limited = law.force(state);
    EXPECT_LT((limited - free * std::min(1.0, 5.0 / free.norm())).norm(), 1e-8);
  }
}

/// Pulls with the same force, whatever happens.
struct ConstantLaw final : ControlLaw<Translation> {
  void observe(const Sample<Translation>&) override {}
  Vector3 force(const DrivenState<Translation>&) override { return {400.0, 300.0, 0.0}; }
  void persist(Archive&) override {}
};

TEST(PassiveLaw, GivesNoMoreEnergyThanASpring) {
  PassiveLaw<Translation> law(std::make_unique<ConstantLaw>(), {.timeConstant = 0.1, .largestForce = 500.0});
  const double h = 1e-4, mass = 1.0;
  DrivenState<Translation> state{0.0, h, Vector3::Zero()};
  law.observe({0.0, Vector3::Zero()});
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i, state.time += h) {
      const Vector3 force = law.force(state);
      state.place += h * state.velocity;
      state.velocity += h / mass * force;
      law.hasWorked(h * force.dot(state.velocity));
    }
    return 0.5 * mass * state.velocity.squaredNorm();
  };
  // where the hand is nothing is in store: nothing is given, but for rounding
  EXPECT_LT(run(100), 1e-25);
  // the hand goes 5 cm away: m d^2/(2 T^2) = 0.125 J, and a quarter of that for coming nearer; the force alone would give 12 J
  law.observe({state.time, state.place + Vector3(0.04, 0.03, 0.0)});
  const double energy = run(100);
  EXPECT_GT(energy, 0.1);
  EXPECT_LT(energy, 0.16);
}

TEST(PassiveLaw, LetsThroughWhatTakesEnergy) {
  PassiveLaw<Translation> law(std::make_unique<ConstantLaw>(), {.largestForce = 500.0});
  law.observe({0.0, Vector3::Zero()});
  const DrivenState<Translation> against{0.0, 1e-3, Vector3::Zero(), Vector3(-1.0, -2.0, 0.0)};
  EXPECT_EQ(law.force(against), Vector3(400.0, 300.0, 0.0));
  // across the motion it would push the point away from the hand, from where nobody has pulled it
  const DrivenState<Translation> across{0.0, 1e-3, Vector3::Zero(), Vector3(0.0, 0.0, 2.0)};
  const Vector3 force = law.force(across);
  EXPECT_NEAR(force.dot(across.velocity + 1e-3 * force), 0.0, 1e-12 * 500.0 * 2.0);
}

// What an engine does otherwise than it said is paid back before anything else is given.
TEST(PassiveLaw, PaysBackWhatItGaveTooMuch) {
  PassiveLaw<Translation> law(std::make_unique<ConstantLaw>(), {.timeConstant = 0.1, .largestForce = 500.0});
  law.observe({0.0, Vector3(0.05, 0.0, 0.0)});
  DrivenState<Translation> state{0.0, 1e-3, Vector3::Zero(), Vector3(0.3, 0.4, 0.0)};
  EXPECT_GT(law.force(state).dot(state.velocity), 0.0);
  law.hasWorked(0.2);
  EXPECT_LT(law.force(state).dot(state.velocity), 0.0);
}

// Noise does not move the anchor of a hand, and a hand that goes on slowly takes it along.
TEST(Stillness, KnowsTremblingFromMotion) {
  Stillness<Translation> hand(1e-3, 0.5);
  for (int i = 0; i <= 90; ++i) hand.observe(i / 90.0, Vector3(i % 2 == 0 ? 5e-4 : -5e-4, 0.0, 0.0));
  EXPECT_EQ(hand.calm(1.0), 1.0);
  for (int i = 0; i <= 90; ++i) hand.observe(1.0 + i / 90.0, Vector3(1e-4 * i, 0.0, 0.0));
  EXPECT_EQ(hand.calm(2.0), 0.0);
  EXPECT_NEAR(hand.anchor().x(), 9e-3 - 1e-3, 1e-15);
  EXPECT_NEAR(hand.calm(2.25), 0.5, 1e-12);
}

}  // namespace
}  // namespace polhode::control_law_test
