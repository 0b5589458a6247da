#pragma once

#include "analysis/observable.h"
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

  /// Acts from now on in every step, in space at the centre of mass.
  virtual void setLoad(std::size_t member, std::size_t body, const Vector3& force, const Vector3& torque) = 0;
  virtual void reset(std::size_t member) = 0;

  /// Why a member has stopped; empty where it moves.
  virtual const std::string& failure(std::size_t member) const = 0;
};

using Mechanisms = std::vector<std::shared_ptr<const Mechanism>>;

std::unique_ptr<EnsembleGroup> groupInLanes(Mechanisms members, double step);
std::unique_ptr<EnsembleGroup> groupOnGpu(Mechanisms members, double step);
std::unique_ptr<EnsembleGroup> groupAlone(std::shared_ptr<const Model> member, double step);

}  // namespace polhode::ensemble
