#pragma once

#include "analysis/engine_registry.h"

#include <map>
#include <memory>
#include <vector>

namespace polhode {

/// A mechanism some of whose drives are let go on the way (CoordinateDrive::until): phase after phase, each moved by the
/// engine that its integrator has for mechanisms. A step ends where a drive is let go; from there on the mechanism has one
/// freedom more and goes on with the velocities that it has then, so that no energy comes or goes. Those of collocation miss what
/// joints allow by about h^s, and as soon as one lets go such a miss is motion: it goes on with the nearest that fit, which have the
/// order 2s, and what little energy they have more or less is the last work of the drive.
///
/// All phases are made from the model as it stands at its beginning: what is measured from there (springs on joints,
/// bushings, angles with their turns) goes on. A drive that is let go stays in the tables, with no force. Hands are not
/// taken, since they belong to the engine of a phase.
class ReleasingEngine final : public Engine {
 public:
  static const EngineType type;

  ReleasingEngine(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return stepper_; }
  void persist(Archive& archive) override;
  Balance balance(double t, const VectorX& y) const override;
  void projectState() override { now_->projectState(); }
  VectorX multipliers(double t, const VectorX& y) const override { return now_->multipliers(t, y); }
  std::string warning() const override { return warning_.empty() ? now_->warning() : warning_; }
  void setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) override;
  void goOnFrom(double time, const std::vector<Body>& bodies) override;

 private:
  /// The steps of the phase that is on; the next phase begins with its first step.
  class PhasedStepper final : public Stepper {
   public:
    explicit PhasedStepper(ReleasingEngine& engine) : engine_(engine) {}

    void step() override;
    double time() const override { return now().time(); }
    double previousTime() const override { return now().previousTime(); }
    const VectorX& state() const override { return now().state(); }
    void interpolate(double t, VectorX& y) const override { now().interpolate(t, y); }
    void replaceState(const VectorX& y) override { now().replaceState(y); }
    const WorkCounts& work() const override;

   private:
    Stepper& now() const { return engine_.now_->stepper(); }

    ReleasingEngine& engine_;
    mutable WorkCounts total_;
  };

  struct OutsideLoad {
    Vector3 pointInBody, force, torque;
  };

  Observation observed(double t, const VectorX& y, Detail detail) const override;
  void makePhase(double time);
  void begin(double time, const std::vector<Body>& bodies, const VectorX& state);
  void countTurnsFrom(const std::vector<JointObservation>& before);

  Model model_;
  SimulationSettings settings_;
  std::vector<double> releases_;  // in order, before the end
  std::unique_ptr<Engine> now_;
  PhasedStepper stepper_{*this};
  std::map<std::size_t, OutsideLoad> loads_;

  // where the present phase began
  double begin_ = 0.0;
  std::vector<Body> bodies_;
  VectorX state_;  // of the phase before
  double workBefore_ = 0.0;
  std::vector<std::vector<double>> turns_;  // by which its engine counts less, by joint and coordinate
  WorkCounts countsBefore_;
  std::string warning_;  // the first one
};

}  // namespace polhode
