#include "math/dependent_columns.h"

#include "polhode/math/types.h"

#include <Eigen/QR>
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace polhode::dependent_columns_test {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

TEST(DependentColumns, AreFoundWhereverTheyStand) {
  MatrixX dense(3, 5);
  dense << 1, 2, 0, 1, 0,  //
      0, 0, 1, 1, 0,       //
      0, 0, 0, 0, 1;
  EXPECT_EQ(dependentColumns(dense.sparseView(), 1e-8), (std::vector<int>{1, 3}));
}

TEST(DependentColumns, AreThoseOfZeros) {
  EXPECT_EQ(dependentColumns(Sparse(4, 2), 1e-8), (std::vector<int>{0, 1}));
  EXPECT_TRUE(dependentColumns(Sparse(4, 0), 1e-8).empty());
}

TEST(DependentColumns, AreAsManyAsARankRevealingDecompositionFinds) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    // columns in a band; some are sums of two of their neighbours
    const int columns = 40;
    MatrixX dense = MatrixX::Zero(2 * columns + 10, columns);
    for (int c = 0; c < columns; ++c) {
      if (c > 2 && random() % 4 == 0)
        dense.col(c) = number(random) * dense.col(c - 1) + number(random) * dense.col(c - 3);
      else
        for (int i = 0; i < 10; ++i) dense(2 * c + i, c) = number(random);
      if (dense.col(c).norm() > 0.0) dense.col(c).normalize();
    }
    Eigen::ColPivHouseholderQR<MatrixX> qr;
    qr.setThreshold(1e-8);
    qr.compute(dense);
    const std::vector<int> dependent = dependentColumns(dense.sparseView(), 1e-8);
    EXPECT_EQ(static_cast<Eigen::Index>(dependent.size()), columns - qr.rank());

    // and the others do not depend on each other
    MatrixX rest(dense.rows(), columns - static_cast<int>(dependent.size()));
    for (int c = 0, next = 0; c < columns; ++c)
      if (!std::binary_search(dependent.begin(), dependent.end(), c)) rest.col(next++) = dense.col(c);
    qr.compute(rest);
    EXPECT_EQ(qr.rank(), rest.cols());
  }
}

}  // namespace
}  // namespace polhode::dependent_columns_test
