#pragma once

#include "polhode/model/placement.h"
#include "polhode/model/signal.h"

#include <string>
#include <vector>

namespace polhode {

/// A force and a torque in space, the torque about the body's centre of mass.
template <class Scalar>
struct WrenchOf {
  Vector<Scalar, 3> force = Vector<Scalar, 3>::Zero();
  Vector<Scalar, 3> torque = Vector<Scalar, 3>::Zero();
};
using Wrench = WrenchOf<double>;

/// Both bodies of a force element at both ends of a step.
struct ElementStep {
  double t0 = 0.0, t1 = 0.0;
  Placement first0, first1, second0, second1;

  Placement firstMean() const { return mean(first0, first1); }
  Placement secondMean() const { return mean(second0, second1); }
};

/// The wrenches on both bodies of an element over a step.
struct ElementWrenches {
  Wrench first, second;
};

/// How these change with where the step ends: rows (force, torque) of the first and of the second body, columns the
/// displacement of x1 and the small turn of D1 (in space, dD1 = turn^ D1) of the first and of the second.
using ElementJacobian = Eigen::Matrix<double, 12, 12>;

/// A number that is usual to say of a force of one kind, by name: "length" and "tension" of a spring, "effort" of a motor.
struct ForceQuantity {
  std::string name;
  double value;
};

/// A force between two bodies, or between a body and the ground, on the level of directors. (Gravity is not one: the
/// systems know it themselves.)
class ForceElement {
 public:
  ForceElement(std::string name, int first, int second) : name_(std::move(name)), first_(first), second_(second) {}
  virtual ~ForceElement() = default;

  const std::string& name() const { return name_; }
  int first() const { return first_; }  // a body's number, or groundIndex
  int second() const { return second_; }

  /// The potential energy; zero for forces without one.
  virtual double potential(const Placement& /*first*/, const Placement& /*second*/) const { return 0.0; }

  /// Whether it has a potential and nothing else, so that the energy is kept.
  virtual bool conservative() const = 0;

  /// The signals over time that it follows, so that integrators know when something happens.
  virtual std::vector<Signal> signals() const { return {}; }

  /// The wrenches at an instant.
  virtual ElementWrenches wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const = 0;

  /// How these change where the motions of both bodies change by so much: the derivative along that direction. Elements that
  /// do not know it themselves take differences of eighth order, with their bodies turned as rigid ones.
  virtual ElementWrenches wrenchChange(double t, const MovingPlacement& first, const MovingPlacement& second,
                                       const MovingPlacement& firstChange, const MovingPlacement& secondChange) const;

  /// How the potential energy changes then, and how the numbers of `quantities` do; elsewise as wrenchChange.
  virtual double potentialChange(const Placement& first, const Placement& second, const Placement& firstChange,
                                 const Placement& secondChange) const;
  virtual std::vector<ForceQuantity> quantityChanges(double t, const MovingPlacement& first,
                                                     const MovingPlacement& second, const MovingPlacement& firstChange,
                                                     const MovingPlacement& secondChange) const;

  /// Where it is said to act on its second body, from the centre of mass and along the principal axes.
  virtual Vector3 pointOnSecond() const { return Vector3::Zero(); }

  /// What else is usual to say of it at an instant; always the same names.
  virtual std::vector<ForceQuantity> quantities(double /*t*/, const MovingPlacement& /*first*/,
                                                const MovingPlacement& /*second*/) const {
    return {};
  }

  /// The wrenches over a step of a conserving scheme, with torques sum_i dm_i cross f_i at the mean directors. Their work
  /// force . dx + torque . c, where D1 - D0 = c^ (D0 + D1)/2, is exactly minus the change of the potential plus the work
  /// of what has no potential.
  virtual ElementWrenches meanWrenches(const ElementStep& step) const = 0;

  /// The derivative of meanWrenches.
  virtual void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const = 0;

 private:
  std::string name_;
  int first_, second_;
};

}  // namespace polhode
