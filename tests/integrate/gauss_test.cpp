#include "integrate/gauss.h"

#include "integrate/catalogue.h"
#include "integrate/single_body/cases.h"
#include "polhode/error.h"
#include "support/allocation_count.h"
#include "support/integration_runs.h"
#include "system/single_body.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::test::gauss_test {
namespace {

IntegratorOptions withStep(double h) {
  IntegratorOptions options;
  options.fixedStep = h;
  return options;
}

// ---------------------------------------------------------------------------------------------------------
// Coefficients.

// The simplifying assumptions B(2s) and C(s), which make the order 2s (Hairer & Wanner II, IV.5).
TEST(GaussCoefficients, FulfilTheOrderConditions) {
  for (int s = 2; s <= 8; ++s) {
    const GaussCoefficients gauss(s);
    for (int k = 1; k <= 2 * s; ++k) {
      double sum = 0.0;
      for (int i = 0; i < s; ++i) sum += gauss.b()[i] * std::pow(gauss.c()[i], k - 1);
      EXPECT_NEAR(sum, 1.0 / k, 3e-16) << s << " stages, B(" << k << ")";
    }
    for (int k = 1; k <= s; ++k)
      for (int i = 0; i < s; ++i) {
        double sum = 0.0;
        for (int j = 0; j < s; ++j) sum += gauss.m()(i, j) * gauss.b()[j] * std::pow(gauss.c()[j], k - 1);
        EXPECT_NEAR(sum, std::pow(gauss.c()[i], k) / k, 3e-16) << s << " stages, C(" << k << ")";
      }
  }
  EXPECT_DOUBLE_EQ(GaussCoefficients(2).c()[0], 0.5 - std::sqrt(3.0) / 6.0);
}

// What quadratic invariants need, in the numbers as they are rounded.
TEST(GaussCoefficients, AreExactlySymplectic) {
  for (int s = 2; s <= 8; ++s) {
    const GaussCoefficients gauss(s);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) EXPECT_EQ(gauss.m()(i, j) + gauss.m()(j, i), 1.0) << s << " stages";
  }
}

// Both polynomials reproduce slopes of degree s - 1: f = 1 + t + ... + t^(s-1) over a step of length one.
TEST(GaussCoefficients, ContinueAPolynomialExactly) {
  for (int s = 2; s <= 8; ++s) {
    const GaussCoefficients gauss(s);
    const auto slope = [s](double t) {
      double sum = 0.0;
      for (int n = 0; n < s; ++n) sum += std::pow(t, n);
      return sum;
    };
    const auto value = [s](double t) {
      double sum = 0.0;
      for (int n = 1; n <= s; ++n) sum += std::pow(t, n) / n;
      return sum;
    };
    GaussCoefficients::Weights L = GaussCoefficients::Weights::Zero();
    for (int j = 0; j < s; ++j) L[j] = gauss.b()[j] * slope(gauss.c()[j]);
    for (const double theta : {0.0, 0.3, 1.0})
      EXPECT_NEAR(gauss.polynomialAt(theta).dot(L), value(theta), 1e-14) << s << " stages at " << theta;
    for (const double ratio : {0.5, 1.0, 1.7}) {
      const GaussCoefficients::Weights next = gauss.continuation(ratio) * L;
      for (int i = 0; i < s; ++i)
        EXPECT_NEAR(next[i] / (ratio * gauss.b()[i] * slope(1.0 + ratio * gauss.c()[i])), 1.0, 1e-11) << s << " stages";
    }
  }
}

// ---------------------------------------------------------------------------------------------------------
// Order.

/// Two bodies with the eccentricity 0.3, period 2 pi.
class Orbit : public OdeSystem {
 public:
  int size() const override { return 4; }
  void derivative(double, const VectorX& y, VectorX& dydt) const override {
    const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2);
    dydt << y[2], y[3], -y[0] / r3, -y[1] / r3;
  }
  static VectorX start() { return Eigen::Vector4d(0.7, 0.0, 0.0, std::sqrt(1.3 / 0.7)); }
};

TEST(Gauss, HasTwiceTheOrderOfItsStages) {
  const double period = 2.0 * std::acos(-1.0);
  const int steps[] = {0, 0, 160, 80, 40, 30};
  for (int s = 2; s <= 5; ++s) {
    const auto error = [&](int n) {
      const Orbit orbit;
      Gauss<OdeSystem> gauss(orbit, 0.0, Orbit::start(), period, withStep(period / n), s);
      runTo(period, gauss);
      EXPECT_EQ(gauss.work().steps, n);
      return (gauss.state() - Orbit::start()).norm();
    };
    const double order = std::log(error(steps[s]) / error(3 * steps[s] / 2)) / std::log(1.5);
    EXPECT_NEAR(order, 2.0 * s, 0.12 * s) << s << " stages";
  }
}

/// y1' = y2, y2' = -y1.
class Oscillator : public OdeSystem {
 public:
  int size() const override { return 2; }
  void derivative(double, const VectorX& y, VectorX& dydt) const override { dydt << y[1], -y[0]; }
};

