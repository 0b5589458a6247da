#include "integrate/mechanism/form_stiffness.h"

#include "math/quaternion.h"

namespace polhode {

namespace {

// Rows and columns of an ElementJacobian.
constexpr int ofX1 = 0, ofTurn1 = 3, ofX2 = 6, ofTurn2 = 9;

}  // namespace

/// d(p cross f) = f^ (end^/2) turn + p cross df for the torque of a force f at an arm p.
void FormStep::addStiffness(double scale, ElementJacobian& jacobian) const {
  const Form& form = *form_;
  const auto add = [&](int row, int column, double factor, const Matrix3& block) {
    jacobian.block<3, 3>(row, column) += (scale * factor) * block;
  };
  Matrix3 byFirst, bySecond;
  switch (form.kind) {
    case FormKind::point:
    case FormKind::axes: {
      turningStiffness(byFirst, bySecond);
      add(ofTurn1, ofTurn1, 1.0, byFirst);
      add(ofTurn2, ofTurn2, 1.0, bySecond);
      if (form.kind == FormKind::point) break;
      add(ofTurn1, ofTurn2, -1.0, bySecond);  // torques that are opposite
      add(ofTurn2, ofTurn1, -1.0, byFirst);
      break;
    }
    case FormKind::axisPoint: {  // force a at an arm of the second body, torque a cross r on the first
      const Arm &a = first_, &arm = second_;
      const Vector3 r = mean_ + arm.mean;
      const Matrix3 force = hat(a.end), across = hat(a.mean), both = doubleCross(a.mean, arm.end);
      add(ofX1, ofTurn1, 0.5, force);
      add(ofX2, ofTurn1, -0.5, force);
      add(ofTurn1, ofX1, -0.5, across);
      add(ofTurn1, ofX2, 0.5, across);
      add(ofTurn1, ofTurn1, 0.5, doubleCross(r, a.end));
      add(ofTurn1, ofTurn2, -0.5, both);
      add(ofTurn2, ofTurn1, -0.5, doubleCross(arm.mean, a.end));
      add(ofTurn2, ofTurn2, 0.5, both);
      break;
    }
    case FormKind::squaredDistance: {  // force 2 r at two arms
      const Arm* const arms[] = {&first_, &second_};
      const Vector3 force = 2.0 * (mean_ + second_.mean - first_.mean);
      constexpr int x[] = {ofX1, ofX2}, turn[] = {ofTurn1, ofTurn2};
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          const double sign = i == j ? 1.0 : -1.0;
          add(x[i], x[j], sign, Matrix3::Identity());
          add(x[i], turn[j], -sign, hat(arms[j]->end));
          add(turn[i], x[j], sign, hat(arms[i]->mean));
          add(turn[i], turn[j], -sign, doubleCross(arms[i]->mean, arms[j]->end));
        }
        add(turn[i], turn[i], i == 0 ? -0.5 : 0.5, doubleCross(force, arms[i]->end));
      }
      break;
    }
  }
}

}  // namespace polhode
