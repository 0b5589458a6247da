#pragma once

#include "ensemble/gpu/walk_parts.h"

#include <cstdint>
#include <memory>
#include <span>
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
  bool hasStopped(std::int64_t member) const { return stopped_[static_cast<std::size_t>(member)] == 1; }
  const WalkParts& parts() const { return parts_; }

  /// From here on keeps extremes and sums over time of these quantities, at the ends of all steps.
  void watch(std::span<const std::shared_ptr<const Mechanism>> members, std::span<const Watched> watched);

  /// What it has kept of a quantity of a member, as of_watch has it; to be read at once after the steps.
  std::vector<double> watchedStates() const;
  const WatchParts& watches() const { return watches_; }

  /// The work of loads, motors and dampers of each member so far: its energy changes by that much.
  std::vector<double> work() const;

  /// Puts members elsewhere, where they go on; those that had stopped move again.
  void place(std::span<const std::int64_t> members, std::span<const MechanismMotion> motions);

  /// Pulls on a body of every member from the next step on, until they are set anew: forces and torques at its centre of mass,
  /// in space, three numbers a member; none are zero.
  void setLoads(std::size_t body, std::span<const double> forces, std::span<const double> torques);

 private:
  class OnCard;
  WalkParts parts_;
  WatchParts watches_;
  std::vector<double> bodies_;
  std::vector<int> stopped_;
  [[maybe_unused]] double time_ = 0.0;  // at which all members are; where there is no GPU nobody steps
  std::unique_ptr<OnCard> card_;
};

}  // namespace polhode::ensemble
