#include "system/scalar_coordinate.h"

#include "math/dual.h"
#include "math/quaternion.h"

#include <cmath>

namespace polhode {

namespace {

using Rows = Eigen::Matrix<double, 3, 12>;

/// Which three of the twelve columns: the move and the turn of the first and of the second body.
enum Block { firstMove = 0, firstTurn = 3, secondMove = 6, secondTurn = 9 };

/// The angular velocity of a placement that need not be a rotation: half of sum_i d_i cross d_i'.
template <class Scalar>
Vector<Scalar, 3> angularVelocityOf(const MovingPlacementOf<Scalar>& body) {
  Vector<Scalar, 3> sum = Vector<Scalar, 3>::Zero();
  for (int i = 0; i < 3; ++i) sum += body.at.D.col(i).cross(body.rate.W.col(i));
  return 0.5 * sum;
}

/// Adds the derivative of a body-fixed vector D a at the mean placement: half of turn cross (D1 a).
void addAxis(double factor, int turn, const Matrix3& D1, const Vector3& a, Rows& rows) {
  rows.middleCols<3>(turn) -= 0.5 * factor * hat(Vector3(D1 * a));
}

/// Adds the derivative of a body-fixed point x + D a at the mean placement.
void addPoint(double factor, int move, const Matrix3& D1, const Vector3& a, Rows& rows) {
  rows.middleCols<3>(move).diagonal().array() += 0.5 * factor;
  addAxis(factor, move + 3, D1, a, rows);
}

/// dk/dP and dk/dR of k = phi/P, where phi = atan2(P, R) and P = r sin(phi), R = r cos(phi):
/// k = q(phi)/r with q = phi/sin(phi).
struct AngleFactor {
  double k, byP, byR;

