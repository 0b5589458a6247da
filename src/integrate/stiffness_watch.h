#pragma once

#include <limits>
#include <string>

#include <fmt/format.h>

namespace polhode {

/// Notices that an explicit Runge-Kutta code is held back by stability and not by accuracy. Two slopes at the end of a step,
/// of different stages, show the largest eigenvalue of the Jacobian that matters there:
///
///     h |lambda| = h |f(t + h, y1) - f(t + h, y*)| / |y1 - y*|
///
/// Where this is at the border of the method's stability in fifteen steps, with no six in between at which it is not, the
/// problem is stiff. Looked at in every thousandth step only, until there is a suspicion.
///
/// Reference: Hairer & Wanner, Solving Ordinary Differential Equations II, section IV.2; as in the authors' codes.
class StiffnessWatch {
 public:
  explicit StiffnessWatch(double borderOfStability) : border_(borderOfStability) {}

  bool isDue(long steps) const { return (steps % 1000 == 0 || stiff_ > 0) && !noticed(); }

  void see(double t, double stretch) {
    if (stretch > border_) {
      smooth_ = 0;
      if (stiff_++ == 0) since_ = t;
    } else if (stiff_ > 0 && !noticed() && ++smooth_ == 6) {
      stiff_ = 0;
    }
  }

  bool noticed() const { return stiff_ >= 15; }

  std::string warning() const {
    if (!noticed()) return "";
    return fmt::format(
        "the problem seems stiff from t = {:.4g} on, where this explicit integrator must take short steps; "
        "choose radau5, seulex or bdf",
        since_);
  }

 private:
  double border_;
  double since_ = std::numeric_limits<double>::quiet_NaN();
  int stiff_ = 0, smooth_ = 0;
};

}  // namespace polhode
