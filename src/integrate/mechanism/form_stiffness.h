#pragma once

#include "math/cross.h"
#include "polhode/model/form.h"
#include "polhode/system/force_element.h"

namespace polhode {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// A form over a step of two bodies: its value where the step ends, and its gradient (onPosition, onRotation) at the mean
/// placements, which is what its row pulls with, and at the end. All are made of one arm of each body.
class FormStep {
 public:
  enum class At { mean, end };

  explicit FormStep(const ElementStep& bodies)
      : bodies_(bodies),
        end_(bodies.second1.x - bodies.first1.x),
        mean_(0.5 * ((bodies.second0.x - bodies.first0.x) + end_)) {}

  /// Goes over to another form, which must stay where it is. The equations of one joint often have the same arms.
  void take(const Form& form) {
    const bool turns = form.kind == FormKind::axes || form.kind == FormKind::axisPoint;
    const Vector3 &first = turns ? form.a : form.firstPoint,
                  &second = form.kind == FormKind::axes ? form.b : form.secondPoint;
    if (!form_ || ofFirst_ != first) {
      ofFirst_ = first;
      first_ = Arm(bodies_.first0.D, bodies_.first1.D, first);
    }
    if (!form_ || ofSecond_ != second) {
      ofSecond_ = second;
      second_ = Arm(bodies_.second0.D, bodies_.second1.D, second);
    }
    form_ = &form;
  }

  double valueAtEnd() const {
    const Vector3 &u = first_.end, &w = second_.end;
    switch (form_->kind) {
      case FormKind::point:
        return form_->a.dot(apartAtEnd());
      case FormKind::axes:
        return u.dot(w);
      case FormKind::axisPoint:
        return u.dot((bodies_.second1.x + w) - bodies_.first1.x) - form_->a.dot(form_->firstPoint);
      case FormKind::squaredDistance:
        return apartAtEnd().squaredNorm();
    }
    return 0.0;
  }

  /// With respect to a displacement and a turn of the first body, and of the second.
  void gradient(At at, Vector6& onFirst, Vector6& onSecond) const {
    const bool isEnd = at == At::end;
    const Vector3 &u = isEnd ? first_.end : first_.mean, &w = isEnd ? second_.end : second_.mean,
                  &apart = isEnd ? end_ : mean_;
    switch (form_->kind) {
      case FormKind::point:
        pullApart(form_->a, u, w, onFirst, onSecond);
        break;
      case FormKind::axes:
        onFirst.head<3>().setZero(), onSecond.head<3>().setZero();
        onFirst.tail<3>() = u.cross(w);
        onSecond.tail<3>() = -onFirst.tail<3>();
        break;
      case FormKind::axisPoint:
        onFirst.head<3>() = -u, onSecond.head<3>() = u;
        onFirst.tail<3>() = u.cross(apart + w);
        onSecond.tail<3>() = w.cross(u);
        break;
      case FormKind::squaredDistance:
        pullApart(2.0 * (apart + (w - u)), u, w, onFirst, onSecond);
        break;
    }
  }

  /// Adds `scale` times the derivative of the gradient at the mean placements with respect to where the step ends: rows and
  /// columns as in ElementJacobian.
  void addStiffness(double scale, ElementJacobian& jacobian) const;

  /// Of forms that hold points or axes: how the torques of the gradient at the mean placements change with the turns of their own
  /// bodies.
  void turningStiffness(Matrix3& ofFirst, Matrix3& ofSecond) const {
    if (form_->kind == FormKind::point) {  // force a at two points
      ofFirst = -0.5 * doubleCross(form_->a, first_.end);
      ofSecond = 0.5 * doubleCross(form_->a, second_.end);
    } else {  // torque a cross b
      ofFirst = 0.5 * doubleCross(second_.mean, first_.end);
      ofSecond = 0.5 * doubleCross(first_.mean, second_.end);
    }
  }

 private:
  /// An arm D rho of a body: at the end of the step and at the mean directors. With the turn of the end it changes by
  /// d end = turn cross end, d mean = -end^/2 turn.
  struct Arm {
    Vector3 end, mean;
    Arm() = default;
    Arm(const Matrix3& D0, const Matrix3& D1, const Vector3& rho) : end(D1 * rho), mean(0.5 * (D0 * rho + end)) {}
  };

  /// How far the points are apart. They nearly coincide in most joints, and then their difference is exact.
  Vector3 apartAtEnd() const { return (bodies_.second1.x + second_.end) - (bodies_.first1.x + first_.end); }

  static void pullApart(const Vector3& force, const Vector3& u, const Vector3& w, Vector6& onFirst, Vector6& onSecond) {
    onFirst.head<3>() = -force, onSecond.head<3>() = force;
    onFirst.tail<3>() = force.cross(u);
    onSecond.tail<3>() = w.cross(force);
  }

  const ElementStep& bodies_;
  Vector3 end_, mean_;  // from the centre of the first body to that of the second
  const Form* form_ = nullptr;
  Vector3 ofFirst_, ofSecond_;  // what the arms are of, fixed in the bodies
  Arm first_, second_;
};

}  // namespace polhode
