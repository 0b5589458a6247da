#include "integrate/inlined_gauss.h"

#include "integrate/fixed_size_stepper.h"
#include "integrate/gauss.h"
#include "system/null_space_body.h"

namespace polhode {

namespace {

template <class Equations>
std::unique_ptr<Stepper> gaussOf(int stages, const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                 const IntegratorOptions& options) {
  const auto* formulated = dynamic_cast<const FormulatedBody<Equations>*>(&body);
  if (!formulated) return nullptr;
  const typename Equations::State y = y0;
  if (stages <= 4)
    return std::make_unique<FixedSizeStepper<Gauss<Equations, 4>>>(formulated->equations(), 0.0, y, tEnd, options,
                                                                   stages);
  return std::make_unique<FixedSizeStepper<Gauss<Equations, 8>>>(formulated->equations(), 0.0, y, tEnd, options,
                                                                 stages);
}

}  // namespace

std::unique_ptr<Stepper> makeInlinedGauss(int stages, const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                          const IntegratorOptions& options) {
  if (auto stepper = gaussOf<NullSpaceBody<QuaternionCoordinates>>(stages, body, y0, tEnd, options)) return stepper;
  if (auto stepper = gaussOf<NullSpaceBody<DirectorCoordinates>>(stages, body, y0, tEnd, options)) return stepper;
  if (auto stepper = gaussOf<NullSpaceBody<QuaternionCoordinates, true>>(stages, body, y0, tEnd, options))
    return stepper;
  return gaussOf<NullSpaceBody<DirectorCoordinates, true>>(stages, body, y0, tEnd, options);
}

}  // namespace polhode
