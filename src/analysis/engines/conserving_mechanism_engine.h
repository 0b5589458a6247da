#pragma once

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "control/hand_rack.h"
#include "control/steered_mechanism.h"
#include "integrate/forwarding_stepper.h"
#include "integrate/mechanism/mechanism_stepper.h"
#include "system/joint_gaps.h"

#include <map>

namespace polhode {

/// A mechanism by the conserving director scheme and its compositions, or by Gauss collocation, with a fixed step or with
/// one chosen for the tolerance.
///
/// Before each step the laws of hands say what they pull with, as a step of SteeredMechanism predicts, and the scheme
/// applies this throughout the step: joints stay closed to round-off, and the energy changes by exactly the work of the
/// hands. A fixed step is divided where somebody pulls hard (SteeredMechanism::divide). Loads on bodies act beside them, as they are at the step's begin. Where no hand holds, none of this is done.
class ConservingMechanismEngine final : public Engine {
 public:
  static const EngineType type, gaussType;

  ConservingMechanismEngine(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return pulled_; }
  void persist(Archive& archive) override;
  Balance balance(double t, const VectorX& y) const override;

  /// Of all joint rows over the last step, as the scheme has them.
  VectorX multipliers(double t, const VectorX& y) const override;

  std::string warning() const override;
  void goOnFrom(double time, const std::vector<Body>& bodies) override;
  void setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) override;
  HandRack& hands() override { return capabilities().takesHands ? hands_ : Engine::hands(); }

 private:
  /// The scheme's stepper, with what the hands pull with set before each step.
  class PulledStepper final : public ForwardingStepper {
   public:
    explicit PulledStepper(ConservingMechanismEngine& engine) : ForwardingStepper(*engine.stepper_), engine_(engine) {}
    void step() override {
      engine_.pull();
      const double begin = time();
      engine_.part_ > 0.0 ? engine_.stepper_->advance(engine_.part_) : ForwardingStepper::step();
      if (engine_.hands_.empty()) return;
      engine_.guide().settle(engine_.hands_.all(), engine_.before_, MechanismStepper::motionIn(state()),
                             time() - begin);
      if (engine_.guide().isStill()) engine_.calm();
    }

   private:
    ConservingMechanismEngine& engine_;
  };

  void pull();
  void calm();
  BodyLoad loadOn(int body, const Matrix3& D) const;
  SteeredMechanism& guide();
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  std::shared_ptr<const Mechanism> mechanism_;
  JointGaps gaps_{*mechanism_};
  std::unique_ptr<MechanismStepper> stepper_;
  PulledStepper pulled_{*this};
  HandRack hands_;
  double handStep_;  // how far ahead hands look
  bool hasFixedSteps_;
  double slowTolerance_ = 0.0;               // for which order 2 chooses its steps though a higher one could; else zero
  double part_ = 0.0;                        // of a step, to be gone next; zero: all that is left of it
  std::unique_ptr<SteeredMechanism> guide_;  // made when a hand first holds
  MechanismMotion before_;                   // the last step, where hands pull
  std::vector<BodyWrench> outside_;          // what `loads_` do at the begin of a step
  std::vector<Wrench> pulls_;                // of all hands on each body in the last step; empty where there are none
  std::vector<Wrench> wrenches_;             // of both
  std::map<std::size_t, BodyLoad> loads_;    // of `setLoad`, by body
  mutable InstantWatch watch_{mechanism_};
};

}  // namespace polhode
