#pragma once

#include "math/euler_angles.h"
#include "math/euler_map.h"
#include "math/largest.h"
#include "math/projection.h"
#include "math/spurrier_klumpp.h"
#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

/// The rotation parametrisations: each is a map q -> D onto directors with the null-space relation q' = T(q)
/// Omega. Everything else about a body (torques, energy, momentum) is written on the director level, so that
/// a new parametrisation is one more struct of this kind.
///
/// Reference: Lang 2010, (24), (41), (66).
namespace polhode {

/// How coordinates that have drifted are brought back after a step.
enum class Projection { none, explicitly, polar };

/// Unit quaternions: q' = q o Omega / 2, Lang (42).
struct QuaternionCoordinates {
  static constexpr int Size = 4;
  static constexpr const char* name = "quaternion";

  template <class T>
  static Eigen::Matrix<T, 3, 3> directors(const Vector<T, 4>& q) {
    return rotationMatrix(q);
  }
  /// D^T u without D: ((q0^2 - |v|^2) u + 2 (v . u) v - 2 q0 v x u, v the vector part.
  template <class T>
  static Vector<T, 3> bodyComponents(const Vector<T, 4>& q, const Vector<T, 3>& u) {
    const T w = q[0], x = q[1], y = q[2], z = q[3];
    const T scale = w * w - (x * x + y * y + z * z);
    const T along = T(2) * (x * u[0] + y * u[1] + z * u[2]);
    const T twice = T(2) * w;
    return {scale * u[0] + along * x - twice * (y * u[2] - z * u[1]),
            scale * u[1] + along * y - twice * (z * u[0] - x * u[2]),
            scale * u[2] + along * z - twice * (x * u[1] - y * u[0])};
  }
  template <class T>
  static Vector<T, 4> rate(const Vector<T, 4>& q, const Vector<T, 3>& Omega) {
    const T a = T(0.5) * Omega[0], b = T(0.5) * Omega[1], c = T(0.5) * Omega[2];
    return {-(q[1] * a + q[2] * b + q[3] * c), q[0] * a + q[2] * c - q[3] * b, q[0] * b + q[3] * a - q[1] * c,
            q[0] * c + q[1] * b - q[2] * a};
  }
  static Vector<double, 4> fromQuaternion(const Quaternion& q) { return q; }
  static Quaternion toQuaternion(const Vector<double, 4>& q) { return q; }
  template <class T>
  static T constraintViolation(const Vector<T, 4>& q) {
    using std::abs;
    return abs(T(0.5) * (q.squaredNorm() - T(1)));
  }
  static void project(Vector<double, 4>& q, Projection) { q = projectQuaternion(q); }
};

/// Nine director components ("rotation-free"): d' = T_d(d) Omega, that is D' = D hat(Omega), Lang (25).
struct DirectorCoordinates {
  static constexpr int Size = 9;
  static constexpr const char* name = "director";

