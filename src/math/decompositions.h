#pragma once

#include <Eigen/Dense>

/// Eigen's decompositions of matrices of any size are compiled once, in decompositions.cpp, and not in every source that uses
/// one: they are much of what compiling would cost. Precompiled headers begin with this one.

namespace Eigen {

#define POLHODE_DECOMPOSITIONS(each)              \
  each BDCSVD<MatrixXd>;                          \
  each JacobiSVD<MatrixXd>;                       \
  each ColPivHouseholderQR<MatrixXd>;             \
  each CompleteOrthogonalDecomposition<MatrixXd>; \
  each HouseholderQR<MatrixXd>;                   \
  each FullPivLU<MatrixXd>;                       \
  each PartialPivLU<MatrixXd>;                    \
  each PartialPivLU<MatrixXcd>;                   \
  each LLT<MatrixXd>;                             \
  each LDLT<MatrixXd>;                            \
  each SelfAdjointEigenSolver<MatrixXd>;          \
  each EigenSolver<MatrixXd>;                     \
  each HouseholderSequence<MatrixXd, VectorXd>;

POLHODE_DECOMPOSITIONS(extern template class)

}  // namespace Eigen
