#include "math/tree_system.h"

#include <gtest/gtest.h>

namespace polhode::tree_system_test {
namespace {

/// A system with random entries, solved by the recursion and as one dense matrix.
class TreeSystemTest : public ::testing::TestWithParam<int> {
 protected:
  const std::vector<int> parent{-1, 0, 0, 1, -1, 4}, rows{5, 3, 0, 5, 0, 6};
  static constexpr int border = 3;

  int unknowns() const { return 36 + 22 + border; }
  static int firstRow(int node) {
    constexpr int starts[] = {0, 5, 8, 8, 13, 13};
    return 36 + starts[node];
  }

  template <class Scalar>
  void compareWithADenseSolution();
};

template <class Scalar>
void TreeSystemTest::compareWithADenseSolution() {
  using System = TreeSystemOf<Scalar>;
  using Vector6 = typename System::Vector6;
  using Matrix6 = typename System::Matrix6;
  using SixRows = typename System::SixRows;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  srand(7);
  System system(parent, rows, {{1, {2, 3}}, {1, {3, 1}}, {1, {5}}}, GetParam());
  const int n = unknowns(), borderStart = n - border;
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> full;
  full.setZero(n, n);
  Vector right = Vector::Zero(n);
  for (int b = 0; b < 6; ++b) {
    auto& node = system.node(b);
    const int p = parent[static_cast<std::size_t>(b)], r = rows[static_cast<std::size_t>(b)];
    node.A = Matrix6::Random() + 6.0 * Matrix6::Identity();
    node.f = Vector6::Random();
    node.G = SixRows::Random(r, 6);
    node.H = SixRows::Random(r, 6);
    node.g = System::UpToSix::Random(r);
    full.block(6 * b, 6 * b, 6, 6) = node.A;
    full.block(6 * b, firstRow(b), 6, r) = node.H.transpose();
    full.block(firstRow(b), 6 * b, r, 6) = node.G;
    right.segment(6 * b, 6) = node.f;
    right.segment(firstRow(b), r) = node.g;
    if (p < 0) continue;
    node.coupled = b != 3;
    node.C = Matrix6::Random();
    node.P = Matrix6::Random();
    node.parentG = SixRows::Random(r, 6);
    node.parentH = SixRows::Random(r, 6);
    if (node.coupled) {
      full.block(6 * b, 6 * p, 6, 6) = node.C;
      full.block(6 * p, 6 * b, 6, 6) = node.P;
    }
    full.block(6 * p, firstRow(b), 6, r) = node.parentH.transpose();
    full.block(firstRow(b), 6 * p, r, 6) = node.parentG;
  }
  const auto close = [&](int node, int k) {
    system.borderColumn(node, k, 0) = Vector6::Random();
    system.borderRow(node, k, 0) = Vector6::Random();
    full.block(6 * node, borderStart + k, 6, 1) = system.borderColumn(node, k, 0);
    full.block(borderStart + k, 6 * node, 1, 6) = system.borderRow(node, k, 0).transpose();
  };
  close(2, 0);
  close(3, 0);
  close(3, 1);
  close(1, 1);
  close(5, 2);
  for (int k = 0; k < border; ++k) {
    full(borderStart + k, borderStart + k) = system.border().entry(k, k) = 1.0 + k;
    right[borderStart + k] = system.border().right(k) = 0.5 - k;
  }

  const Vector expected = full.fullPivLu().solve(right);
  system.factorise();
  system.solve();
  for (int b = 0; b < 6; ++b) {
    EXPECT_LT((system.node(b).z - expected.segment(6 * b, 6)).norm(), 1e-9) << "node " << b;
    const int r = rows[static_cast<std::size_t>(b)];
    EXPECT_LT((Vector(system.node(b).l) - expected.segment(firstRow(b), r)).norm(), 1e-8) << "rows of node " << b;
  }
  for (int k = 0; k < border; ++k) EXPECT_LT(std::abs(system.border().solution(k) - expected[borderStart + k]), 1e-9);
  EXPECT_EQ(system.deficientNode(), -1);
}

TEST_P(TreeSystemTest, AgreesWithADenseSolution) {
  compareWithADenseSolution<double>();
}

TEST_P(TreeSystemTest, AgreesWithADenseComplexSolution) {
  compareWithADenseSolution<std::complex<double>>();
}

// The border as one matrix, and eliminated loop by loop.
INSTANTIATE_TEST_SUITE_P(SmallBorders, TreeSystemTest, ::testing::Values(3, 2));

TEST(PivotedLu, LeavesAloneWhatTheMatrixDoesNotDetermine) {
  PivotedLu<> lu(3);
  lu.matrix() << 2.0, 1.0, 3.0, 1.0, 1.0, 2.0, 3.0, 2.0,
      5.0;  // the third row is the sum of the others, so is the column
  const MatrixX matrix = lu.matrix();
  lu.factorise(1e-12);
  EXPECT_EQ(lu.rank(), 2);
  VectorX b = matrix * Vector3(1.0, -2.0, 0.5);
  const VectorX right = b;
  lu.solveInPlace(b);
  EXPECT_LT((matrix * b - right).norm(), 1e-13);
}

}  // namespace
}  // namespace polhode::tree_system_test
