#pragma once

#include "polhode/model/force_law.h"
#include "polhode/model/signal.h"
#include "system/scalar_coordinate.h"

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

/// What is told of such a force: where it acts on the second body, and names for its first coordinate and for what acts
/// along it; no name for what is not told. A tension is counted where it makes the coordinate smaller, an effort where it
/// makes it larger.
struct CoordinateReading {
  Vector3 point = Vector3::Zero();
  std::string coordinate = "", tension = "", effort = "";
};

/// Forces along scalar coordinates between two bodies: springs, dampers, motors, bushings. Over a step
///
///     f = -mean of T from s0 to s1 - c (s1 - s0)/h + effort scale(mid time)
///
/// along the discrete gradient, so that its work is exactly U(s0) - U(s1) - c (s1 - s0)^2/h + effort scale (s1 - s0).
class CoordinateForce final : public ForceElement {
 public:
  CoordinateForce(std::string name, int first, int second, std::vector<CoordinateTerm> terms,
                  CoordinateReading reading = {})
      : ForceElement(std::move(name), first, second), terms_(std::move(terms)), reading_(std::move(reading)) {}

  const std::vector<CoordinateTerm>& terms() const { return terms_; }

  double potential(const Placement& first, const Placement& second) const override;
  bool conservative() const override;
  ElementWrenches wrenches(double t, const MovingPlacement& first, const MovingPlacement& second) const override;
  ElementWrenches wrenchChange(double t, const MovingPlacement& first, const MovingPlacement& second,
                               const MovingPlacement& firstChange, const MovingPlacement& secondChange) const override;
  double potentialChange(const Placement& first, const Placement& second, const Placement& firstChange,
                         const Placement& secondChange) const override;
  ElementWrenches meanWrenches(const ElementStep& step) const override;
  void meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const override;
  std::vector<Signal> signals() const override;
  Vector3 pointOnSecond() const override { return reading_.point; }
  std::vector<ForceQuantity> quantities(double t, const MovingPlacement& first,
                                        const MovingPlacement& second) const override;
  std::vector<ForceQuantity> quantityChanges(double t, const MovingPlacement& first, const MovingPlacement& second,
                                             const MovingPlacement& firstChange,
                                             const MovingPlacement& secondChange) const override;

 private:
  /// Calls with the name and the number of each.
  template <class Scalar, class Visit>
  void visitQuantities(double t, const MovingPlacementOf<Scalar>& first, const MovingPlacementOf<Scalar>& second,
                       const Visit& visit) const;
  template <class Scalar>
  PullOf<Scalar> pull(double t, const MovingPlacementOf<Scalar>& first, const MovingPlacementOf<Scalar>& second) const;

  std::vector<CoordinateTerm> terms_;
  CoordinateReading reading_;
};

/// The wrenches of a pull.
ElementWrenches wrenchesOf(const Pull& pull);

}  // namespace polhode
