#pragma once

#include "ensemble/gpu/tree_walk.h"

/// What is kept of members while they go (tree_walk.h): for each quantity that is watched the extremes and the sums over time of
/// its values at the ends of steps, as MeasureWatch keeps them (measure.h), one member a thread.
namespace polhode::ensemble {

enum class WatchedQuantity { position, velocity, angularVelocity, energy };

/// The same for all members; a component is 0, 1 or 2, in space.
struct WalkWatch {
  WatchedQuantity quantity = WatchedQuantity::energy;
  int link = 0, component = 0;
};

/// What is known of a watched quantity, in this order.
namespace of_watch {
enum { first, last, most, least, integral, squares, count };
}
inline constexpr int numbersOfWatch = 3;

/// Numbers of each member lie as those of the walk do.
struct WatchMemory {
  int watches = 0;
  const WalkWatch* watch = nullptr;
  /// Of a place or a velocity: where the body is in its link. Of an angular velocity: what the components of the spin along the
  /// link's axes are multiplied by. Of the energy: what the walk does not know of it.
  const double* numbers = nullptr;  // numbersOfWatch each
  double* states = nullptr;         // of_watch::count each
};

template <WalkKind kind>
POLHODE_KERNEL inline double watchedValue(const TreeWalk<kind>& walk, const WalkWatch& watch, const Vec3& own) {
  const int i = watch.link;
  switch (watch.quantity) {
    case WatchedQuantity::position:
      return walk.centre(i)[watch.component] + walk.directors(i).row(watch.component).dot(own);
    case WatchedQuantity::velocity:
      return walk.velocity(i)[watch.component] + walk.rates(i).row(watch.component).dot(own);
    case WatchedQuantity::angularVelocity: {
      const Mat3 D = walk.directors(i), W = walk.rates(i);
      const Vec3 E = walk.secondMoments(i);
      Vec3 spin = Vec3(0.0, 0.0, 0.0);
      for (int d = 0; d < 3; ++d) spin += E[d] * Vec3(D.col(d)).cross(Vec3(W.col(d)));
      return (D * own).dot(spin);
    }
    case WatchedQuantity::energy:
      break;
  }
  return walk.energy() + own[0];
}

/// After a step of that length; before the first one the length is zero.
template <WalkKind kind>
POLHODE_KERNEL inline void watchMember(const TreeWalk<kind>& walk, const WatchMemory& memory, std::int64_t member,
                                       double h) {
  const std::int64_t group = member / walkWidth, lane = member % walkWidth;
  for (int w = 0; w < memory.watches; ++w) {
    const double* own = memory.numbers + (group * memory.watches + w) * numbersOfWatch * walkWidth + lane;
    double* state = memory.states + (group * memory.watches + w) * of_watch::count * walkWidth + lane;
    const auto kept = [&](int k) -> double& { return state[k * walkWidth]; };
    const double value = watchedValue(walk, memory.watch[w], Vec3(own[0], own[walkWidth], own[2 * walkWidth]));
    if (h == 0.0) {
      kept(of_watch::first) = kept(of_watch::last) = kept(of_watch::most) = kept(of_watch::least) = value;
      kept(of_watch::integral) = kept(of_watch::squares) = 0.0;
      continue;
    }
    const double last = kept(of_watch::last);
    if (value > kept(of_watch::most)) kept(of_watch::most) = value;
    if (value < kept(of_watch::least)) kept(of_watch::least) = value;
    kept(of_watch::integral) += 0.5 * h * (last + value);
    kept(of_watch::squares) += 0.5 * h * (last * last + value * value);
    kept(of_watch::last) = value;
  }
}

}  // namespace polhode::ensemble
