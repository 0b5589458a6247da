#pragma once

#include "polhode/analysis/joint_watch.h"
#include "polhode/analysis/simulation.h"
#include "polhode/integrate/mechanism/mechanism_stepper.h"
#include "polhode/system/joint_reaction.h"

namespace polhode {

/// A mechanism by the conserving director scheme and its compositions, with a fixed step or with one chosen for the
/// tolerance.
class MechanismRun final : public Simulation {
 public:
  /// Whether a model is more than the single body under gravity that the schemes of integrate/single_body know.
  static bool isMechanism(const Model& model);

  /// Whether a conserving integrator for mechanisms was asked for and the model is one.
  static bool handles(const Model& model, const SimulationSettings& settings);

  MechanismRun(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return *stepper_; }
  Observation observe(double t, const VectorX& y) const override;
  void persist(Archive& archive) override;

  /// Of all joint rows over the last step.
  VectorX multipliers(double t, const VectorX& y) const override;

  bool goOnFrom(double time, const std::vector<Body>& bodies) override;
  bool motion(MechanismMotion& motion) const override;
  bool setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) override;

  /// What the joint does to its second body, over the last step; see jointReaction().
  Wrench reaction(std::size_t joint) const;

  const Mechanism& mechanism() const { return mechanism_; }

 private:
  Mechanism mechanism_;
  std::unique_ptr<MechanismStepper> stepper_;
  mutable JointWatch watch_{mechanism_};
};

}  // namespace polhode
