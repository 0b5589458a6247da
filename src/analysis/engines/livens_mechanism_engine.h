#pragma once

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "integrate/constrained_stepper.h"
#include "system/quaternion_mechanism.h"

namespace polhode {

/// A mechanism in quaternions by the schemes from Livens' principle: `eml` (Kinon & Betsch 2024, (72) with (87), (88) and
/// the joints of 5.5), its compositions `eml-4`, `-6`, `-8`, and the midpoint rule `mpl` (132).
///
/// The energy that is reported is the generalised one, which eml keeps; that of the velocities at the nodes stands beside
/// it. Momenta are those of p.
class LivensMechanismEngine final : public Engine {
 public:
  static const EngineType type;

  LivensMechanismEngine(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return *stepper_; }
  void persist(Archive& archive) override;
  std::string warning() const override;

  /// Of all joint rows over the last step.
  VectorX multipliers(double t, const VectorX& y) const override;

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  std::shared_ptr<const Mechanism> mechanism_;
  QuaternionMechanism system_;
  std::unique_ptr<ConstrainedStepper> stepper_;
  double appliedPotentialAtStart_;
  mutable InstantWatch watch_;
};

}  // namespace polhode
