#pragma once

#include "integrate/stepper.h"
#include "system/single_body.h"

#include <memory>
#include <string>

namespace polhode {

/// The usual equations of one body, in quaternions, inlined into the usual explicit codes, dopri5 and dop853, and into
/// Gauss collocation (inlined_gauss.h): a step from t = 0 takes half the time that it takes through the interface of unknown
/// size, or less. Null for other integrators and equations.
std::unique_ptr<Stepper> makeInlinedStepper(const std::string& integrator, const SingleBodySystem& body,
                                            const VectorX& y0, double tEnd, const IntegratorOptions& options);

}  // namespace polhode
