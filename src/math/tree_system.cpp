#include "math/tree_system.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr double vanishingNodePivot = 1e-13;  // of a pivot, relative to the sizes that it is made of

}  // namespace

template <class Scalar>
TreeSystemOf<Scalar>::TreeSystemOf(std::vector<int> parent, std::vector<int> rows,
                                   const std::vector<BorderPart>& border, int smallBorder)
    : TreeSystemOf(parent, std::move(rows), border, BorderReach(parent, border, smallBorder)) {}

template <class Scalar>
TreeSystemOf<Scalar>::TreeSystemOf(std::vector<int> parent, std::vector<int> rows,
                                   const std::vector<BorderPart>& border, const BorderReach& reach)
    : parent_(std::move(parent)),
      rows_(std::move(rows)),
      border_(reach.makeBorder<Scalar>(border)),
      nodes_(parent_.size()),
      kept_(parent_.size()),
      places_(parent_, border, reach, border_) {
  for (std::vector<Scalar>* values : {&columns_, &rowsOfBorder_, &homedColumns_})
    values->assign(6 * places_.slots(), 0.0);
  for (int b = 0; b < size(); ++b) {
    TreeNode& n = node(b);
    const int r = rows_[static_cast<std::size_t>(b)];
    for (SixRows* m : {&n.G, &n.parentG, &n.H, &n.parentH}) m->setZero(r, 6);
    n.g.setZero(r);
    n.l.setZero(r);
  }
  clear();
}

template <class Scalar>
void TreeSystemOf<Scalar>::clear() {
  for (TreeNode& n : nodes_) {
    n.A.setZero();
    n.coupled = false;
  }
  std::fill(columns_.begin(), columns_.end(), 0.0);
  std::fill(rowsOfBorder_.begin(), rowsOfBorder_.end(), 0.0);
  border_.clear();
  clearRight();
}

template <class Scalar>
void TreeSystemOf<Scalar>::clearRight() {
  for (TreeNode& n : nodes_) n.f.setZero();
  border_.clearRight();
}

template <class Scalar>
void TreeSystemOf<Scalar>::factorise() {
  for (int i = 0; i < border_.size(); ++i) border_.scale(i) = std::abs(border_.entry(i, i));
  for (int b = 0; b < size(); ++b) findFreeScale(b);
  for (int b = size() - 1; b >= 0; --b) factorise(b);
  border_.factorise();
}

template <class Scalar>
void TreeSystemOf<Scalar>::factorise(int b) {
  factoriseHomed(b);
  TreeNode& n = node(b);
  Kept& k = kept_[static_cast<std::size_t>(b)];
  const bool alike = splitAlike(n.G, n.H, k.N, k.S, k.NLeft, k.SLeft);

  // M = N^T^ A N; a pivot is measured by what may cancel in it
  const int free = static_cast<int>(k.N.cols());
  pivot_.resize(free);
  pivot_.matrix().noalias() = k.NLeft.transpose() * (n.A * k.N);
  const auto inverseRoot = [](double size) { return size > 0.0 ? 1.0 / std::sqrt(size) : 0.0; };
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1> scale(free), leftScale(free);
  if (alike) {
    for (int i = 0; i < free; ++i)
      scale[i] = inverseRoot(k.NLeft.col(i).cwiseAbs().dot(n.A.cwiseAbs() * k.N.col(i).cwiseAbs()));
    leftScale = scale;
  } else {  // no column of one belongs to a column of the other
    scale.setZero(), leftScale.setZero();
    for (int i = 0; i < free; ++i)
      for (int j = 0; j < free; ++j) {
        const double size = k.NLeft.col(i).cwiseAbs().dot(n.A.cwiseAbs() * k.N.col(j).cwiseAbs());
        leftScale[i] = std::max(leftScale[i], size);
        scale[j] = std::max(scale[j], size);
      }
    for (int i = 0; i < free; ++i) scale[i] = inverseRoot(scale[i]), leftScale[i] = inverseRoot(leftScale[i]);
  }
  pivot_.matrix() = (leftScale.asDiagonal() * pivot_.matrix() * scale.asDiagonal()).eval();
  pivot_.factorise(vanishingNodePivot);
  k.deficient = pivot_.rank() < free;
  k.Q.resize(free, 6);
  for (int j = 0; j < 6; ++j) {
    UpToSix column = leftScale.asDiagonal() * k.NLeft.row(j).transpose();
    pivot_.solveInPlace(column);
    k.Q.col(j) = scale.asDiagonal() * column;
  }

  const int p = parent_[static_cast<std::size_t>(b)];
  k.Y.setZero(), k.E.setZero(), k.YLeft.setZero(), k.B.setZero();
  if (p >= 0) {
    if (n.g.size() > 0) {
      k.Y.noalias() = -k.S * n.parentG;
      k.YLeft.noalias() = -k.SLeft * n.parentH;
    }
    k.E.noalias() = n.A * k.Y;
    k.B.noalias() = k.YLeft.transpose() * n.A;
    if (n.coupled) {
      k.E += n.C;
      k.B += n.P;
    }
    TreeNode& above = node(p);
    above.A.noalias() += k.B * k.Y;
    above.A.noalias() -= (k.B * k.N) * (k.Q * k.E);
    if (n.coupled) above.A.noalias() += k.YLeft.transpose() * n.C;
  }
  factoriseBorderOf(b);
}

