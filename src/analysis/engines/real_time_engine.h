#pragma once

#include "analysis/closed_joints.h"
#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "control/hand_rack.h"
#include "control/steered_mechanism.h"
#include "system/body_load.h"

#include <map>
#include <memory>
#include <vector>

namespace polhode {

/// A mechanism with its actuators by the linear-implicit Euler scheme, with a fixed step. The step is shortened a little
/// where the end is not a whole number of steps away, and divided where a drive or a load kinks or jumps, or somebody pulls so
/// that joints would open (SteeredMechanism::divide). At the end of
/// every step all joints are looked at (closed_joints.h); where one is torn the run ends with the state before it.
///
/// The work that is told of forces, drives and hands is the trapezoidal sum of their power over the steps; with the energy
/// it balances to first order in the step, as the scheme itself does.
///
/// The state of a body is x, q (of its principal axes), v and omega in space: 13 numbers.
class RealTimeEngine final : public Engine {
 public:
  static const EngineType type;
  static constexpr const char* integrator = "linear-implicit-euler";

  /// Throws InputError where what an actuator holds is unknown.
  RealTimeEngine(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return stepper_; }
  void goOnFrom(double time, const std::vector<Body>& bodies) override;
  void setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) override;
  HandRack& hands() override { return hands_; }

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  class SteeredStepper final : public Stepper {
   public:
    SteeredStepper(RealTimeEngine& run, double end);

    void step() override;
    double time() const override { return time_; }
    double previousTime() const override { return previousTime_; }
    const VectorX& state() const override { return state_; }
    void interpolate(double t, VectorX& y) const override;
    void replaceState(const VectorX& y) override;
    const WorkCounts& work() const override { return work_; }
    double workUntil(double t) const;  // of forces, drives and hands, within the last step
    void goOnFrom(double time, const MechanismMotion& bodies);
    void persist(Archive& archive) override;

   private:
    void stepPart();
    void readState();
    double share(double t) const;  // of the last step that is over
    void requireClosedJoints();

    RealTimeEngine& run_;
    double end_, time_ = 0.0, previousTime_ = 0.0;
    VectorX state_, previous_;
    double energyBrought_ = 0.0, broughtBefore_ = 0.0;  // until both ends of the last step
    WorkCounts work_;
  };

  double power() const;
  double powerOfHands() const;

  std::shared_ptr<const Mechanism> mechanism_;
  bool hasWorkers_;
  double storedAtStart_;  // see work.h
  VectorX pulls_;         // of all rows of joints, in the last step
  SteeredMechanism steered_;
  ClosedJoints closed_;
  HandRack hands_;
  std::map<std::size_t, BodyLoad> loads_;  // of `setLoad`, by body
  std::vector<BodyWrench> wrenches_;
  std::vector<Wrench> handPulls_;  // of all hands on each body in the last step; empty where there are none
  mutable InstantWatch watch_{mechanism_};
  SteeredStepper stepper_;
};

}  // namespace polhode
