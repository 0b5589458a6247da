#pragma once

#include "analysis/observable.h"
#include "polhode/error.h"
#include "polhode/model/model.h"
#include "system/mechanism.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Members of an Ensemble that are stepped at once: side by side in lanes, on a GPU, or one alone.
namespace polhode::ensemble {

class EnsembleGroup {
 public:
  virtual ~EnsembleGroup() = default;
  virtual void step(std::int64_t count) = 0;

  /// Of several members by several threads at once, if nobody steps.
  virtual Observation observe(std::size_t member, Detail detail) = 0;

  /// Act from now on in every step, in space at the centre of mass: three numbers for each member of the group.
  virtual void setLoads(std::size_t body, std::span<const double> forces, std::span<const double> torques) = 0;

  /// Puts members back to where their models start.
  virtual void reset(std::span<const std::size_t> members) = 0;

  /// Why a member has stopped; empty where it moves.
  virtual const std::string& failure(std::size_t member) const = 0;
};

using Mechanisms = std::vector<std::shared_ptr<const Mechanism>>;

/// What is said of a member that does not go together with the first one.
InputError unlikeTheFirst(std::size_t member);

/// Of members that LaneTrees::fit says go together.
std::unique_ptr<EnsembleGroup> groupInLanes(Mechanisms members, double step);

/// Of all members of an ensemble. Throws InputError where the GPU cannot move them.
std::unique_ptr<EnsembleGroup> groupOnGpu(Mechanisms members, double step);
std::unique_ptr<EnsembleGroup> groupAlone(std::shared_ptr<const Model> member, double step);

}  // namespace polhode::ensemble