template <class Scalar>
void TreeSystemOf<Scalar>::solve() {
  deficientNode_ = -1;
  for (int b = size() - 1; b >= 0; --b) reduce(b);
  border_.solve();
  for (int b = 0; b < size(); ++b) substitute(b);
}

/// M q = N^T^ (f - F m - A S g - E z_p), whose known part is handed on to the parent and to the border.
template <class Scalar>
void TreeSystemOf<Scalar>::reduce(int b) {
  reduceHomed(b);
  TreeNode& n = node(b);
  Kept& k = kept_[static_cast<std::size_t>(b)];
  const int p = parent_[static_cast<std::size_t>(b)];
  Vector6 closing = Vector6::Zero();  // S g
  if (n.g.size() > 0) closing.noalias() = k.S * n.g;
  k.load = n.f;
  k.load.noalias() -= n.A * closing;
  const Vector6 still = closing + k.N * (k.Q * k.load);  // the motion of the node while the parent and the border rest
  if (k.deficient) {
    const Vector6 left = k.load - n.A * (still - closing);
    for (int i = 0; i < k.NLeft.cols(); ++i)
      if (std::abs(k.NLeft.col(i).cwiseProduct(left).sum()) > 1e-9 * k.load.norm()) deficientNode_ = b;
  }
  if (p >= 0) node(p).f.noalias() += k.YLeft.transpose() * n.f - k.B * still;
  for (const BorderPlaces::Known& known : places_.knownBy(b)) {
    const BorderPlaces::Part& own = part(known.part);
    if (own.home == b) continue;
    for (int i = 0; i < own.size; ++i)
      border_.right(own.first + i) -=
          at(rowsOfBorder_, known.slot + static_cast<std::size_t>(i)).cwiseProduct(still).sum();
  }
}

template <class Scalar>
void TreeSystemOf<Scalar>::substitute(int b) {
  TreeNode& n = node(b);
  const Kept& k = kept_[static_cast<std::size_t>(b)];
  const int p = parent_[static_cast<std::size_t>(b)];
  Vector6 pull = Vector6::Zero();  // F m
  for (const BorderPlaces::Known& known : places_.knownBy(b)) {
    const BorderPlaces::Part& own = part(known.part);
    if (own.home == b) continue;
    for (int i = 0; i < own.size; ++i)
      pull += border_.solution(own.first + i) * at(columns_, known.slot + static_cast<std::size_t>(i));
  }
  Vector6 load = k.load - pull;
  if (p >= 0) load.noalias() -= k.E * node(p).z;
  n.z.noalias() = k.N * (k.Q * load);
  if (n.g.size() > 0) n.z.noalias() += k.S * n.g;
  if (p >= 0) n.z.noalias() += k.Y * node(p).z;
  if (n.g.size() > 0) {
    Vector6 rest = n.f - pull - n.A * n.z;
    if (p >= 0 && n.coupled) rest.noalias() -= n.C * node(p).z;
    n.l.noalias() = k.SLeft.transpose() * rest;
  }
  solveHomed(b);
}

template class TreeSystemOf<double>;
template class TreeSystemOf<std::complex<double>>;

}  // namespace polhode
