#pragma once

#include "model/topology.h"
#include "polhode/model/joint_type.h"
#include "polhode/model/model.h"
#include "polhode/system/force_element.h"

#include <memory>
#include <string>
#include <vector>

namespace polhode {

/// A body of a mechanism about its centre of mass and in its principal axes.
struct MechanismBody {
  std::string name;
  double mass = 1.0;
  Vector3 inertia = Vector3::Ones();          // principal moments J_i
  Vector3 secondMoments = Vector3::Zero();    // E_i = (J_j + J_k - J_i)/2, the mass of the director d_i
  Matrix3 axes = Matrix3::Identity();         // the principal axes in the model's body frame, columns
  Placement placement;                        // at t = 0, principal axes
  Vector3 velocity = Vector3::Zero();         // at t = 0, of the centre of mass, in space
  Vector3 angularVelocity = Vector3::Zero();  // at t = 0, along the principal axes
};

class JointCoupling;

/// A joint of a mechanism; its geometry is given in the principal axes of its bodies, from their centres of mass. The
/// drives of joint coordinates are joints of their own, of one equation, behind all joints of the model, and behind them the
/// couplings, with the bodies of the first joint that they couple and an equation that says nothing: rows are looked at by
/// joint_row.h, which knows both.
struct MechanismJoint {
  std::string name;
  std::size_t ofModel = 0;  // the number of the model's joint that it is,
  bool drives = false;      // or of which it drives a coordinate
  const JointType* type = nullptr;
  std::shared_ptr<const JointType> own{};  // where a user has written the type
  int first = groundIndex, second = groundIndex;
  JointGeometry geometry;
  std::vector<double> start{};  // coordinates at t = 0, as in Joint
  std::vector<JointEquation> equations;
  std::shared_ptr<const JointCoupling> coupling{};  // in place of the equation
  int firstRow = 0;                                 // among all rows of the mechanism

  int rows() const { return static_cast<int>(equations.size()); }
};

/// A model on the level of directors: bodies in principal axes, joints as equations between placements, forces as
/// elements, and the spanning tree. What all formulations and engines for mechanisms are built from; immutable.
class Mechanism {
 public:
  /// Throws InputError where a name or a type is unknown or a joint is not well defined.
  explicit Mechanism(const Model& model);

  const std::vector<MechanismBody>& bodies() const { return bodies_; }
  const std::vector<MechanismJoint>& joints() const { return joints_; }
  const std::vector<std::shared_ptr<const ForceElement>>& forces() const { return forces_; }
  const Topology& topology() const { return topology_; }
  const Vector3& gravity() const { return gravity_; }
  int rows() const { return rows_; }  // equations of all joints together

  /// Whether a joint follows a signal, so that its equations depend on time.
  bool isDriven() const { return driven_; }

  /// The model's body, in its own axes, where a placement in principal axes and its rates are given: the velocity of the
  /// centre of mass and the angular velocity along the principal axes.
  Body bodyAt(std::size_t index, const Placement& placement, const Vector3& velocity,
              const Vector3& angularVelocity) const;

 private:
  void addBody(const Body& body);
  void addJoint(const Joint& joint, int first, int second);
  void addDrive(std::size_t joint, const CoordinateDrive& drive);
  void addCoupling(const Coupling& coupling, std::size_t jointsOfModel);
  void addForces(const std::vector<Force>& forces);

  std::vector<Body> modelBodies_;
  std::vector<MechanismBody> bodies_;
  std::vector<MechanismJoint> joints_;
  std::vector<std::shared_ptr<const ForceElement>> forces_;
  Topology topology_;
  Vector3 gravity_;
  int rows_ = 0;
  bool driven_ = false;
};

/// The frames of a joint in its two bodies, which stand as given; the second frame is turned so that the joint's angle is
/// there what it starts with. Throws InputError where the axis has no length or a distance is zero.
JointGeometry jointGeometry(const Joint& joint, const JointType& type, const Placement& first, const Placement& second);

}  // namespace polhode