  template <class T>
  static Eigen::Matrix<T, 3, 3> directors(const Vector<T, 9>& d) {
    return d.reshaped(3, 3);
  }
  template <class T>
  static Vector<T, 3> bodyComponents(const Vector<T, 9>& d, const Vector<T, 3>& u) {
    return {d[0] * u[0] + d[1] * u[1] + d[2] * u[2], d[3] * u[0] + d[4] * u[1] + d[5] * u[2],
            d[6] * u[0] + d[7] * u[1] + d[8] * u[2]};
  }
  template <class T>
  static Vector<T, 9> rate(const Vector<T, 9>& d, const Vector<T, 3>& Omega) {
    Vector<T, 9> r;
    for (int m = 0; m < 3; ++m) {
      r[m] = Omega[2] * d[3 + m] - Omega[1] * d[6 + m];
      r[3 + m] = Omega[0] * d[6 + m] - Omega[2] * d[m];
      r[6 + m] = Omega[1] * d[m] - Omega[0] * d[3 + m];
    }
    return r;
  }
  static Vector<double, 9> fromQuaternion(const Quaternion& q) { return polhode::directors(q); }
  static Quaternion toQuaternion(const Vector<double, 9>& d) { return quaternionFromRotation(directors(d)); }
  template <class T>
  static T constraintViolation(const Vector<T, 9>& d) {
    using std::abs;
    const Eigen::Matrix<T, 3, 3> D = directors(d), product = D * D.transpose();
    T largest(0);
    for (int i = 0; i < 3; ++i) {
      largest = largestOrNaN(largest, abs(T(0.5) * (product(i, i) - T(1))));
      for (int j = 0; j < i; ++j) largest = largestOrNaN(largest, abs(product(i, j)));
    }
    return largest;
  }
  static void project(Vector<double, 9>& d, Projection method) {
    const Matrix3 D = directors(d);
    d = (method == Projection::polar ? projectFrameToNearest(D) : projectFrameExplicitly(D)).reshaped();
  }
};

/// What the two sets of three angles share: directors by the rotations about three axes (math/euler_angles.h), no
/// constraint, nothing to project, and a singularity.
template <class Coordinates, class Angles>
struct AngleCoordinates {
  static constexpr int Size = 3;

  template <class T>
  static Eigen::Matrix<T, 3, 3> directors(const Vector<T, 3>& angles) {
    return Angles::rotation(angles);
  }
  template <class T>
  static Vector<T, 3> bodyComponents(const Vector<T, 3>& angles, const Vector<T, 3>& u) {
    return directors(angles).transpose() * u;
  }
  static Vector<double, 3> fromQuaternion(const Quaternion& q) { return Angles::fromRotation(rotationMatrix(q)); }
  static Quaternion toQuaternion(const Vector<double, 3>& a) { return quaternionFromRotation(directors(a)); }
  static double constraintViolation(const Vector<double, 3>&) { return 0.0; }
  static void project(Vector<double, 3>&, Projection) {}

 protected:
  /// Refuses angles in gimbal lock, where their rates are not defined.
  static void requireRegular(double divisor) {
    if (std::abs(divisor) < gimbalLockTolerance)
      throw SimulationError(0.0, fmt::format("{} angles are in gimbal lock; use quaternion or director "
                                             "coordinates, which have no singularity",
                                             Coordinates::name));
  }
  template <class T>
  static void requireRegular(const T&) {}
};

/// Euler angles 3-1-3: theta' = T_theta(theta) Omega, Lang (66); singular at sin(theta_2) = 0.
struct Euler313Coordinates : AngleCoordinates<Euler313Coordinates, Euler313> {
  static constexpr const char* name = "euler313";

  template <class T>
  static Vector<T, 3> rate(const Vector<T, 3>& angles, const Vector<T, 3>& Omega) {
    using std::cos, std::sin;
    const T s2 = sin(angles[1]), c2 = cos(angles[1]), s3 = sin(angles[2]), c3 = cos(angles[2]);
    requireRegular(s2);
    const T precession = (s3 * Omega[0] + c3 * Omega[1]) / s2;
    return {precession, c3 * Omega[0] - s3 * Omega[1], Omega[2] - c2 * precession};
  }
};

/// Cardan angles, R = Rx Ry Rz: singular at cos(theta_2) = 0.
struct CardanCoordinates : AngleCoordinates<CardanCoordinates, Cardan> {
  static constexpr const char* name = "cardan";

  template <class T>
  static Vector<T, 3> rate(const Vector<T, 3>& angles, const Vector<T, 3>& Omega) {
    using std::cos, std::sin;
    const T s2 = sin(angles[1]), c2 = cos(angles[1]), s3 = sin(angles[2]), c3 = cos(angles[2]);
    requireRegular(c2);
    const T first = (c3 * Omega[0] - s3 * Omega[1]) / c2;
    return {first, s3 * Omega[0] + c3 * Omega[1], Omega[2] - s2 * first};
  }
};

}  // namespace polhode
