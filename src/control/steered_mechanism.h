#pragma once

#include "control/control_law.h"
#include "integrate/linear_implicit_euler.h"

#include <array>
#include <span>
#include <vector>

/// A mechanism in real time, steered by hands: the linear-implicit Euler scheme, with a law at each grabbed body. The
/// mobility that a law is given comes out of the step's own factorised system, so that it is exactly how the velocity at
/// the step's end answers to the hand, joints, springs and gyroscopic terms included.
///
/// Several hands are served one after the other, each knowing what those before it do.
namespace polhode {

/// What a hand holds: a point of a body and, if `rotation` is there, the body's orientation; or, where a joint is named, a
/// coordinate of that joint, which `translation` leads as its first component (angles are counted on over full turns).
/// Laws are the caller's.
struct Grip {
  int body = 0;
  Vector3 point = Vector3::Zero();  // from the centre of mass, along the principal axes
  ControlLaw<Translation>* translation = nullptr;
  ControlLaw<Rotation>* rotation = nullptr;
  int joint = -1;
  std::size_t coordinate = 0;  // among those of the joint's type
};

class SteeredMechanism {
 public:
  SteeredMechanism(const Mechanism& mechanism, double step, double epsilon = 0.2)
      : mechanism_(mechanism), stepper_(mechanism, step, epsilon), angles_(mechanism.joints().size(), 0.0) {
    response_.setZero(stepper_.unknowns());
  }

  LinearImplicitEuler& stepper() { return stepper_; }
  const LinearImplicitEuler& stepper() const { return stepper_; }

  /// Where it is, and the angles of joints that are held, whose turns are counted (integrate/archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(stepper_, before_, angles_);
  }

  /// For a mechanism that another engine steps: what the laws of grips pull with from `time` on, for one step, where the
  /// bodies are as given. The laws' answers are predicted with a step of this scheme, which is not kept. Laws that look
  /// ahead want to know the engine's share of a step (RecedingHorizonSettings).
  void guide(double time, std::span<const MovingPlacement> bodies, std::span<const Grip> grips,
             std::span<Wrench> forces);

  /// The same for one grip and bodies in their own axes.
  Wrench guide(double time, std::span<const Body> bodies, const Grip& grip);

  /// What a grip's pull does to both bodies of a joint, or to the one body that it holds (and nothing to the ground).
  std::array<BodyWrench, 2> wrenchesOf(std::span<const MovingPlacement> bodies, const Grip& grip,
                                       const Wrench& pull) const;

  /// One step. Samples until the step's end must have been observed by the laws. `forces[i]` becomes what grip i pulled
  /// with: a force at its point, and a torque; of a joint the first component of the force is along its coordinate.
  /// `loads` act beside them.
  void advance(std::span<const Grip> grips, std::span<Wrench> forces, std::span<const BodyWrench> loads = {});

 private:
  /// The place and the velocity of a grip at the begin of the step.
  struct GripState {
    Vector3 position, velocity, angularVelocity;
    Quaternion orientation;
  };
  using BodyMobility = Eigen::Matrix<double, 6, 6>;
  GripState stateOf(const Grip& grip);
  GripState stateOfJoint(const Grip& grip);
  void pullAll(std::span<const Grip> grips, std::span<Wrench> forces);
  Vector3 pull(const Grip& grip, const GripState& before, const BodyMobility& mobility);
  Vector3 pullJoint(const Grip& grip, const GripState& before);
  Vector3 turn(const Grip& grip, const GripState& before, const BodyMobility& mobility);

  const Mechanism& mechanism_;
  LinearImplicitEuler stepper_;
  MechanismMotion motion_;  // of `guide`
  VectorX response_;        // to a unit of force along a joint's coordinate
  std::vector<GripState> before_;
  std::vector<double> angles_;  // of the joints that are held
};

}  // namespace polhode
