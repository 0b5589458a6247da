#pragma once

#include "system/mechanism_observation.h"

#include <array>

/// How far the joints of a mechanism are open.
namespace polhode {

/// The largest violation of the joints, and which joint it is (-1 where there is none). A distance joint's is given as a
/// length, (|r|^2 - l^2) / 2l.
struct JointGap {
  double size = 0.0;
  int joint = -1;
};

/// For those who look after every step: points that are held on each other lie side by side in memory, apart from the
/// equations of the joints, which take so much of it that a long chain would not find them in the cache.
class JointGaps {
 public:
  /// The mechanism must outlive it.
  explicit JointGaps(const Mechanism& mechanism);

  const Mechanism& mechanism() const { return mechanism_; }

  /// Of the positions and of the velocities.
  std::array<JointGap, 2> at(double t, std::span<const MovingPlacement> bodies) const;

 private:
  struct HeldPoint {
    Vector3 firstPoint, secondPoint, offset;
    int first, second, joint;
  };
  struct OtherRows {
    int joint, from;  // its number, and the first of its equations
  };

  const Mechanism& mechanism_;
  std::vector<HeldPoint> points_;
  std::vector<OtherRows> others_;
};

}  // namespace polhode
