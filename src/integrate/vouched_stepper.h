#pragma once

#include "integrate/stepper.h"

#include <functional>
#include <memory>
#include <string>

namespace polhode {

/// Looks at the states that steps end in, from outside of the integrator, and may change the equations between steps.
class StepWitness {
 public:
  virtual ~StepWitness() = default;

  /// Before a step begins: may change the equations, and y so that it fits them. True if it did.
  virtual bool prepare(double t, VectorX& y) = 0;

  /// What is wrong with a state in which a step has ended, as a sentence; empty if nothing is. One that is not fatal
  /// asks for a remedy, but stands back where there is none.
  struct Objection {
    std::string sentence;
    bool isFatal = true;
  };
  virtual Objection objection(double t, const VectorX& y) = 0;

  /// After a step that failed or was objected to: may change the equations, and the state that it began with. False if
  /// there is nothing more to be changed.
  virtual bool remedy(double t, VectorX& y) = 0;
};

/// A stepper none of whose steps is accepted before a witness has looked at where it ended. A step that is objected to is
/// repeated from where it began if the witness knows a remedy; otherwise the run ends there, with the state before it.
///
/// What the integrator's own error estimate does not see (equations that are left out, states that are not finite) is
/// seen here, whatever the integrator and the formulation.
class VouchedStepper final : public Stepper {
 public:
  using Maker = std::function<std::unique_ptr<Stepper>(double t, const VectorX& y)>;

  /// `make` makes the integrator at a time and a state. The witness must outlive the stepper.
  VouchedStepper(Maker make, StepWitness& witness, double t, const VectorX& y);

  /// Throws SimulationError where a step fails or cannot be vouched for.
  void step() override;

  double time() const override { return stepper_->time(); }
  double previousTime() const override { return stepper_->previousTime(); }
  const VectorX& state() const override { return stepper_->state(); }
  void interpolate(double t, VectorX& y) const override { stepper_->interpolate(t, y); }
  void replaceState(const VectorX& y) override { stepper_->replaceState(y); }
  const WorkCounts& work() const override;
  std::string warning() const override { return stepper_->warning(); }

  /// The witness saves its own.
  void persist(Archive& archive) override;

 private:
  void goBack(double t, const VectorX& y);

  Maker make_;
  StepWitness& witness_;
  std::unique_ptr<Stepper> stepper_;
  WorkCounts before_;  // of steppers that were given up
  mutable WorkCounts work_;
  VectorX begin_;
  double madeAt_;     // where the present stepper was made,
  VectorX madeFrom_;  // and from which state
};

}  // namespace polhode
