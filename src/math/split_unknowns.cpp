#include "polhode/math/split_unknowns.h"

#include <cmath>

namespace polhode {

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

}  // namespace polhode
