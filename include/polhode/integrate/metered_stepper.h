#pragma once

#include "polhode/integrate/stepper.h"

#include <functional>
#include <memory>

namespace polhode {

/// A stepper that besides integrates a quantity along the motion, over its dense output by Gauss' formula with five
/// nodes a step: the work of a power, without any influence on the steps.
class MeteredStepper final : public Stepper {
 public:
  using Quantity = std::function<double(double t, const VectorX& y)>;

  /// Without a quantity nothing is integrated.
  explicit MeteredStepper(std::unique_ptr<Stepper> stepper, Quantity quantity = nullptr);

  void step() override;
  double time() const override { return stepper_->time(); }
  double previousTime() const override { return stepper_->previousTime(); }
  const VectorX& state() const override { return stepper_->state(); }
  void interpolate(double t, VectorX& y) const override { stepper_->interpolate(t, y); }
  void replaceState(const VectorX& y) override { stepper_->replaceState(y); }
  const WorkCounts& work() const override { return stepper_->work(); }

  /// The integral from the start until a time within the last step.
  double integralUntil(double t) const;

 private:
  double integral(double from, double to) const;

  std::unique_ptr<Stepper> stepper_;
  Quantity quantity_;
  double before_ = 0.0, now_ = 0.0;  // the integral at both ends of the last step
  mutable VectorX y_;
};

}  // namespace polhode
