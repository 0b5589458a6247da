#pragma once

#include "polhode/integrate/stepper.h"
#include "polhode/system/ode.h"

#include <memory>
#include <string>
#include <vector>

namespace polhode {

/// An integrator as `polhode list integrators` explains it.
struct IntegratorInfo {
  std::string name;
  std::string kind;     // "explicit", "implicit", "multistep", "conserving", ...
  std::string summary;  // one sentence: what it is and when to use it
  bool adaptive;        // chooses its own step from a tolerance
};

/// All integrators, in the order in which they are explained.
const std::vector<IntegratorInfo>& integrators();

/// The integrator of that name. Throws InputError with the nearest name.
const IntegratorInfo& findIntegrator(const std::string& name);

/// One of the classical integrators (those for ordinary differential equations) at the start of its run. The
/// equation must outlive it. Throws InputError for a name that is not among them.
std::unique_ptr<Stepper> makeOdeStepper(const std::string& name, const OdeSystem& ode, double t0, const VectorX& y0,
                                        double tEnd, const IntegratorOptions& options);

}  // namespace polhode
