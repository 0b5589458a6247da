#pragma once

#include "system/user_system.h"

namespace polhode {

/// A mass on a nonlinear spring in space, in spherical coordinates q = (r, theta, phi) with theta measured
/// from the z axis (Kinon & Betsch 2024, section 5.2): a mass matrix that depends on the configuration. No
/// gravity, so the momentum p_phi of the azimuth is conserved. Singular at theta = 0 and pi.
class SpringPendulum : public UserSystem<SpringPendulum, 3> {
 public:
  double pointMass = 1;
  double axialStiffness = 300;  // EA
  double restLength = 1;

  std::string name() const override { return "spring-pendulum"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>& q) const {  // (111)
    using std::sin;
    const S r2 = q[0] * q[0], s = sin(q[1]);
    Mass<S> M = Mass<S>::Zero();
    M(0, 0) = pointMass;
    M(1, 1) = pointMass * r2;
    M(2, 2) = pointMass * r2 * (s * s);
    return M;
  }

  template <class S>
  S potentialEnergy(const Position<S>& q) const {  // (112), with the Green-Lagrange strain
    const S strain = (q[0] * q[0] - restLength * restLength) / (2 * restLength * restLength);
    return 0.5 * axialStiffness * strain * strain;
  }
};

}  // namespace polhode
