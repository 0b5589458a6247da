#pragma once

#include "polhode/math/types.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

/// Random vectors, quaternions and rotations with a fixed seed: every run of the tests sees the same cases.
namespace polhode::test {

inline constexpr int cases = 1000;
inline constexpr double roundOff = std::numeric_limits<double>::epsilon();

class Random {
 public:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }

  /// Spread evenly over the powers of ten from 1e-12 to pi.
  double angle() { return std::pow(10, uniform(-12, std::log10(std::numbers::pi))); }

  /// Components in (-1, 1).
  template <int rows, int columns = 1>
  Eigen::Matrix<double, rows, columns> matrix() {
    return Eigen::Matrix<double, rows, columns>::NullaryExpr([&] { return uniform(-1, 1); });
  }

  /// Uniform on the unit sphere.
  template <int n>
  Vector<double, n> direction() {
    std::normal_distribution<double> normal;
    return Vector<double, n>::NullaryExpr([&] { return normal(generator_); }).normalized();
  }

  Quaternion unitQuaternion() { return direction<4>(); }
  Matrix3 rotation() {
    const Quaternion q = unitQuaternion();
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  }

 private:
  std::mt19937_64 generator_{20100907};
};

/// The largest difference of two matrices of the same shape.
template <class A, class B>
double distance(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace polhode::test
