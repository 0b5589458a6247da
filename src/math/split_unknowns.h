#pragma once

#include "polhode/math/types.h"

namespace polhode {

using SixRows = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::ColMajor, 6, 6>;
using SixColumns = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// From r rows G of full rank: N with G N = 0 and S with G S = I, by elimination with full pivoting.
void splitUnknowns(const SixRows& G, SixColumns& N, SixColumns& S);

/// The same for two matrices that are close to each other, with the same unknowns left free in both, in the same order:
/// the columns of N and NLeft belong together, and N^T^ A N is nearly symmetric where A is. False where H has no good pivots
/// in the unknowns that are G's; then each is split for itself.
bool splitAlike(const SixRows& G, const SixRows& H, SixColumns& N, SixColumns& S, SixColumns& NLeft, SixColumns& SLeft);

}  // namespace polhode
