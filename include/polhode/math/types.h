#pragma once

#include <Eigen/Dense>

namespace polhode {

template <class T, int N>
using Vector = Eigen::Matrix<T, N, 1>;

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
using Quaternion = Eigen::Vector4d;

/// The nine components of three directors, stacked: d = (d1; d2; d3), the columns of a rotation matrix.
using Directors = Eigen::Matrix<double, 9, 1>;

}  // namespace polhode
