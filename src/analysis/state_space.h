#pragma once

#include "polhode/model/model.h"
#include "system/linear_motion.h"

#include <string>
#include <vector>

/// Small motions as an engineer of control wants them:
///
///     x' = A x + B u,    y = C x + D u,    x = (s, s')
///
/// with s along the true degrees of freedom (system/linear_motion.h), u additional forces and torques, y the changes of anything
/// that can be observed. About a motion all are seen from its frame, at the instant that it was linearised at.
///
/// Inputs, by name:
///
///     crank motor             a motor of the model on a joint's coordinate: effort, N or N m
///     push                    a load or a torque of the model: a factor of it
///     push.x                  a force or torque that is given over time: its component, N or N m
///     hand, hand.x            an actuator: the effort along its coordinate, or a force at its point (a torque)
///     motor:hip, motor:slide.displacement    an effort along a joint's coordinate, whether it has a motor or not
///     load:top.force.x, load:top.torque.z    at a body's centre of mass, in space
///
/// Outputs are observables (observable.h): "tip.position.z", "joint.hip.angle", "tip.acceleration.x", "energy".
namespace polhode {

struct StateSpace {
  MatrixX A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
};

/// Throws InputError for a name that is not known, with the nearest one.
StateSpace stateSpace(const Model& model, std::shared_ptr<const Mechanism> mechanism, const LinearMotion& motion,
                      const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

}  // namespace polhode
