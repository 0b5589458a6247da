#pragma once

#include "system/mechanism.h"

namespace polhode {

/// The first step where a conserving scheme chooses its steps: a twentieth of the time in which the motion changes, whose
/// rate is a body's angular velocity or how fast something moves or falls by the mechanism's size; never longer than the run.
/// The control of steps corrects it at once.
double firstChosenStep(double rate, double end);
double firstChosenStep(const Mechanism& mechanism, double end);

}  // namespace polhode
