#pragma once

#include "analysis/observable.h"
#include "polhode/model/model.h"
#include "polhode/model/simulation.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Members of one structure that live in memory and are stepped together by director-em with a fixed step: for learning,
/// estimation and whoever steers many mechanisms at once. Trees of ball joints and hinges under their weight go side by side
/// in lanes (lane_trees.h), all others each by an engine of its own. What becomes of a member depends on it alone: the same
/// bits for any number of threads and any neighbours.
namespace polhode::ensemble {

class Ensemble {
 public:
  /// The models have the same bodies by name. Throws InputError where they do not, or where no engine moves one of them.
  Ensemble(std::vector<Model> members, double step, unsigned threads);
  ~Ensemble();

  std::size_t size() const { return models_.size(); }
  std::int64_t steps() const { return steps_; }
  bool isInLanes() const;

  /// So many steps of all members that have not stopped.
  void step(std::int64_t count);

  /// A quantity of all members, one after the other: "tip.position" has three numbers each, "energy" one. Returns how many.
  /// Throws InputError with the nearest name where there is none.
  std::size_t observe(const std::string& quantity, std::vector<double>& values) const;

  /// Forces and torques on a body of every member, in space at its centre of mass, three numbers a member; they act in every
  /// step until they are set anew.
  void apply(const std::string& body, std::span<const double> forces, std::span<const double> torques);

  /// Puts members back to where their models start.
  void reset(std::span<const std::size_t> members);

  /// Why a member has stopped; empty where it moves.
  const std::string& failure(std::size_t member) const;

 private:
  class Group;
  class LaneGroup;
  class AloneGroup;

  void forEachGroup(const std::function<void(std::size_t)>& work) const;

  std::vector<Model> models_;
  double step_;
  unsigned threads_;
  std::int64_t steps_ = 0;
  std::size_t width_ = 1;  // members of a group
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace polhode::ensemble
