#include "math/split_unknowns.h"

#include <cmath>

namespace polhode {

namespace {

/// The unknowns that the rows determine, in the order of their elimination.
struct Pivots {
  int column[6];
};

/// Gauss-Jordan elimination with full pivoting, or with pivots in the columns that are given: false where these are poor.
bool split(const SixRows& G, SixColumns& N, SixColumns& S, Pivots& pivots, bool given) {
  constexpr double poor = 0.1;  // of the largest entry that is left
  const int r = static_cast<int>(G.rows());
  SixRows reduced = G;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> T(r, r);
  T.setIdentity();
  bool done[6] = {};
  for (int k = 0; k < r; ++k) {
    int row = k, column = 0;
    double largest = -1.0, inColumn = -1.0;
    for (int j = 0; j < 6; ++j) {
      if (done[j]) continue;
      const bool mine = given && j == pivots.column[k];
      for (int i = k; i < r; ++i) {
        const double size = std::abs(reduced(i, j));
        if (size > largest) {
          largest = size;
          if (!given) row = i, column = j;
        }
        if (mine && size > inColumn) inColumn = size, row = i, column = j;
      }
    }
    if (given && !(inColumn >= poor * largest)) return false;
    if (row != k) {
      reduced.row(row).swap(reduced.row(k));
      T.row(row).swap(T.row(k));
    }
    pivots.column[k] = column;
    done[column] = true;
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
  for (int k = 0; k < r; ++k) S.row(pivots.column[k]) = T.row(k);
  for (int j = 0, free = 0; j < 6; ++j) {
    if (done[j]) continue;
    N(j, free) = 1.0;
    for (int k = 0; k < r; ++k) N(pivots.column[k], free) = -reduced(k, j);
    ++free;
  }
  return true;
}

}  // namespace

void splitUnknowns(const SixRows& G, SixColumns& N, SixColumns& S) {
  Pivots pivots;
  split(G, N, S, pivots, false);
}

bool splitAlike(const SixRows& G, const SixRows& H, SixColumns& N, SixColumns& S, SixColumns& NLeft,
                SixColumns& SLeft) {
  Pivots pivots;
  split(G, N, S, pivots, false);
  if (split(H, NLeft, SLeft, pivots, true)) return true;
  split(H, NLeft, SLeft, pivots, false);
  return false;
}

}  // namespace polhode
