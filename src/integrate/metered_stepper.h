#pragma once

#include "integrate/forwarding_stepper.h"

#include <functional>
#include <memory>

namespace polhode {

/// A stepper that besides integrates a quantity along the motion, over its dense output by Gauss' formula with five
/// nodes a step: the work of a power, without any influence on the steps.
class MeteredStepper final : public ForwardingStepper {
 public:
  using Quantity = std::function<double(double t, const VectorX& y)>;

  /// Without a quantity nothing is integrated.
  explicit MeteredStepper(std::unique_ptr<Stepper> stepper, Quantity quantity = nullptr);

  void step() override;
  void persist(Archive& archive) override;

  /// The integral from the start until a time within the last step.
  double integralUntil(double t) const;

 private:
  double integral(double from, double to) const;

  std::unique_ptr<Stepper> metered_;
  Quantity quantity_;
  double before_ = 0.0, now_ = 0.0;  // the integral at both ends of the last step
  mutable VectorX y_;
};

}  // namespace polhode
