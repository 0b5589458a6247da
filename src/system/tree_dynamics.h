#pragma once

#include "system/articulated_body.h"
#include "system/mechanism_observation.h"

#include <memory>
#include <vector>

namespace polhode {

/// The equations of motion of a spanning tree in the rates nu of its joints, at a cost that grows linearly with the
/// number of bodies:
///
///     (x', omega) = T(z) nu,    T^T M T nu' = T^T (f - M T' nu)                            Lang 2010, (8), section 5
///
/// T^T M T is never formed. Leaf to root, each body with what hangs on it is reduced to what its parent feels of it;
/// root to leaf the accelerations follow (articulated_body.h). Bodies of one joint kind meet code of that kind: 3 x 3 for
/// ball joints, rank one for hinges.
///
/// What the reduction leaves behind is a root of T^T M T, with which loops are closed (mass_root.h, loop_closure.h).
///
/// References: Featherstone 1983, Int. J. Robotics Research 2, 13-30; Rodriguez 1987, IEEE J. Robotics Automation 3,
/// 624-639. One object must not be used by two threads at a time.
class TreeDynamics {
 public:
  explicit TreeDynamics(std::shared_ptr<const Mechanism> mechanism);

  const Mechanism& mechanism() const { return *mechanism_; }
  int rates() const { return rates_; }
  std::vector<ArticulatedBody>& nodes() { return nodes_; }  // in the order root to leaf; x and D are set from outside
  const std::vector<ArticulatedBody>& nodes() const { return nodes_; }
  int nodeOf(int body) const { return nodeOfBody_[static_cast<std::size_t>(body)]; }
  MovingPlacement motionOf(int body) const {
    return body == groundIndex ? MovingPlacement() : nodes_[static_cast<std::size_t>(nodeOf(body))].motion();
  }
  ArticulatedBody& parentOf(const ArticulatedBody& node) {
    return node.parent < 0 ? ground_ : nodes_[static_cast<std::size_t>(node.parent)];
  }
  TreeJointSpace& spaceOf(const ArticulatedBody& node) { return spaces_[static_cast<std::size_t>(node.space)]; }

  /// The rates of a motion whose velocities satisfy the joints of the tree (or come nearest to it, joint by joint).
  VectorX ratesOf(const MechanismMotion& motion);

  /// nu' of a tree without loops at the placements of the nodes; the nodes' velocities and accelerations are left behind.
  void accelerations(double t, const double* nu, double* nudot);

  // The same in steps, in this order.
  void placeJoints();                                     // arms, axes and inertia; root to leaf
  void reduceInertia(double t);                           // leaf to root; throws SimulationError
  void setVelocities(const double* nu);                   // root to leaf
  void setLoads(double t);                                // weight, gyroscopic terms and force elements
  void reduceLoads(double* u);                            // leaf to root
  void setAccelerations(const double* u, double* nudot);  // root to leaf

  // Two of them at one node, those next to it done.
  void setVelocity(ArticulatedBody& node, const double* nu);
  void reduceLoadAtRest(ArticulatedBody& node, double* u);  // as if no velocity were there

  /// The force and the torque with which the joint at a node acts on its body, at the joint's point and in space; after
  /// setAccelerations.
  Wrench jointWrench(const ArticulatedBody& node) const;

 private:
  void placeJoint(ArticulatedBody& node);
  bool reduceInertiaOf(ArticulatedBody& node);  // whether inertia resists all its rates
  void setWeight(ArticulatedBody& node) const;
  void addForceElements(double t);
  template <bool WithBias>
  void reduceLoad(ArticulatedBody& node, double* u);
  void setAcceleration(ArticulatedBody& node, const double* u, double* nudot);
  void placeMotions(ArticulatedBody& node);
  void addMotionBias(ArticulatedBody& node, const double* nu);
  [[noreturn]] void failWithoutInertia(double t, const ArticulatedBody& node) const;

  std::shared_ptr<const Mechanism> mechanism_;
  std::vector<ArticulatedBody> nodes_;
  std::vector<TreeJointSpace> spaces_;
  std::vector<int> nodeOfBody_;
  std::vector<Matrix3> idle_;  // inertia of turns that nothing resists, by node; empty where there is none
  ArticulatedBody ground_;     // takes what reaches the root
  int rates_ = 0;
  VectorX u_;
};

}  // namespace polhode
