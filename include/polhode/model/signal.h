#pragma once

#include "polhode/math/types.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Quantities that are given over time: what scales a load, what an actuator follows. Any bounded function will do;
/// one that jumps keeps its jumps and has at a jump the value behind it.
namespace polhode {

/// A number over time. Immutable and cheap to copy.
class Signal {
 public:
  /// The same at all times.
  Signal(double constant = 0.0) : constant_(constant) {}

  /// "0.3*sin(2*pi*t)", see formula.h. Throws an InputError with the place of what is wrong.
  static Signal formula(const std::string& text);

  /// Linear between points, constant before the first and behind the last. A time that stands twice is a jump.
  /// Throws an InputError where there is no point, or one that is not finite or not in the order of time.
  static Signal table(std::vector<double> times, std::vector<double> values);

  /// Each value holds until the next one comes: what a device measures. Times increase. Throws like `table`.
  static Signal samples(std::vector<double> times, std::vector<double> values);

  /// A function of the caller's. Its derivatives are zero where none are given.
  static Signal function(std::function<double(double)> value, std::function<double(double)> rate = nullptr,
                         std::function<double(double)> acceleration = nullptr);

  /// Throws a SimulationError where a formula is not finite.
  double value(double time) const { return curve_ ? curve_->value(time) : constant_; }

  /// The derivative by time; from the right where there are two; that of a sampled value is zero.
  double rate(double time) const { return curve_ ? curve_->rate(time) : 0.0; }

  /// The second derivative by time; zero between the points of a table and between samples.
  double acceleration(double time) const { return curve_ ? curve_->acceleration(time) : 0.0; }

  /// The times of a table's points or of samples: where value or slope may jump. Empty for the others.
  std::vector<double> breaks() const { return curve_ ? curve_->breaks() : std::vector<double>(); }

  bool isConstant() const { return !curve_; }

 private:
  class Curve {
   public:
    virtual ~Curve() = default;
    virtual double value(double time) const = 0;
    virtual double rate(double time) const = 0;
    virtual double acceleration(double /*time*/) const { return 0.0; }
    virtual std::vector<double> breaks() const { return {}; }
  };
  class FormulaCurve;
  class TableCurve;
  class SampleCurve;
  class FunctionCurve;

  explicit Signal(std::shared_ptr<const Curve> curve) : curve_(std::move(curve)) {}

  std::shared_ptr<const Curve> curve_;  // null for a constant
  double constant_ = 0.0;
};

/// A vector over time, component by component. Immutable and cheap to copy.
class VectorSignal {
 public:
  VectorSignal(const Vector3& constant = Vector3::Zero()) : components_{constant[0], constant[1], constant[2]} {}
  VectorSignal(Signal x, Signal y, Signal z) : components_{std::move(x), std::move(y), std::move(z)} {}

  // As of Signal, with one vector at each time.
  static VectorSignal table(const std::vector<double>& times, const std::vector<Vector3>& values);
  static VectorSignal samples(const std::vector<double>& times, const std::vector<Vector3>& values);

  Vector3 value(double time) const {
    return {components_[0].value(time), components_[1].value(time), components_[2].value(time)};
  }
  Vector3 rate(double time) const {
    return {components_[0].rate(time), components_[1].rate(time), components_[2].rate(time)};
  }

  const Signal& operator[](std::size_t component) const { return components_[component]; }

 private:
  std::array<Signal, 3> components_;
};

}  // namespace polhode
