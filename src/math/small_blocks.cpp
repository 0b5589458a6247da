#include "math/small_blocks.h"

#include "math/index.h"
#include "polhode/math/types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace polhode::small_blocks {
namespace {

template <int Rows, int Inner, int Columns>
void addFixedProduct(double* __restrict target, const double* __restrict left, const double* __restrict right) {
  for (int j = 0; j < Columns; ++j) {
    std::array<double, Rows> sum;
    std::copy_n(target + j * Rows, Rows, sum.begin());
    for (int k = 0; k < Inner; ++k)
      for (int i = 0; i < Rows; ++i) sum[at(i)] += left[i + k * Rows] * right[k + j * Inner];
    std::copy_n(sum.begin(), Rows, target + j * Rows);
  }
}

/// Gauss-Jordan elimination in place, the largest entry of each column as pivot.
template <int Size>
void invertFixed(const double* block, double* inverse) {
  using Square = Eigen::Matrix<double, Size, Size>;
  Eigen::Map<Square> A(inverse);
  A = Eigen::Map<const Square>(block);
  std::array<int, Size> pivots;
  for (int k = 0; k < Size; ++k) {
    int pivot = k;
    for (int i = k + 1; i < Size; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    pivots[at(k)] = pivot;
    if (pivot != k) A.row(k).swap(A.row(pivot));

    const double reciprocal = 1.0 / A(k, k);
    const Vector<double, Size> column = A.col(k);
    A.col(k).setZero();
    A(k, k) = 1.0;
    A.row(k) *= reciprocal;
    for (int j = 0; j < Size; ++j) {
      const double factor = A(k, j);
      for (int i = 0; i < Size; ++i)
        if (i != k) A(i, j) -= column[i] * factor;
    }
  }
  for (int k = Size - 1; k >= 0; --k)
    if (const int pivot = pivots[at(k)]; pivot != k) A.col(k).swap(A.col(pivot));
}

constexpr std::size_t count = largest;

/// The functions of all sizes, by (rows - 1, inner - 1, columns - 1) and by size - 1.
template <std::size_t... I>
constexpr std::array<AddProduct, sizeof...(I)> productTable(std::index_sequence<I...>) {
  return {&addFixedProduct<I / (count * count) + 1, I / count % count + 1, I % count + 1>...};
}

template <std::size_t... I>
constexpr std::array<Invert, sizeof...(I)> inverseTable(std::index_sequence<I...>) {
  return {&invertFixed<I + 1>...};
}

constexpr auto inverses = inverseTable(std::make_index_sequence<count>());

}  // namespace

const std::array<AddProduct, combinations> products = productTable(std::make_index_sequence<combinations>());

Invert invert(int size) {
  return inverses[static_cast<std::size_t>(size - 1)];
}

}  // namespace polhode::small_blocks
