#pragma once

#include "polhode/model/force.h"
#include "polhode/system/force_element.h"

namespace polhode {

/// The base of forces that a user writes: one function, the wrenches at an instant. Over a step they are taken at mid time,
/// at the mean placements (whose directors are not quite orthonormal) and with the difference quotients of the placements
/// as rates; the Jacobian is taken by differences. docs/user-forces.md has an example.
///
/// The energy that such a force brings or takes is accounted for as its work; it is not kept exactly, even if the force has
/// a potential. A force along a length, a displacement or an angle is better made from a CoordinateForce.
class UserForce : public ForceElement {
 public:
  using ForceElement::ForceElement;

  bool conservative() const override { return false; }
  ElementWrenches meanWrenches(const ElementStep& step) const final;
  void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const final;
};

/// A force of the model that acts by an element of the user's own, which knows bodies by their numbers in the model:
///
///     model.forces.push_back(userForce(std::make_shared<Drag>(0, 0.1)));
///
/// Nothing is known of what it conserves but for the energy, where it is conservative().
Force userForce(std::shared_ptr<const ForceElement> element);

}  // namespace polhode
