#pragma once

#include "control/hand.h"
#include "integrate/linear_implicit_euler.h"

#include <array>
#include <span>
#include <vector>

/// A mechanism in real time, steered by hands: the linear-implicit Euler scheme, with the laws of each hand. The
/// mobility that a law is given comes out of the step's own factorised system, so that it is exactly how the velocity at
/// the step's end answers to the hand, joints, springs and gyroscopic terms included.
///
/// Several hands are served one after the other, each knowing what those before it do. Where all hands of persons hold still,
/// every body is slowed by the force -a m v and the torque -a J w, a the least that their laws want (ControlLaw::steadying);
/// the work of this counts as that of the first of them.
namespace polhode {

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
    archive(stepper_, angles_);
  }

  /// Where a person's hand holds, a step is divided into 2, 4, 8 .. parts if joints would open in it, since a chain that is
  /// pulled may whip much faster than it would ever move alone; with parts of at least a tenth of a millisecond, so that the
  /// cost is bounded. Afterwards, and where it has let go, a part is at most twice as long as the last: what joints are drawn
  /// together by (Baumgarte's term) is meant for that length. To be called before each part.
  void divide(Hands hands);

  /// One step in which hands pull. Samples until the step's end must have been observed. `loads` act beside them.
  void advance(Hands hands, std::span<const BodyWrench> loads = {});

  /// The same for a mechanism that another engine steps, from where the bodies are, `left` being what is left of its step. Here
  /// joints do not open, but what is pulled hard may turn over within a step (`settle` has seen how its velocities change), and
  /// what a law forecasts is then no forecast. Returns how long the next step is to be; `left` where nobody pulls.
  double divide(double time, std::span<const MovingPlacement> bodies, Hands hands, double left);

  /// For a mechanism that another engine steps: tells the hands what they pull with from `time` on, for one step, where the
  /// bodies are as given. What the laws do is predicted with a step of this scheme, which is not kept.
  void guide(double time, std::span<const MovingPlacement> bodies, Hands hands, std::span<const BodyWrench> loads = {});

  /// How a body went through a step: the work of a wrench on it is force . shift + torque . turn.
  struct BodyShift {
    Vector3 shift, turn;
  };

  /// Tells the hands and their laws what they have done in a step of that length that another engine took after `guide`: between
  /// these motions each body was shifted, and turned as by the Cayley map, D1 - D0 = turn x (D0 + D1)/2.
  void settle(Hands hands, std::span<const MovingPlacement> before, std::span<const MovingPlacement> after,
              double length);

  /// Whether all who hold have been still for some time.
  bool isStill() const { return isStill_; }

  /// Adds what the hands do to what acts on each body at its centre of mass.
  void addPulls(std::span<const MovingPlacement> bodies, Hands hands, std::vector<Wrench>& wrenches) const;

 private:
  /// The place and the velocity of what is held at the begin of the step.
  struct HeldState {
    Vector3 position, velocity, angularVelocity;
    Quaternion orientation;
  };
  using BodyMobility = Eigen::Matrix<double, 6, 6>;
  HeldState stateOf(const Held& held);
  HeldState stateOfJoint(const Held& held);
  std::array<BodyWrench, 2> wrenchesOf(std::span<const MovingPlacement> bodies, const Held& held,
                                       const Wrench& pull) const;
  void divide(double opening, double allowed, double shortest);
  void begin(Hands hands, std::span<const BodyWrench> loads);
  void steady(Hands hands);
  void tellWork(Hands hands, std::span<const MovingPlacement> begin, std::span<const MovingPlacement> middle);
  Vector3 pull(const Hand& hand, const HeldState& before, const BodyMobility& mobility);
  Vector3 pullJoint(const Hand& hand, const HeldState& before);
  Vector3 turn(const Hand& hand, const HeldState& before, const BodyMobility& mobility);

  const Mechanism& mechanism_;
  LinearImplicitEuler stepper_;
  VectorX response_;  // to a unit of force along a joint's coordinate
  std::vector<HeldState> before_;
  std::vector<double> angles_;         // of the joints that are held
  std::vector<BodyWrench> steadying_;  // what slows the bodies; empty where nothing does
  bool isStill_ = false;
  std::vector<BodyShift> shifts_;
  std::vector<MovingPlacement> middle_;
  double acceleration_ =
      0.0;  // the largest of a body in the last step that was settled, by the size; or angular acceleration
};

}  // namespace polhode
