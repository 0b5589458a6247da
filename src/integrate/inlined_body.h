#pragma once

#include "integrate/stepper.h"
#include "system/single_body.h"

#include <memory>

namespace polhode {

/// The usual equations of one body, in quaternions, inlined into the usual explicit codes: a step from t = 0 takes half the
/// time that it takes through the interface of unknown size, or less. Null for other equations. (Gauss collocation:
/// inlined_gauss.h.)
std::unique_ptr<Stepper> inlinedDopri5(const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                       const IntegratorOptions& options);
std::unique_ptr<Stepper> inlinedDop853(const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                       const IntegratorOptions& options);

}  // namespace polhode
