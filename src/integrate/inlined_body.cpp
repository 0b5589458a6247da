#include "integrate/inlined_body.h"

#include "integrate/dop853.h"
#include "integrate/dopri5.h"
#include "integrate/fixed_size_stepper.h"
#include "integrate/inlined_gauss.h"
#include "system/null_space_body.h"

namespace polhode {

namespace {

template <bool Translates>
std::unique_ptr<Stepper> inlined(const std::string& integrator, const SingleBodySystem& body, const VectorX& y0,
                                 double tEnd, const IntegratorOptions& options) {
  using Equations = NullSpaceBody<QuaternionCoordinates, Translates>;
  const auto* formulated = dynamic_cast<const FormulatedBody<Equations>*>(&body);
  if (!formulated) return nullptr;
  const auto make = [&]<class Method>() -> std::unique_ptr<Stepper> {
    const typename Method::State y = y0;
    return std::make_unique<FixedSizeStepper<Method>>(formulated->equations(), 0.0, y, tEnd, options);
  };
  if (integrator == "dop853") return make.template operator()<Dop853<Equations>>();
  if (integrator == "dopri5") return make.template operator()<Dopri5<Equations>>();
  return nullptr;
}

}  // namespace

std::unique_ptr<Stepper> makeInlinedStepper(const std::string& integrator, const SingleBodySystem& body,
                                            const VectorX& y0, double tEnd, const IntegratorOptions& options) {
  if (auto stepper = makeInlinedGauss(integrator, body, y0, tEnd, options)) return stepper;
  if (auto stepper = inlined<false>(integrator, body, y0, tEnd, options)) return stepper;
  return inlined<true>(integrator, body, y0, tEnd, options);
}

}  // namespace polhode
