#include "integrate/mechanism/form_stiffness.h"

#include "math/cross.h"
#include "math/quaternion.h"

namespace polhode {

namespace {

// Rows and columns of an ElementJacobian.
constexpr int ofX1 = 0, ofTurn1 = 3, ofX2 = 6, ofTurn2 = 9;

/// An arm D rho of a body: at the end of the step and at the mean directors. With the turn of the end it changes by
/// d end = turn cross end, d mean = -end^/2 turn.
struct Arm {
  Vector3 end, mean;
  Arm(const Matrix3& D0, const Matrix3& D1, const Vector3& rho) : end(D1 * rho), mean(0.5 * (D0 * rho + end)) {}
};

Vector3 meanDistance(const MeanForm& m) {
  return 0.5 * ((m.second0.x - m.first0.x) + (m.second1.x - m.first1.x));
}

}  // namespace

ElementWrenches MeanForm::wrenches(const Form& form) const {
  const Placement first = mean(first0, first1), second = mean(second0, second1);
  const FormGradient g = form.gradient(first, second);
  return {{g.first.onPosition, g.first.onRotation(first.D)}, {g.second.onPosition, g.second.onRotation(second.D)}};
}

/// d(p cross f) = f^ (end^/2) turn + p cross df for the torque of a force f at an arm p.
void MeanForm::addStiffness(const Form& form, double scale, ElementJacobian& jacobian) const {
  const auto add = [&](int row, int column, double factor, const Matrix3& block) {
    jacobian.block<3, 3>(row, column) += (scale * factor) * block;
  };
  switch (form.kind) {
    case FormKind::point: {  // force a at two points
      add(ofTurn1, ofTurn1, -0.5, doubleCross(form.a, first1.D * form.firstPoint));
      add(ofTurn2, ofTurn2, 0.5, doubleCross(form.a, second1.D * form.secondPoint));
      break;
    }
    case FormKind::axes: {  // torque a cross b
      const Arm a(first0.D, first1.D, form.a), b(second0.D, second1.D, form.b);
      const Matrix3 byFirst = doubleCross(b.mean, a.end), bySecond = doubleCross(a.mean, b.end);
      add(ofTurn1, ofTurn1, 0.5, byFirst);
      add(ofTurn1, ofTurn2, -0.5, bySecond);
      add(ofTurn2, ofTurn1, -0.5, byFirst);
      add(ofTurn2, ofTurn2, 0.5, bySecond);
      break;
    }
    case FormKind::axisPoint: {  // force a at an arm of the second body, torque a cross r on the first
      const Arm a(first0.D, first1.D, form.a), arm(second0.D, second1.D, form.secondPoint);
      const Vector3 r = meanDistance(*this) + arm.mean;
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
      const Arm arms[] = {{first0.D, first1.D, form.firstPoint}, {second0.D, second1.D, form.secondPoint}};
      const Vector3 force = 2.0 * (meanDistance(*this) + arms[1].mean - arms[0].mean);
      constexpr int x[] = {ofX1, ofX2}, turn[] = {ofTurn1, ofTurn2};
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          const double sign = i == j ? 1.0 : -1.0;
          add(x[i], x[j], sign, Matrix3::Identity());
          add(x[i], turn[j], -sign, hat(arms[j].end));
          add(turn[i], x[j], sign, hat(arms[i].mean));
          add(turn[i], turn[j], -sign, doubleCross(arms[i].mean, arms[j].end));
        }
        add(turn[i], turn[i], i == 0 ? -0.5 : 0.5, doubleCross(force, arms[i].end));
      }
      break;
    }
  }
}

}  // namespace polhode
