#include "math/split_unknowns.h"

#include <cmath>
#include <complex>

namespace polhode {

namespace {

/// The unknowns that the rows determine, in the order of their elimination.
struct Pivots {
  int column[6];
};

/// Gauss-Jordan elimination with full pivoting, or with pivots in the columns that are given: false where these are poor.
template <class Scalar>
bool split(const SixRowsOf<Scalar>& G, SixColumnsOf<Scalar>& N, SixColumnsOf<Scalar>& S, Pivots& pivots, bool given) {
  constexpr double poor = 0.1;  // of the largest entry that is left
  const int r = static_cast<int>(G.rows());
  SixRowsOf<Scalar> reduced = G;
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> T(r, r);
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
    const Scalar inverse = 1.0 / reduced(k, column);
    reduced.row(k) *= inverse;
    T.row(k) *= inverse;
    for (int i = 0; i < r; ++i) {
      if (i == k) continue;
      const Scalar factor = reduced(i, column);
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

template <class Scalar>
bool splitAlike(const SixRowsOf<Scalar>& G, const SixRowsOf<Scalar>& H, SixColumnsOf<Scalar>& N,
                SixColumnsOf<Scalar>& S, SixColumnsOf<Scalar>& NLeft, SixColumnsOf<Scalar>& SLeft) {
  Pivots pivots;
  split(G, N, S, pivots, false);
  if (split(H, NLeft, SLeft, pivots, true)) return true;
  split(H, NLeft, SLeft, pivots, false);
  return false;
}

template bool splitAlike(const SixRows&, const SixRows&, SixColumns&, SixColumns&, SixColumns&, SixColumns&);
using Complex = std::complex<double>;
template bool splitAlike(const SixRowsOf<Complex>&, const SixRowsOf<Complex>&, SixColumnsOf<Complex>&,
                         SixColumnsOf<Complex>&, SixColumnsOf<Complex>&, SixColumnsOf<Complex>&);

}  // namespace polhode
