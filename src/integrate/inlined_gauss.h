#pragma once

#include "integrate/stepper.h"
#include "system/single_body.h"

#include <memory>

namespace polhode {

/// The usual equations of one body, in quaternions or directors, inlined into Gauss collocation (gauss.h) with all stages
/// side by side in vector registers, from t = 0. Null for other equations.
std::unique_ptr<Stepper> makeInlinedGauss(int stages, const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                          const IntegratorOptions& options);

}  // namespace polhode
