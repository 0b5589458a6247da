#pragma once

#include "math/euler_map.h"
#include "math/quaternion.h"

#include <cmath>

/// Example A of Lang 2010, section 7: a slightly unsymmetrical heavy top that spins fast, as equations of fixed
/// size in the five formulations of the paper, from t = 0 to 60.
namespace polhode::test {

namespace lang_top {

inline constexpr double I1 = 50.0, I2 = 42.0, I3 = 10.0, mgL = 11.09 * 9.81;
inline constexpr double endTime = 60.0;

inline const Quaternion orientation(std::sqrt(3.0) / 2.0, 0.5, 0.0, 0.0);  // at t = 0
inline const Vector3 angularVelocity(0.0, 0.0, 20.0);                      // at t = 0, in the body frame

/// R and Omega at t = 60, computed in 113-bit arithmetic with two integrators that agree to 1e-19.
inline Matrix3 rotationAtEnd() {
  Matrix3 R;
  R << -0.4137613210387735, 0.5698037240938276, 0.7100178062704161,  //
      -0.02761109214249696, -0.787404577611975, 0.6158178779041785,  //
      0.9099665910366971, 0.235197251609181, 0.34153046135380083;
  return R;
}
inline Vector3 angularVelocityAtEnd() {
  return {0.7560099780452241, -0.27599588076720194, 20.006758534296225};
}

/// Omega' from Omega and the heights of the first two directors.
inline Vector3 angularAcceleration(const Vector3& Omega, double d1z, double d2z) {
  return {((I2 - I3) * Omega[1] * Omega[2] + mgL * d2z) / I1, ((I3 - I1) * Omega[2] * Omega[0] - mgL * d1z) / I2,
          (I1 - I2) * Omega[0] * Omega[1] / I3};
}

/// The vector of the skew part of a matrix.
inline Vector3 skewVector(const Matrix3& A) {
  return 0.5 * Vector3(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
}

}  // namespace lang_top

template <int N>
struct LangTop {
  static constexpr int Size = N;
  using State = Vector<double, N>;
  int size() const { return N; }
};

/// y = (p, Omega), equation (42).
struct QuaternionTop : LangTop<7> {
  void derivative(double, const State& y, State& dydt) const {
    const Quaternion p = y.head<4>();
    const Vector3 Omega = y.tail<3>();
    dydt.head<4>() = 0.5 * multiply<double>(p, pureQuaternion<double>(Omega));
    dydt.tail<3>() =
        lang_top::angularAcceleration(Omega, 2.0 * (p[1] * p[3] - p[0] * p[2]), 2.0 * (p[2] * p[3] + p[0] * p[1]));
  }
  static State initial() {
    State y;
    y << lang_top::orientation, lang_top::angularVelocity;
    return y;
  }
  static Matrix3 rotation(const State& y) { return rotationMatrix<double>(y.head<4>()); }
  static Vector3 angularVelocity(const State& y) { return y.tail<3>(); }
};

/// y = (d, Omega), equation (25).
struct DirectorTop : LangTop<12> {
  void derivative(double, const State& y, State& dydt) const {
    const Vector3 d1 = y.segment<3>(0), d2 = y.segment<3>(3), d3 = y.segment<3>(6), Omega = y.tail<3>();
    dydt.segment<3>(0) = Omega[2] * d2 - Omega[1] * d3;
    dydt.segment<3>(3) = Omega[0] * d3 - Omega[2] * d1;
    dydt.segment<3>(6) = Omega[1] * d1 - Omega[0] * d2;
    dydt.tail<3>() = lang_top::angularAcceleration(Omega, d1[2], d2[2]);
  }
  static State initial() {
    State y;
    y << directors<double>(lang_top::orientation), lang_top::angularVelocity;
    return y;
  }
  static Matrix3 rotation(const State& y) { return y.head<9>().reshaped(3, 3); }
  static Vector3 angularVelocity(const State& y) { return y.tail<3>(); }
};

/// y = (theta, Omega) with Euler angles 3-1-3, equations (65) and (66).
struct EulerAngleTop : LangTop<6> {
  void derivative(double, const State& y, State& dydt) const {
    const double s2 = std::sin(y[1]), c2 = std::cos(y[1]), s3 = std::sin(y[2]), c3 = std::cos(y[2]);
    const Vector3 Omega = y.tail<3>();
    dydt[0] = (s3 * Omega[0] + c3 * Omega[1]) / s2;
    dydt[1] = c3 * Omega[0] - s3 * Omega[1];
    dydt[2] = Omega[2] - c2 * dydt[0];
    dydt.tail<3>() = lang_top::angularAcceleration(Omega, s2 * s3, s2 * c3);
  }
  static State initial() {
    State y;
    y << 0.0, M_PI / 3.0, 0.0, lang_top::angularVelocity;
    return y;
  }
  static Matrix3 rotation(const State& y) {
    using Rotation = Eigen::AngleAxisd;
    return (Rotation(y[0], Vector3::UnitZ()) * Rotation(y[1], Vector3::UnitX()) * Rotation(y[2], Vector3::UnitZ()))
        .toRotationMatrix();
  }
  static Vector3 angularVelocity(const State& y) { return y.tail<3>(); }
};

/// y = (p, p'), equation (40) as printed, off the unit sphere too.
struct QuaternionVelocityTop : LangTop<8> {
  void derivative(double, const State& y, State& dydt) const {
    using namespace lang_top;
    const Quaternion p = y.head<4>(), v = y.tail<4>();
    const Quaternion I(0.0, I1, I2, I3), inverse(0.0, 1.0 / I1, 1.0 / I2, 1.0 / I3);
    const Eigen::Matrix4d Qp = leftMatrix<double>(p), Qv = leftMatrix<double>(v);
    const Quaternion weight = -2.0 * mgL * Quaternion(p[0], -p[1], -p[2], p[3]);
    const Quaternion psi = weight + 8.0 * Qv * I.asDiagonal() * Qv.transpose() * p;  // (33)
    const double norm2 = p.squaredNorm();
    dydt.head<4>() = v;
    dydt.tail<4>() = Qp * inverse.asDiagonal() * Qp.transpose() * psi / (4.0 * norm2 * norm2) - v.squaredNorm() * p;
  }
  static State initial() {
    using namespace lang_top;
    State y;
    y << orientation, 0.5 * multiply<double>(orientation, pureQuaternion<double>(lang_top::angularVelocity));
    return y;
  }
  static Matrix3 rotation(const State& y) { return rotationMatrix<double>(y.head<4>()); }
  static Vector3 angularVelocity(const State& y) {
    return 2.0 * vectorPart<double>(multiply<double>(conjugate<double>(y.head<4>()), y.tail<4>()));
  }
};

/// y = (d, d'), equation (23) with the constraints (19) on the rows of R. (Constraints on its columns, the directors,
/// define the same motion, but off the manifold another equation, with other counts.)
struct DirectorVelocityTop : LangTop<18> {
  void derivative(double, const State& y, State& dydt) const {
    using namespace lang_top;
    const Matrix3 R = y.head<9>().reshaped(3, 3), V = y.tail<9>().reshaped(3, 3);
    const Vector3 E((I2 + I3 - I1) / 2.0, (I3 + I1 - I2) / 2.0, (I1 + I2 - I3) / 2.0);

    Eigen::Matrix<double, 15, 15> A = Eigen::Matrix<double, 15, 15>::Zero();
    Eigen::Matrix<double, 15, 1> b = Eigen::Matrix<double, 15, 1>::Zero();
    for (int i = 0; i < 9; ++i) A(i, i) = E[i / 3];
    b[8] = -mgL;
    int constraint = 9;
    for (int m = 0; m < 3; ++m) {
      for (int n = 0; n <= m; ++n, ++constraint) {
        // half the derivative of <row m, row n>, and minus half its second derivative along the motion
        for (int column = 0; column < 3; ++column) {
          A(constraint, 3 * column + m) += 0.5 * R(n, column);
          A(constraint, 3 * column + n) += 0.5 * R(m, column);
        }
        b[constraint] = -V.row(m).dot(V.row(n));
      }
    }
    A.topRightCorner<9, 6>() = A.bottomLeftCorner<6, 9>().transpose();
    dydt.head<9>() = y.tail<9>();
    dydt.tail<9>() = A.partialPivLu().solve(b).head<9>();
  }
  static State initial() {
    using namespace lang_top;
    const Matrix3 R = rotationMatrix<double>(orientation), V = R * hat<double>(lang_top::angularVelocity);
    State y;
    y << R.reshaped(), V.reshaped();
    return y;
  }
  static Matrix3 rotation(const State& y) { return y.head<9>().reshaped(3, 3); }
  static Vector3 angularVelocity(const State& y) {
    return lang_top::skewVector(rotation(y).transpose() * y.tail<9>().reshaped(3, 3));
  }
};

}  // namespace polhode::test
