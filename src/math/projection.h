#pragma once

#include "math/euler_map.h"
#include "math/spurrier_klumpp.h"

/// Projections of drifted coordinates and velocities back onto the rotations.
///
/// Quaternions, Lang (63):
///     (P)  p  = p*/|p*|
///     (V)  p' = p'* - <p, p'*> p
///
/// Directors, explicit, Lang section 6 (with the pseudo-inverse in (V), which the paper prints without #):
///     (P)  p* from D* by Spurrier and Klumpp,  p = p*/|p*|,                 d  = phi(p)
///     (V)  p'* = Dphi(p)^# d'*,                p' = p'* - <p, p'*> p,       d' = Dphi(p) p'
///
/// Directors, polar: the rotation nearest to D* in the Frobenius norm, D* = R S with S symmetric and positive
/// definite, by Newton's method for X^T X = I, scaled by the determinant so that it starts well from afar:
///     X <- (s X + (s X)^-T)/2,   s = det(X)^(-1/3)                          quadratic convergence to R
///
/// The directors' velocity is in each case projected orthogonally onto the tangent space at R,
///     D' = R skew(R^T D'*),      skew(A) = (A - A^T)/2,
/// to which (V) of the explicit algorithm is equal. The positions differ at first order in the drift: the
/// polar projection takes D* = R (I + S) with S symmetric back to R, the explicit one does not.
///
/// Reference: Lang 2010, section 6; Higham 1986, Computing the polar decomposition.
namespace polhode {

/// Position and velocity of three directors, as the columns of two matrices.
template <class T>
struct FrameMotion {
  Eigen::Matrix<T, 3, 3> frame;
  Eigen::Matrix<T, 3, 3> velocity;
};

/// The unit quaternion nearest to `drifted`, Lang (63 P).
template <class T>
Vector<T, 4> projectQuaternion(const Vector<T, 4>& drifted) {
  return drifted / drifted.norm();
}

/// The velocity tangential to the unit sphere at the unit quaternion p, Lang (63 V).
template <class T>
Vector<T, 4> projectQuaternionVelocity(const Vector<T, 4>& p, const Vector<T, 4>& driftedVelocity) {
  return driftedVelocity - p.dot(driftedVelocity) * p;
}

/// The orthogonal projection of a director velocity onto the tangent space of SO(3) at the rotation R.
template <class T>
Eigen::Matrix<T, 3, 3> projectFrameVelocity(const Eigen::Matrix<T, 3, 3>& R,
                                            const Eigen::Matrix<T, 3, 3>& driftedVelocity) {
  const Eigen::Matrix<T, 3, 3> inBody = R.transpose() * driftedVelocity;
  const Eigen::Matrix<T, 3, 3> twiceSkew = inBody - inBody.transpose();
  return R * twiceSkew / T(2);
}

/// A rotation near a drifted frame, explicitly: Lang section 6, (P).
template <class T>
Eigen::Matrix<T, 3, 3> projectFrameExplicitly(const Eigen::Matrix<T, 3, 3>& drifted) {
  return rotationMatrix(unitQuaternionFromRotation(drifted));
}

/// A rotation near a drifted frame and its tangential velocity, explicitly: Lang section 6, (P) and (V).
template <class T>
FrameMotion<T> projectFrameExplicitly(const Eigen::Matrix<T, 3, 3>& drifted,
                                      const Eigen::Matrix<T, 3, 3>& driftedVelocity) {
  const Vector<T, 4> p = unitQuaternionFromRotation(drifted);
  const Vector<T, 9> stackedVelocity = driftedVelocity.reshaped();

  const Vector<T, 4> pulledBack = directorsPseudoInverse(p) * stackedVelocity;
  const Vector<T, 4> tangential = projectQuaternionVelocity(p, pulledBack);
  const Vector<T, 9> pushedForward = directorsDifferential(p) * tangential;
  return {rotationMatrix(p), pushedForward.reshaped(3, 3)};
}

/// The rotation nearest to a drifted frame. InputError when the frame is left-handed, flat or not finite.
Matrix3 projectFrameToNearest(const Matrix3& drifted);

/// The rotation nearest to a drifted frame and its tangential velocity. Throws as above.
FrameMotion<double> projectFrameToNearest(const Matrix3& drifted, const Matrix3& driftedVelocity);

}  // namespace polhode
