#pragma once

#include "analysis/step_sums.h"
#include "polhode/analysis/run.h"

#include <array>
#include <vector>

/// Follows what ought to be conserved along a run and keeps the extremes of its drift, relative to the largest value that
/// the quantity's parts had:
///
///     energy      max |E - E0| / max(|T|, |V|, |W|),    balance   max |(E - W) - (E0 - W0)| / max(|T|, |V|, |W|)
///     momentum    max |p - p0| / max |p|                by component
namespace polhode {

class Archive;

/// The largest number that was seen so far; not a number once one of them was none.
class Largest {
 public:
  void see(const StepLanes& now) { lanes_ = largestOrNaN(lanes_, now); }
  double value() const;
  void persist(Archive& archive);

 private:
  StepLanes lanes_ = 0.0;
};

/// A vector that ought to stay, and how far each component went.
class VectorDrift {
 public:
  explicit VectorDrift(const Vector3& first) : first_(first) {}

  void see(const Vector<StepLanes, 3>& now);
  void persist(Archive& archive);
  Vector3 relative() const;

 private:
  Vector3 first_;
  Largest squaredLength_;
  std::array<Largest, 3> drift_;
};

/// The same for a momentum of which one component ought to stay.
class ComponentDrift {
 public:
  ComponentDrift(const ConservedMomentum& momentum, const Balance& first);

  void see(const LaneBalance& now);
  void persist(Archive& archive);
  MomentumDrift relative() const;

 private:
  ConservedMomentum momentum_;
  double first_;
  Largest squaredLength_, drift_;
};

class DriftMonitor {
 public:
  /// Writes into `result`, which must outlive it.
  DriftMonitor(const Observation& first, const Conservation& conserved, RunResult& result);

  /// One step.
  void see(const Balance& now);

  /// Several steps of a model that is made of bodies.
  void see(const LaneBalance& now);

  /// The extremes so far and how the motion began (integrate/archive.h).
  void persist(Archive& archive);

  /// Writes the drifts.
  void finish();

 private:
  RunResult& result_;
  Largest energy_, energyDrift_, balanceError_, positionViolation_, velocityViolation_;
  VectorDrift linear_, angular_;
  std::vector<ComponentDrift> components_;
  double nodeEnergyDrift_ = 0.0;
  double largestMomentum_ = 0.0;           // of |p|
  std::vector<double> generalisedDrifts_;  // of a . p
};

}  // namespace polhode
