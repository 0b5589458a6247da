#pragma once

#include "polhode/math/types.h"

#include <vector>

/// Positions that a device measured, each valid until the next comes: the signal of Lipovac 2020, section 3.2.
namespace polhode {

class SampledPath {
 public:
  /// Throws an InputError where there is no sample, or one that is not finite or not in the order of time.
  SampledPath(std::vector<double> times, std::vector<Vector3> positions);

  std::size_t size() const { return times_.size(); }
  double time(std::size_t i) const { return times_[i]; }
  const Vector3& position(std::size_t i) const { return positions_[i]; }

  /// The last sample at `time`, or the first one before it. A time may be a rounding short of the sample's.
  std::size_t indexAt(double time) const;
  const Vector3& held(double time) const { return positions_[indexAt(time)]; }

  /// Central differences on the path's own grid, one-sided at its ends (Lipovac 3.2.2). They know the next sample.
  const Vector3& velocity(std::size_t i) const { return velocities_[i]; }

 private:
  std::vector<double> times_;
  std::vector<Vector3> positions_, velocities_;
};

}  // namespace polhode
