#include "quaternion_differential.h"

namespace polhode {

using namespace quaternion_coordinates;

namespace {

/// dg/dz of a joint's row.
DirectorForces gradient(const auto& row, const Placement& first, const Placement& second) {
  DirectorForces forces{row.first, row.second, {}, {}};
  forces.add(1.0, row.equation->form.gradient(first, second));
  return forces;
}

DirectorForces gradientAt(const VectorX& q, const auto& row) {
  return gradient(row, placement(q, row.first), placement(q, row.second));
}

/// At the mean of the placements, not at that of the coordinates.
DirectorForces meanGradient(const VectorX& q0, const VectorX& q1, const auto& row) {
  return gradient(row, mean(placement(q0, row.first), placement(q1, row.first)),
                  mean(placement(q0, row.second), placement(q1, row.second)));
}

/// factor d2g/dz2 times rates: the gradient is affine in z.
DirectorForces curvature(double factor, const auto& row, const Differential& dz, const VectorX& v) {
  const Placement nowhere{Vector3::Zero(), Matrix3::Zero()};
  const PlacementRate first = dz.along(v, row.first), second = dz.along(v, row.second);
  DirectorForces forces{row.first, row.second, {}, {}};
  forces.add(factor, row.equation->form.gradient(Placement{first.v, first.W}, Placement{second.v, second.W}));
  forces.add(-factor, row.equation->form.gradient(nowhere, nowhere));
  return forces;
}

/// Adds factor A^T (sum of lambda_k d2g_k/dz2) B.
void addDirectorCurvature(const auto& rows, const VectorX& lambda, const Differential& A, const Differential& B,
                          double factor, MatrixX& K) {
  VectorX unit = VectorX::Zero(K.cols());
  for (const auto& row : rows)
    for (const int body : {row.first, row.second}) {
      if (body == groundIndex) continue;
      for (int column = B.firstCoordinate(body); column < atX(body) + perBody; ++column) {
        unit[column] = 1.0;
        A.pullBack(curvature(lambda[row.number], row, B, unit), factor, K.col(column));
        unit[column] = 0.0;
      }
    }
}

}  // namespace

void QuaternionMechanism::constraint(const VectorX& q, VectorX& g) const {
  for (const Row& row : rows_)
    g[row.number] = row.equation->form.value(placement(q, row.first), placement(q, row.second)) - row.equation->offset;
  for (int i = 0; i < bodies_; ++i) g[ownRow(i)] = 0.5 * (pOf(q, i).squaredNorm() - 1.0);
}

void QuaternionMechanism::constraintJacobian(const VectorX& q, MatrixX& G) const {
  G.setZero();
  for (const Row& row : rows_) Differential::first(q).pullBack(gradientAt(q, row), 1.0, G.row(row.number).transpose());
  for (int i = 0; i < bodies_; ++i) G.block<1, 4>(ownRow(i), atP(i)) = pOf(q, i).transpose();
}

void QuaternionMechanism::constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const {
  MatrixX D(constraints(), coordinates());
  constraintVelocityDerivative(q, v, D);
  gII.noalias() = D * v;
}

void QuaternionMechanism::constraintVelocityDerivative(const VectorX& q, const VectorX& v, MatrixX& D) const {
  D.setZero();
  const Differential dz = Differential::first(q), d2z = Differential::second(v);
  for (const Row& row : rows_) {
    dz.pullBack(curvature(1.0, row, dz, v), 1.0, D.row(row.number).transpose());
    d2z.pullBack(gradientAt(q, row), 1.0, D.row(row.number).transpose());
  }
  for (int i = 0; i < bodies_; ++i) D.block<1, 4>(ownRow(i), atP(i)) = pOf(v, i).transpose();
}

void QuaternionMechanism::constraintHessian(const VectorX& q, const VectorX& lambda, MatrixX& hessian) const {
  hessian.setZero();
  const Differential dz = Differential::first(q);
  addDirectorCurvature(rows_, lambda, dz, dz, 1.0, hessian);
  for (const Row& row : rows_) addMapCurvature(gradientAt(q, row), lambda[row.number], hessian);
  for (int i = 0; i < bodies_; ++i) hessian.block<4, 4>(atP(i), atP(i)).diagonal().array() += lambda[ownRow(i)];
}

/// With z quadratic in q: d3(g o z)[v, ., .] = z'^T g'' z''[v, .] + z''[v, .]^T g'' z' + z''[., .]^T g'' z' v.
void QuaternionMechanism::constraintVelocityCurvature(const VectorX& q, const VectorX& v, const VectorX& lambda,
                                                      MatrixX& K) const {
  K.setZero();
  const Differential dz = Differential::first(q), d2z = Differential::second(v);
  addDirectorCurvature(rows_, lambda, dz, d2z, 1.0, K);
  addDirectorCurvature(rows_, lambda, d2z, dz, 1.0, K);
  for (const Row& row : rows_) addMapCurvature(curvature(lambda[row.number], row, dz, v), 1.0, K);
}

void QuaternionMechanism::constraintIncrement(const VectorX& q0, const VectorX& q1, VectorX& dg) const {
  const VectorX middle = 0.5 * (q0 + q1), step = q1 - q0;
  for (const Row& row : rows_) dg[row.number] = Differential::first(middle).along(step, meanGradient(q0, q1, row));
  for (int i = 0; i < bodies_; ++i) dg[ownRow(i)] = pOf(middle, i).dot(pOf(step, i));
}

void QuaternionMechanism::chainRuleConstraint(const VectorX& q0, const VectorX& q1, const VectorX& lambda,
                                              DiscreteConstraint& result) const {
  const VectorX middle = 0.5 * (q0 + q1);
  const Differential dz = Differential::first(middle);
  result.jacobian.setZero();
  result.forceByQ1.setZero();
  addDirectorCurvature(rows_, lambda, dz, Differential::first(q1), 0.5, result.forceByQ1);
  for (const Row& row : rows_) {
    const DirectorForces f = meanGradient(q0, q1, row);
    dz.pullBack(f, 1.0, result.jacobian.row(row.number).transpose());
    addMapCurvature(f, 0.5 * lambda[row.number], result.forceByQ1);
  }
  for (int i = 0; i < bodies_; ++i) {
    result.jacobian.block<1, 4>(ownRow(i), atP(i)) = pOf(middle, i).transpose();
    result.forceByQ1.block<4, 4>(atP(i), atP(i)).diagonal().array() += 0.5 * lambda[ownRow(i)];
  }
}

}  // namespace polhode
