#include "polhode/control/follower.h"

#include "polhode/control/one_step_law.h"
#include "polhode/control/receding_horizon.h"
#include "polhode/control/servo_law.h"
#include "polhode/error.h"
#include "polhode/model/suggestion.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

const std::vector<std::string>& controlMethods() {
  static const std::vector<std::string> names = {"l2", "h1-neumann", "h1-mixed", "servo", "receding-horizon"};
  return names;
}

std::unique_ptr<ControlLaw<Translation>> makeControlLaw(const ControlSettings& settings) {
  const double rho0 = settings.rho0, rho1 = settings.rho1;
  const auto oneStep = [](GainsOfStep gains) {
    return std::make_unique<OneStepLaw<Translation>>(std::move(gains), true);
  };
  if (settings.method == "l2") return oneStep([rho0](double) { return l2Gains(rho0); });
  if (settings.method == "h1-neumann") return oneStep([rho0, rho1](double h) { return neumannGains(rho0, rho1, h); });
  if (settings.method == "h1-mixed")
    return oneStep([rho0, rho1](double h) { return mixedGains(rho0, rho1, h, MixedSpace::fiveFunctions); });
  if (settings.method == "servo")
    return std::make_unique<ServoLaw<Translation>>(SignalVelocity::given, settings.epsilon);
  if (settings.method == "receding-horizon")
    return std::make_unique<RecedingHorizonLaw<Translation>>(
        RecedingHorizonSettings{.timeConstant = settings.timeConstant, .largestForce = settings.largestForce});
  throw InputError(fmt::format("there is no method of control {}; {}", quoted(settings.method),
                               suggestion(settings.method, controlMethods())));
}

Follower::Follower(const Actuator& actuator)
    : settings_(actuator.control), signal_(actuator.follow), law_(makeControlLaw(actuator.control)) {}

void Follower::observe(const Sample<Translation>& sample) {
  law_->observe(sample);
  holds_ = true;
}

void Follower::observeUntil(double time) {
  if (const auto* path = std::get_if<SampledPath>(&signal_)) {
    for (const std::size_t last = path->indexAt(time); fed_ <= last; ++fed_)
      observe({path->time(fed_), path->position(fed_), path->velocity(fed_)});
  } else if (const auto* function = std::get_if<VectorSignal>(&signal_)) {
    observe({time, function->value(time), function->rate(time)});
  } else {
    {
      const std::lock_guard lock(mutex_);
      taken_.swap(pushed_);
      if (released_) {
        law_ = makeControlLaw(settings_);
        holds_ = false;
        released_ = false;
      }
    }
    for (Sample<Translation>& sample : taken_) {
      sample.time = std::clamp(sample.time, lastTime_, time);
      observe(sample);
      lastTime_ = sample.time;
    }
    taken_.clear();
  }
}

void Follower::push(double time, const Vector3& position) {
  const std::lock_guard lock(mutex_);
  pushed_.push_back({time, position});
}

void Follower::release() {
  const std::lock_guard lock(mutex_);
  pushed_.clear();
  released_ = true;
}

}  // namespace polhode
