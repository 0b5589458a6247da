#pragma once

#include "polhode/model/force_law.h"
#include "polhode/model/signal.h"
#include "polhode/system/scalar_coordinate.h"

#include <optional>
#include <vector>

namespace polhode {

/// What acts along one scalar coordinate s: f = -T(s - rest) - c s' + effort scale(t).
struct CoordinateTerm {
  ScalarCoordinate coordinate;
  std::optional<ForceLaw> law{};
  double rest = 0.0;
  double damping = 0.0;
  double effort = 0.0;
  std::optional<Signal> scale{};  // of the effort; where there is none there is no effort either

  double effortAt(double t) const { return scale ? effort * scale->value(t) : 0.0; }
};

/// Forces along scalar coordinates between two bodies: springs, dampers, motors, bushings. Over a step
///
///     f = -mean of T from s0 to s1 - c (s1 - s0)/h + effort scale(mid time)
///
/// along the discrete gradient, so that its work is exactly U(s0) - U(s1) - c (s1 - s0)^2/h + effort scale (s1 - s0).
class CoordinateForce final : public ForceElement {
 public:
  CoordinateForce(std::string name, int first, int second, std::vector<CoordinateTerm> terms)
      : ForceElement(std::move(name), first, second), terms_(std::move(terms)) {}

  double potential(const Placement& first, const Placement& second) const override;
  bool conservative() const override;
  ElementWrenches wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const override;
  ElementWrenches meanWrenches(const ElementStep& step) const override;
  void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const override;
  std::vector<Signal> signals() const override;

 private:
  std::vector<CoordinateTerm> terms_;
};

/// The wrenches of a pull.
ElementWrenches wrenchesOf(const Pull& pull);

}  // namespace polhode
