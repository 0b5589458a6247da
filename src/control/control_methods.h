#pragma once

#include "control/control_law.h"
#include "polhode/model/actuator.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace polhode {

/// The methods of control, for `polhode list` and for errors.
const std::vector<std::string>& controlMethods();

/// The law of a method, for a scheme with that share of a step (RecedingHorizonSettings). Throws an InputError with the
/// nearest name for one that is unknown.
template <class Motion>
std::unique_ptr<ControlLaw<Motion>> makeControlLaw(const ControlSettings& settings, double shareOfStep = 0.0);

/// The same where rho0, rho1 and epsilon are to be others for another step.
template <class Motion>
std::unique_ptr<ControlLaw<Motion>> makeControlLaw(const std::function<ControlSettings(double step)>& settingsOfStep,
                                                   double shareOfStep);

}  // namespace polhode
