#pragma once

#include <Eigen/Dense>

namespace polhode {

/// Eigen aligns vectors of an even number of components as the compiler's flags allow, and what holds one would be laid out
/// by the flags of whoever includes this. These are laid out alike everywhere.
template <class T, int N>
using Vector = Eigen::Matrix<T, N, 1, (N > 0 && N % 2 == 0) ? Eigen::DontAlign : Eigen::AutoAlign>;

/// x^2, a function of its own so that squares can be counted apart from products (counting_scalar.h).
template <class T>
T square(const T& x) {
  return x * x;
}

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;

/// A quaternion as the column (w, x, y, z), scalar first; a unit one rotates body vectors into space.
using Quaternion = Vector<double, 4>;

/// The nine components of three directors, stacked: d = (d1; d2; d3), the columns of a rotation matrix.
using Directors = Vector<double, 9>;

}  // namespace polhode
