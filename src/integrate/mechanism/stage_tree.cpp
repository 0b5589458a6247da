#include "integrate/mechanism/stage_tree.h"

#include <algorithm>
#include <type_traits>

namespace polhode {

namespace {

using Lane = StageTree::Lane;

/// Takes the lower triangle of a symmetric matrix apart, M = L P L^T: L comes below the diagonal and 1/P onto it. False where a
/// pivot vanishes beside what it is made of, in any lane.
bool factoriseSymmetric(Lane* M, int size, int stride, const Lane* madeOf) {
  constexpr double vanishing = 1e-13;
  bool regular = true;
  for (int j = 0; j < size; ++j) {
    Lane* row = M + j * stride;
    Lane pivot = row[j];
    Lane scaled[StageTree::largestBorder];
    for (int k = 0; k < j; ++k) {
      scaled[k] = row[k] * M[k * stride + k];  // L_jk, where L_jk P_k was
      pivot -= scaled[k] * row[k];
    }
    for (int lane = 0; lane < StageTree::lanes; ++lane)
      regular = regular && pivot[lane] > vanishing * madeOf[j][lane];  // not where it is no number either
    row[j] = Lane(1.0) / pivot;
    for (int k = 0; k < j; ++k) row[k] = scaled[k];
    // what the columns before have left for this one; still times P
    for (int i = j + 1; i < size; ++i) {
      Lane* below = M + i * stride;
      Lane sum = below[j];
      for (int k = 0; k < j; ++k) sum -= below[k] * scaled[k];
      below[j] = sum;
    }
  }
  return regular;
}

/// x = L^-1 x.
[[gnu::always_inline]] inline void forwards(const Lane* L, int size, int stride, Lane* x) {
  for (int i = 1; i < size; ++i) {
    Lane sum = x[i];
    for (int k = 0; k < i; ++k) sum -= L[i * stride + k] * x[k];
    x[i] = sum;
  }
}

/// x = L^-T x.
[[gnu::always_inline]] inline void backwards(const Lane* L, int size, int stride, Lane* x) {
  for (int i = size - 1; i > 0; --i)
    for (int k = 0; k < i; ++k) x[k] -= L[i * stride + k] * x[i];
}

}  // namespace

StageTree::StageTree(const Mechanism& mechanism, const std::vector<int>& nodeOf, const std::vector<BorderPart>& border)
    : nodes_(nodeOf.size()), kept_(nodeOf.size()), known_(nodeOf.size()) {
  const Topology& tree = mechanism.topology();
  for (std::size_t b = 0; b < nodeOf.size(); ++b) {
    Node& n = node(nodeOf[b]);
    n.parent = tree.parent[b] < 0 ? -1 : nodeOf[static_cast<std::size_t>(tree.parent[b])];
    if (tree.parentJoint[b] >= 0) n.rows = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[b])].rows();
  }
  for (const BorderPart& part : border) size_ += part.size;
  // every row is known on the ways from its nodes to the root
  int first = 0;
  for (const BorderPart& part : border) {
    for (int b : part.nodes)
      for (; b >= 0; b = node(b).parent) {
        auto& known = known_[static_cast<std::size_t>(b)];
        if (!known.empty() && known.back().unknown >= first) break;
        for (int i = 0; i < part.size; ++i) known.push_back({first + i, 0, {}, {}, {}});
      }
    first += part.size;
  }
  for (std::size_t b = 0; b < nodes_.size(); ++b) {
    if (nodes_[b].parent < 0) continue;
    const auto& above = known_[static_cast<std::size_t>(nodes_[b].parent)];
    for (Known& known : known_[b])
      known.atParent = static_cast<std::size_t>(
          std::find_if(above.begin(), above.end(), [&](const Known& k) { return k.unknown == known.unknown; }) -
          above.begin());
  }
  const auto unknowns = static_cast<std::size_t>(size_);
  border_.assign(unknowns * unknowns, Lane(0.0));
  for (auto* numbers : {&scale_, &right_}) numbers->assign(unknowns, Lane(0.0));
}