// Steps of s/2: a step multiplies by Pade's approximation of exp(i h), whose errors for h and h/1.5 show the order less 0.02 s.
TEST(Gauss, HasTheOrderOfPade) {
  for (int s = 2; s <= 8; ++s) {
    const double end = 6.0 * s;
    const auto error = [&](int n) {
      const Oscillator oscillator;
      Gauss<OdeSystem> gauss(oscillator, 0.0, Eigen::Vector2d(1.0, 0.0), end, withStep(end / n), s);
      runTo(end, gauss);
      return (gauss.state() - Eigen::Vector2d(std::cos(end), -std::sin(end))).norm();
    };
    EXPECT_NEAR(std::log(error(12) / error(18)) / std::log(1.5), 2.0 * s, 0.05 * s) << s << " stages";
  }
}

TEST(Gauss, DenseOutputHasTheOrderOfItsStages) {
  for (const int s : {2, 3, 5}) {
    const auto error = [&](double h) {
      const Orbit orbit;
      Gauss<OdeSystem> gauss(orbit, 0.0, Orbit::start(), 1.0, withStep(h), s);
      gauss.step();
      double largest = 0.0;
      VectorX y = Orbit::start();
      for (const double share : {0.1, 0.35, 0.6, 0.9}) {
        gauss.interpolate(share * h, y);
        Gauss<OdeSystem> exact(orbit, 0.0, Orbit::start(), share * h, withStep(share * h), 8);
        exact.step();
        largest = std::max(largest, (y - exact.state()).norm());
      }
      return largest;
    };
    EXPECT_NEAR(std::log2(error(0.2) / error(0.1)), s + 1.0, 0.4) << s << " stages";
  }
}

TEST(Gauss, StepsOnItsGrid) {
  const Orbit orbit;
  Gauss<OdeSystem> gauss(orbit, 0.0, Orbit::start(), 1.0, withStep(0.15), 3);
  for (int i = 1; i <= 6; ++i) {
    gauss.step();
    EXPECT_EQ(gauss.time(), i * 0.15);
  }
  gauss.step();
  EXPECT_EQ(gauss.time(), 1.0);
}

// ---------------------------------------------------------------------------------------------------------
// What is conserved.

struct Drift {
  double energy = 0.0, momentum = 0.0, constraint = 0.0;  // relative
};

/// The largest drifts over some steps, of Gauss collocation as models are moved by it.
Drift driftOf(const single_body::Case& c, const std::string& coordinates, const std::string& integrator, double h,
              int steps) {
  RigidBodyData data;
  data.inertia = c.top.inertia;
  data.centre = c.top.moment;  // of a mass of one
  const auto body = makeSingleBody(coordinates, "null-space", data, UniformGravity(data, c.top.gravity), nullptr);
  BodyMotion start;
  start.orientation = c.start.q;
  start.angularVelocity = c.start.Omega;
  const auto stepper =
      findIntegrator(integrator).makeInlined(*body, body->stateOf(start), 2.0 * steps * h, withStep(h));
  const bool isFree = c.top.gravity.isZero() || c.top.moment.isZero();
  const Vector3 up = isFree ? Vector3::Zero() : Vector3(c.top.gravity.normalized());
  const auto energy = [&](const BodyMotion& m) {
    return 0.5 * m.angularVelocity.dot(data.inertia.cwiseProduct(m.angularVelocity)) -
           c.top.gravity.dot(m.directors * data.centre);
  };
  const auto momentum = [&](const BodyMotion& m) -> Vector3 {
    return m.directors * data.inertia.cwiseProduct(m.angularVelocity);
  };
  const BodyMotion first = body->motionOf(stepper->state());
  const double energyThen = energy(first);
  const Vector3 momentumThen = momentum(first);
  Drift drift;
  for (int i = 1; i <= steps; ++i) {
    stepper->step();
    if (i % 50 != 0) continue;
    const BodyMotion now = body->motionOf(stepper->state());
    const Vector3 change = momentum(now) - momentumThen;
    drift.energy = std::max(drift.energy, std::abs(energy(now) / energyThen - 1.0));
    drift.momentum =
        std::max(drift.momentum, (isFree ? change.norm() : std::abs(change.dot(up))) / momentumThen.norm());
    drift.constraint = std::max(drift.constraint, body->positionViolation(stepper->state()));
  }
  return drift;
}

// In directors energy, momentum and orthonormality are quadratic, whatever the order and however coarse the steps; in
// quaternions energy and length are.
TEST(Gauss, KeepsQuadraticInvariants) {
  for (const auto& c : {single_body::heavyTop(), single_body::freeBody(), single_body::asymmetricTop()})
    for (const char* integrator : {"gauss-4", "gauss-10", "gauss-16"}) {
      const double h = 0.4 / c.start.Omega.norm();
      const Drift director = driftOf(c, "director", integrator, h, 2000);
      EXPECT_LT(director.energy, 1e-14) << integrator;
      EXPECT_LT(director.momentum, 1e-14) << integrator;
      EXPECT_LT(director.constraint, 1e-14) << integrator;
      const Drift quaternion = driftOf(c, "quaternion", integrator, h, 2000);
      EXPECT_LT(quaternion.energy, 1e-14) << integrator;
      EXPECT_LT(quaternion.constraint, 1e-14) << integrator;
    }
  // momentum is of the third degree in quaternions
  EXPECT_GT(driftOf(single_body::asymmetricTop(), "quaternion", "gauss-4", 0.1, 2000).momentum, 1e-8);
}

