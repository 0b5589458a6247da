#include "integrate/inlined_gauss.h"

#include "integrate/fixed_size_stepper.h"
#include "integrate/gauss.h"
#include "integrate/reduced_body_stepper.h"
#include "system/ball_of_top.h"
#include "system/free_rotation.h"

#include <type_traits>

namespace polhode {

namespace {

/// Part of the motion of a body that stays at a point is known where nothing turns it, and where it is a top.
template <class Coordinates, template <class> class MethodOf>
std::unique_ptr<Stepper> reducedGauss(int stages, const NullSpaceBody<Coordinates>& body, const VectorX& y0,
                                      double tEnd, const IntegratorOptions& options) {
  const auto stepper = [&](const auto& reduction) -> std::unique_ptr<Stepper> {
    using Reduction = std::decay_t<decltype(reduction)>;
    return std::make_unique<ReducedBodyStepper<Reduction, MethodOf<typename Reduction::Equations>>>(reduction, y0, tEnd,
                                                                                                    options, stages);
  };
  if (body.hasOtherForces()) return nullptr;
  if (!body.gravity().hasTorque()) return stepper(FreeBody<Coordinates>(body));
  if (const auto axis = BallOfTop<Coordinates>::axisOf(body.body()))
    return stepper(BallOfTop<Coordinates>(body.body(), body.gravity().weight(), *axis));
  return nullptr;
}

template <class Equations>
using FewStages = Gauss<Equations, 4>;
template <class Equations>
using ManyStages = Gauss<Equations, 8>;

template <class Coordinates, bool Translates, template <class> class MethodOf>
std::unique_ptr<Stepper> gaussOf(int stages, const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                 const IntegratorOptions& options) {
  using Equations = NullSpaceBody<Coordinates, Translates>;
  const auto* formulated = dynamic_cast<const FormulatedBody<Equations>*>(&body);
  if (!formulated) return nullptr;
  const Equations& equations = formulated->equations();
  if constexpr (!Translates)
    if (auto reduced = reducedGauss<Coordinates, MethodOf>(stages, equations, y0, tEnd, options)) return reduced;
  const typename Equations::State y = y0;
  return std::make_unique<FixedSizeStepper<MethodOf<Equations>>>(equations, 0.0, y, tEnd, options, stages);
}

template <template <class> class MethodOf>
std::unique_ptr<Stepper> gaussOf(int stages, const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                 const IntegratorOptions& options) {
  using Quaternions = QuaternionCoordinates;
  using Directors = DirectorCoordinates;
  if (auto stepper = gaussOf<Quaternions, false, MethodOf>(stages, body, y0, tEnd, options)) return stepper;
  if (auto stepper = gaussOf<Directors, false, MethodOf>(stages, body, y0, tEnd, options)) return stepper;
  if (auto stepper = gaussOf<Quaternions, true, MethodOf>(stages, body, y0, tEnd, options)) return stepper;
  return gaussOf<Directors, true, MethodOf>(stages, body, y0, tEnd, options);
}

}  // namespace

std::unique_ptr<Stepper> makeInlinedGauss(int stages, const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                          const IntegratorOptions& options) {
  return stages <= 4 ? gaussOf<FewStages>(stages, body, y0, tEnd, options)
                     : gaussOf<ManyStages>(stages, body, y0, tEnd, options);
}

}  // namespace polhode