  AngleFactor(double P, double R) {
    const double r2 = P * P + R * R, r = std::sqrt(r2), phi = std::atan2(P, R), sine = P / r, cosine = R / r;
    const bool small = std::abs(phi) < 1e-3;
    const double square = phi * phi;
    const double q = small ? 1.0 + square / 6.0 + 7.0 * square * square / 360.0 : phi / sine;
    const double slope = small ? phi / 3.0 + 7.0 * phi * square / 90.0 : (sine - phi * cosine) / (sine * sine);
    k = q / r;
    byP = (slope * cosine - q * sine) / r2;
    byR = -(slope * sine + q * cosine) / r2;
  }
};

}  // namespace

template <class Scalar>
PullOf<Scalar> pullOf(const Form& form, const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) {
  const FormGradientOf<Scalar> g = form.gradient(first, second);
  PullOf<Scalar> pull;
  pull << g.first.onPosition, g.first.onRotation(first.D), g.second.onPosition, g.second.onRotation(second.D);
  return pull;
}

ElementJacobian meanPullJacobian(const Form& form, const ElementStep& step) {
  // derivatives of what the form's gradient has on positions (p) and on directors (q), see Form::gradient
  const Matrix3 &D1 = step.first1.D, &D2 = step.second1.D;
  Rows p1 = Rows::Zero(), q1 = Rows::Zero(), p2 = Rows::Zero(), q2 = Rows::Zero();
  switch (form.kind) {
    case FormKind::point:
      break;
    case FormKind::axes:
      addAxis(1.0, secondTurn, D2, form.b, q1);
      addAxis(1.0, firstTurn, D1, form.a, q2);
      break;
    case FormKind::axisPoint:
      addAxis(1.0, firstTurn, D1, form.a, p2);
      q2 = p2;
      p1 = -p2;
      addPoint(1.0, secondMove, D2, form.secondPoint, q1);
      q1.middleCols<3>(firstMove).diagonal().array() -= 0.5;
      break;
    case FormKind::squaredDistance:
      addPoint(2.0, secondMove, D2, form.secondPoint, p2);
      addPoint(-2.0, firstMove, D1, form.firstPoint, p2);
      q2 = p2;
      p1 = -p2;
      q1 = p1;
      break;
  }

  // a torque is (D arm) cross q, both at the mean
  const Placement first = step.firstMean(), second = step.secondMean();
  const FormGradient g = form.gradient(first, second);
  ElementJacobian jacobian;
  jacobian.middleRows<3>(firstMove) = p1;
  jacobian.middleRows<3>(firstTurn) = hat(Vector3(first.D * g.first.arm)) * q1;
  jacobian.middleRows<3>(secondMove) = p2;
  jacobian.middleRows<3>(secondTurn) = hat(Vector3(second.D * g.second.arm)) * q2;
  jacobian.block<3, 3>(firstTurn, firstTurn) += 0.5 * hat(g.first.onDirectors) * hat(Vector3(D1 * g.first.arm));
  jacobian.block<3, 3>(secondTurn, secondTurn) += 0.5 * hat(g.second.onDirectors) * hat(Vector3(D2 * g.second.arm));
  return jacobian;
}

ScalarCoordinate ScalarCoordinate::length(const Vector3& firstPoint, const Vector3& secondPoint) {
  return {Kind::length, squaredDistanceForm(firstPoint, secondPoint)};
}

ScalarCoordinate ScalarCoordinate::displacement(const Vector3& firstAxis, const Vector3& firstPoint,
                                                const Vector3& secondPoint) {
  return {Kind::displacement, axisPointForm(firstAxis, firstPoint, secondPoint)};
}

ScalarCoordinate ScalarCoordinate::angle(const Vector3& zero, const Vector3& quarter, const Vector3& pointer) {
  return {Kind::angle, axesForm(quarter, pointer), axesForm(zero, pointer)};
}

ScalarCoordinate ScalarCoordinate::ofJoint(const JointGeometry& geometry, const JointCoordinateInfo& coordinate) {
  const JointFrame &first = geometry.first, &second = geometry.second;
  if (coordinate.kind == MotionKind::rotation) return angle(first.x(), first.y(), second.x());
  return displacement(first.axes.col(coordinate.axis), first.point, second.point);
}

template <class Scalar>
Scalar ScalarCoordinate::value(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
  using std::atan2, std::sqrt;
  const Scalar form = form_.value(first, second);
  if (kind_ == Kind::length) return sqrt(form);
  return kind_ == Kind::angle ? atan2(form, cosine_.value(first, second)) : form;
}

template <class Scalar>
PullOf<Scalar> ScalarCoordinate::gradient(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
  using std::sqrt;
  const PullOf<Scalar> pull = pullOf(form_, first, second);
  if (kind_ == Kind::displacement) return pull;
  const Scalar form = form_.value(first, second);
  if (kind_ == Kind::length) {
    if (!(form > 0.0)) return PullOf<Scalar>::Zero();
    return pull / (2.0 * sqrt(form));
  }
  const Scalar cosine = cosine_.value(first, second);
  return (cosine * pull - form * pullOf(cosine_, first, second)) / (cosine * cosine + form * form);
}

template <class Scalar>
FormGradientOf<Scalar> ScalarCoordinate::slope(const PlacementOf<Scalar>& first,
                                               const PlacementOf<Scalar>& second) const {
  using std::sqrt;
  FormGradientOf<Scalar> g = form_.gradient(first, second);
  if (kind_ == Kind::displacement) return g;
  const Scalar form = form_.value(first, second);
  if (kind_ == Kind::length) {
    const Scalar share = form > 0.0 ? Scalar(0.5 / sqrt(form)) : Scalar(0.0);
    for (EndGradientOf<Scalar>* end : {&g.first, &g.second}) {
      end->onPosition *= share;
      end->onDirectors *= share;
    }
    return g;
  }
  // (C grad S - S grad C)/(C^2 + S^2), where S and C have the pointer in common
  const Scalar C = cosine_.value(first, second), square = C * C + form * form;
  const Vector<Scalar, 3> across = (C * form_.a - form * cosine_.a) / square;
  g.first.arm = across;
  g.second.onDirectors = first.D * across;
  return g;
}

template <class Scalar>
Scalar ScalarCoordinate::curvature(const MovingPlacementOf<Scalar>& first,
                                   const MovingPlacementOf<Scalar>& second) const {
  using std::sqrt;
  const Scalar formCurvature = form_.curvature(first.rate, second.rate);
  if (kind_ == Kind::displacement) return formCurvature;
  const auto rateOf = [&](const Form& form) -> Scalar {
    const FormGradientOf<Scalar> g = form.gradient(first.at, second.at);
    return g.first.along(first.rate) + g.second.along(second.rate);
  };
  const Scalar S = form_.value(first.at, second.at), rate = rateOf(form_);
  if (kind_ == Kind::length) {
    if (!(S > 0.0)) return 0.0;
    return 0.5 * (formCurvature - 0.5 * rate * rate / S) / sqrt(S);
  }
  // r^2 s' = C S' - S C' with r^2 = C^2 + S^2
  const Scalar C = cosine_.value(first.at, second.at), cosineRate = rateOf(cosine_), square = C * C + S * S;
  const Scalar turning = (C * rate - S * cosineRate) / square;
  return (C * formCurvature - S * cosine_.curvature(first.rate, second.rate) -
          2.0 * turning * (C * cosineRate + S * rate)) /
         square;
}

CoordinateStep ScalarCoordinate::step(const ElementStep& step) const {
  const Pull pull = pullOf(form_, step.firstMean(), step.secondMean());
  const double before = form_.value(step.first0, step.second0), after = form_.value(step.first1, step.second1);
  if (kind_ == Kind::displacement) return {before, after, pull};
  if (kind_ == Kind::length) {
    const double s0 = std::sqrt(before), s1 = std::sqrt(after);
    if (s0 + s1 == 0.0) return {};  // two points that coincide have no direction
    return {s0, s1, pull / (s0 + s1)};
  }
  const double C0 = cosine_.value(step.first0, step.second0), C1 = cosine_.value(step.first1, step.second1);
  const double P = C0 * after - before * C1, R = C0 * C1 + before * after;
  const double s0 = std::atan2(before, C0);
  const Pull cosinePull = pullOf(cosine_, step.firstMean(), step.secondMean());
  return {s0, s0 + std::atan2(P, R),
          AngleFactor(P, R).k * (0.5 * (C0 + C1) * pull - 0.5 * (before + after) * cosinePull)};
}

ElementJacobian ScalarCoordinate::gradientJacobian(const ElementStep& step) const {
  const ElementJacobian curvature = meanPullJacobian(form_, step);
  if (kind_ == Kind::displacement) return curvature;
  const Pull pull = pullOf(form_, step.firstMean(), step.secondMean());
  const Pull pullAtEnd = pullOf(form_, step.first1, step.second1);
  const double before = form_.value(step.first0, step.second0), after = form_.value(step.first1, step.second1);
  if (kind_ == Kind::length) {
    const double s0 = std::sqrt(before), s1 = std::sqrt(after), sum = s0 + s1;
    if (sum == 0.0 || s1 == 0.0) return ElementJacobian::Zero();
    return curvature / sum - pull * pullAtEnd.transpose() / (2.0 * s1 * sum * sum);
  }
  const double C0 = cosine_.value(step.first0, step.second0), C1 = cosine_.value(step.first1, step.second1);
  const double Cm = 0.5 * (C0 + C1), Sm = 0.5 * (before + after);
  const Pull cosinePull = pullOf(cosine_, step.firstMean(), step.secondMean());
  const Pull cosineAtEnd = pullOf(cosine_, step.first1, step.second1);
  const AngleFactor factor(C0 * after - before * C1, C0 * C1 + before * after);
  const Pull byEnd = factor.byP * (C0 * pullAtEnd - before * cosineAtEnd) +
                     factor.byR * (C0 * cosineAtEnd + before * pullAtEnd);  // dk
  const Pull inner = Cm * pull - Sm * cosinePull;
  return inner * byEnd.transpose() +
         factor.k * (Cm * curvature - Sm * meanPullJacobian(cosine_, step) + 0.5 * pull * cosineAtEnd.transpose() -
                     0.5 * cosinePull * pullAtEnd.transpose());
}

template <class Scalar>
Scalar rateAlong(const PullOf<Scalar>& gradient, const MovingPlacementOf<Scalar>& first,
                 const MovingPlacementOf<Scalar>& second) {
  return gradient.template segment<3>(firstMove).dot(first.rate.v) +
         gradient.template segment<3>(firstTurn).dot(angularVelocityOf(first)) +
         gradient.template segment<3>(secondMove).dot(second.rate.v) +
         gradient.template segment<3>(secondTurn).dot(angularVelocityOf(second));
}

// for numbers, and for those that carry their change along
template Pull pullOf(const Form&, const Placement&, const Placement&);
template double ScalarCoordinate::value(const Placement&, const Placement&) const;
template Pull ScalarCoordinate::gradient(const Placement&, const Placement&) const;
template FormGradient ScalarCoordinate::slope(const Placement&, const Placement&) const;
template double ScalarCoordinate::curvature(const MovingPlacement&, const MovingPlacement&) const;
template double rateAlong(const Pull&, const MovingPlacement&, const MovingPlacement&);

using VariedPlacement = PlacementOf<Varied>;
using VariedMovingPlacement = MovingPlacementOf<Varied>;
template PullOf<Varied> pullOf(const Form&, const VariedPlacement&, const VariedPlacement&);
template Varied ScalarCoordinate::value(const VariedPlacement&, const VariedPlacement&) const;
template PullOf<Varied> ScalarCoordinate::gradient(const VariedPlacement&, const VariedPlacement&) const;
template FormGradientOf<Varied> ScalarCoordinate::slope(const VariedPlacement&, const VariedPlacement&) const;
template Varied ScalarCoordinate::curvature(const VariedMovingPlacement&, const VariedMovingPlacement&) const;
template Varied rateAlong(const PullOf<Varied>&, const VariedMovingPlacement&, const VariedMovingPlacement&);

}  // namespace polhode
