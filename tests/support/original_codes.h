#pragma once

#include "support/integration_runs.h"
#include "support/lang_top.h"
#include "system/ode.h"

#include <gtest/gtest.h>

/// Comparison with the Fortran codes by Hairer & Wanner.
namespace polhode::test {

/// What the original did with the top of lang_top.h, with default parameters (a first step of 1e-4) and rtol = atol =
/// tol: computed for this project with those codes. The errors are the largest of R and of Omega at t = 60.
struct OriginalRun {
  double tol;
  long evaluations, accepted;
  double rotationError, velocityError;
};

/// A top as the type of unknown size, for which the library holds the methods compiled.
template <class Top>
class OfUnknownSize final : public OdeSystem {
 public:
  int size() const override { return Top::Size; }
  void derivative(double t, const VectorX& y, VectorX& dydt) const override {
    typename Top::State rate;
    top_.derivative(t, y, rate);
    dydt = rate;
  }

 private:
  Top top_;
};

/// The control logic of the methods is that of the originals to the last branch, so the counts agree unless rounding
/// decides a branch differently: 0.5 % leaves room for other compilers and processors, and for the evaluation that
/// ODEX repeats where a step is halved. The errors at t = 60 sum up many steps; 10 % leaves the same room. Returns what
/// the run has cost.
template <class Method, class Top>
WorkCounts expectSameAsOriginal(const OriginalRun& original) {
  IntegratorOptions options = withTolerance(original.tol);
  options.initialStep = 1e-4;
  const OfUnknownSize<Top> top;
  Method method(top, 0.0, Top::initial(), lang_top::endTime, options);
  runTo(lang_top::endTime, method);

  EXPECT_EQ(method.time(), lang_top::endTime);
  EXPECT_NEAR(method.work().rhsEvaluations, original.evaluations, 0.005 * original.evaluations);
  EXPECT_NEAR(method.work().steps, original.accepted, 0.005 * original.accepted);
  const double rotationError = (Top::rotation(method.state()) - lang_top::rotationAtEnd()).cwiseAbs().maxCoeff();
  const double velocityError =
      (Top::angularVelocity(method.state()) - lang_top::angularVelocityAtEnd()).cwiseAbs().maxCoeff();
  EXPECT_NEAR(rotationError, original.rotationError, 0.1 * original.rotationError);
  EXPECT_NEAR(velocityError, original.velocityError, 0.1 * original.velocityError);
  return method.work();
}

}  // namespace polhode::test
