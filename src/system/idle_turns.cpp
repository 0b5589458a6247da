#include "polhode/system/idle_turns.h"

#include <algorithm>

namespace polhode {

namespace {

constexpr double negligible = 1e-11;  // singular values of the scaled matrix below this are zero

bool turnsWithoutInertia(const MechanismBody& body) {
  return body.inertia.minCoeff() <= 1e-14 * body.inertia.maxCoeff() || body.inertia.maxCoeff() <= 0.0;
}

/// A measure of rotational inertia in this mechanism; only its magnitude matters.
double typicalInertia(const Mechanism& mechanism) {
  double inertia = 0.0, mass = 0.0;
  for (const MechanismBody& body : mechanism.bodies()) {
    inertia = std::max(inertia, body.inertia.maxCoeff());
    mass = std::max(mass, body.mass);
  }
  return inertia > 0.0 ? inertia : mass;
}

/// The joints' Jacobian with respect to displacement and turn (in space) of all bodies, rows of unit length.
MatrixX jointRows(const Mechanism& mechanism) {
  const auto& bodies = mechanism.bodies();
  MatrixX G = MatrixX::Zero(mechanism.rows(), 6 * static_cast<int>(bodies.size()));
  const auto placement = [&](int body) {
    return body == groundIndex ? Placement{} : bodies[static_cast<std::size_t>(body)].placement;
  };
  for (const MechanismJoint& joint : mechanism.joints()) {
    const Placement first = placement(joint.first), second = placement(joint.second);
    for (int k = 0; k < joint.rows(); ++k) {
      const FormGradient gradient = joint.equations[static_cast<std::size_t>(k)].form.gradient(first, second);
      const auto enter = [&](int body, const EndGradient& end, const Matrix3& D) {
        if (body == groundIndex) return;
        G.block<1, 3>(joint.firstRow + k, 6 * body) += end.onPosition.transpose();
        G.block<1, 3>(joint.firstRow + k, 6 * body + 3) += end.onRotation(D).transpose();
      };
      enter(joint.first, gradient.first, first.D);
      enter(joint.second, gradient.second, second.D);
    }
  }
  for (int k = 0; k < G.rows(); ++k)
    if (const double length = G.row(k).norm(); length > 0.0) G.row(k) /= length;
  return G;
}

}  // namespace

std::vector<Matrix3> idleTurnInertia(const Mechanism& mechanism) {
  const auto& bodies = mechanism.bodies();
  std::vector<Matrix3> idle(bodies.size(), Matrix3::Zero());
  if (std::none_of(bodies.begin(), bodies.end(), turnsWithoutInertia)) return idle;

  const double inertia = typicalInertia(mechanism);
  const int n = 6 * static_cast<int>(bodies.size());
  MatrixX stacked = MatrixX::Zero(n + mechanism.rows(), n);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const Matrix3& D = bodies[i].placement.D;
    stacked.block<3, 3>(at, at) = (bodies[i].mass > 0.0 ? 1.0 : 0.0) * Matrix3::Identity();
    stacked.block<3, 3>(at + 3, at + 3) = D * bodies[i].inertia.asDiagonal() * D.transpose() / inertia;
  }
  stacked.bottomRows(mechanism.rows()) = jointRows(mechanism);

  const Eigen::JacobiSVD<MatrixX> svd(stacked, Eigen::ComputeFullV);
  for (int k = 0; k < n; ++k) {
    if (svd.singularValues()[k] > negligible * svd.singularValues()[0]) continue;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vector3 turn = svd.matrixV().col(k).segment<3>(6 * static_cast<Eigen::Index>(i) + 3);
      const Vector3 inBody = bodies[i].placement.D.transpose() * turn;
      idle[i] += inertia * inBody * inBody.transpose();
    }
  }
  return idle;
}

}  // namespace polhode
