#include "control/follower.h"

#include "control/one_step_law.h"
#include "control/receding_horizon.h"
#include "control/servo_law.h"
#include "control/spring_damper_law.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

const std::vector<std::string>& controlMethods() {
  static const std::vector<std::string> names = {"l2",    "h1-neumann",       "h1-mixed",
                                                 "servo", "receding-horizon", "critically-damped"};
  return names;
}

template <class Motion>
std::unique_ptr<ControlLaw<Motion>> makeControlLaw(const ControlSettings& settings, double shareOfStep) {
  const double rho0 = settings.rho0, rho1 = settings.rho1;
  const auto oneStep = [](GainsOfStep gains) { return std::make_unique<OneStepLaw<Motion>>(std::move(gains), true); };
  if (settings.method == "l2") return oneStep([rho0](double) { return l2Gains(rho0); });
  if (settings.method == "h1-neumann") return oneStep([rho0, rho1](double h) { return neumannGains(rho0, rho1, h); });
  if (settings.method == "h1-mixed")
    return oneStep([rho0, rho1](double h) { return mixedGains(rho0, rho1, h, MixedSpace::fiveFunctions); });
  if (settings.method == "servo") return std::make_unique<ServoLaw<Motion>>(SignalVelocity::given, settings.epsilon);
  if (settings.method == "receding-horizon")
    return std::make_unique<RecedingHorizonLaw<Motion>>(
        RecedingHorizonSettings{settings.timeConstant, settings.largestForce, shareOfStep});
  if (settings.method == "critically-damped")
    return std::make_unique<SpringDamperLaw<Motion>>(settings.timeConstant, settings.largestForce);
  throw InputError(fmt::format("there is no method of control {}; {}", quoted(settings.method),
                               suggestion(settings.method, controlMethods())));
}

template std::unique_ptr<ControlLaw<Translation>> makeControlLaw<Translation>(const ControlSettings&, double);
template std::unique_ptr<ControlLaw<Rotation>> makeControlLaw<Rotation>(const ControlSettings&, double);

Follower::Follower(const Actuator& actuator, const Quaternion& start, double shareOfStep)
    : settings_(actuator.control),
      signal_(actuator.follow),
      quantity_(actuator.quantity),
      start_(start),
      shareOfStep_(shareOfStep) {
  makeLaw();
}

void Follower::makeLaw() {
  if (quantity_ == LedQuantity::orientation)
    rotation_ = makeControlLaw<Rotation>(settings_, shareOfStep_);
  else
    translation_ = makeControlLaw<Translation>(settings_, shareOfStep_);
}

void Follower::observe(const Sample<Translation>& sample) {
  if (rotation_)
    rotation_->observe({sample.time, multiply<double>(expS3<double>(sample.place), start_),
                        expSpaceTangent<double>(sample.place) * sample.velocity});
  else
    translation_->observe(sample);
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
        makeLaw();
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

void Follower::persist(Archive& archive) {
  archive(fed_, lastTime_, holds_);
  if (translation_) translation_->persist(archive);
  if (rotation_) rotation_->persist(archive);
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
