#include "integrate/mechanism/form_stiffness.h"

#include "math/rotation_maps.h"

#include <gtest/gtest.h>

namespace polhode::form_stiffness_test {
namespace {

Placement placement(const Vector3& x, const Vector3& turn) {
  return {x, expSO3(turn)};
}

using Gradient = Eigen::Matrix<double, 12, 1>;

Gradient gradientOf(const Form& form, const ElementStep& bodies, FormStep::At at) {
  FormStep step(bodies);
  step.take(form);
  Vector6 onFirst, onSecond;
  step.gradient(at, onFirst, onSecond);
  Gradient both;
  both << onFirst, onSecond;
  return both;
}

Gradient gradientOf(const Form& form, const Placement& first, const Placement& second) {
  const FormGradient g = form.gradient(first, second);
  Gradient both;
  both << g.first.onPosition, g.first.onRotation(first.D), g.second.onPosition, g.second.onRotation(second.D);
  return both;
}

/// The placement at the end, moved or turned in space by a little in direction k of six.
Placement moved(const Placement& p, int k, double by) {
  return k < 3 ? Placement{p.x + by * Vector3::Unit(k), p.D}
               : Placement{p.x, expSO3(Vector3(by * Vector3::Unit(k - 3))) * p.D};
}

const Vector3 a(0.3, -0.7, 0.5), b(0.2, 0.9, -0.4), p(0.5, 0.1, -0.6), q(-0.3, 0.8, 0.2);
const Form forms[] = {pointForm(a, p, q), axesForm(a, b), axisPointForm(a, p, q), squaredDistanceForm(p, q),
                      pointForm(b, p, q)};

ElementStep someStep() {
  return {0.0,
          0.1,
          placement({1, 2, 3}, {0.3, 0.2, -0.5}),
          placement({1.1, 1.9, 3.2}, {0.5, 0.1, -0.4}),
          placement({-1, 0.5, 2}, {0.9, -0.2, 0.1}),
          placement({-0.8, 0.6, 2.1}, {0.8, -0.5, 0.3})};
}

TEST(FormStiffness, IsTheDerivativeOfTheWrenches) {
  const ElementStep bodies = someStep();
  FormStep step(bodies);
  for (const Form& form : forms) {
    ElementJacobian jacobian = ElementJacobian::Zero();
    step.take(form);
    step.addStiffness(1.5, jacobian);
    for (int column = 0; column < 12; ++column) {
      const auto at = [&](double by) {
        ElementStep other = bodies;
        Placement& end = column < 6 ? other.first1 : other.second1;
        end = moved(end, column % 6, by);
        return gradientOf(form, other, FormStep::At::mean);
      };
      const double small = 1e-5;
      const Gradient difference = 1.5 * (at(small) - at(-small)) / (2.0 * small);
      EXPECT_LT((jacobian.col(column) - difference).cwiseAbs().maxCoeff(), 1e-8)
          << "kind " << static_cast<int>(form.kind) << ", column " << column;
    }
  }
}

TEST(FormStep, HasTheValueAndTheGradientsOfTheForm) {
  const ElementStep bodies = someStep();
  FormStep step(bodies);
  for (const Form& form : forms) {
    step.take(form);
    EXPECT_NEAR(step.valueAtEnd(), form.value(bodies.first1, bodies.second1), 1e-14);
    const Gradient atEnd = gradientOf(form, bodies.first1, bodies.second1);
    const Gradient atMean = gradientOf(form, mean(bodies.first0, bodies.first1), mean(bodies.second0, bodies.second1));
    for (const auto& [at, expected] : {std::pair{FormStep::At::end, atEnd}, std::pair{FormStep::At::mean, atMean}}) {
      Vector6 onFirst, onSecond;
      step.gradient(at, onFirst, onSecond);
      EXPECT_LT((onFirst - expected.head<6>()).norm() + (onSecond - expected.tail<6>()).norm(), 1e-14)
          << "kind " << static_cast<int>(form.kind);
    }
  }
}

}  // namespace
}  // namespace polhode::form_stiffness_test