Lane* StageTree::borderRow(int b, int unknown) {
  auto& known = known_[static_cast<std::size_t>(b)];
  return std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.unknown == unknown; })->row;
}

void StageTree::clearBorder() {
  for (auto& known : known_)
    for (Known& k : known) std::fill(std::begin(k.row), std::end(k.row), Lane(0.0));
}

bool StageTree::factorise() {
  std::fill(border_.begin(), border_.end(), Lane(0.0));
  std::fill(scale_.begin(), scale_.end(), Lane(0.0));
  bool regular = true;
  for (int b = static_cast<int>(nodes_.size()) - 1; b >= 0; --b) regular = factorise(b) && regular;
  return factoriseBorder() && regular;
}

bool StageTree::factorise(int b) {
  Node& n = node(b);
  Kept& k = kept_[static_cast<std::size_t>(b)];
  const int r = n.rows;
  Lane madeOf[6];
  for (int i = 0; i < 6; ++i) madeOf[i] = n.A[i][i];
  bool regular = factoriseSymmetric(&n.A[0][0], 6, 6, madeOf);

  for (int i = 0; i < r; ++i) {
    std::copy(n.G[i], n.G[i] + 6, k.B[i]);
    forwards(&n.A[0][0], 6, 6, k.B[i]);
    Lane scaled[6];
    for (int c = 0; c < 6; ++c) scaled[c] = k.B[i][c] * n.A[c][c];
    for (int j = 0; j <= i; ++j) {
      Lane sum = 0.0;
      for (int c = 0; c < 6; ++c) sum += scaled[c] * k.B[j][c];
      k.Q[i][j] = sum;
    }
    madeOf[i] = k.Q[i][i];
  }
  regular = factoriseSymmetric(&k.Q[0][0], r, 6, madeOf) && regular;

  if (n.parent >= 0) {
    Node& parent = node(n.parent);
    for (int i = 0; i < r; ++i) {
      for (int c = 0; c < 6; ++c) {
        Lane sum = n.above[i][c];
        for (int j = 0; j < i; ++j) sum -= k.Q[i][j] * k.C[j][c];
        k.C[i][c] = sum;
      }
      for (int c = 0; c < 6; ++c) {
        const Lane scaled = k.C[i][c] * k.Q[i][i];
        for (int d = 0; d <= c; ++d) parent.A[c][d] += scaled * k.C[i][d];
      }
    }
  }

  auto& known = known_[static_cast<std::size_t>(b)];
  for (std::size_t p = 0; p < known.size(); ++p) {
    Known& own = known[p];
    std::copy(own.row, own.row + 6, own.u);
    forwards(&n.A[0][0], 6, 6, own.u);
    Lane u[6], w[6];  // P^-1 u and T^-1 w
    for (int c = 0; c < 6; ++c) u[c] = own.u[c] * n.A[c][c];
    for (int i = 0; i < r; ++i) {
      Lane sum = 0.0;
      for (int c = 0; c < 6; ++c) sum += k.B[i][c] * u[c];
      own.w[i] = sum;
    }
    forwards(&k.Q[0][0], r, 6, own.w);
    for (int i = 0; i < r; ++i) w[i] = own.w[i] * k.Q[i][i];
    for (std::size_t q = 0; q <= p; ++q) {
      Lane sum = 0.0;
      for (int c = 0; c < 6; ++c) sum += u[c] * known[q].u[c];
      if (q == p) scale_[static_cast<std::size_t>(own.unknown)] += sum;
      for (int i = 0; i < r; ++i) sum -= w[i] * known[q].w[i];
      D(own.unknown, known[q].unknown) += sum;
    }
    if (n.parent < 0) continue;
    Lane* above = known_[static_cast<std::size_t>(n.parent)][own.atParent].row;
    for (int i = 0; i < r; ++i)
      for (int c = 0; c < 6; ++c) above[c] -= w[i] * k.C[i][c];
  }
  return regular;
}

