#pragma once

#include "integrate/stepper.h"

#include <utility>

namespace polhode {

/// A one-step code over equations of fixed size, which are inlined into its step loop, behind the interface of unknown
/// size that everything else uses: the state is copied once a step.
template <class Method>
class FixedSizeStepper final : public Stepper {
 public:
  template <class... Arguments>
  explicit FixedSizeStepper(Arguments&&... arguments)
      : method_(std::forward<Arguments>(arguments)...), y_(method_.state()) {}

  [[gnu::flatten]] void step() override {  // equations and linear algebra inlined, however large that becomes
    method_.step();
    y_ = method_.state();
  }
  double time() const override { return method_.time(); }
  double previousTime() const override { return method_.previousTime(); }
  const VectorX& state() const override { return y_; }
  void interpolate(double t, VectorX& y) const override {
    typename Method::State at;
    method_.interpolate(t, at);
    y = at;
  }
  void replaceState(const VectorX& y) override {
    method_.replaceState(y);
    y_ = y;
  }
  const WorkCounts& work() const override { return method_.work(); }
  std::string warning() const override { return method_.warning(); }
  void persist(Archive& archive) override {
    method_.persist(archive);
    y_ = method_.state();
  }

 private:
  Method method_;
  VectorX y_;
};

}  // namespace polhode
