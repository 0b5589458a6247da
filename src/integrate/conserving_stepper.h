#pragma once

#include "integrate/step_breaks.h"
#include "integrate/step_report.h"
#include "integrate/stepper.h"

#include <array>
#include <limits>
#include <string>
#include <vector>

/// Everything around a conserving scheme, once for single bodies, mechanisms and constrained systems. A scheme is its
/// state and one bare step of it, `bareStep(t, h)`, which is accepted or leaves the state as it was. Here is the rest:
///
/// **Composition** to order 4, 6 or 8 (composition.h).
///
/// **The grid.** Steps of a fixed length end on begin + k h; one in which something happens is divided (step_breaks.h).
///
/// **Step-size control that keeps every conservation law.** A step h is done twice, at once and as two halves; with a
/// scheme of order p the result of the halves is off by about
///
///     error = distance(one step, two halves) / (2^p - 1)
///
/// and *that result itself* is kept, not an extrapolation of the two: each half conserves what the scheme conserves, and an
/// extrapolation would not. The next step is h (0.9 tolerance/error)^(1/(p+1)), within a factor of 5. A step that does not
/// converge is tried again with half its length. Where something happens the step ends, and the next one is as the first.
///
/// Where a scheme tells its error by itself a step is done once, and held against that; the next one is 0.9 of what this allows,
/// and shorter where iterations contract slowly.
///
/// **Dense output** by Hermite's cubics (hermite.h) or as the scheme has it, checkpoints, and what is said where no step gets by.
///
/// Reference: Hairer, Norsett & Wanner 1993, Solving Ordinary Differential Equations I, II.4.
namespace polhode {

class ConservingStepper : public Stepper {
 public:
  void step() override;
  double time() const override { return time_; }
  double previousTime() const override { return previousTime_; }
  const VectorX& state() const override { return y_; }
  const WorkCounts& work() const override { return work_; }
  void interpolate(double t, VectorX& y) const override;
  void replaceState(const VectorX& y) override;
  void persist(Archive& archive) override;

  /// Where the next one of fixed steps will end.
  double nextTime() const { return grid_.from(time_).end; }

  /// One step of any length, also negative and beyond the end. Throws SimulationError where it fails; the state stays as it
  /// was.
  void advance(double length);

  /// Makes each step a composition of order 4, 6 or 8; the name gets -4, -6 or -8 behind it.
  void compose(int order, bool nearIdentity = false);

  /// Makes the steps as long as the tolerance allows, in the scheme's own measure of distance. The step given at the start
  /// is the first one tried, and the first behind a break; below `smallest` (zero: 1e-13 of the time passed or the first
  /// step) the run is given up.
  void control(double tolerance, double smallest = 0.0);

  /// Makes steps end where something happens.
  void endStepsAt(StepBreaks breaks);

  const std::string& name() const { return name_; }

  /// What errors call it, where users know it by another name.
  void rename(const std::string& name) { name_ = name; }

 protected:
  /// `length` is that of all steps, or the first one where they are chosen.
  ConservingStepper(std::string name, double end, double length);

  /// Begins at a time, with nothing before it.
  void beginAt(double time);

  // The scheme.

  /// One step from the present state at t; `part` counts those of a composition. Not converged: the state is as it was.
  virtual StepReport bareStep(double t, double h, int part) = 0;

  /// States that are kept while others are tried.
  enum Place { beforeParts, beforeStep, atOnce, places };
  virtual void keep(Place place) = 0;
  virtual void comeBack(Place place) = 0;
  virtual double distanceFrom(Place place) const = 0;

  virtual void show(VectorX& y) const = 0;
  virtual void take(const VectorX& y) = 0;  // the other way round
  virtual void persistScheme(Archive& archive) = 0;

  /// The state within a step h, at the fraction s between what was shown at its ends.
  virtual void blend(const VectorX& from, const VectorX& to, double h, double s, VectorX& y) const = 0;

  /// What the scheme itself takes for the error of its last step, in the measure of `distance`; negative where it has no
  /// opinion, and steps are done twice.
  virtual double estimatedError() const { return -1.0; }

  /// A whole step has ended at that time; before it is shown.
  virtual void arrive(double /*time*/, bool /*somethingHappens*/) {}

  /// Something has happened: the state becomes the one behind it. False where it is the same.
  virtual bool passBreak() { return false; }

  /// What the last steps have shown is no prediction for the next one.
  virtual void forget() {}

  /// The last step went too far, and a shorter one begins where it did.
  virtual void refuse() { forget(); }

  virtual double turnRate() const { return 0.0; }  // what errors tell the turn of a step by, where it matters
  virtual std::string remedy() const { return "take a smaller step"; }

  /// Says why a step of this length failed.
  [[noreturn]] virtual void fail(double h, const StepReport& report) const;

  /// Of a scheme that is not of order 2 by itself and tells its error: what that would allow is not gone to the end.
  void setOrder(int order) { order_ = order, margin_ = 0.9; }

  /// Beyond which error the step that is tried will be refused.
  double largestError() const { return mayRefuse_ ? tolerance_ : std::numeric_limits<double>::infinity(); }

  bool isComposed() const { return parts_.size() > 1; }
  bool choosesSteps() const { return tolerance_ > 0.0; }
  double tolerance() const { return tolerance_; }

  /// The next step will be another one: the length that is chosen for it counts so many times.
  void changeNextStep(double factor) { chosen_ *= factor; }

  WorkCounts work_;

 private:
  StepReport wholeStep(double t, double h);
  StepReport tryStep(double h, double& error);
  void fixedStep();
  void chosenStep();
  void count(const StepReport& report);
  void goBack(Place place);
  void end(double time, bool somethingHappens);

  std::string name_;
  int order_ = 2;
  double margin_ = 1.0;                // of chosen steps
  std::vector<double> parts_ = {1.0};  // of a step
  double end_, length_;
  StepGrid grid_;
  StepBreaks breaks_;
  double tolerance_ = 0.0, smallest_ = 0.0;  // of step-size control; zero without
  bool mayRefuse_ = false;                   // whether a step is tried that may be too long
  double chosen_;                            // the next step
  double time_ = 0.0, previousTime_ = 0.0;
  VectorX y_, previous_;   // what is shown
  VectorX beforeBreak_;    // the end of the last step, where something happened then
  bool isBehind_ = false;  // whether it did
};

/// A scheme whose state is a value.
template <class State>
class ConservingStepperOf : public ConservingStepper {
 protected:
  using ConservingStepper::ConservingStepper;

  virtual double distance(const State& a, const State& b) const = 0;

  State state_;

 private:
  void keep(Place place) final { kept_[place] = state_; }
  void comeBack(Place place) final { state_ = kept_[place]; }
  double distanceFrom(Place place) const final { return distance(kept_[place], state_); }

  std::array<State, places> kept_;
};

}  // namespace polhode
