#pragma once

#include "ensemble/member_work.h"
#include "ensemble/ranks.h"

#include <cstdint>
#include <functional>

namespace polhode::ensemble {

/// Moves the members of a sweep from `first` on, by so many threads and the other ranks,
/// and hands them over in their order, in the thread of the
/// caller. Members are taken as threads get free; no more are under way or waiting for their turn than fit
/// into some megabytes for each thread, so that the memory does not depend on how many there are. `take` gets nothing for a while now and then (`idle`): to write what it has.
/// Ends early, in order, where `stopped` says so. Whatever `take` throws ends it and is thrown.
struct SweepHands {
  std::function<void(MemberRow&&)> take;
  std::function<void()> idle;
  std::function<bool()> stopped;
};
void runSweep(const Sweep& sweep, std::int64_t first, unsigned threads, const SweepHands& hands,
              Ranks* ranks = nullptr);

}  // namespace polhode::ensemble
