#include "integrate/mechanism/form_stiffness.h"

#include "math/rotation_maps.h"

#include <gtest/gtest.h>

namespace polhode::form_stiffness_test {
namespace {

Placement placement(const Vector3& x, const Vector3& turn) {
  return {x, expSO3(turn)};
}

Eigen::Matrix<double, 12, 1> allOf(const ElementWrenches& w) {
  Eigen::Matrix<double, 12, 1> v;
  v << w.first.force, w.first.torque, w.second.force, w.second.torque;
  return v;
}

/// The placement at the end, moved or turned in space by a little in direction k of six.
Placement moved(const Placement& p, int k, double by) {
  return k < 3 ? Placement{p.x + by * Vector3::Unit(k), p.D}
               : Placement{p.x, expSO3(Vector3(by * Vector3::Unit(k - 3))) * p.D};
}

TEST(FormStiffness, IsTheDerivativeOfTheWrenches) {
  const Vector3 a(0.3, -0.7, 0.5), b(0.2, 0.9, -0.4), p(0.5, 0.1, -0.6), q(-0.3, 0.8, 0.2);
  const MeanForm step{placement({1, 2, 3}, {0.3, 0.2, -0.5}), placement({1.1, 1.9, 3.2}, {0.5, 0.1, -0.4}),
                      placement({-1, 0.5, 2}, {0.9, -0.2, 0.1}), placement({-0.8, 0.6, 2.1}, {0.8, -0.5, 0.3})};
  for (const Form& form : {pointForm(a, p, q), axesForm(a, b), axisPointForm(a, p, q), squaredDistanceForm(p, q)}) {
    ElementJacobian jacobian = ElementJacobian::Zero();
    step.addStiffness(form, 1.5, jacobian);
    for (int column = 0; column < 12; ++column) {
      const auto at = [&](double by) {
        MeanForm other = step;
        Placement& end = column < 6 ? other.first1 : other.second1;
        end = moved(end, column % 6, by);
        return allOf(other.wrenches(form));
      };
      const double small = 1e-5;
      const Eigen::Matrix<double, 12, 1> difference = 1.5 * (at(small) - at(-small)) / (2.0 * small);
      EXPECT_LT((jacobian.col(column) - difference).cwiseAbs().maxCoeff(), 1e-8)
          << "kind " << static_cast<int>(form.kind) << ", column " << column;
    }
  }
}

}  // namespace
}  // namespace polhode::form_stiffness_test
