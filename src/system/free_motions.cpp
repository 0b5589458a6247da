#include "system/free_motions.h"

#include "math/rotation_maps.h"
#include "system/joint_row.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace polhode {

namespace {

constexpr double noInertia = 1e-13;  // of the largest one

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
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism.bodies()[b];
    const auto at = 6 * static_cast<Eigen::Index>(b);
    const Matrix3& D = bodies[b].at.D;
    const Matrix3 inertia = D * body.inertia.cwiseMax(0.0).asDiagonal() * D.transpose();
    u.middleRows<3>(at) *= body.mass;
    u.middleRows<3>(at + 3) = (inertia * u.middleRows<3>(at + 3)).eval();
  }
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
  VectorX u(6 * static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(6 * b);
    const Matrix3 spin = bodies[b].rate.W * bodies[b].at.D.transpose();
    u.segment<3>(at) = bodies[b].rate.v;
    u.segment<3>(at + 3) = 0.5 * Vector3(spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1));
  }
  return u;
}

VectorX wrenchesOn(const Mechanism& mechanism, double t, const MechanismMotion& bodies, const VectorX& multipliers) {
  VectorX sum = VectorX::Zero(6 * static_cast<Eigen::Index>(bodies.size()));
  const auto add = [&](int body, const Vector3& force, const Vector3& torque) {
    if (body == groundIndex) return;
    sum.segment<3>(6 * body) += force;
    sum.segment<3>(6 * body + 3) += torque;
  };
  for (const auto& element : mechanism.forces()) {
    const ElementWrenches both =
        element->wrenches(t, motionOf(bodies, element->first()), motionOf(bodies, element->second()));
    add(element->first(), both.first.force, both.first.torque);
    add(element->second(), both.second.force, both.second.torque);
  }
  forEachRow(mechanism, [&](const JointRow& row) {
    const double lambda = multipliers[row.number()];
    if (lambda == 0.0) return;
    row.visitGradient(t, motionsIn(bodies), [&](int body, const EndGradient& end) {
      add(body, lambda * end.onPosition, lambda * end.onRotation(motionOf(bodies, body).at.D));
    });
  });
  return sum;
}

}  // namespace polhode
