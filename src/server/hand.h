#pragma once

#include "control/steered_mechanism.h"
#include "polhode/model/actuator.h"
#include "server/command.h"

#include <memory>

namespace polhode::live {

/// How a hand pulls, in units that people understand.
struct HandLaw {
  std::string method = "receding-horizon";  // one of controlMethods()
  double timeConstant = 0.1;                // seconds
  double largestForce = 100.0;              // newtons
};

/// The method's own parameters by which a point of that mobility (1/kg) follows with the law's time constant T. A
/// servo constraint comes nearer by epsilon = h/T of the deviation each step. The one-step laws of Lipovac 2020 are springs
/// without a damper: with W the mobility, rho0 = h W^2 T^2 makes the one of L2 swing as exp(i t/T). Those of H1 keep the
/// ratio of rho1 to h^2 rho0 that the thesis has at h = 1e-3, and have the rho0 that makes them as stiff.
ControlSettings controlSettings(const HandLaw& law, double step, double mobility);

/// A hand that has taken hold of a body: the pointer's samples are the signal, and the law moves the point that is held to
/// where the hand is. How the point answers, joints and all, comes from SteeredMechanism, whatever engine takes the steps.
class Hand {
 public:
  /// `shareOfStep` is the engine's, see RecedingHorizonSettings. Throws InputError for an unknown method.
  Hand(const Model& model, const Grab& grab, const HandLaw& law, double step, double shareOfStep);
  Hand(const Hand&) = delete;  // the grip knows where the law is

  const Grab& grab() const { return grab_; }

  /// Where the hand is at a time of the simulation.
  void moveTo(double time, const Vector3& target);

  /// From now on by another law. Throws InputError for an unknown method.
  void follow(const HandLaw& law);

  /// For engines that know how the point answers.
  const Grip& grip() const { return grip_; }

  /// Where the point is that it holds.
  Vector3 pointInSpace(const MechanismMotion& motion) const { return motion[grab_.body].at.point(grip_.point); }

  /// Before a step that begins at `time`: tells the law where the hand is, if nobody has yet.
  void begin(double time);

  /// The force for a step that begins at `time`, where the bodies move as given.
  Vector3 force(double time, const MechanismMotion& motion);

  /// The torque by which a hand that holds slows the turning of the body, with the law's time constant for its largest
  /// moment of inertia. Without it a slim rod that is held beside its axis would spin ever faster.
  Vector3 torque(const MechanismMotion& motion) const;

 private:
  /// Made when the hand first pulls, since only then it is known how the point answers.
  class Law final : public ControlLaw<Translation> {
   public:
    Law(HandLaw law, double shareOfStep) : law_(std::move(law)), shareOfStep_(shareOfStep) {}
    void observe(const Sample<Translation>& sample) override;
    Vector3 force(const DrivenState<Translation>& state) override;
    void persist(Archive&) override {}  // a hand of the live page is not saved

   private:
    HandLaw law_;
    double shareOfStep_;
    Sample<Translation> first_;
    std::unique_ptr<ControlLaw<Translation>> made_;
  };

  Grab grab_;
  double timeConstant_, step_, shareOfStep_;
  std::unique_ptr<const Mechanism> mechanism_;
  SteeredMechanism guide_;
  Law law_;
  Grip grip_;
  bool isFirst_ = true;
};

}  // namespace polhode::live
