#include "analysis/step_watch.h"

#include "model/suggestion.h"
#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

/// Some sum is not finite where the motion of a body is not.
bool isFinite(const Balance& now) {
  return std::isfinite(now.energy()) && std::isfinite(now.work) && now.linearMomentum.allFinite() &&
         now.angularMomentum.allFinite() && std::isfinite(now.positionViolation) &&
         std::isfinite(now.velocityViolation);
}

/// A motion that has left the range of numbers ends the run where it was last good.
SimulationError leftTheRange(const Observation& now) {
  const auto size = [](const Body& body) {
    return body.position.norm() + body.orientation.norm() + body.velocity.norm() + body.angularVelocity.norm();
  };
  const Body* culprit = nullptr;
  for (const Body& body : now.bodies)
    if (!std::isfinite(size(body))) culprit = culprit ? culprit : &body;
  if (!culprit)  // numbers whose squares are none
    for (const Body& body : now.bodies)
      if (!culprit || size(body) > size(*culprit)) culprit = &body;
  return {now.time,
          fmt::format("{} has left the range of numbers at t = {:.9g}: a force grows without bound, or the step "
                      "is too long for the motion; look at the forces on it, or take smaller steps",
                      culprit ? "body " + quoted(culprit->name) : "the system", now.time)};
}

}  // namespace

StepWatch::StepWatch(Engine& engine, DriftMonitor& monitor)
    : engine_(engine), monitor_(monitor), sums_(engine.stepSums()), kept_(sums_ ? engine.stepper().state().size() : 0) {
  begin();
}

void StepWatch::begin() {
  kept_.clear();
  lastTime_ = engine_.stepper().time();
  if (sums_) lastState_ = engine_.stepper().state();
}

void StepWatch::afterStep(double t, const VectorX& y) {
  if (!sums_) return lookAtOne(t, y);
  kept_.keep(t, y);
  if (kept_.count() == KeptSteps::most) look();
}

void StepWatch::look() {
  const int count = kept_.count();
  if (count == 0) return;
  kept_.fillUp();
  kept_.clear();
  std::array<LaneBalance, KeptSteps::most / lanesOfRegister> found;
  bool good = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i] = sums_->of(kept_, static_cast<int>(i) * lanesOfRegister);
    good = good && found[i].isFinite();
  }
  if (good) {
    for (const LaneBalance& sums : found) monitor_.see(sums);
    lastTime_ = kept_.time(count - 1);
    lastState_ = kept_.state(count - 1);
    return;
  }
  for (int step = 0; step < count; ++step) {  // one by one, to tell which it is
    const VectorX y = kept_.state(step);
    lookAtOne(kept_.time(step), y);
    lastState_ = y;
  }
}

void StepWatch::lookAtOne(double t, const VectorX& y) {
  const Balance now = engine_.balance(t, y);
  if (!isFinite(now)) throw leftTheRange(engine_.observe(t, y, Detail::motion));
  monitor_.see(now);
  lastTime_ = t;
}

void StepWatch::lastState(VectorX& y) const {
  const Stepper& stepper = engine_.stepper();
  if (sums_)
    y = lastState_;
  else if (lastTime_ == stepper.time())
    y = stepper.state();
  else
    stepper.interpolate(lastTime_, y);
}

}  // namespace polhode
