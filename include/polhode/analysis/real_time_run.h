#pragma once

#include "polhode/analysis/instant_watch.h"
#include "polhode/analysis/simulation.h"
#include "polhode/control/actuation.h"
#include "polhode/system/body_load.h"

#include <map>
#include <memory>
#include <vector>

namespace polhode {

/// A mechanism with its actuators by the linear-implicit Euler scheme, with a fixed step. The step is shortened a little
/// where the end is not a whole number of steps away.
///
/// The state of a body is x, q (of its principal axes), v and omega in space: 13 numbers.
class RealTimeRun final : public Simulation {
 public:
  static constexpr const char* integrator = "linear-implicit-euler";

  /// Throws InputError where there is no step, or what an actuator holds is unknown.
  RealTimeRun(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return stepper_; }
  bool goOnFrom(double time, const std::vector<Body>& bodies) override;
  bool motion(MechanismMotion& motion) const override;
  bool setGrip(const Grip* grip) override;
  Wrench pullOfGrip() const override { return pullOfGrip_; }
  bool setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) override;

  /// The actuator of that number, to push samples of a live source.
  Follower& follower(std::size_t actuator) { return actuation_.follower(actuator); }

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  class SteeredStepper final : public Stepper {
   public:
    SteeredStepper(RealTimeRun& run, double end);

    void step() override;
    double time() const override { return time_; }
    double previousTime() const override { return time_ - run_.steered_.stepper().step(); }
    const VectorX& state() const override { return state_; }
    void interpolate(double t, VectorX& y) const override;
    void replaceState(const VectorX& y) override;
    const WorkCounts& work() const override { return work_; }
    void goOnFrom(double time, const MechanismMotion& bodies);

   private:
    void readState();

    RealTimeRun& run_;
    double end_, time_ = 0.0;
    VectorX state_, previous_;
    WorkCounts work_;
  };

  void advance();
  void keepPulls(std::span<const Grip> grips, std::span<const Wrench> forces);

  std::shared_ptr<const Mechanism> mechanism_;
  SteeredMechanism steered_;
  Actuation actuation_;
  std::map<std::size_t, BodyLoad> loads_;  // of `setLoad`, by body
  std::vector<BodyWrench> wrenches_;
  std::vector<Grip> grips_;  // those of the model and the one from outside
  std::vector<Wrench> forces_;
  const Grip* grip_ = nullptr;  // from outside
  Wrench pullOfGrip_;
  std::vector<Wrench> pulls_;  // of all grips on each body in the last step; empty where there are none
  mutable InstantWatch watch_{mechanism_};
  SteeredStepper stepper_;
};

}  // namespace polhode
