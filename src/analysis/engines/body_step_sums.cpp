#include "analysis/engines/body_step_sums.h"

#include "system/null_space_body.h"

namespace polhode {

namespace {

template <class Equations>
class BodyStepSums final : public StepSums {
 public:
  BodyStepSums(const Equations& equations, const PrincipalBody& body) : equations_(equations), body_(body) {}

  [[gnu::flatten]] LaneBalance of(const KeptSteps& steps, int first) const override {
    Vector<StepLanes, Equations::Size> y;
    for (int i = 0; i < Equations::Size; ++i) y[i] = steps.coordinate(i, first);
    const PrincipalBody::Sums<StepLanes> sums =
        body_.sums<StepLanes>(steps.times(first), equations_.template frame<StepLanes>(y));
    LaneBalance balance;
    balance.kineticEnergy = sums.kineticEnergy;
    balance.potentialEnergy = sums.potentialEnergy;
    balance.linearMomentum = sums.linearMomentum;
    balance.angularMomentum = sums.angularMomentum;
    balance.centreOfMass = sums.centre;
    balance.positionViolation = equations_.positionViolation(y);
    return balance;
  }

 private:
  const Equations& equations_;
  const PrincipalBody& body_;
};

template <class Equations>
std::unique_ptr<const StepSums> sumsOf(const SingleBodySystem& system, const PrincipalBody& body) {
  const auto* formulated = dynamic_cast<const FormulatedBody<Equations>*>(&system);
  if (!formulated) return nullptr;
  return std::make_unique<BodyStepSums<Equations>>(formulated->equations(), body);
}

}  // namespace

std::unique_ptr<const StepSums> makeBodyStepSums(const SingleBodySystem& system, const PrincipalBody& body) {
  if (auto sums = sumsOf<NullSpaceBody<QuaternionCoordinates>>(system, body)) return sums;
  if (auto sums = sumsOf<NullSpaceBody<QuaternionCoordinates, true>>(system, body)) return sums;
  if (auto sums = sumsOf<NullSpaceBody<DirectorCoordinates>>(system, body)) return sums;
  return sumsOf<NullSpaceBody<DirectorCoordinates, true>>(system, body);
}

}  // namespace polhode
