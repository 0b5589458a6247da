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

}  // namespace

double Largest::value() const {
  double largest = lanes_[0];
  for (int lane = 1; lane < lanesOfRegister; ++lane) largest = largestOrNaN(largest, lanes_[lane]);
  return largest;
}

void VectorDrift::see(const Vector<StepLanes, 3>& now) {
  squaredLength_.see(now.squaredNorm());
  for (int i = 0; i < 3; ++i) drift_[static_cast<std::size_t>(i)].see(abs(now[i] - StepLanes(first_[i])));
}

Vector3 VectorDrift::relative() const {
  const double largest = std::sqrt(squaredLength_.value());
  if (!(largest > 0.0)) return Vector3::Zero();
  return Vector3(drift_[0].value(), drift_[1].value(), drift_[2].value()) / largest;
}

ComponentDrift::ComponentDrift(const ConservedMomentum& momentum, const Balance& first)
    : momentum_(momentum),
      first_(momentum.direction.dot(momentum.vector(first.linearMomentum, first.angularMomentum, first.centreOfMass))) {
}

void ComponentDrift::see(const LaneBalance& now) {
  const Vector<StepLanes, 3> vector = momentum_.vector(now.linearMomentum, now.angularMomentum, now.centreOfMass);
  // a spin about the centre may be nothing at all, beside the angular momentum of the flight that is taken from it
  const bool angular = momentum_.kind != MomentumKind::linear;
  squaredLength_.see(vector.squaredNorm());
  if (angular) squaredLength_.see(now.angularMomentum.squaredNorm());
  drift_.see(abs(momentum_.direction.cast<StepLanes>().dot(vector) - StepLanes(first_)));
}

MomentumDrift ComponentDrift::relative() const {
  const double largest = std::sqrt(squaredLength_.value());
  return {momentum_, largest > 0.0 ? drift_.value() / largest : 0.0};
}

DriftMonitor::DriftMonitor(const Observation& first, const Conservation& conserved, RunResult& result)
    : result_(result), linear_(first.linearMomentum), angular_(first.angularMomentum) {
  result_.initial = first;
  result_.conserved = conserved;
  for (const ConservedMomentum& momentum : conserved.all) components_.emplace_back(momentum, first);
  generalisedDrifts_.resize(conserved.generalised.size());
  see(first);
}

void DriftMonitor::see(const Balance& now) {
  see(LaneBalance(now));
  const Observation& first = result_.initial;
  if (now.nodeEnergy) nodeEnergyDrift_ = largestOrNaN(nodeEnergyDrift_, std::abs(*now.nodeEnergy - *first.nodeEnergy));
  if (!now.p.empty()) largestMomentum_ = largestOrNaN(largestMomentum_, std::sqrt(dot(now.p, now.p)));
  for (std::size_t i = 0; i < generalisedDrifts_.size(); ++i) {
    const std::vector<double>& direction = result_.conserved.generalised[i];
    generalisedDrifts_[i] =
        largestOrNaN(generalisedDrifts_[i], std::abs(dot(direction, now.p) - dot(direction, first.p)));
  }
}

void DriftMonitor::see(const LaneBalance& now) {
  const Observation& first = result_.initial;
  for (const StepLanes& part : {now.kineticEnergy, now.potentialEnergy, now.work}) energy_.see(abs(part));
  energyDrift_.see(abs(now.energy() - StepLanes(first.energy())));
  balanceError_.see(abs((now.energy() - now.work) - StepLanes(first.energy() - first.work)));
  linear_.see(now.linearMomentum);
  angular_.see(now.angularMomentum);
  for (ComponentDrift& component : components_) component.see(now);
  positionViolation_.see(now.positionViolation);
  velocityViolation_.see(now.velocityViolation);
}

void Largest::persist(Archive& archive) {
  double largest = value();
  archive(largest);
  lanes_ = largest;
}

void VectorDrift::persist(Archive& archive) {
  archive(first_, squaredLength_);
  for (Largest& drift : drift_) archive(drift);
}

void ComponentDrift::persist(Archive& archive) {
  archive(first_, squaredLength_, drift_);
}

void DriftMonitor::persist(Archive& archive) {
  archive.section("conservation 2");
  archive(energy_, energyDrift_, balanceError_, nodeEnergyDrift_, linear_, angular_);
  for (ComponentDrift& component : components_) archive(component);
  if (!generalisedDrifts_.empty()) archive(largestMomentum_, generalisedDrifts_);
  archive(positionViolation_, velocityViolation_);
}

void DriftMonitor::finish() {
  if (const double largest = energy_.value(); largest > 0.0) {
    result_.energyDrift = energyDrift_.value() / largest;
    result_.balanceError = balanceError_.value() / largest;
    if (result_.initial.nodeEnergy) result_.nodeEnergyDrift = nodeEnergyDrift_ / largest;
  }
  result_.positionViolation = positionViolation_.value();
  result_.velocityViolation = velocityViolation_.value();
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
