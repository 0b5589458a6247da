#pragma once

#include "polhode/math/types.h"

namespace polhode {

/// Euler's equations in principal axes, J Omega' = mu - Omega x J Omega, solved for Omega' with the quotients
/// of the moments formed once. An axis without inertia keeps its angular velocity (rods and point masses).
class EulerEquations {
 public:
  EulerEquations() = default;
  explicit EulerEquations(const Vector3& J) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      inverse_[i] = J[i] > 0.0 ? 1.0 / J[i] : 0.0;
      quotient_[i] = (J[j] - J[k]) * inverse_[i];
    }
  }

  /// Omega' without torque.
  template <class T>
  Vector<T, 3> free(const Vector<T, 3>& O) const {
    return {T(quotient_[0]) * (O[1] * O[2]), T(quotient_[1]) * (O[2] * O[0]), T(quotient_[2]) * (O[0] * O[1])};
  }

  /// Omega' under the torque mu, in body axes.
  template <class T>
  Vector<T, 3> driven(const Vector<T, 3>& O, const Vector<T, 3>& mu) const {
    return free(O) + inverse_.cast<T>().cwiseProduct(mu);
  }

  /// The same equations with a factor on the right-hand side.
  EulerEquations scaledBy(double factor) const {
    EulerEquations scaled = *this;
    scaled.quotient_ *= factor;
    scaled.inverse_ *= factor;
    return scaled;
  }

 private:
  Vector3 quotient_ = Vector3::Zero();  // (J2 - J3)/J1 and so on
  Vector3 inverse_ = Vector3::Zero();   // 1/J
};

}  // namespace polhode
