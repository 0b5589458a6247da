#pragma once

#include "integrate/stepper.h"

namespace polhode {

/// A stepper that leaves everything to another one, for those that do something besides at each step.
class ForwardingStepper : public Stepper {
 public:
  explicit ForwardingStepper(Stepper& stepper) : stepper_(stepper) {}

  void step() override { stepper_.step(); }
  double time() const override { return stepper_.time(); }
  double previousTime() const override { return stepper_.previousTime(); }
  const VectorX& state() const override { return stepper_.state(); }
  void interpolate(double t, VectorX& y) const override { stepper_.interpolate(t, y); }
  void replaceState(const VectorX& y) override { stepper_.replaceState(y); }
  const WorkCounts& work() const override { return stepper_.work(); }
  std::string warning() const override { return stepper_.warning(); }
  void persist(Archive& archive) override { stepper_.persist(archive); }

 private:
  Stepper& stepper_;
};

}  // namespace polhode
