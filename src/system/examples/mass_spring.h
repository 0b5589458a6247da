#pragma once

#include "system/user_system.h"

namespace polhode {

/// Two masses on two springs, put together from two modules (Kinon & Betsch 2024, section 5.1): q = (x1, q2,
/// x2) with the elongations x1, x2 and the place q2 where the modules meet. T = m1 v1^2/2 + m2 (v2 + v3)^2/2
/// has a constant, singular mass matrix. Data from the authors' input files; V as printed in (109).
class MassSpring : public UserSystem<MassSpring, 3, 1> {
 public:
  double mass1 = 2, mass2 = 1;
  double stiffness1 = 1, stiffness2 = 3;
  double restLength = 1, width = 0.1;

  std::string name() const override { return "mass-spring"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {  // (108)
    Mass<S> M;
    M << mass1, 0, 0,  //
        0, mass2, mass2, 0, mass2, mass2;
    return M;
  }

  template <class S>
  S potentialEnergy(const Position<S>& q) const {  // (109)
    const S s1 = q[0] * q[0], s2 = q[2] * q[2];
    return 0.25 * stiffness1 * (s1 + s1 * s1) + 0.25 * stiffness2 * (s2 + s2 * s2);
  }

  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {  // (107)
    const S gap = q[1] - q[0];
    const double length = restLength + width;
    return Gaps<S>(0.5 * (gap * gap - length * length));
  }
};

}  // namespace polhode
