#pragma once

#include "polhode/model/sampled_path.h"

#include <cstdint>

namespace polhode {

/// A hand that moves smoothly, measured at 90 Hz with a jitter of half a millimetre and three jumps: what stands in for
/// the recording of Lipovac 2020 that is lost. With t = j/90,
///
///     x = 0.9716 - 0.30 sin 1.1t + 0.05 sin 3.7t,        jumps by  (0.05, 0, 0)         for 90 <= j < 117,
///     y = -0.1003 + 0.25 (1 - cos 0.9t) - 0.04 sin 2.9t,           (0, -0.04, 0.03)     for 180 <= j < 189,
///     z = 1.2180 - 0.20 sin 1.6t + 0.03 cos 4.3t,                  (0.02, 0.02, -0.02)  for 270 <= j.
///
/// The jitter is a hash of sample, component and seed, the same on every machine.
SampledPath handSignal(std::uint64_t seed, double end);

}  // namespace polhode
