#include "polhode/math/tree_system.h"

namespace polhode {

namespace {

constexpr double vanishing = 1e-13;          // of a pivot, relative to the sizes that it is made of
constexpr double vanishingInBorder = 1e-10;  // where more roundings come together

}  // namespace

void splitUnknowns(const SixRows& G, SixColumns& N, SixColumns& S) {
  const int r = static_cast<int>(G.rows());
  SixRows reduced = G;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> T(r, r);
  T.setIdentity();
  int pivotColumn[6];
  bool taken[6] = {};
  for (int k = 0; k < r; ++k) {
    int row = k, column = 0;
    double largest = -1.0;
    for (int j = 0; j < 6; ++j)
      if (!taken[j])
        for (int i = k; i < r; ++i)
          if (std::abs(reduced(i, j)) > largest) largest = std::abs(reduced(i, j)), row = i, column = j;
    if (row != k) {
      reduced.row(row).swap(reduced.row(k));
      T.row(row).swap(T.row(k));
    }
    pivotColumn[k] = column;
    taken[column] = true;
    const double inverse = 1.0 / reduced(k, column);
    reduced.row(k) *= inverse;
    T.row(k) *= inverse;
    for (int i = 0; i < r; ++i) {
      if (i == k) continue;
      const double factor = reduced(i, column);
      if (factor == 0.0) continue;
      reduced.row(i) -= factor * reduced.row(k);
      T.row(i) -= factor * T.row(k);
    }
  }
  N.setZero(6, 6 - r);
  S.setZero(6, r);
  for (int k = 0; k < r; ++k) S.row(pivotColumn[k]) = T.row(k);
  for (int j = 0, free = 0; j < 6; ++j) {
    if (taken[j]) continue;
    N(j, free) = 1.0;
    for (int k = 0; k < r; ++k) N(pivotColumn[k], free) = -reduced(k, j);
    ++free;
  }
}

TreeSystem::TreeSystem(std::vector<int> parent, std::vector<int> rows, int border,
                       std::vector<std::vector<int>> borderOf)
    : parent_(std::move(parent)),
      rows_(std::move(rows)),
      border_(border),
      nodes_(parent_.size()),
      kept_(parent_.size()),
      borderStart_(parent_.size() + 1, 0),
      D_(MatrixX::Zero(border, border)),
      d_(VectorX::Zero(border)),
      m_(VectorX::Zero(border)),
      present_(VectorX::Zero(border)),
      borderScale_(VectorX::Zero(border)),
      borderLu_(border),
      null_(MatrixX::Zero(border, border)),
      borderRankLimit_(border) {
  // A node knows what its children know: the loops that pass through it.
  borderOf.resize(parent_.size());
  for (int b = size() - 1; b >= 0; --b) {
    auto& own = borderOf[static_cast<std::size_t>(b)];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    const int p = parent_[static_cast<std::size_t>(b)];
    if (p < 0) continue;
    auto& above = borderOf[static_cast<std::size_t>(p)];
    above.insert(above.end(), own.begin(), own.end());
  }
  for (std::size_t b = 0; b < parent_.size(); ++b) {
    borderIndex_.insert(borderIndex_.end(), borderOf[b].begin(), borderOf[b].end());
    borderStart_[b + 1] = borderIndex_.size();
  }
  columns_.assign(6 * borderIndex_.size(), 0.0);
  rowsOfBorder_.assign(6 * borderIndex_.size(), 0.0);
  for (int b = 0; b < size(); ++b) {
    TreeNode& n = node(b);
    const int r = rows_[static_cast<std::size_t>(b)];
    for (SixRows* m : {&n.G, &n.parentG, &n.H, &n.parentH}) m->setZero(r, 6);
    n.g.setZero(r);
    n.l.setZero(r);
  }
  clear();
}

void TreeSystem::clear() {
  for (TreeNode& n : nodes_) {
    n.A.setZero();
    n.coupled = false;
  }
  std::fill(columns_.begin(), columns_.end(), 0.0);
  std::fill(rowsOfBorder_.begin(), rowsOfBorder_.end(), 0.0);
  D_.setZero();
  clearRight();
}

void TreeSystem::clearRight() {
  for (TreeNode& n : nodes_) n.f.setZero();
  d_.setZero();
}

std::span<const int> TreeSystem::knownBorder(int b) const {
  const std::size_t start = borderStart_[static_cast<std::size_t>(b)];
  return {borderIndex_.data() + start, borderStart_[static_cast<std::size_t>(b) + 1] - start};
}

std::size_t TreeSystem::slot(int b, int k) const {
  const auto known = knownBorder(b);
  return borderStart_[static_cast<std::size_t>(b)] +
         static_cast<std::size_t>(std::lower_bound(known.begin(), known.end(), k) - known.begin());
}

Eigen::Map<Vector6> TreeSystem::borderColumn(int b, int k) {
  return Eigen::Map<Vector6>(columns_.data() + 6 * slot(b, k));
}

Eigen::Map<Vector6> TreeSystem::borderRow(int b, int k) {
  return Eigen::Map<Vector6>(rowsOfBorder_.data() + 6 * slot(b, k));
}

void TreeSystem::factorise() {
  borderScale_ = D_.diagonal().cwiseAbs();
  for (int b = size() - 1; b >= 0; --b) factorise(b);
  factoriseBorder();
}

void TreeSystem::factorise(int b) {
  TreeNode& n = node(b);
  Kept& k = kept_[static_cast<std::size_t>(b)];
  splitUnknowns(n.G, k.N, k.S);
  splitUnknowns(n.H, k.NLeft, k.SLeft);

  // M = N^T^ A N; a pivot is measured by what may cancel in it
  const int free = static_cast<int>(k.N.cols());
  pivot_.resize(free);
  pivot_.matrix().noalias() = k.NLeft.transpose() * (n.A * k.N);
  UpToSix scale(free);
  for (int i = 0; i < free; ++i) {
    const double size = k.NLeft.col(i).cwiseAbs().dot(n.A.cwiseAbs() * k.N.col(i).cwiseAbs());
    scale[i] = size > 0.0 ? 1.0 / std::sqrt(size) : 0.0;
  }
  pivot_.matrix() = (scale.asDiagonal() * pivot_.matrix() * scale.asDiagonal()).eval();
  pivot_.factorise(vanishing);
  k.deficient = pivot_.rank() < free;
  k.Q.resize(free, 6);
  for (int j = 0; j < 6; ++j) {
    UpToSix column = scale.cwiseProduct(k.NLeft.row(j).transpose());
    pivot_.solveInPlace(column);
    k.Q.col(j) = scale.cwiseProduct(column);
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

void TreeSystem::factoriseBorderOf(int b) {
  const auto known = knownBorder(b);
  if (known.empty()) return;
  const Kept& k = kept_[static_cast<std::size_t>(b)];
  const int p = parent_[static_cast<std::size_t>(b)];
  const Matrix6 NQ = k.N * k.Q, sizeNQ = k.N.cwiseAbs() * k.Q.cwiseAbs();
  const Matrix6 toParentColumn = k.YLeft.transpose() - k.B * NQ, toParentRow = k.Y - NQ * k.E;
  for (const int i : known) {
    const Vector6 row = borderRow(b, i);
    const Vector6 rowNQ = NQ.transpose() * row;
    borderScale_[i] += row.cwiseAbs().dot(sizeNQ * borderColumn(b, i).cwiseAbs());
    for (const int j : known) D_(i, j) -= rowNQ.dot(borderColumn(b, j));
    if (p < 0) continue;
    borderRow(p, i) += toParentRow.transpose() * row;
    borderColumn(p, i) += toParentColumn * borderColumn(b, i);
  }
}

void TreeSystem::factoriseBorder() {
  if (border_ == 0) return;
  // Redundant rows leave pivots of the size of roundings of what they are made of; singular positions too.
  for (int i = 0; i < border_; ++i) borderScale_[i] = borderScale_[i] > 0.0 ? 1.0 / std::sqrt(borderScale_[i]) : 0.0;
  for (int j = 0; j < border_; ++j)
    for (int i = 0; i < border_; ++i) borderLu_.matrix()(i, j) = borderScale_[i] * D_(i, j) * borderScale_[j];
  borderLu_.factorise(vanishingInBorder, borderRankLimit_);

  // Gram & Schmidt on what is not determined
  undetermined_ = 0;
  for (int k = 0; k + borderLu_.rank() < border_; ++k) {
    auto n = null_.col(undetermined_);
    borderLu_.nullVector(k, n);
    for (int i = 0; i < border_; ++i) n[i] *= borderScale_[i];
    const double before = n.norm();
    for (int i = 0; i < undetermined_; ++i) n -= null_.col(i).dot(n) * null_.col(i);
    const double length = n.norm();
    if (!(length > 1e-10 * before)) continue;
    n /= length;
    ++undetermined_;
  }
}

void TreeSystem::solve() {
  deficientNode_ = -1;
  for (int b = size() - 1; b >= 0; --b) reduce(b);
  solveBorder();
  for (int b = 0; b < size(); ++b) substitute(b);
}

/// M q = N^T^ (f - F m - A S g - E z_p), whose known part is handed on to the parent and to the border.
void TreeSystem::reduce(int b) {
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
      if (std::abs(k.NLeft.col(i).dot(left)) > 1e-9 * k.load.norm()) deficientNode_ = b;
  }
  if (p >= 0) node(p).f.noalias() += k.YLeft.transpose() * n.f - k.B * still;
  for (const int i : knownBorder(b)) d_[i] -= borderRow(b, i).dot(still);
}

void TreeSystem::solveBorder() {
  m_ = borderScale_.cwiseProduct(d_);
  borderLu_.solveInPlace(m_);
  m_ = m_.cwiseProduct(borderScale_);
  for (int k = 0; k < undetermined_; ++k) {
    double excess = 0.0;
    for (int i = 0; i < border_; ++i) excess += null_(i, k) * (m_[i] + present_[i]);
    m_ -= excess * null_.col(k);
  }
}

void TreeSystem::substitute(int b) {
  TreeNode& n = node(b);
  const Kept& k = kept_[static_cast<std::size_t>(b)];
  const int p = parent_[static_cast<std::size_t>(b)];
  Vector6 pull = Vector6::Zero();  // F m
  for (const int i : knownBorder(b)) pull += m_[i] * borderColumn(b, i);
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
}

}  // namespace polhode
