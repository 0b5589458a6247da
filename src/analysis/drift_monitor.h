#pragma once

#include "polhode/analysis/run.h"

#include <optional>
#include <vector>

/// Follows what ought to be conserved along a run and keeps the extremes of its drift, relative to the largest value that
/// the quantity's parts had:
///
///     energy      max |E - E0| / max(|T|, |V|, |W|),    balance   max |(E - W) - (E0 - W0)| / max(|T|, |V|, |W|)
///     momentum    max |p - p0| / max |p|                by component
namespace polhode {

class Archive;

/// A vector that ought to stay, and how far each component went.
class VectorDrift {
 public:
  void see(const Vector3& now);
  void persist(Archive& archive);
  Vector3 relative() const { return largest_ > 0.0 ? Vector3(drift_ / largest_) : Vector3(Vector3::Zero()); }

 private:
  std::optional<Vector3> first_;
  double largest_ = 0.0;
  Vector3 drift_ = Vector3::Zero();
};

/// The same for a momentum of which one component ought to stay.
class ComponentDrift {
 public:
  explicit ComponentDrift(const ConservedMomentum& momentum) : momentum_(momentum) {}

  void see(const Balance& now);
  void persist(Archive& archive);
  MomentumDrift relative() const { return {momentum_, largest_ > 0.0 ? drift_ / largest_ : 0.0}; }

 private:
  ConservedMomentum momentum_;
  std::optional<double> first_;
  double largest_ = 0.0, drift_ = 0.0;
};

class DriftMonitor {
 public:
  /// Writes into `result`, which must outlive it.
  DriftMonitor(const Observation& first, const Conservation& conserved, RunResult& result);

  void see(const Balance& now);

  /// The extremes so far and how the motion began (integrate/archive.h).
  void persist(Archive& archive);

  /// Writes the drifts.
  void finish();

 private:
  RunResult& result_;
  double largestEnergy_ = 0.0, energyDrift_ = 0.0, balanceError_ = 0.0, nodeEnergyDrift_ = 0.0;
  VectorDrift linear_, angular_;
  std::vector<ComponentDrift> components_;
  double largestMomentum_ = 0.0;           // of |p|
  std::vector<double> generalisedDrifts_;  // of a . p
};

}  // namespace polhode
