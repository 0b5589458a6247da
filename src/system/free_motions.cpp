#include "system/free_motions.h"

#include "math/rotation_maps.h"
#include "system/joint_row.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace polhode {

namespace {

constexpr double noInertia = 1e-13;  // of the largest one

template <class Scalar, class Columns>
void multiplyByInertia(const Mechanism& mechanism, const std::vector<MovingPlacementOf<Scalar>>& bodies, Columns& u) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism.bodies()[b];
    const auto at = 6 * static_cast<Eigen::Index>(b);
    const Eigen::Matrix<Scalar, 3, 3>& D = bodies[b].at.D;
    const Eigen::Matrix<Scalar, 3, 3> inertia = D * body.inertia.cwiseMax(0.0).asDiagonal() * D.transpose();
    u.template middleRows<3>(at) *= Scalar(body.mass);
    u.template middleRows<3>(at + 3) = (inertia * u.template middleRows<3>(at + 3)).eval();
  }
}

template <class Scalar>
VectorXOf<Scalar> velocities(const std::vector<MovingPlacementOf<Scalar>>& bodies) {
  VectorXOf<Scalar> u(6 * static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(6 * b);
    const Eigen::Matrix<Scalar, 3, 3> spin = bodies[b].rate.W * bodies[b].at.D.transpose();
    u.template segment<3>(at) = bodies[b].rate.v;
    u.template segment<3>(at + 3) = unhat(spin);
  }
  return u;
}

ElementWrenches pulls(const ForceElement& element, double t, const MechanismMotion& bodies) {
  return element.wrenches(t, motionOf(bodies, element.first()), motionOf(bodies, element.second()));
}

struct VariedWrenches {
  WrenchOf<Varied> first, second;
};

VariedWrenches pulls(const ForceElement& element, double t, const VariedMotion& bodies) {
  const auto &first = motionOf(bodies, element.first()), &second = motionOf(bodies, element.second());
  const MovingPlacement one = motionIn(first), other = motionIn(second);
  const ElementWrenches values = element.wrenches(t, one, other);
  const ElementWrenches changes = element.wrenchChange(t, one, other, changeIn(first), changeIn(second));
  const auto both = [](const Wrench& value, const Wrench& change) -> WrenchOf<Varied> {
    return {varied(value.force, change.force), varied(value.torque, change.torque)};
  };
  return {both(values.first, changes.first), both(values.second, changes.second)};
}

template <class Scalar>
VectorXOf<Scalar> wrenches(const Mechanism& mechanism, double t, const std::vector<MovingPlacementOf<Scalar>>& bodies,
                           const VectorX& multipliers) {
  VectorXOf<Scalar> sum = VectorXOf<Scalar>::Zero(6 * static_cast<Eigen::Index>(bodies.size()));
  const auto add = [&](int body, const Vector<Scalar, 3>& force, const Vector<Scalar, 3>& torque) {
    if (body == groundIndex) return;
    sum.template segment<3>(6 * body) += force;
    sum.template segment<3>(6 * body + 3) += torque;
  };
  for (const auto& element : mechanism.forces()) {
    const auto both = pulls(*element, t, bodies);
    add(element->first(), both.first.force, both.first.torque);
    add(element->second(), both.second.force, both.second.torque);
  }
  forEachRow(mechanism, [&](const JointRow& row) {
    const double lambda = multipliers[row.number()];
    if (lambda == 0.0) return;
    row.visitGradient(t, motionsIn(bodies), [&](int body, const auto& end) {
      add(body, lambda * end.onPosition, lambda * end.onRotation(motionOf(bodies, body).at.D));
    });
  });
  return sum;
}

}  // namespace

FreeMotions::FreeMotions(const Mechanism& mechanism, const Redundancy& redundancy, double t,
                         const MechanismMotion& bodies, double size)
    : directions_(mechanism, redundancy, t, bodies, size), basis_(directions_.basis()) {
  mass_ = basis_.transpose() * timesInertia(mechanism, bodies, basis_);
  mass_ = (0.5 * (mass_ + mass_.transpose())).eval();
  if (basis_.cols() == 0) return;
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(mass_);
  const VectorX& values = eigen.eigenvalues();  // ascending
  const double least = noInertia * values[values.size() - 1];
  while (idleTurns_ < values.size() && !(values[idleTurns_] > least)) ++idleTurns_;
  if (idleTurns_ == 0) return;
  const MatrixX rest = eigen.eigenvectors().rightCols(values.size() - idleTurns_);
  basis_ = (basis_ * rest).eval();
  mass_ = (rest.transpose() * mass_ * rest).eval();
}

MatrixX FreeMotions::coordinates(const MatrixX& u) const {
  const VectorX twice = directions_.scale().cwiseProduct(directions_.scale()).cwiseInverse();
  return basis_.transpose() * (twice.asDiagonal() * u);
}

MatrixX timesInertia(const Mechanism& mechanism, const MechanismMotion& bodies, MatrixX u) {
  multiplyByInertia(mechanism, bodies, u);
  return u;
}

VectorXOf<Varied> timesInertia(const Mechanism& mechanism, const VariedMotion& bodies, VectorXOf<Varied> u) {
  multiplyByInertia(mechanism, bodies, u);
  return u;
}

MechanismMotion displaced(MechanismMotion bodies, const VectorX& change, double fraction) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(6 * b);
    bodies[b].at.x += fraction * change.segment<3>(at);
    bodies[b].at.D = (expSO3(Vector3(fraction * change.segment<3>(at + 3))) * bodies[b].at.D).eval();
  }
  return bodies;
}

MechanismMotion movingBy(MechanismMotion bodies, const VectorX& velocities) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(6 * b);
    bodies[b].rate.v = velocities.segment<3>(at);
    bodies[b].rate.W = hat(Vector3(velocities.segment<3>(at + 3))) * bodies[b].at.D;
  }
  return bodies;
}

VectorX velocitiesOf(const MechanismMotion& bodies) {
  return velocities(bodies);
}

VectorXOf<Varied> velocitiesOf(const VariedMotion& bodies) {
  return velocities(bodies);
}

VectorX wrenchesOn(const Mechanism& mechanism, double t, const MechanismMotion& bodies, const VectorX& multipliers) {
  return wrenches(mechanism, t, bodies, multipliers);
}

VectorXOf<Varied> wrenchesOn(const Mechanism& mechanism, double t, const VariedMotion& bodies,
                             const VectorX& multipliers) {
  return wrenches(mechanism, t, bodies, multipliers);
}

}  // namespace polhode
