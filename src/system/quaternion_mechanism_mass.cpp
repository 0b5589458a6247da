#include "math/euler_map.h"
#include "quaternion_coordinates.h"

namespace polhode {

using namespace quaternion_coordinates;

/// G(p) a = -G(a) p, so that a^T M(p) b = 4 (G(a) p) . J (G(b) p).
Eigen::Matrix4d QuaternionMechanism::massForm(int i, const Quaternion& a, const Quaternion& b) const {
  const Eigen::Matrix4d product =
      4.0 * bodyMatrix(a).transpose() * inertia_[static_cast<std::size_t>(i)] * bodyMatrix(b);
  return product + product.transpose();
}

void QuaternionMechanism::mass(const VectorX& q, MatrixX& M) const {
  M.setZero();
  for (int i = 0; i < bodies_; ++i) {
    const Eigen::Matrix<double, 3, 4> G = bodyMatrix(pOf(q, i));
    M.block<3, 3>(atX(i), atX(i)).diagonal().setConstant(body(i).mass);
    M.block<4, 4>(atP(i), atP(i)) = 4.0 * G.transpose() * inertia_[static_cast<std::size_t>(i)] * G;
  }
}

void QuaternionMechanism::massDerivative(const VectorX& q, const VectorX& a, MatrixX& B) const {
  B.setZero();
  for (int i = 0; i < bodies_; ++i)
    for (int k = 0; k < 4; ++k)
      B.block<1, 4>(atP(i) + k, atP(i)) = (massForm(i, pOf(a, i), Quaternion::Unit(k)) * pOf(q, i)).transpose();
}

void QuaternionMechanism::massCurvature(const VectorX& /*q*/, const VectorX& a, const VectorX& b, MatrixX& K) const {
  K.setZero();
  for (int i = 0; i < bodies_; ++i) K.block<4, 4>(atP(i), atP(i)) = massForm(i, pOf(a, i), pOf(b, i));
}

/// M is quadratic in p, so that its derivative at the middle is exact.
void QuaternionMechanism::massIncrement(const VectorX& q0, const VectorX& q1, MatrixX& dM) const {
  const VectorX middle = 0.5 * (q0 + q1), step = q1 - q0;
  MatrixX B(coordinates(), coordinates());
  for (int k = 0; k < coordinates(); ++k) {
    massDerivative(middle, VectorX::Unit(coordinates(), k), B);
    dM.col(k).noalias() = B * step;
  }
}

void QuaternionMechanism::chainRuleMass(const VectorX& q0, const VectorX& q1, const VectorX& a, const VectorX& b,
                                        DiscreteMass& result) const {
  const VectorX middle = 0.5 * (q0 + q1);
  MatrixX work(coordinates(), coordinates());
  massCurvature(middle, a, b, work);
  result.gradient.noalias() = 0.5 * work * middle;
  result.byQ1 = 0.25 * work;
  massDerivative(middle, a, work);
  result.byB = 0.5 * work.transpose();
}

void QuaternionMechanism::chainRuleKinetic(const VectorX& q0, const VectorX& v0, const VectorX& q1, const VectorX& v1,
                                           DiscreteKinetic& result) const {
  using Matrix34 = Eigen::Matrix<double, 3, 4>;
  for (VectorX* vector : {&result.byPosition, &result.byVelocity}) vector->setZero();
  for (MatrixX* matrix : {&result.positionByQ1, &result.positionByV1, &result.velocityByQ1, &result.velocityByV1})
    matrix->setZero();
  for (int i = 0; i < bodies_; ++i) {
    const int x = atX(i), p = atP(i);
    result.byVelocity.segment<3>(x) = 0.5 * body(i).mass * (v0 + v1).segment<3>(x);
    result.velocityByV1.block<3, 3>(x, x).diagonal().setConstant(0.5 * body(i).mass);

    // (87), (88)
    const Matrix3& J = inertia_[static_cast<std::size_t>(i)];
    const Matrix34 Gq1 = bodyMatrix(pOf(q1, i)), Gv1 = bodyMatrix(pOf(v1, i));
    const Matrix34 Gqm = 0.5 * (bodyMatrix(pOf(q0, i)) + Gq1), Gvm = 0.5 * (bodyMatrix(pOf(v0, i)) + Gv1);
    const Vector3 moment = J * (bodyMatrix(pOf(q0, i)) * pOf(v0, i) + Gq1 * pOf(v1, i));
    result.byVelocity.segment<4>(p) = 2.0 * Gqm.transpose() * moment;
    result.byPosition.segment<4>(p) = -2.0 * Gvm.transpose() * moment;

    // dmoment = J (G(q1) dv1 - G(v1) dq1); G(q)^T m = m- q
    const Eigen::Matrix4d byMatrix = rightVectorMatrix(moment);
    result.velocityByV1.block<4, 4>(p, p) = 2.0 * Gqm.transpose() * J * Gq1;
    result.velocityByQ1.block<4, 4>(p, p) = byMatrix - 2.0 * Gqm.transpose() * J * Gv1;
    result.positionByV1.block<4, 4>(p, p) = -byMatrix - 2.0 * Gvm.transpose() * J * Gq1;
    result.positionByQ1.block<4, 4>(p, p) = 2.0 * Gvm.transpose() * J * Gv1;
  }
}

}  // namespace polhode
