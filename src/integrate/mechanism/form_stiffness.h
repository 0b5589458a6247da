#pragma once

#include "polhode/model/form.h"
#include "polhode/system/force_element.h"

namespace polhode {

/// A form's wrenches over a step, that is its gradient (onPosition, onRotation) at the mean placements of both bodies, and
/// how they change with where the step ends: rows and columns as in ElementJacobian.
struct MeanForm {
  Placement first0, first1, second0, second1;

  ElementWrenches wrenches(const Form& form) const;

  /// Adds `scale` times the derivative of the wrenches.
  void addStiffness(const Form& form, double scale, ElementJacobian& jacobian) const;
};

}  // namespace polhode
