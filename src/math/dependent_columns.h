#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace polhode {

/// The columns of a sparse matrix that depend on those before them: Gaussian elimination column by column, the largest
/// entry that is left of each as its pivot. Columns ought to have about the length one; one of which nothing above
/// `negligible` is left is dependent. Where columns touch only others that are near, the cost is linear in their number
/// (a QR decomposition would carry all rows that have no pivot along).
std::vector<int> dependentColumns(const Eigen::SparseMatrix<double>& matrix, double negligible);

}  // namespace polhode
