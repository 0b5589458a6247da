#include "system/free_motions.h"

#include "math/rotation_maps.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>

namespace polhode {

namespace {

constexpr double noInertia = 1e-13;  // of the largest one

}  // namespace

FreeMotions::FreeMotions(const Mechanism& mechanism, const Redundancy& redundancy, double t,
                         const MechanismMotion& bodies, double size)
    : allRows_(mechanism.rows()) {
  const auto unknowns = 6 * static_cast<Eigen::Index>(bodies.size());
  scale_ = VectorX::Ones(unknowns);
  for (Eigen::Index i = 0; i < unknowns; ++i)
    if (i % 6 < 3) scale_[i] = size;

  const auto kept = mechanism.rows() - static_cast<Eigen::Index>(redundancy.rows().size());
  MatrixX columns = MatrixX::Zero(unknowns, kept);  // (G S)^T, rows of G of length one
  rowScale_ = VectorX::Zero(kept);
  for (const MechanismJoint& joint : mechanism.joints())
    for (int k = 0; k < joint.rows(); ++k) {
      if (redundancy.contains(joint.firstRow + k)) continue;
      const auto column = static_cast<Eigen::Index>(numbers_.size());
      numbers_.push_back(joint.firstRow + k);
      const Placement &first = motionOf(bodies, joint.first).at, &second = motionOf(bodies, joint.second).at;
      const FormGradient g = joint.equations[static_cast<std::size_t>(k)].gradient(t, first, second);
      const auto add = [&](int body, const EndGradient& end, const Matrix3& D) {
        if (body == groundIndex) return;
        columns.col(column).segment<3>(6 * body) += size * end.onPosition;
        columns.col(column).segment<3>(6 * body + 3) += end.onRotation(D);
      };
      add(joint.first, g.first, first.D);
      add(joint.second, g.second, second.D);
      const double length = columns.col(column).norm();
      rowScale_[column] = length > 0.0 ? 1.0 / length : 0.0;
      columns.col(column) *= rowScale_[column];
    }

  if (kept == 0) {
    basis_ = scale_.asDiagonal();
  } else {
    const Eigen::HouseholderQR<MatrixX> qr(columns);
    weakest_ = qr.matrixQR().diagonal().cwiseAbs().minCoeff();
    const MatrixX Q = qr.householderQ() * MatrixX::Identity(unknowns, unknowns);
    across_ = Q.leftCols(kept);
    triangle_ = qr.matrixQR().topRows(kept).triangularView<Eigen::Upper>();
    basis_ = scale_.asDiagonal() * Q.rightCols(unknowns - kept);
  }
  removeIdleTurns(mechanism, bodies);
}

/// Takes directions out of the basis that move no inertia.
void FreeMotions::removeIdleTurns(const Mechanism& mechanism, const MechanismMotion& bodies) {
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
  const VectorX twice = scale_.cwiseProduct(scale_).cwiseInverse();
  return basis_.transpose() * (twice.asDiagonal() * u);
}

MatrixX FreeMotions::closing(const MatrixX& r) const {
  if (numbers_.empty()) return MatrixX::Zero(scale_.size(), r.cols());
  const MatrixX scaled = rowScale_.asDiagonal() * r;
  return scale_.asDiagonal() * (across_ * triangle_.transpose().triangularView<Eigen::Lower>().solve(scaled));
}

VectorX FreeMotions::balancing(const VectorX& loads) const {
  VectorX multipliers = VectorX::Zero(allRows_);
  if (numbers_.empty()) return multipliers;
  const VectorX turned = across_.transpose() * scale_.cwiseProduct(loads);
  const VectorX lambda = -triangle_.triangularView<Eigen::Upper>().solve(turned);
  for (std::size_t c = 0; c < numbers_.size(); ++c) {
    const auto column = static_cast<Eigen::Index>(c);
    multipliers[numbers_[c]] = lambda[column] * rowScale_[column];
  }
  return multipliers;
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
  for (const MechanismJoint& joint : mechanism.joints())
    for (int k = 0; k < joint.rows(); ++k) {
      const double lambda = multipliers[joint.firstRow + k];
      if (lambda == 0.0) continue;
      const Placement &first = motionOf(bodies, joint.first).at, &second = motionOf(bodies, joint.second).at;
      const FormGradient g = joint.equations[static_cast<std::size_t>(k)].gradient(t, first, second);
      add(joint.first, lambda * g.first.onPosition, lambda * g.first.onRotation(first.D));
      add(joint.second, lambda * g.second.onPosition, lambda * g.second.onRotation(second.D));
    }
  return sum;
}

}  // namespace polhode
