#pragma once

#include "analysis/modes.h"
#include "polhode/analysis/recording.h"

/// Modes to be looked at: for each, the mechanism swings along its shape about where it is, twice in four seconds whatever
/// the frequency, with its joints closed at every instant. It swings so far that the largest turn of a body is 0.3 rad (or
/// its largest displacement 0.3 sizes of the mechanism), less where joints do not close that far away.
namespace polhode {

constexpr double secondsOfModeMotion = 4.0;

/// One mode after the other, as a run tells bodies: `time`, `BODY.position.x`, `BODY.quaternion.w`, ... `bodies` is where they
/// are modes about, `reach` as for MotionReducer. Throws SimulationError where the joints do not close near by.
Recording modeMotion(const std::shared_ptr<const Mechanism>& mechanism, double reach, const MechanismMotion& bodies,
                     std::span<const Mode> modes);

}  // namespace polhode
