#pragma once

#include "math/euler_map.h"
#include "math/spurrier_klumpp.h"
#include "system/mechanism.h"

/// The absolute coordinates of a body's rotation, for formulations with constraints: each chart is a map onto directors
/// with its first and second derivative, the mass that belongs to it and the constraints that it brings along. With the
/// director level of joints and forces everything else follows by the chain rule (Lang 2010, section 5).
namespace polhode {

/// Unit quaternions p, Lang 2010, section 4: d = phi(p) is quadratic, M = 4 Q(p) diag(J0, J) Q(p)^T, and
/// g = (|p|^2 - 1)/2. The zeroth moment J0 adds 4 J0 p p^T, so it changes nothing but the multiplier of g; with
/// J0 = (J1 + J2 + J3)/2 (Remark 5.3) the mass is regular and has no small diagonal entries wherever p points.
struct QuaternionChart {
  static constexpr const char* name = "quaternion";
  static constexpr int Size = 4, Rows = 1;
  using Coordinates = Vector<double, Size>;

  static Matrix3 directors(const Coordinates& p) { return rotationMatrix(p); }
  static Matrix3 directorsRate(const Coordinates& p, const Coordinates& pdot) {
    return (directorsDifferential(p) * pdot).reshaped(3, 3);
  }
  /// D2phi[p', p'], the part of d'' that p'' has no share in.
  static Matrix3 directorsCurvature(const Coordinates& pdot) { return 2.0 * rotationMatrix(pdot); }
  /// Dphi(p)^T f of forces f on the directors, the columns.
  static Coordinates pullBack(const Coordinates& p, const Matrix3& f) {
    return directorsDifferential(p).transpose() * f.reshaped();
  }

  static Eigen::Matrix4d mass(const Coordinates& p, const MechanismBody& body) {
    return 4.0 * inertiaForm(p, body.inertia) + 2.0 * body.inertia.sum() * p * p.transpose();  // Lang (31)
  }
  static Coordinates skewTerm(const Coordinates& p, const Coordinates& pdot, const MechanismBody& body) {
    return 8.0 * inertiaForm(pdot, body.inertia) * p;  // Lang (33)
  }

  static Vector<double, Rows> constraint(const Coordinates& p) {
    return Vector<double, Rows>(0.5 * (p.squaredNorm() - 1.0));
  }
  static Eigen::Matrix<double, Rows, Size> constraintJacobian(const Coordinates& p) { return p.transpose(); }
  static Vector<double, Rows> constraintAcceleration(const Coordinates& pdot) {
    return Vector<double, Rows>(pdot.squaredNorm());
  }

  static Coordinates fromDirectors(const Matrix3& D) { return unitQuaternionFromRotation(D); }
  static Coordinates rate(const Coordinates& p, const Vector3& Omega) {
    return 0.5 * bodyMatrix(p).transpose() * Omega;
  }
  static Vector3 angularVelocity(const Coordinates& p, const Coordinates& pdot) { return 2.0 * bodyMatrix(p) * pdot; }

 private:
  static Eigen::Matrix4d inertiaForm(const Coordinates& a, const Vector3& inertia) {
    const Eigen::Matrix<double, 3, 4> B = bodyMatrix(a);
    return B.transpose() * inertia.asDiagonal() * B;
  }
};

/// The nine components of the directors, Lang 2010, section 3: M is constant, and the rows r1, r2, r3 of D stay
/// orthonormal, g = ((|r1|^2-1)/2, (|r2|^2-1)/2, (|r3|^2-1)/2, r1.r2, r3.r1, r2.r3).
struct DirectorChart {
  static constexpr const char* name = "director";
  static constexpr int Size = 9, Rows = 6;
  using Coordinates = Vector<double, Size>;

  static Matrix3 directors(const Coordinates& d) { return d.reshaped(3, 3); }
  static Matrix3 directorsRate(const Coordinates&, const Coordinates& ddot) { return ddot.reshaped(3, 3); }
  static Matrix3 directorsCurvature(const Coordinates&) { return Matrix3::Zero(); }
  static Coordinates pullBack(const Coordinates&, const Matrix3& f) { return f.reshaped(); }

  static Eigen::Matrix<double, Size, Size> mass(const Coordinates&, const MechanismBody& body) {
    Coordinates diagonal;  // Lang (17), (18)
    for (int i = 0; i < 3; ++i) diagonal.segment<3>(3 * i).setConstant(body.secondMoments[i]);
    return diagonal.asDiagonal();
  }
  static Coordinates skewTerm(const Coordinates&, const Coordinates&, const MechanismBody&) {
    return Coordinates::Zero();
  }

  static Vector<double, Rows> constraint(const Coordinates& d);
  static Eigen::Matrix<double, Rows, Size> constraintJacobian(const Coordinates& d);
  static Vector<double, Rows> constraintAcceleration(const Coordinates& ddot);

  static Coordinates fromDirectors(const Matrix3& D) { return D.reshaped(); }
  static Coordinates rate(const Coordinates& d, const Vector3& Omega) { return (directors(d) * hat(Omega)).reshaped(); }
  /// Omega from the skew part of D^T D', Lang (15).
  static Vector3 angularVelocity(const Coordinates& d, const Coordinates& ddot);
};

}  // namespace polhode
