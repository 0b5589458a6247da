#include "integrate/inlined_body.h"

#include "integrate/dop853.h"
#include "integrate/dopri5.h"
#include "integrate/fixed_size_stepper.h"
#include "system/null_space_body.h"

namespace polhode {

namespace {

template <class Method, class Equations>
std::unique_ptr<Stepper> inlinedIn(const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                   const IntegratorOptions& options) {
  const auto* formulated = dynamic_cast<const FormulatedBody<Equations>*>(&body);
  if (!formulated) return nullptr;
  const typename Method::State y = y0;
  return std::make_unique<FixedSizeStepper<Method>>(formulated->equations(), 0.0, y, tEnd, options);
}

// Whether the body's reference point moves is part of the equations.
using Turning = NullSpaceBody<QuaternionCoordinates, false>;
using Flying = NullSpaceBody<QuaternionCoordinates, true>;

}  // namespace

std::unique_ptr<Stepper> inlinedDopri5(const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                       const IntegratorOptions& options) {
  if (auto stepper = inlinedIn<Dopri5<Turning>, Turning>(body, y0, tEnd, options)) return stepper;
  return inlinedIn<Dopri5<Flying>, Flying>(body, y0, tEnd, options);
}

std::unique_ptr<Stepper> inlinedDop853(const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                       const IntegratorOptions& options) {
  if (auto stepper = inlinedIn<Dop853<Turning>, Turning>(body, y0, tEnd, options)) return stepper;
  return inlinedIn<Dop853<Flying>, Flying>(body, y0, tEnd, options);
}

}  // namespace polhode
