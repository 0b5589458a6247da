#pragma once

#include "polhode/math/types.h"

namespace polhode {

template <class Scalar>
using SixRowsOf = Eigen::Matrix<Scalar, Eigen::Dynamic, 6, Eigen::ColMajor, 6, 6>;
template <class Scalar>
using SixColumnsOf = Eigen::Matrix<Scalar, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using SixRows = SixRowsOf<double>;
using SixColumns = SixColumnsOf<double>;

/// From r rows G of full rank: N with G N = 0 and S with G S = I, by elimination with full pivoting; and the same for rows H that
/// are close to those, NLeft and SLeft, with the same unknowns left free in both, in the same order: the columns of N and NLeft belong together, and N^T^ A N is nearly symmetric where A is. False where H has no good pivots
/// in the unknowns that are G's; then each is split for itself.
template <class Scalar>
bool splitAlike(const SixRowsOf<Scalar>& G, const SixRowsOf<Scalar>& H, SixColumnsOf<Scalar>& N,
                SixColumnsOf<Scalar>& S, SixColumnsOf<Scalar>& NLeft, SixColumnsOf<Scalar>& SLeft);

}  // namespace polhode
