#include "integrate/first_chosen_step.h"

#include "system/mechanism_extent.h"

#include <algorithm>
#include <cmath>

namespace polhode {

double firstChosenStep(double rate, double end) {
  constexpr double slowest = 1e-3;  // of a mechanism at rest on which nothing acts
  return std::min(0.05 / std::max(rate, slowest), end);
}

double firstChosenStep(const Mechanism& mechanism, double end) {
  const double size = extentOf(mechanism).size;
  double rate = std::sqrt(mechanism.gravity().norm() / size);
  for (const MechanismBody& body : mechanism.bodies())
    rate = std::max({rate, body.angularVelocity.norm(), body.velocity.norm() / size});
  return firstChosenStep(rate, end);
}

}  // namespace polhode
