#pragma once

#include "polhode/math/types.h"

/// Solutions of the two model problems, computed for this project in 113-bit arithmetic by two formulations
/// and two integrators each; all printed digits hold. Kinon & Betsch 2024, 5.1 with the data of the authors'
/// input file, and 5.2.
namespace polhode::test {

/// Mass and spring at t = 1: (x1, q2, x2) and velocities.
inline VectorX massSpringAt1() {
  VectorX y(6);
  y << 0.7981285257079265, 1.8981285257079266, -0.5105198389589446, 0.394136216490079, 0.394136216490079,
      0.4274964505365546;
  return y;
}

/// Spring pendulum at t = 1: (r, theta, phi) and velocities.
inline VectorX springPendulumAt1() {
  VectorX y(6);
  y << 1.023990836187832, 2.3559775009281583, 1.5413373462795072, 0.705476936362295, 0.030970010567245507,
      2.1019772921889803;
  return y;
}

}  // namespace polhode::test
