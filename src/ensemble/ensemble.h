#pragma once

#include "ensemble/ensemble_group.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Members of one structure that live in memory and are stepped together by director-em with a fixed step: for learning,
/// estimation and whoever steers many mechanisms at once. Trees of ball joints and hinges under their weight go side by side
/// in lanes (lane_trees.h) or on a GPU (gpu/gpu_trees.h), all others each by an engine of its own. What becomes of a member
/// depends on it alone: the same bits for any number of threads and any neighbours.
namespace polhode::ensemble {

enum class Device { processor, gpu };

struct EnsembleOptions {
  double step = 0.0;
  unsigned threads = 1;
  Device device = Device::processor;
};

class Ensemble {
 public:
  /// The model of a member by its number; several threads ask at once. Members may share one.
  using Models = std::function<std::shared_ptr<const Model>(std::size_t member)>;

  /// The models have the same bodies by name. Throws InputError where they do not, where no engine moves one of them, or
  /// where the GPU that was asked for cannot.
  Ensemble(std::size_t size, const Models& models, const EnsembleOptions& options);

  std::size_t size() const { return models_.size(); }
  std::int64_t steps() const { return steps_; }
  bool isInLanes() const { return isInLanes_; }

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
  void makeGroups(const EnsembleOptions& options);
  Mechanisms mechanismsOf(std::size_t first, std::size_t behind) const;
  void forEach(std::size_t count, const std::function<void(std::size_t)>& work) const;

  std::vector<std::shared_ptr<const Model>> models_;
  unsigned threads_;
  std::int64_t steps_ = 0;
  bool isInLanes_ = false;
  std::size_t width_ = 1;  // members of a group
  std::vector<std::unique_ptr<EnsembleGroup>> groups_;
};

}  // namespace polhode::ensemble
