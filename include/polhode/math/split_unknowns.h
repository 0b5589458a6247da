#pragma once

#include "polhode/math/types.h"

namespace polhode {

using SixRows = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::ColMajor, 6, 6>;
using SixColumns = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// From r rows G of full rank: N with G N = 0 and S with G S = I, by elimination with full pivoting.
void splitUnknowns(const SixRows& G, SixColumns& N, SixColumns& S);

}  // namespace polhode