TEST(Gauss, LongRunOfAMillionStepsKeepsThem) {
  for (const auto& c : {single_body::heavyTop(), single_body::freeBody(), single_body::asymmetricTop()})
    for (const char* integrator : {"gauss-4", "gauss-8", "gauss-16"})
      for (const char* coordinates : {"director", "quaternion"}) {
        const Drift drift = driftOf(c, coordinates, integrator, 0.2 / c.start.Omega.norm(), 1'000'000);
        std::printf("%s, %s: energy %.1e, momentum %.1e, constraint %.1e\n", integrator, coordinates, drift.energy,
                    drift.momentum, drift.constraint);
        // a random walk of a million roundings of a fifth of 1e-16
        EXPECT_LT(drift.energy, 1e-13) << integrator;
        EXPECT_LT(drift.constraint, 1e-13) << integrator;
        if (std::string(coordinates) == "director") {
          EXPECT_LT(drift.momentum, 1e-13) << integrator;
        }
      }
}

TEST(Gauss, AllocatesNothingInAStep) {
  const single_body::Case c = single_body::heavyTop();
  RigidBodyData data;
  data.inertia = c.top.inertia;
  data.centre = c.top.moment;
  const auto body = makeSingleBody("quaternion", "null-space", data, UniformGravity(data, c.top.gravity), nullptr);
  BodyMotion start;
  start.angularVelocity = c.start.Omega;
  const VectorX y0 = body->stateOf(start);
  for (const char* integrator : {"gauss-6", "gauss-16"})
    for (const double h : {0.0, 0.002}) {
      IntegratorOptions options = withTolerance(1e-10);
      options.fixedStep = h;
      const auto stepper = findIntegrator(integrator).makeInlined(*body, y0, 10.0, options);
      const long before = allocationCount();
      for (int i = 0; i < 100; ++i) stepper->step();
      EXPECT_EQ(allocationCount(), before) << integrator;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Stiffness.

/// y' = -k (y - cos t) - sin t is cos t, whatever k, from y = 1.
class Attracted : public OdeSystem {
 public:
  explicit Attracted(double k) : k_(k) {}
  int size() const override { return 1; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    dydt[0] = -k_ * (y[0] - std::cos(t)) - std::sin(t);
  }

 private:
  double k_;
};

TEST(Gauss, TakesStiffMotionByNewtonsMethod) {
  const Attracted stiff(1e4), soft(1.0);
  const VectorX one = VectorX::Ones(1);
  for (const int s : {2, 3, 8}) {
    Gauss<OdeSystem> fixed(stiff, 0.0, one, 2.0, withStep(0.1), s);
    runTo(2.0, fixed);
    EXPECT_NEAR(fixed.state()[0], std::cos(2.0), s == 2 ? 1e-3 : 1e-6) << s << " stages";
    EXPECT_EQ(fixed.work().steps, 20);
    EXPECT_GT(fixed.work().jacobians, 0);
    EXPECT_NE(fixed.warning().find("stiff"), std::string::npos);

    Gauss<OdeSystem> chosen(stiff, 0.0, one, 2.0, withTolerance(1e-8), s);
    runTo(2.0, chosen);
    // order and error fall to those of the stages, which are held against 0.15 of the root of the tolerance
    EXPECT_NEAR(chosen.state()[0], std::cos(2.0), 1.5e-5) << s << " stages";
    EXPECT_LT(chosen.work().steps, s == 2 ? 2000 : 200) << s << " stages";  // by fixed-point iteration 1e4 and more
    EXPECT_GT(chosen.work().jacobians, 0);

    Gauss<OdeSystem> easy(soft, 0.0, one, 2.0, withStep(0.1), s);
    runTo(2.0, easy);
    EXPECT_EQ(easy.work().jacobians, 0);
    EXPECT_EQ(easy.warning(), "");
  }
}

/// y' = y^2 has the solution 1/(1 - t).
class Explosion : public OdeSystem {
 public:
  int size() const override { return 1; }
  void derivative(double, const VectorX& y, VectorX& dydt) const override { dydt[0] = y[0] * y[0]; }
};

TEST(Gauss, SaysThatAFixedStepIsTooLong) {
  const Explosion explosion;
  Gauss<OdeSystem> gauss(explosion, 0.0, VectorX::Ones(1), 2.0, withStep(0.3), 4);
  try {
    runTo(2.0, gauss);
    FAIL() << "y' = y^2 has no solution beyond t = 1";
  } catch (const SimulationError& error) {
    const std::string sentence = error.what();
    EXPECT_NE(sentence.find("gauss-8: the stages of the step from t = "), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("shorter step"), std::string::npos) << sentence;
  }
  EXPECT_TRUE(gauss.state().allFinite());
}

}  // namespace
}  // namespace polhode::test::gauss_test
