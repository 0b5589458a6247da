#include "integrate/metered_stepper.h"

#include "integrate/archive.h"

#include <array>

namespace polhode {

namespace {

// Gauss' formula on [-1, 1]: 0, +-sqrt(5 -+ 2 sqrt(10/7))/3 with weights 128/225, (322 +- 13 sqrt(70))/900.
constexpr std::array<double, 5> nodes = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                         0.9061798459386640};
constexpr std::array<double, 5> gaussWeights = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                                0.4786286704993665, 0.2369268850561891};

}  // namespace

MeteredStepper::MeteredStepper(std::unique_ptr<Stepper> stepper, Quantity quantity)
    : ForwardingStepper(*stepper), metered_(std::move(stepper)), quantity_(std::move(quantity)), y_(state()) {}

double MeteredStepper::integral(double from, double to) const {
  if (!quantity_ || from == to) return 0.0;
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0.0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double t = middle + half * nodes[i];
    interpolate(t, y_);
    sum += gaussWeights[i] * quantity_(t, y_);
  }
  return half * sum;
}

void MeteredStepper::step() {
  ForwardingStepper::step();
  before_ = now_;
  now_ += integral(previousTime(), time());
}

void MeteredStepper::persist(Archive& archive) {
  ForwardingStepper::persist(archive);
  archive(before_, now_);
}

double MeteredStepper::integralUntil(double t) const {
  return t >= time() ? now_ : before_ + integral(previousTime(), t);
}

}  // namespace polhode
