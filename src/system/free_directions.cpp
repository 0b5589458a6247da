#include "system/free_directions.h"

#include "system/joint_row.h"

namespace polhode {

FreeDirections::FreeDirections(const Mechanism& mechanism, const Redundancy& redundancy, double t,
                               std::span<const MovingPlacement> bodies, double size)
    : allRows_(mechanism.rows()) {
  const auto unknowns = 6 * static_cast<Eigen::Index>(bodies.size());
  scale_ = VectorX::Ones(unknowns);
  for (Eigen::Index i = 0; i < unknowns; ++i)
    if (i % 6 < 3) scale_[i] = size;
  const auto kept = mechanism.rows() - static_cast<Eigen::Index>(redundancy.rows().size());
  if (kept == 0) return;
  MatrixX columns = MatrixX::Zero(unknowns, kept);
  rowScale_ = VectorX::Zero(kept);
  forEachRow(mechanism, [&](const JointRow& row) {
    if (redundancy.contains(row.number())) return;
    const auto column = static_cast<Eigen::Index>(rows_.size());
    rows_.push_back(row.number());
    row.visitGradient(t, motionsIn(bodies), [&](int body, const EndGradient& end) {
      columns.col(column).segment<3>(6 * body) += size * end.onPosition;
      columns.col(column).segment<3>(6 * body + 3) += end.onRotation(motionOf(bodies, body).at.D);
    });
    const double length = columns.col(column).norm();
    rowScale_[column] = length > 0.0 ? 1.0 / length : 0.0;
    columns.col(column) *= rowScale_[column];
  });
  qr_.compute(columns);
  weakest_ = qr_.matrixQR().diagonal().cwiseAbs().minCoeff();
}

MatrixX FreeDirections::basis() const {
  if (rows_.empty()) return MatrixX(scale_.asDiagonal());
  MatrixX last = MatrixX::Zero(scale_.size(), freedoms());
  last.bottomRows(freedoms()).setIdentity();
  last.applyOnTheLeft(qr_.householderQ());
  return scale_.asDiagonal() * last;
}

VectorX FreeDirections::smallest(const VectorX& b) const {
  return closing(b(rows_));
}

MatrixX FreeDirections::closing(const MatrixX& b) const {
  MatrixX turned = MatrixX::Zero(scale_.size(), b.cols());
  if (rows_.empty()) return turned;
  const auto kept = static_cast<Eigen::Index>(rows_.size());
  turned.topRows(kept) = qr_.matrixQR().topRows(kept).triangularView<Eigen::Upper>().transpose().solve(
      MatrixX(rowScale_.asDiagonal() * b));
  turned.applyOnTheLeft(qr_.householderQ());
  return scale_.asDiagonal() * turned;
}

VectorX FreeDirections::balancing(const VectorX& loads) const {
  VectorX multipliers = VectorX::Zero(allRows_);
  if (rows_.empty()) return multipliers;
  const auto kept = static_cast<Eigen::Index>(rows_.size());
  VectorX turned = scale_.cwiseProduct(loads);
  turned.applyOnTheLeft(qr_.householderQ().adjoint());
  const VectorX lambda = -qr_.matrixQR().topRows(kept).triangularView<Eigen::Upper>().solve(VectorX(turned.head(kept)));
  multipliers(rows_) = rowScale_.cwiseProduct(lambda);
  return multipliers;
}

}  // namespace polhode
