#pragma once

#include "integrate/stepper.h"

#include <functional>
#include <optional>

namespace polhode {

/// A function of time and state whose change of sign is an event.
using EventFunction = std::function<double(double t, const VectorX& y)>;

/// Where a function changes its sign between two times at which its values are known, to the precision of time in double
/// arithmetic.
double signChange(double left, double right, double atLeft, double atRight,
                  const std::function<double(double)>& valueAt);

/// Watches a stepper for the zero crossings of one function and locates them on its dense output, to the precision
/// of time in double arithmetic. A zero at the very start is not an event.
class EventLocator {
 public:
  /// Begins at the stepper's present state.
  EventLocator(const Stepper& stepper, EventFunction function);

  /// To be called after each step (before a projection): the time of the crossing in that step, if there is one.
  std::optional<double> afterStep();

  void persist(Archive& archive);

 private:
  const Stepper& stepper_;
  EventFunction function_;
  double before_;
  VectorX work_;
};

}  // namespace polhode
