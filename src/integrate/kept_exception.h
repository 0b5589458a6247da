#pragma once

#include <exception>

namespace polhode {

/// Exceptions of a system must not pass through a solver written in C. This one is kept instead while the
/// solver is told that the trial value was no good: a smaller step may avoid it. When the solver gives up, it
/// is thrown again.
class KeptException {
 public:
  /// Evaluates at the trial time t. 0: fine; 1: the value is not finite or there was an exception (SUNDIALS:
  /// recoverable).
  template <class Evaluation>
  int guard(double t, const Evaluation& evaluate) {
    try {
      return evaluate() ? 0 : 1;
    } catch (...) {
      kept_ = std::current_exception();
      time_ = t;
      return 1;
    }
  }

  /// Throws what was kept, unless the solution has come beyond the time where it happened.
  void rethrowIfAhead(double now, double end) const {
    const bool ahead = end > now ? time_ >= now : time_ <= now;
    if (kept_ && ahead) std::rethrow_exception(kept_);
  }

 private:
  std::exception_ptr kept_;
  double time_ = 0.0;
};

}  // namespace polhode
