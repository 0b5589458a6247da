#include "control/control_methods.h"

#include "control/one_step_law.h"
#include "control/receding_horizon.h"
#include "control/servo_law.h"
#include "control/spring_damper_law.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode {

const std::vector<std::string>& controlMethods() {
  static const std::vector<std::string> names = {"l2",    "h1-neumann",       "h1-mixed",
                                                 "servo", "receding-horizon", "critically-damped"};
  return names;
}

template <class Motion>
std::unique_ptr<ControlLaw<Motion>> makeControlLaw(const ControlSettings& settings, double shareOfStep) {
  return makeControlLaw<Motion>([settings](double) { return settings; }, shareOfStep);
}

template <class Motion>
std::unique_ptr<ControlLaw<Motion>> makeControlLaw(const std::function<ControlSettings(double step)>& settingsOfStep,
                                                   double shareOfStep) {
  const ControlSettings settings = settingsOfStep(1.0);  // what is the same for all steps
  const auto oneStep = [&](auto gains) {
    return std::make_unique<OneStepLaw<Motion>>(
        [settingsOfStep, gains](double h) {
          const ControlSettings ofStep = settingsOfStep(h);
          return gains(ofStep.rho0, ofStep.rho1, h);
        },
        true);
  };
  if (settings.method == "l2") return oneStep([](double rho0, double, double) { return l2Gains(rho0); });
  if (settings.method == "h1-neumann")
    return oneStep([](double rho0, double rho1, double h) { return neumannGains(rho0, rho1, h); });
  if (settings.method == "h1-mixed")
    return oneStep(
        [](double rho0, double rho1, double h) { return mixedGains(rho0, rho1, h, MixedSpace::fiveFunctions); });
  if (settings.method == "servo")
    return std::make_unique<ServoLaw<Motion>>(SignalVelocity::given,
                                              [settingsOfStep](double h) { return settingsOfStep(h).epsilon; });
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
template std::unique_ptr<ControlLaw<Translation>> makeControlLaw<Translation>(
    const std::function<ControlSettings(double)>&, double);
template std::unique_ptr<ControlLaw<Rotation>> makeControlLaw<Rotation>(const std::function<ControlSettings(double)>&,
                                                                        double);

}  // namespace polhode
