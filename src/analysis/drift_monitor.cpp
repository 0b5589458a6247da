#include "polhode/analysis/drift_monitor.h"

#include "polhode/math/largest.h"

#include <cmath>

namespace polhode {

void VectorDrift::see(const Vector3& now) {
  if (!first_) first_ = now;
  largest_ = largestOrNaN(largest_, now.norm());
  for (int i = 0; i < 3; ++i) drift_[i] = largestOrNaN(drift_[i], std::abs(now[i] - (*first_)[i]));
}

void ComponentDrift::see(const Observation& now, const Vector3& centre) {
  const Vector3 vector = momentum_.vector(now.linearMomentum, now.angularMomentum, centre);
  const double component = momentum_.direction.dot(vector);
  if (!first_) first_ = component;
  // a spin about the centre may be nothing at all, beside the angular momentum of the flight that is taken from it
  const bool angular = momentum_.kind != MomentumKind::linear;
  largest_ = largestOrNaN({largest_, vector.norm(), angular ? now.angularMomentum.norm() : 0.0});
  drift_ = largestOrNaN(drift_, std::abs(component - *first_));
}

DriftMonitor::DriftMonitor(const Observation& first, const Conservation& conserved, RunResult& result)
    : result_(result) {
  result_.initial = first;
  result_.conserved = conserved;
  for (const ConservedMomentum& momentum : conserved.all) components_.emplace_back(momentum);
  see(first);
}

void DriftMonitor::see(const Observation& now) {
  const Observation& first = result_.initial;
  largestEnergy_ =
      largestOrNaN({largestEnergy_, std::abs(now.kineticEnergy), std::abs(now.potentialEnergy), std::abs(now.work)});
  energyDrift_ = largestOrNaN(energyDrift_, std::abs(now.energy() - first.energy()));
  balanceError_ = largestOrNaN(balanceError_, std::abs((now.energy() - now.work) - (first.energy() - first.work)));
  linear_.see(now.linearMomentum);
  angular_.see(now.angularMomentum);
  const Vector3 centre = centreOfMass(now.bodies);
  for (ComponentDrift& component : components_) component.see(now, centre);
  result_.positionViolation = largestOrNaN(result_.positionViolation, now.positionViolation);
  result_.velocityViolation = largestOrNaN(result_.velocityViolation, now.velocityViolation);
  if (now.nodeEnergy) nodeEnergyDrift_ = largestOrNaN(nodeEnergyDrift_, std::abs(*now.nodeEnergy - *first.nodeEnergy));
  result_.final = now;
}

void DriftMonitor::finish() {
  if (largestEnergy_ > 0.0) {
    result_.energyDrift = energyDrift_ / largestEnergy_;
    result_.balanceError = balanceError_ / largestEnergy_;
  }
  if (largestEnergy_ > 0.0 && result_.final.nodeEnergy) result_.nodeEnergyDrift = nodeEnergyDrift_ / largestEnergy_;
  result_.linearMomentumDrift = linear_.relative();
  result_.angularMomentumDrift = angular_.relative();
  for (const ComponentDrift& component : components_) result_.conservedMomenta.push_back(component.relative());
}

}  // namespace polhode
