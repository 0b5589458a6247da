#pragma once

#include "control/control_law.h"

#include <algorithm>
#include <memory>
#include <optional>

/// A law that puts no more power into a mechanism than somebody who stretches a spring between the body and the hand. A
/// law that cancels what the rest of a mechanism does can, wherever its forecast is not exact, feed a chain that whips about
/// for ever; such a hand calms it.
///
/// With d the deviation, w the mean mobility, T a time constant and F the largest force, the spring that is meant stores
///
///     U(d) = d^2/(2 w T^2)   up to the tension F, and with that tension from there on.
///
/// The hand carries a store of at most U(d). It fills by what the person does, U(d after) - U(d before) where the hand moves
/// and (U - store)/T a second while it waits, and by what the hand takes from the body. The work of the force is taken out
/// of it, and where that would be more than it holds, the force loses as much of its part along the velocity.
///
/// Reference: Hannaford & Ryu 2002, Time-domain passivity control of haptic interfaces.
namespace polhode {

struct PassiveSettings {
  double timeConstant = 0.03;   // T, in seconds
  double largestForce = 100.0;  // F, in newtons
  double shareOfStep = 0.0;     // see RecedingHorizonSettings
};

class PassiveLaw final : public ControlLaw<Translation> {
 public:
  PassiveLaw(std::unique_ptr<ControlLaw<Translation>> law, const PassiveSettings& settings)
      : law_(std::move(law)), settings_(settings) {}

  void observe(const Sample<Translation>& sample) override {
    law_->observe(sample);
    target_ = sample.place;
  }

  Vector3 force(const DrivenState<Translation>& state) override {
    // what the last force has done: constant over its step, it did force . displacement
    if (lastTarget_) store_ -= lastForce_.dot(state.place - lastPlace_);
    const double before = springEnergy(lastTarget_.value_or(state.place), state);
    const double capacity = springEnergy(target_, state);
    lastTarget_ = target_;
    store_ = std::min(store_ + std::max(capacity - before, 0.0), capacity);
    store_ += std::min(1.0, state.step / settings_.timeConstant) * (capacity - store_);

    Vector3 force = law_->force(state);
    const Vector3 velocity = meanVelocity(state, force);
    const double excess = force.dot(velocity) * state.step - std::max(store_, 0.0);
    if (excess > 0.0) force -= excess / (state.step * velocity.squaredNorm()) * velocity;
    if (excess > 0.0) law_->hasPulledWith(force);
    lastForce_ = force;
    lastPlace_ = state.place;
    return force;
  }

  void persist(Archive& archive) override {
    law_->persist(archive);
    archive(target_, lastForce_, lastPlace_, lastTarget_, store_);
  }

 private:
  double springEnergy(const Vector3& target, const DrivenState<Translation>& state) const {
    const double distance = (target - state.place).norm();
    const double stiffness = 1.0 / (state.mobility.trace() / 3.0 * square(settings_.timeConstant));
    const double linear = settings_.largestForce / stiffness;  // how far it is stretched at its largest force
    return distance < linear ? 0.5 * stiffness * square(distance) : settings_.largestForce * (distance - 0.5 * linear);
  }

  Vector3 meanVelocity(const DrivenState<Translation>& state, const Vector3& force) const {
    return state.velocity + settings_.shareOfStep * state.step * (state.mobility * force + state.freeAcceleration);
  }

  std::unique_ptr<ControlLaw<Translation>> law_;
  PassiveSettings settings_;
  Vector3 target_ = Vector3::Zero(), lastForce_ = Vector3::Zero(), lastPlace_ = Vector3::Zero();
  std::optional<Vector3> lastTarget_;
  double store_ = 0.0;  // joules
};

}  // namespace polhode
