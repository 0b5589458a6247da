#include "polhode/math/tree_system.h"

#include <algorithm>
#include <set>

namespace polhode {

namespace {

constexpr double vanishing = 1e-13;  // of a pivot, relative to the sizes that it is made of

constexpr int largestPart = 12;  // of the border

/// How rows or columns of the border change on their way to the parent.
struct HandedOn {
  Matrix6 matrix, size;
  explicit HandedOn(const Matrix6& m) : matrix(m), size(m.cwiseAbs()) {}

  /// Adds what becomes of `v`. What cancels is zero, not a rounding: where bodies do not move against each other nothing is
  /// left of a loop between them, and no pivot may be made of that.
  template <class Sum>
  void add(const Vector6& v, Sum&& sum) const {
    constexpr double cancelled = 1e-13;
    const Vector6 more = matrix * v, sizes = size * v.cwiseAbs() + sum.cwiseAbs();
    for (int half = 0; half < 6; half += 3) {
      const double rounding = cancelled * sizes.segment<3>(half).maxCoeff();
      for (int k = half; k < half + 3; ++k) {
        const double total = sum[k] + more[k];
        sum[k] = std::abs(total) > rounding ? total : 0.0;
      }
    }
  }
};

/// The node that all of these hang on, or that is one of them; -1 if there is none.
int commonNode(const std::vector<int>& parent, const std::vector<int>& nodes) {
  int common = nodes.front();
  for (int other : nodes)
    while (other != common) {
      int& later = other > common ? other : common;  // parents have lower numbers
      later = parent[static_cast<std::size_t>(later)];
    }
  return common;
}

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

TreeSystem::Reach::Reach(const std::vector<int>& parent, const std::vector<BorderPart>& border, int smallBorder)
    : known(parent.size()) {
  int unknowns = 0;
  for (const BorderPart& part : border) unknowns += part.size;
  dense = unknowns <= smallBorder;
  for (std::size_t p = 0; p < border.size(); ++p) {
    const BorderPart& part = border[p];
    const int home = !dense && part.nodes.size() > 1 ? commonNode(parent, part.nodes) : -1;
    homes.push_back(home);
    for (const int node : part.nodes)
      for (int b = node; b >= 0; b = parent[static_cast<std::size_t>(b)]) {
        auto& list = known[static_cast<std::size_t>(b)];
        if (!list.empty() && list.back() == static_cast<int>(p)) break;  // and so do all behind it
        list.push_back(static_cast<int>(p));
        if (b == home) break;
      }
  }
}

LoopBorder TreeSystem::makeBorder(const std::vector<BorderPart>& border, const Reach& reach) {
  std::vector<int> sizes, phases;
  int unknowns = 0;
  for (std::size_t p = 0; p < border.size(); ++p) {
    sizes.push_back(border[p].size);
    unknowns += border[p].size;
    const int nodes = static_cast<int>(reach.known.size());
    phases.push_back(reach.homes[p] < 0 ? -1 : nodes - 1 - reach.homes[p]);  // from the leaves to the root
  }
  if (unknowns > 0 && reach.dense) return LoopBorder({unknowns}, {-1}, {});
  std::set<std::pair<int, int>> coupled;
  for (const std::vector<int>& list : reach.known)
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = i + 1; j < list.size(); ++j) coupled.emplace(list[i], list[j]);
  return LoopBorder(sizes, phases, {coupled.begin(), coupled.end()});
}

TreeSystem::TreeSystem(std::vector<int> parent, std::vector<int> rows, const std::vector<BorderPart>& border,
                       int smallBorder)
    : TreeSystem(parent, std::move(rows), border, Reach(parent, border, smallBorder)) {}

TreeSystem::TreeSystem(std::vector<int> parent, std::vector<int> rows, const std::vector<BorderPart>& border,
                       const Reach& reach)
    : parent_(std::move(parent)),
      rows_(std::move(rows)),
      border_(makeBorder(border, reach)),
      nodes_(parent_.size()),
      kept_(parent_.size()),
      knownStart_(parent_.size() + 1, 0),
      homed_(parent_.size()),
      pairStart_(parent_.size(), 0) {
  settleParts(border, reach);
  settleHomes();
  for (int b = 0; b < size(); ++b) {
    TreeNode& n = node(b);
    const int r = rows_[static_cast<std::size_t>(b)];
    for (SixRows* m : {&n.G, &n.parentG, &n.H, &n.parentH}) m->setZero(r, 6);
    n.g.setZero(r);
    n.l.setZero(r);
  }
  clear();
}

/// Finds room for the rows and columns of the border at all nodes, and where in the border their products go.
void TreeSystem::settleParts(const std::vector<BorderPart>& border, const Reach& reach) {
  int first = 0;
  for (std::size_t p = 0; p < border.size(); ++p) {
    parts_.push_back({first, border[p].size, reach.homes[p]});
    first += border[p].size;
  }
  std::size_t slots = 0;
  for (std::size_t b = 0; b < parent_.size(); ++b) {
    for (const int p : reach.known[b]) {
      known_.push_back({p, slots});
      slots += static_cast<std::size_t>(part(p).size);
    }
    knownStart_[b + 1] = known_.size();
    pairStart_[b] = pairs_.size();
    for (const int i : reach.known[b])
      for (const int j : reach.known[b])
        if (part(i).home != static_cast<int>(b) && part(j).home != static_cast<int>(b))
          pairs_.push_back(border_.pattern().find(groupOf(i), groupOf(j)));
  }
  for (int b = 0; b < size(); ++b)
    for (std::size_t k = knownStart_[static_cast<std::size_t>(b)]; k < knownStart_[static_cast<std::size_t>(b) + 1];
         ++k)
      if (parent_[static_cast<std::size_t>(b)] >= 0 && part(known_[k].part).home != b)
        known_[k].parentSlot = slot(parent_[static_cast<std::size_t>(b)], known_[k].part, 0);
  for (std::vector<double>* values : {&columns_, &rowsOfBorder_, &homedColumns_}) values->assign(6 * slots, 0.0);
}

void TreeSystem::settleHomes() {
  std::vector<int> partOf(static_cast<std::size_t>(border_.pattern().nodes()), -1);
  for (int p = 0; p < static_cast<int>(parts_.size()); ++p) partOf[static_cast<std::size_t>(groupOf(p))] = p;
  for (int group = 0; group < border_.pattern().nodes(); ++group) {
    const int p = partOf[static_cast<std::size_t>(group)], home = part(p).home;
    if (home < 0) continue;
    HomedPart homed{p, group, slot(home, p, 0), {}};
    const auto &below = border_.pattern().below(group), &right = border_.pattern().right(group);
    for (std::size_t i = 0; i < below.size(); ++i) {
      const int other = partOf[static_cast<std::size_t>(border_.pattern().entry(below[i]).row)];
      homed.changes.push_back({slot(home, other, 0), part(other).size, below[i], right[i]});
    }
    homed_[static_cast<std::size_t>(home)].push_back(std::move(homed));
  }
}

void TreeSystem::clear() {
  for (TreeNode& n : nodes_) {
    n.A.setZero();
    n.coupled = false;
  }
  std::fill(columns_.begin(), columns_.end(), 0.0);
  std::fill(rowsOfBorder_.begin(), rowsOfBorder_.end(), 0.0);
  border_.clear();
  clearRight();
}

void TreeSystem::clearRight() {
  for (TreeNode& n : nodes_) n.f.setZero();
  border_.clearRight();
}

std::span<const TreeSystem::Known> TreeSystem::knownBy(int b) const {
  const std::size_t start = knownStart_[static_cast<std::size_t>(b)];
  return {known_.data() + start, knownStart_[static_cast<std::size_t>(b) + 1] - start};
}

/// Null where the node does not know the part.
const TreeSystem::Known* TreeSystem::findKnown(int b, int part) const {
  const auto known = knownBy(b);
  const auto found =
      std::lower_bound(known.begin(), known.end(), part, [](const Known& k, int number) { return k.part < number; });
  return found != known.end() && found->part == part ? &*found : nullptr;
}

void TreeSystem::factorise() {
  for (int i = 0; i < border_.size(); ++i) border_.scale(i) = std::abs(border_.entry(i, i));
  for (int b = 0; b < size(); ++b) findFreeScale(b);
  for (int b = size() - 1; b >= 0; --b) factorise(b);
  border_.factorise();
}

/// Before anything has been eliminated, when only the nodes that have rows of the border themselves have some.
void TreeSystem::findFreeScale(int b) {
  const Vector6 diagonal = node(b).A.diagonal().cwiseAbs();
  for (const Known& known : knownBy(b))
    for (int i = 0; i < part(known.part).size; ++i) {
      const std::size_t here = known.slot + static_cast<std::size_t>(i);
      const Vector6 product = at(rowsOfBorder_, here).cwiseProduct(at(columns_, here)).cwiseAbs();
      for (int k = 0; k < 6; ++k)
        if (diagonal[k] > 0.0) border_.freeScale(part(known.part).first + i) += product[k] / diagonal[k];
    }
}

/// The loops that close in node b, when all beyond it has been eliminated.
void TreeSystem::factoriseHomed(int b) {
  for (const HomedPart& homed : homed_[static_cast<std::size_t>(b)]) {
    border_.factorise(homed.group);
    const int size = part(homed.part).size;
    SixWide F = wide(columns_, homed.slot, size), R = wide(rowsOfBorder_, homed.slot, size),
            FD = wide(homedColumns_, homed.slot, size);
    FD.noalias() = F.lazyProduct(border_.inverse(homed.group));
    node(b).A.noalias() -= FD.lazyProduct(R.transpose());
    for (const Change& change : homed.changes) {
      wide(rowsOfBorder_, change.slot, change.size).noalias() -= R.lazyProduct(border_.lower(change.below).transpose());
      wide(columns_, change.slot, change.size).noalias() -= FD.lazyProduct(border_.block(change.right));
    }
  }
}

void TreeSystem::reduceHomed(int b) {
  for (const HomedPart& homed : homed_[static_cast<std::size_t>(b)]) {
    const Part& own = part(homed.part);
    for (int i = 0; i < own.size; ++i)
      node(b).f -= border_.right(own.first + i) * at(homedColumns_, homed.slot + static_cast<std::size_t>(i));
    border_.reduce(homed.group);
  }
}

/// When the node's motion is known, and the border from here to the root.
void TreeSystem::solveHomed(int b) {
  const auto& all = homed_[static_cast<std::size_t>(b)];
  for (auto homed = all.rbegin(); homed != all.rend(); ++homed) {
    const Part& own = part(homed->part);
    for (int i = 0; i < own.size; ++i)
      border_.right(own.first + i) -= at(rowsOfBorder_, homed->slot + static_cast<std::size_t>(i)).dot(node(b).z);
    border_.solve(homed->group);
  }
}

void TreeSystem::factorise(int b) {
  factoriseHomed(b);
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
  const auto known = knownBy(b);
  if (known.empty()) return;
  const Kept& kept = kept_[static_cast<std::size_t>(b)];
  const Matrix6 NQ = kept.N * kept.Q, sizeNQ = kept.N.cwiseAbs() * kept.Q.cwiseAbs();
  const HandedOn columnsOn(kept.YLeft.transpose() - kept.B * NQ), rowsOn((kept.Y - NQ * kept.E).transpose());
  const int* pair = pairs_.data() + pairStart_[static_cast<std::size_t>(b)];
  for (const Known& k : known) {
    const Part& rows = part(k.part);
    if (rows.home == b) continue;
    Vector6 rowNQ[largestPart];
    for (int i = 0; i < rows.size; ++i) {
      const auto next = static_cast<std::size_t>(i);
      const Vector6 row = at(rowsOfBorder_, k.slot + next), column = at(columns_, k.slot + next);
      rowNQ[i] = NQ.transpose() * row;
      border_.scale(rows.first + i) += row.cwiseAbs().dot(sizeNQ * column.cwiseAbs());
      if (k.parentSlot == none) continue;
      rowsOn.add(row, at(rowsOfBorder_, k.parentSlot + next));
      columnsOn.add(column, at(columns_, k.parentSlot + next));
    }
    const int firstRow = border_.place(rows.first).row;
    for (const Known& l : known) {
      const Part& columns = part(l.part);
      if (columns.home == b) continue;
      MatrixX& D = border_.block(*pair++);
      const int firstColumn = border_.place(columns.first).row;
      for (int j = 0; j < columns.size; ++j) {
        const Vector6 column = at(columns_, l.slot + static_cast<std::size_t>(j));
        for (int i = 0; i < rows.size; ++i) D(firstRow + i, firstColumn + j) -= rowNQ[i].dot(column);
      }
    }
  }
}

void TreeSystem::solve() {
  deficientNode_ = -1;
  for (int b = size() - 1; b >= 0; --b) reduce(b);
  border_.solve();
  for (int b = 0; b < size(); ++b) substitute(b);
}

/// M q = N^T^ (f - F m - A S g - E z_p), whose known part is handed on to the parent and to the border.
void TreeSystem::reduce(int b) {
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
      if (std::abs(k.NLeft.col(i).dot(left)) > 1e-9 * k.load.norm()) deficientNode_ = b;
  }
  if (p >= 0) node(p).f.noalias() += k.YLeft.transpose() * n.f - k.B * still;
  for (const Known& known : knownBy(b)) {
    const Part& own = part(known.part);
    if (own.home == b) continue;
    for (int i = 0; i < own.size; ++i)
      border_.right(own.first + i) -= at(rowsOfBorder_, known.slot + static_cast<std::size_t>(i)).dot(still);
  }
}

void TreeSystem::substitute(int b) {
  TreeNode& n = node(b);
  const Kept& k = kept_[static_cast<std::size_t>(b)];
  const int p = parent_[static_cast<std::size_t>(b)];
  Vector6 pull = Vector6::Zero();  // F m
  for (const Known& known : knownBy(b)) {
    const Part& own = part(known.part);
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

}  // namespace polhode
