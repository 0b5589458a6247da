#pragma once

#include "integrate/archive.h"
#include "integrate/stepper.h"

namespace polhode {

/// A one-step code for one body part of whose motion is known in closed form: the method moves the rest, y_r, and what everybody
/// else sees is the whole state. A `Reduction` (system/free_rotation.h, system/ball_of_top.h) has
///
///     equations()                 of the rest
///     begin(t, y)                 the rest of a state from which everything begins
///     replace(t, y, present)      the rest of a state that takes the place of the present one
///     stateAt(t, rest)            the whole state
///     correction(rest)            what brings the invariants that the method keeps back to what they were at the beginning
///     isLost(rest)                whether its description has come to its limit and everything is to begin anew
///
/// from t = 0. The correction is of the size of roundings, which would otherwise do a random walk: after a million steps of
/// several radians some 1e-12 of it.
template <class Reduction, class Method>
class ReducedBodyStepper final : public Stepper {
  using State = typename Reduction::Body::State;
  using Rest = typename Method::State;

 public:
  template <class... Arguments>
  ReducedBodyStepper(const Reduction& reduction, const VectorX& y0, double tEnd, const IntegratorOptions& options,
                     Arguments... arguments)
      : reduction_(reduction),
        method_(reduction_.equations(), 0.0, reduction_.begin(0.0, State(y0)), tEnd, options, arguments...),
        ofStep_(reduction_),
        y_(y0) {}

  [[gnu::flatten]] void step() override {
    method_.step();
    if (replaced_) ofStep_ = reduction_;
    replaced_ = false;
    method_.correct(reduction_.correction(method_.state()));
    y_ = reduction_.stateAt(method_.time(), method_.state());
    if (!reduction_.isLost(method_.state())) return;
    method_.replaceState(reduction_.begin(method_.time(), State(y_)));
    replaced_ = true;
  }
  double time() const override { return method_.time(); }
  double previousTime() const override { return method_.previousTime(); }
  const VectorX& state() const override { return y_; }
  void interpolate(double t, VectorX& y) const override {
    Rest rest;
    method_.interpolate(t, rest);
    y = ofStep_.stateAt(t, rest);
  }
  void replaceState(const VectorX& y) override {
    method_.replaceState(reduction_.replace(method_.time(), State(y), method_.state()));
    y_ = y;
    replaced_ = true;
  }
  const WorkCounts& work() const override { return method_.work(); }
  std::string warning() const override { return method_.warning(); }
  void persist(Archive& archive) override {
    reduction_.persist(archive);
    method_.persist(archive);
    ofStep_.persist(archive);
    archive(y_, replaced_);
  }

 private:
  Reduction reduction_;
  Method method_;
  Reduction ofStep_;  // as it was in the last step
  VectorX y_;
  bool replaced_ = false;  // since the last step
};

}  // namespace polhode
