#pragma once

#include "integrate/stepper.h"

#include <memory>

namespace polhode {

struct SundialsSolver;  // CVODE or IDA, and what they call back

/// What the steppers share that SUNDIALS does the steps of: the steps one by one, dense output by the polynomial of the
/// method itself, the counts of work, errors that say when and what to do. A method derives from this class and brings
/// its solver.
class SundialsStepper : public Stepper {
 public:
  ~SundialsStepper() override;

  /// At the end it does nothing.
  void step() override;

  double time() const override { return time_; }
  double previousTime() const override { return previousTime_; }
  const VectorX& state() const override { return state_; }
  void interpolate(double t, VectorX& y) const override;
  void replaceState(const VectorX& y) override;  // begins anew with order 1
  const WorkCounts& work() const override { return work_; }

  /// Begins anew with order 1, when it saves and when it restores: SUNDIALS does not give its history away.
  void persist(Archive& archive) override;

  int order() const;  // of the last step

 protected:
  SundialsStepper(double t0, double tEnd, std::unique_ptr<SundialsSolver> solver);

 private:
  void updateWork();

  std::unique_ptr<SundialsSolver> solver_;
  double time_, previousTime_, end_;
  VectorX state_;
  WorkCounts work_, workBefore_;  // now, and when the method last began anew
};

}  // namespace polhode
