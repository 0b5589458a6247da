#pragma once

#include "model/validation.h"
#include "polhode/model/model.h"
#include "polhode/system/checked_model.h"
#include "system/mechanism_observation.h"

#include <optional>
#include <vector>

/// Bodies and joints that fit together at t = 0: positions g(z) = 0 and velocities G v = 0.
///
/// Without `assemble` a joint that is open by more than a written rounding is refused. With it the bodies are moved and
/// turned until all joints are closed, each Gauss-Newton step by the smallest change (smallest_change.h); then velocities
/// are corrected in the same sense. What is off by a rounding only is made exact in both cases, but for equations that
/// repeat others up to roundings of the model (redundancy.h), which are left as they are.
namespace polhode {

/// What is wrong, and with which joint (its number in the model).
struct JointProblem {
  std::size_t joint;
  Problem problem;
};

/// The same with a body.
struct BodyProblem {
  std::size_t body;
  Problem problem;
};

/// Which velocities of a body are given. The others follow from the joints.
struct GivenVelocities {
  bool velocity = true, angularVelocity = true;
};

/// What `assemble` has changed of a model: the largest changes, and of which bodies.
struct AssemblyReport {
  double move = 0.0, turn = 0.0, speed = 0.0, turning = 0.0;  // m, rad, m/s, rad/s
  std::string moved, turned, pushed, spun;
  double energy = 0.0, energyBefore = 0.0;  // kinetic, in J: what it gave, and what was there

  /// "assembling moved 'rod' by 0.02 m and changed the kinetic energy from 0 to 69 J"; empty where nothing is
  /// noticeable.
  std::string words() const;

  void addMoves(const Model& model, std::span<const MovingPlacement> before, std::span<const MovingPlacement> after);
  void addVelocities(const Model& model, const Mechanism& mechanism, std::span<const MovingPlacement> after);
};

/// Closes the joints of a model, and says what is wrong where it cannot. All that is given in space at t = 0 (the points
/// and axes of joints, the points of forces) moves with its body.
std::optional<JointProblem> closeJoints(Model& model, bool assemble, AssemblyReport* report = nullptr);

/// Lets the bodies of a model start elsewhere, at the positions and orientations of `bodies`, with all that is fixed in them.
/// Springs on joints and bushings are relaxed where they were. Throws InputError for an actuator that counts from the start.
void startElsewhere(Model& model, const std::vector<Body>& bodies);

/// Finds velocities with which the joints stay closed, and says what is wrong where it cannot. First the velocities of
/// centres of mass that are not given follow from the angular velocities; where this is not enough, the angular velocities
/// that are not given follow as well; of several possibilities the smallest change is taken. What no velocities can fulfil
/// (drives that contradict each other) is refused in any case.
std::optional<JointProblem> completeVelocities(Model& model, const std::vector<GivenVelocities>& given, bool assemble,
                                               AssemblyReport* report = nullptr);

/// Puts the bodies of the model where they stand now, and all that is fixed in them.
void replaceBodies(const Mechanism& mechanism, const MechanismMotion& bodies, Model& model);

/// A body without mass must not be able to move alone.
std::optional<BodyProblem> unresistedMotion(const Model& model);

}  // namespace polhode
