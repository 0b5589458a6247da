#pragma once

#include "integrate/catalogue.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Which integrators fit which constrained system, and why one does not.
///
/// All need a system that can be solved at all: independent constraints (G has full row rank) and a mass
/// matrix that is definite on the velocities which the constraints allow (M + G^T G is definite). Those that
/// are written in momenta, v = M^-1 p, need a regular mass matrix on top.
namespace polhode {

/// Whether an integrator fits a system; if not, why.
struct Fit {
  std::string_view integrator;
  bool fits;
  std::string reason;  // half a sentence, empty where it fits
};

/// For each of `constrainedIntegrators()`, whether it fits the system at the coordinates q.
std::vector<Fit> fittingIntegrators(const ConstrainedSystem& system, const VectorX& q);

/// Why `integrator` does not fit the system at q, and which ones do, as a sentence; empty where it fits.
std::string fitObstacle(std::string_view integrator, const ConstrainedSystem& system, const VectorX& q);

/// Throws it as an InputError.
void requireFit(std::string_view integrator, const ConstrainedSystem& system, const VectorX& q);

/// Throws InputError if v violates the velocity constraint G(q) v = 0 by more than a rounding of the input.
void requireVelocityConstraint(std::string_view integrator, const ConstrainedSystem& system, const VectorX& q,
                               const VectorX& v);

/// The stepper by name, or its composition of order 4, 6 or 8: "livens-em-8". Throws InputError if there is none of this name or it does not fit.
std::unique_ptr<ConstrainedStepper> makeConstrainedStepper(std::string_view integrator, const ConstrainedSystem& system,
                                                           double t0, const VectorX& state, double tEnd, double h);

}  // namespace polhode
