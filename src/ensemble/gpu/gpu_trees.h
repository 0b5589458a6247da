#pragma once

#include "ensemble/gpu/walk_parts.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Members on a GPU, a thread each (tree_walk.h), in double precision. What becomes of a member depends on it alone: the same
/// bits whichever stand beside it.
namespace polhode::ensemble {

class GpuTrees {
 public:
  /// Why there is no GPU to step on, as a sentence; empty where there is one.
  static std::string obstacle();

  /// What is known of the card: its name, and how much it fetches and computes in a second at best.
  struct Card {
    std::string name;
    double bytes = 0.0, operations = 0.0;
  };
  static Card card();

  /// Throws SimulationError where the card has not enough memory, or does not answer.
  explicit GpuTrees(WalkParts parts);
  ~GpuTrees();

  /// So many steps of that length of all members that have not stopped. A length that is not the last one begins anew with
  /// predictions. Returns the iterations of all.
  std::int64_t step(std::int64_t count, double length);

  /// Where all members are, as walkedMotion reads it; and whether a member has stopped, since a step did not converge.
  const std::vector<double>& bodies();
  bool hasStopped(std::int64_t member) const { return stopped_[static_cast<std::size_t>(member)] != 0; }
  const WalkParts& parts() const { return parts_; }

 private:
  class OnCard;
  WalkParts parts_;
  std::vector<double> bodies_;
  std::vector<int> stopped_;
  std::unique_ptr<OnCard> card_;
};

}  // namespace polhode::ensemble