bool StageTree::factoriseBorder() {
  return size_ == 0 || factoriseSymmetric(border_.data(), size_, size_, scale_.data());
}

/// How many rows a joint has is known to the compiler: what is done with them has no loops.
void StageTree::solve() {
  const auto forRows = [&](int b, const auto& go) {
    switch (node(b).rows) {
      case 0:
        return go(std::integral_constant<int, 0>());
      case 1:
        return go(std::integral_constant<int, 1>());
      case 2:
        return go(std::integral_constant<int, 2>());
      case 3:
        return go(std::integral_constant<int, 3>());
      case 4:
        return go(std::integral_constant<int, 4>());
      case 5:
        return go(std::integral_constant<int, 5>());
      default:
        return go(std::integral_constant<int, 6>());
    }
  };
  for (int b = static_cast<int>(nodes_.size()) - 1; b >= 0; --b) forRows(b, [&](auto rows) { reduce<rows>(b); });
  solveBorder();
  for (int b = 0; b < static_cast<int>(nodes_.size()); ++b) forRows(b, [&](auto rows) { substitute<rows>(b); });
}

template <int r>
void StageTree::reduce(int b) {
  Node& n = node(b);
  Kept& k = kept_[static_cast<std::size_t>(b)];
  std::copy(n.f, n.f + 6, k.y);
  forwards(&n.A[0][0], 6, 6, k.y);
  Lane y[6], t[6];  // P^-1 y and T^-1 t
  for (int c = 0; c < 6; ++c) y[c] = k.y[c] * n.A[c][c];
  for (int i = 0; i < r; ++i) {
    Lane sum = n.g[i];
    for (int c = 0; c < 6; ++c) sum -= k.B[i][c] * y[c];
    k.t[i] = sum;
  }
  forwards(&k.Q[0][0], r, 6, k.t);
  for (int i = 0; i < r; ++i) t[i] = k.t[i] * k.Q[i][i];
  if (n.parent >= 0)
    for (int i = 0; i < r; ++i)
      for (int c = 0; c < 6; ++c) node(n.parent).f[c] += t[i] * k.C[i][c];
  for (const Known& own : known_[static_cast<std::size_t>(b)]) {
    Lane sum = right(own.unknown);
    for (int c = 0; c < 6; ++c) sum -= own.u[c] * y[c];
    for (int i = 0; i < r; ++i) sum -= own.w[i] * t[i];
    right(own.unknown) = sum;
  }
}

void StageTree::solveBorder() {
  forwards(border_.data(), size_, size_, right_.data());
  for (int i = 0; i < size_; ++i) right(i) *= D(i, i);
  backwards(border_.data(), size_, size_, right_.data());
}

template <int r>
void StageTree::substitute(int b) {
  Node& n = node(b);
  const Kept& k = kept_[static_cast<std::size_t>(b)];
  Lane y[6];
  std::copy(k.y, k.y + 6, y);
  std::copy(k.t, k.t + r, n.l);
  for (const Known& own : known_[static_cast<std::size_t>(b)]) {
    const Lane m = solution(own.unknown);
    for (int c = 0; c < 6; ++c) y[c] += own.u[c] * m;
    for (int i = 0; i < r; ++i) n.l[i] -= own.w[i] * m;
  }
  if (n.parent >= 0)
    for (int i = 0; i < r; ++i)
      for (int c = 0; c < 6; ++c) n.l[i] -= k.C[i][c] * node(n.parent).z[c];
  for (int i = 0; i < r; ++i) n.l[i] *= k.Q[i][i];
  backwards(&k.Q[0][0], r, 6, n.l);
  for (int c = 0; c < 6; ++c) {
    Lane sum = y[c];
    for (int i = 0; i < r; ++i) sum += k.B[i][c] * n.l[i];
    n.z[c] = sum * n.A[c][c];
  }
  backwards(&n.A[0][0], 6, 6, n.z);
}

}  // namespace polhode
