#include "analysis/drift_monitor.h"

#include "integrate/archive.h"
#include "math/largest.h"

#include <cmath>
#include <numeric>

namespace polhode {

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The largest length so far; a root is taken only where it grows.
void keepLargest(double& largest, const Vector3& now) {
  if (const double squared = now.squaredNorm(); !(squared <= largest * largest))
    largest = largestOrNaN(largest, now.norm());
}

}  // namespace

void VectorDrift::see(const Vector3& now) {
  if (!first_) first_ = now;
  keepLargest(largest_, now);
  for (int i = 0; i < 3; ++i) drift_[i] = largestOrNaN(drift_[i], std::abs(now[i] - (*first_)[i]));
}

void ComponentDrift::see(const Balance& now) {
  const Vector3 vector = momentum_.vector(now.linearMomentum, now.angularMomentum, now.centreOfMass);
  const double component = momentum_.direction.dot(vector);
  if (!first_) first_ = component;
  // a spin about the centre may be nothing at all, beside the angular momentum of the flight that is taken from it
  const bool angular = momentum_.kind != MomentumKind::linear;
  keepLargest(largest_, vector);
  if (angular) keepLargest(largest_, now.angularMomentum);
  drift_ = largestOrNaN(drift_, std::abs(component - *first_));
}

DriftMonitor::DriftMonitor(const Observation& first, const Conservation& conserved, RunResult& result)
    : result_(result) {
  result_.initial = first;
  result_.conserved = conserved;
  for (const ConservedMomentum& momentum : conserved.all) components_.emplace_back(momentum);
  generalisedDrifts_.resize(conserved.generalised.size());
  see(first);
}

void DriftMonitor::see(const Balance& now) {
  const Observation& first = result_.initial;
  largestEnergy_ =
      largestOrNaN({largestEnergy_, std::abs(now.kineticEnergy), std::abs(now.potentialEnergy), std::abs(now.work)});
  energyDrift_ = largestOrNaN(energyDrift_, std::abs(now.energy() - first.energy()));
  balanceError_ = largestOrNaN(balanceError_, std::abs((now.energy() - now.work) - (first.energy() - first.work)));
  linear_.see(now.linearMomentum);
  angular_.see(now.angularMomentum);
  for (ComponentDrift& component : components_) component.see(now);
  if (!now.p.empty()) largestMomentum_ = largestOrNaN(largestMomentum_, std::sqrt(dot(now.p, now.p)));
  for (std::size_t i = 0; i < generalisedDrifts_.size(); ++i) {
    const std::vector<double>& direction = result_.conserved.generalised[i];
    generalisedDrifts_[i] =
        largestOrNaN(generalisedDrifts_[i], std::abs(dot(direction, now.p) - dot(direction, first.p)));
  }
  result_.positionViolation = largestOrNaN(result_.positionViolation, now.positionViolation);
  result_.velocityViolation = largestOrNaN(result_.velocityViolation, now.velocityViolation);
  if (now.nodeEnergy) nodeEnergyDrift_ = largestOrNaN(nodeEnergyDrift_, std::abs(*now.nodeEnergy - *first.nodeEnergy));
}

void VectorDrift::persist(Archive& archive) {
  archive(first_, largest_, drift_);
}

void ComponentDrift::persist(Archive& archive) {
  archive(first_, largest_, drift_);
}

void DriftMonitor::persist(Archive& archive) {
  archive.section("conservation");
  archive(largestEnergy_, energyDrift_, balanceError_, nodeEnergyDrift_, linear_, angular_);
  for (ComponentDrift& component : components_) archive(component);
  if (!generalisedDrifts_.empty()) archive(largestMomentum_, generalisedDrifts_);
  archive(result_.positionViolation, result_.velocityViolation);
}

void DriftMonitor::finish() {
  if (largestEnergy_ > 0.0) {
    result_.energyDrift = energyDrift_ / largestEnergy_;
    result_.balanceError = balanceError_ / largestEnergy_;
  }
  if (largestEnergy_ > 0.0 && result_.initial.nodeEnergy) result_.nodeEnergyDrift = nodeEnergyDrift_ / largestEnergy_;
  result_.linearMomentumDrift = linear_.relative();
  result_.angularMomentumDrift = angular_.relative();
  for (const ComponentDrift& component : components_) result_.conservedMomenta.push_back(component.relative());
  for (std::size_t i = 0; i < generalisedDrifts_.size(); ++i) {
    const std::vector<double>& direction = result_.conserved.generalised[i];
    result_.generalisedMomenta.push_back({direction, dot(direction, result_.initial.p), dot(direction, result_.final.p),
                                          largestMomentum_ > 0.0 ? generalisedDrifts_[i] / largestMomentum_ : 0.0});
  }
}

}  // namespace polhode
