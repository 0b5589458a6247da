#include "system/motion_equations.h"

#include "math/quaternion.h"

#include <Eigen/Cholesky>

namespace polhode {

namespace {

template <class Scalar>
PlacementRateOf<Scalar> secondRate(const MovingPlacementOf<Scalar>& body, const Vector3& linear,
                                   const Vector3& angular) {
  const Eigen::Matrix<Scalar, 3, 3> spin = body.rate.W * body.at.D.transpose();
  return {linear.cast<Scalar>(), hat(angular) * body.at.D + spin * body.rate.W};
}

}  // namespace

MotionEquations::MotionEquations(const Mechanism& mechanism) : mechanism_(mechanism) {
  forEachRow(mechanism, [&](const JointRow& row) { rows_.push_back(row); });
}

/// What is left of the balance of momentum of each body, which is nothing in the motion itself.
template <class Scalar>
VectorXOf<Scalar> MotionEquations::balance(double t, const std::vector<MovingPlacementOf<Scalar>>& bodies,
                                           const VectorX& acceleration, const VectorX& lambda) const {
  const VectorXOf<Scalar> given = acceleration.cast<Scalar>(), u = velocitiesOf(bodies);
  const VectorXOf<Scalar> inertial = timesInertia(mechanism_, bodies, given),
                          momentum = timesInertia(mechanism_, bodies, u);
  VectorXOf<Scalar> sum = wrenchesOn(mechanism_, t, bodies, lambda) - inertial;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto at = 6 * static_cast<Eigen::Index>(b);
    const Vector<Scalar, 3> omega = u.template segment<3>(at + 3), turning = momentum.template segment<3>(at + 3);
    const Vector3 weight = mechanism_.bodies()[b].mass * mechanism_.gravity();
    sum.template segment<3>(at) += weight.cast<Scalar>();
    sum.template segment<3>(at + 3) -= omega.cross(turning);
  }
  return sum;
}

template <class Scalar>
VectorXOf<Scalar> MotionEquations::rates(double t, const std::vector<MovingPlacementOf<Scalar>>& bodies,
                                         const std::vector<int>& rows) const {
  VectorXOf<Scalar> result(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    result[static_cast<Eigen::Index>(i)] = rows_[static_cast<std::size_t>(rows[i])].rate(t, motionsIn(bodies));
  return result;
}

/// g'' of the rows, with given accelerations.
template <class Scalar>
VectorXOf<Scalar> MotionEquations::rateChanges(double t, const std::vector<MovingPlacementOf<Scalar>>& bodies,
                                               const VectorX& acceleration, const std::vector<int>& rows) const {
  VectorXOf<Scalar> result(static_cast<Eigen::Index>(rows.size()));
  const auto second = [&](int body) {
    return secondRate(motionOf(bodies, body), acceleration.segment<3>(6 * body), acceleration.segment<3>(6 * body + 3));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JointRow& row = rows_[static_cast<std::size_t>(rows[i])];
    Scalar& sum = result[static_cast<Eigen::Index>(i)];
    sum = row.curvature(t, motionsIn(bodies));
    row.visitGradient(t, motionsIn(bodies), [&](int body, const auto& end) { sum += end.along(second(body)); });
  }
  return result;
}

VectorX MotionEquations::accelerations(double t, const MechanismMotion& bodies, const FreeMotions& free,
                                       VectorX& multipliers) const {
  const VectorX none = VectorX::Zero(mechanism_.rows()), still = VectorX::Zero(free.directions().scale().size());
  const VectorX across = free.directions().closing(-rateChanges(t, bodies, still, free.directions().rows()));
  const VectorX left = balance(t, bodies, across, none);
  VectorX a = across;
  if (free.basis().cols() > 0) a += free.basis() * free.mass().ldlt().solve(free.basis().transpose() * left);
  multipliers = free.directions().balancing(balance(t, bodies, a, none));
  return a;
}

template VectorXOf<double> MotionEquations::balance(double, const MechanismMotion&, const VectorX&,
                                                    const VectorX&) const;
template VectorXOf<Varied> MotionEquations::balance(double, const VariedMotion&, const VectorX&, const VectorX&) const;
template VectorXOf<double> MotionEquations::rates(double, const MechanismMotion&, const std::vector<int>&) const;
template VectorXOf<Varied> MotionEquations::rates(double, const VariedMotion&, const std::vector<int>&) const;
template VectorXOf<double> MotionEquations::rateChanges(double, const MechanismMotion&, const VectorX&,
                                                        const std::vector<int>&) const;
template VectorXOf<Varied> MotionEquations::rateChanges(double, const VariedMotion&, const VectorX&,
                                                        const std::vector<int>&) const;

}  // namespace polhode
