#include "integrate/event.h"

#include "integrate/archive.h"

#include <cmath>
#include <limits>
#include <utility>

namespace polhode {

EventLocator::EventLocator(const Stepper& stepper, EventFunction function)
    : stepper_(stepper),
      function_(std::move(function)),
      before_(function_(stepper.time(), stepper.state())),
      work_(stepper.state()) {}

std::optional<double> EventLocator::afterStep() {
  const double after = function_(stepper_.time(), stepper_.state());
  const double before = std::exchange(before_, after);
  if (before == 0.0 || (before < 0.0) == (after < 0.0)) return std::nullopt;
  return signChange(stepper_.previousTime(), stepper_.time(), before, after, [this](double t) {
    stepper_.interpolate(t, work_);
    return function_(t, work_);
  });
}

void EventLocator::persist(Archive& archive) {
  archive(before_);
}

// The Illinois variant of the secant method: the end that stays for a second time is given half its weight.
double signChange(double left, double right, double atLeft, double atRight,
                  const std::function<double(double)>& valueAt) {
  int sameSide = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double width = right - left;
    if (width <= 2.0 * std::numeric_limits<double>::epsilon() * std::abs(right)) break;
    const double t = right - atRight * width / (atRight - atLeft);
    const double value = valueAt(t);
    if (value == 0.0) return t;
    if ((value < 0.0) == (atRight < 0.0)) {
      right = t;
      atRight = value;
      if (sameSide == 1) atLeft *= 0.5;
      sameSide = 1;
    } else {
      left = t;
      atLeft = value;
      if (sameSide == -1) atRight *= 0.5;
      sameSide = -1;
    }
  }
  return right;
}

}  // namespace polhode
