#include "polhode/integrate/mechanism/form_stiffness.h"

#include "polhode/math/quaternion.h"

namespace polhode {

namespace {

// Rows and columns of an ElementJacobian.
constexpr int x1 = 0, turn1 = 3, x2 = 6, turn2 = 9;

/// A vector of the mean placements, and its derivative with respect to the ends (3 x 12).
struct Varying {
  Vector3 value = Vector3::Zero();
  Eigen::Matrix<double, 3, 12> derivative = Eigen::Matrix<double, 3, 12>::Zero();

  Varying scaled(double s) const { return {s * value, s * derivative}; }
};

/// D arm at the mean directors: half of its change follows the turn of the end, d(D1 arm) = turn cross D1 arm.
Varying axisOf(const Matrix3& D0, const Matrix3& D1, const Vector3& arm, int turn) {
  const Vector3 end = D1 * arm;
  Varying v;
  v.value = 0.5 * (D0 * arm + end);
  v.derivative.middleCols<3>(turn) = -0.5 * hat(end);
  return v;
}

Varying cross(const Varying& a, const Varying& b) {
  return {a.value.cross(b.value), hat(a.value) * b.derivative - hat(b.value) * a.derivative};
}

Varying difference(const Varying& a, const Varying& b) {
  return {a.value - b.value, a.derivative - b.derivative};
}

/// The four vectors of a pair of wrenches.
struct VaryingWrenches {
  Varying force1, torque1, force2, torque2;
};

VaryingWrenches varyingWrenches(const MeanForm& m, const Form& form) {
  const auto position = [](const Placement& a, const Placement& b, int column) {
    Varying v;
    v.value = 0.5 * (a.x + b.x);
    v.derivative.middleCols<3>(column).diagonal().setConstant(0.5);
    return v;
  };
  const auto sum = [](const Varying& a, const Varying& b) {
    return Varying{a.value + b.value, a.derivative + b.derivative};
  };
  VaryingWrenches w;
  switch (form.kind) {
    case FormKind::point: {
      Varying direction;
      direction.value = form.a;
      w.force2 = direction;
      w.force1 = direction.scaled(-1.0);
      w.torque1 = cross(axisOf(m.first0.D, m.first1.D, form.firstPoint, turn1), w.force1);
      w.torque2 = cross(axisOf(m.second0.D, m.second1.D, form.secondPoint, turn2), w.force2);
      break;
    }
    case FormKind::axes:
      w.torque1 = cross(axisOf(m.first0.D, m.first1.D, form.a, turn1), axisOf(m.second0.D, m.second1.D, form.b, turn2));
      w.torque2 = w.torque1.scaled(-1.0);
      break;
    case FormKind::axisPoint: {
      const Varying axis = axisOf(m.first0.D, m.first1.D, form.a, turn1);
      const Varying arm = axisOf(m.second0.D, m.second1.D, form.secondPoint, turn2);
      const Varying r = difference(sum(position(m.second0, m.second1, x2), arm), position(m.first0, m.first1, x1));
      w.force2 = axis;
      w.force1 = axis.scaled(-1.0);
      w.torque1 = cross(axis, r);
      w.torque2 = cross(arm, axis);
      break;
    }
    case FormKind::squaredDistance: {
      const Varying arm1 = axisOf(m.first0.D, m.first1.D, form.firstPoint, turn1);
      const Varying arm2 = axisOf(m.second0.D, m.second1.D, form.secondPoint, turn2);
      w.force2 = difference(sum(position(m.second0, m.second1, x2), arm2), sum(position(m.first0, m.first1, x1), arm1))
                     .scaled(2.0);
      w.force1 = w.force2.scaled(-1.0);
      w.torque1 = cross(arm1, w.force1);
      w.torque2 = cross(arm2, w.force2);
      break;
    }
  }
  return w;
}

}  // namespace

ElementWrenches MeanForm::wrenches(const Form& form) const {
  const Placement first = mean(first0, first1), second = mean(second0, second1);
  const FormGradient g = form.gradient(first, second);
  return {{g.first.onPosition, g.first.onRotation(first.D)}, {g.second.onPosition, g.second.onRotation(second.D)}};
}

void MeanForm::addStiffness(const Form& form, double scale, ElementJacobian& jacobian) const {
  const VaryingWrenches w = varyingWrenches(*this, form);
  jacobian.middleRows<3>(x1) += scale * w.force1.derivative;
  jacobian.middleRows<3>(turn1) += scale * w.torque1.derivative;
  jacobian.middleRows<3>(x2) += scale * w.force2.derivative;
  jacobian.middleRows<3>(turn2) += scale * w.torque2.derivative;
}

}  // namespace polhode
