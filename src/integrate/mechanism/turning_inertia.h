#pragma once

#include "math/cross.h"

/// How a body resists being turned by c (a Cayley vector) over a step, in the director scheme. Dm are its mean
/// directors, E its second moments, W0 the rates of its directors at the start. With E_m = sum_i E_i dm_i dm_i^T,
/// J_m = tr(E_m) I - E_m and Z = sum_i E_i dm_i w0_i^T the torque, times the step, is
///
///     sum_i E_i dm_i cross ((2/h) c cross dm_i - 2 w0_i) = (2/h) J_m c - 2 axial(Z)
namespace polhode {

template <class T>
POLHODE_KERNEL inline Vector<T, 3> turningTorque(const Vector<T, 3>& E, const Matrix33<T>& Dm, const Matrix33<T>& W0,
                                                 const Vector<T, 3>& c, double h) {
  const Vector<T, 3> twist = (2.0 / h) * c;
  Vector<T, 3> sum = Vector<T, 3>::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vector<T, 3> d = Dm.col(i);
    sum += d.cross(E[i] * (twist.cross(d) - 2.0 * W0.col(i)));
  }
  return sum;
}

/// J_m c and axial(Z), of which that torque is made, for any h.
template <class T>
struct TurningParts {
  Vector<T, 3> byTurn = Vector<T, 3>::Zero(), atStart = Vector<T, 3>::Zero();

  POLHODE_KERNEL TurningParts(const Vector<T, 3>& E, const Matrix33<T>& Dm, const Matrix33<T>& W0,
                              const Vector<T, 3>& c) {
    for (int i = 0; i < 3; ++i) {
      const Vector<T, 3> d = Dm.col(i), weighted = E[i] * d;
      byTurn += weighted.cross(c.cross(d));
      atStart += weighted.cross(Vector<T, 3>(W0.col(i)));
    }
  }
};

/// Dm = (D0 + D1)/2 = H D0 for D1 = cay(c) D0: H = (I + c^/2 + c c^T/4)/(1 + c^2/4).
template <class T>
POLHODE_KERNEL inline Matrix33<T> meanTurn(const Vector<T, 3>& c) {
  const Vector<T, 3> half = 0.5 * c;
  const T s = 1.0 / (1.0 + half.squaredNorm());
  Matrix33<T> H = (s * half) * half.transpose();
  const Vector<T, 3> sh = s * half;
  H(0, 0) += s, H(1, 1) += s, H(2, 2) += s;
  H(0, 1) -= sh[2], H(0, 2) += sh[1], H(1, 0) += sh[2], H(1, 2) -= sh[0], H(2, 0) -= sh[1], H(2, 1) += sh[0];
  return H;
}

/// The derivative of that torque with respect to the turn of the directors at the end:
///
///     (2/h) J_m C^-1 + (U - tr(U) I)/2 - (c (J_m c)^T / 2 - w^) / h,
///     U = -(I + c^/2) ((2/h) E_m c^ + 2 Z),   w = (I + c^/2) E_m c,   C^-1 = I - c^/2 + c c^T/4
template <class T>
struct TurningResistance {
  Vector<T, 3> torque;
  Matrix33<T> stiffness;

  POLHODE_KERNEL TurningResistance(const Vector<T, 3>& E, const Matrix33<T>& Dm, const Matrix33<T>& W0,
                                   const Vector<T, 3>& c, double h) {
    const T rate = 2.0 / h;
    const Matrix33<T> weighted = Dm * E.asDiagonal();
    const Matrix33<T> Z = weighted.lazyProduct(W0.transpose());
    Matrix33<T> Em;  // symmetric
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j)
        Em(i, j) = Em(j, i) = weighted(i, 0) * Dm(j, 0) + weighted(i, 1) * Dm(j, 1) + weighted(i, 2) * Dm(j, 2);
    const T trace = Em(0, 0) + Em(1, 1) + Em(2, 2);
    const Vector<T, 3> Ec = Em * c, Jc = trace * c - Ec;
    torque = rate * Jc - 2.0 * Vector<T, 3>(Z(1, 2) - Z(2, 1), Z(2, 0) - Z(0, 2), Z(0, 1) - Z(1, 0));

    Matrix33<T> U = -2.0 * Z - rate * crossed(Em, c);
    U += 0.5 * crossed(c, U);
    const T traceU = U(0, 0) + U(1, 1) + U(2, 2);
    const Vector<T, 3> w = (Ec + 0.5 * c.cross(Ec)) / h;
    Matrix33<T> Jm = -Em;
    Jm(0, 0) += trace, Jm(1, 1) += trace, Jm(2, 2) += trace;
    Matrix33<T>& K = stiffness;
    K = 0.5 * U;
    K(0, 0) -= 0.5 * traceU, K(1, 1) -= 0.5 * traceU, K(2, 2) -= 0.5 * traceU;
    K += rate * (Jm - 0.5 * crossed(Jm, c)) + Jc * (0.25 * rate * c).transpose() - c * (0.5 / h * Jc).transpose();
    K(0, 1) -= w[2], K(0, 2) += w[1], K(1, 0) += w[2], K(1, 2) -= w[0], K(2, 0) -= w[1], K(2, 1) += w[0];
  }
};

template <class T>
POLHODE_KERNEL inline Matrix33<T> turningStiffness(const Vector<T, 3>& E, const Matrix33<T>& Dm, const Matrix33<T>& W0,
                                                   const Vector<T, 3>& c, double h) {
  return TurningResistance<T>(E, Dm, W0, c, h).stiffness;
}

}  // namespace polhode
