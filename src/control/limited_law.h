#pragma once

#include "control/control_law.h"

#include <memory>

/// A law that knows nothing of a largest force, held to one: what it asks for beyond that becomes the force whose
/// acceleration is nearest to what was asked (forceFor).
namespace polhode {

template <class Motion>
class LimitedLaw : public ControlLaw<Motion> {
 public:
  LimitedLaw(std::unique_ptr<ControlLaw<Motion>> law, double largestForce)
      : law_(std::move(law)), largestForce_(largestForce) {}

  void observe(const Sample<Motion>& sample) override { law_->observe(sample); }

  void hasPulledWith(const Vector3& force) override { law_->hasPulledWith(force); }

  Vector3 force(const DrivenState<Motion>& state) override {
    const Vector3 force = law_->force(state);
    if (force.norm() <= largestForce_) return force;
    return forceFor(state.mobility * force, state.mobility, largestForce_);
  }

  void persist(Archive& archive) override { law_->persist(archive); }

 private:
  std::unique_ptr<ControlLaw<Motion>> law_;
  double largestForce_;
};

}  // namespace polhode
