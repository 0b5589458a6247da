#include "math/small_blocks.h"

#include "polhode/math/types.h"

#include <gtest/gtest.h>

namespace polhode::small_blocks::small_blocks_test {
namespace {

TEST(SmallBlocks, MultiplyInAllSizes) {
  std::srand(1);
  for (int rows = 1; rows <= largest; ++rows)
    for (int inner = 1; inner <= largest; ++inner)
      for (int columns = 1; columns <= largest; ++columns) {
        const MatrixX left = MatrixX::Random(rows, inner), right = MatrixX::Random(inner, columns);
        MatrixX target = MatrixX::Random(rows, columns);
        const MatrixX expected = target + left * right;
        addProduct(rows, inner, columns)(target.data(), left.data(), right.data());
        EXPECT_LT((target - expected).cwiseAbs().maxCoeff(), 1e-14) << rows << inner << columns;
      }
}

TEST(SmallBlocks, InvertInAllSizes) {
  std::srand(2);
  for (int size = 1; size <= largest; ++size)
    for (int trial = 0; trial < 20; ++trial) {
      MatrixX block = MatrixX::Random(size, size);
      block.row(0).swap(block.row(size - 1));
      MatrixX inverse(size, size);
      invert(size)(block.data(), inverse.data());
      const double condition = block.norm() * inverse.norm();
      EXPECT_LT((block * inverse - MatrixX::Identity(size, size)).norm(), 1e-15 * size * condition);
    }
}

TEST(SmallBlocks, FindAPivotWhereTheFirstIsZero) {
  Matrix3 block;
  block << 0, 2, 0, 0, 0, 4, 8, 0, 0;
  Matrix3 inverse;
  invert(3)(block.data(), inverse.data());
  EXPECT_EQ(block * inverse, Matrix3::Identity());
}

TEST(SmallBlocks, HaveNoInverseWhereTheyAreSingular) {
  const Matrix3 block = Vector3(1.0, 2.0, 3.0) * Vector3(1.0, 0.5, 0.25).transpose();
  Matrix3 inverse;
  invert(3)(block.data(), inverse.data());
  EXPECT_FALSE(inverse.allFinite());
}

}  // namespace
}  // namespace polhode::small_blocks::small_blocks_test
