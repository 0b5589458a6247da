#pragma once

#include "system/mechanism.h"

#include <string>

namespace polhode {

/// Drives that contradict each other, or the joints, at some time until `end`: a sentence, "the drive of joint 'D'
/// contradicts the drive of joint 'A': ...". Empty where there are none.
///
/// Only drives that say again what others say (redundancy.h) can contradict. Where there are any, the mechanism is led
/// through its motion without its inertia: at a sequence of times the joints are closed with the drives as they are then,
/// from where they were closed before, a thousand times at most. Where a gap is left the drives do not agree.
std::string contradictionOf(const Mechanism& mechanism, double end);

}  // namespace polhode
