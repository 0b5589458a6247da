#pragma once

#include "math/lanes.h"
#include "polhode/analysis/observation.h"

#include <array>

/// The sums by which steps are judged (Balance), of several steps at once in the lanes of vector registers. A step of one
/// body takes little more than a hundred nanoseconds: looked at one by one its sums would take half of that again.
namespace polhode {

/// As many steps as a register holds.
using StepLanes = Lanes<lanesOfRegister>;

/// What Balance says, side by side.
struct LaneBalance {
  StepLanes kineticEnergy = 0.0, potentialEnergy = 0.0, work = 0.0;
  Vector<StepLanes, 3> linearMomentum, angularMomentum, centreOfMass;
  StepLanes positionViolation = 0.0, velocityViolation = 0.0;

  LaneBalance() = default;
  /// The same step in all lanes.
  explicit LaneBalance(const Balance& one)
      : kineticEnergy(one.kineticEnergy),
        potentialEnergy(one.potentialEnergy),
        work(one.work),
        linearMomentum(one.linearMomentum.cast<StepLanes>()),
        angularMomentum(one.angularMomentum.cast<StepLanes>()),
        centreOfMass(one.centreOfMass.cast<StepLanes>()),
        positionViolation(one.positionViolation),
        velocityViolation(one.velocityViolation) {}

  StepLanes energy() const { return kineticEnergy + potentialEnergy; }

  /// Whether every number is one, in every lane.
  bool isFinite() const {
    StepLanes sum = energy() + work + positionViolation + velocityViolation;
    for (int i = 0; i < 3; ++i) sum += linearMomentum[i] + angularMomentum[i];
    const StepLanes zero = sum * 0.0;
    for (int lane = 0; lane < lanesOfRegister; ++lane)
      if (zero[lane] != 0.0) return false;
    return true;
  }
};

/// Steps that were taken and wait to be looked at.
class KeptSteps {
 public:
  static constexpr int most = 8;
  static_assert(most % lanesOfRegister == 0);

  explicit KeptSteps(Eigen::Index size) : states_(VectorX::Zero(most * size)) {}

  int count() const { return count_; }
  void clear() { count_ = 0; }
  void keep(double t, const VectorX& y) {
    times_[static_cast<std::size_t>(count_)] = t;
    for (Eigen::Index i = 0; i < y.size(); ++i) states_[most * i + count_] = y[i];
    ++count_;
  }
  /// Lanes that no step has filled show the last one again.
  void fillUp() {
    for (int step = count_; step < most; ++step) {
      times_[static_cast<std::size_t>(step)] = time(count_ - 1);
      for (Eigen::Index at = 0; at < states_.size(); at += most) states_[at + step] = states_[at + count_ - 1];
    }
  }

  double time(int step) const { return times_[static_cast<std::size_t>(step)]; }
  VectorX state(int step) const { return states_(Eigen::seqN(step, states_.size() / most, most)); }

  /// From step number `first` on, as many as there are lanes: the times, and coordinate i.
  StepLanes times(int first) const { return StepLanes::from(times_.data() + first); }
  StepLanes coordinate(Eigen::Index i, int first) const { return StepLanes::from(states_.data() + most * i + first); }

 private:
  int count_ = 0;
  std::array<double, most> times_{};
  VectorX states_;  // coordinate i of step k at most * i + k
};

/// Has the sums of kept steps: for engines whose equations go through lanes.
class StepSums {
 public:
  virtual ~StepSums() = default;
  virtual LaneBalance of(const KeptSteps& steps, int first) const = 0;
};

}  // namespace polhode
