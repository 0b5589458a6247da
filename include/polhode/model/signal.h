#pragma once

#include "polhode/math/types.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// Quantities that are given over time: what scales a load, what an actuator follows. Any bounded function will do;
/// one that jumps keeps its jumps and has at a jump the value behind it.
namespace polhode {

/// A time at which a signal is not smooth, and the lowest of its derivatives that jumps there.
struct SignalBreak {
  double time = 0.0;
  int order = 0;  // 0: the value jumps; 1: the rate; 2: the acceleration; 3: a higher derivative, if any
};

/// How a spline ends: at rest, so that it holds its first value before and its last behind; or free, without bending, so
/// that it goes on straight and its second derivative is continuous there as well.
enum class SplineEnds { rest, free };

/// A number over time. Immutable and cheap to copy.
class Signal {
 public:
  /// The same at all times.
  Signal(double constant = 0.0) : constant_(constant) {}

  /// "0.3*sin(2*pi*t)", see formula.h; it may use parameters by their names. Throws an InputError with the place of what is
  /// wrong.
  static Signal formula(const std::string& text, const std::map<std::string, double>& parameters = {});

  /// Linear between points, constant before the first and behind the last. A time that stands twice is a jump.
  /// Throws an InputError where there is no point, or one that is not finite or not in the order of time.
  static Signal table(std::vector<double> times, std::vector<double> values);

  /// The cubic spline through points: smooth, with a continuous second derivative between its ends. Times increase. Throws
  /// like `table`, and where there are fewer than two points.
  static Signal spline(std::vector<double> times, std::vector<double> values, SplineEnds ends = SplineEnds::rest);

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

  /// Where it is not smooth, from < time <= to, in the order of time: at points of a table, at samples, and where a formula
  /// passes from one case to another (step, abs, min, max; see Formula::breaks). A caller's function is taken as smooth.
  /// Just before a break, at std::nextafter(time, from), it still has the value before.
  std::vector<SignalBreak> breaks(double from, double to) const;

  /// Bounds of its value between two times, rather wide than narrow; infinite where nothing is known.
  std::array<double, 2> range(double from, double to) const;

  bool isConstant() const { return !curve_; }

  /// Whether it is made of points in time: a table or samples.
  bool hasPoints() const { return curve_ && curve_->hasPoints(); }

 private:
  class Curve {
   public:
    virtual ~Curve() = default;
    virtual double value(double time) const = 0;
    virtual double rate(double time) const = 0;
    virtual double acceleration(double /*time*/) const { return 0.0; }
    virtual std::vector<SignalBreak> breaks(double /*from*/, double /*to*/) const { return {}; }
    virtual std::array<double, 2> range(double from, double to) const = 0;
    virtual bool hasPoints() const { return false; }
  };
  class FormulaCurve;
  class TableCurve;
  class SampleCurve;
  class SplineCurve;
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
  static VectorSignal spline(const std::vector<double>& times, const std::vector<Vector3>& values,
                             SplineEnds ends = SplineEnds::rest);

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
