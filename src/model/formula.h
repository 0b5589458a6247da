#pragma once

#include "math/dual.h"
#include "math/interval.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

/// A number that depends on time, written as people write it: "0.3*sin(2*pi*t) + step(t - 1)". The variable may be
/// another one than time and has another name then: "200*x + 5e3*x^3" of a stretch x.
///
///     sum     = product { ("+" | "-") product }
///     product = sign { ("*" | "/") sign }
///     sign    = { "+" | "-" } power                       -t^2 is -(t^2)
///     power   = operand [ "^" sign ]                      2^3^2 is 2^(3^2)
///     operand = number | name | variable | "pi" | "e" | function "(" sum { "," sum } ")" | "(" sum ")"
///
/// Functions: sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs step min max; step(x) is 0 for x < 0 and
/// 1 from x = 0 on. Names are those of parameters, which are numbers, and of quantities whose values are given when the formula
/// is evaluated; a letter, then letters, digits and underscores.
namespace polhode {

class Formula {
 public:
  /// Throws an InputError that quotes the formula and says at which character what is wrong.
  explicit Formula(std::string text, std::string variable = "t", const std::map<std::string, double>& parameters = {},
                   const std::vector<std::string>& quantities = {});

  /// What a name cannot be: the variable of time or stretch, a number or a function that formulas know.
  static bool isReserved(const std::string& name);

  const std::string& text() const { return text_; }

  /// Whether the variable occurs in it.
  bool varies() const;

  /// The coefficients of 1, t, t^2, ... where the formula is written as a polynomial of no more than the 16th degree; none
  /// where it is not.
  std::vector<double> polynomial() const;

  /// The same where it is positive (sign > 0) or negative, and zero elsewhere.
  Formula oneSided(double sign) const;

  /// The value; infinite or not a number where the formula is.
  double value(double time) const;

  /// The same of one that has quantities, with the values of these, in their order.
  double value(double time, std::span<const double> quantities) const;

  /// How that value changes where the quantities change by so much.
  double change(double time, std::span<const double> quantities, std::span<const double> changes) const;

  /// The derivative by time, exact wherever the formula has one; a step's is zero.
  double rate(double time) const;

  /// The second derivative by time.
  double acceleration(double time) const;

  /// Bounds of the value between two times, rather wide than narrow.
  Interval range(double from, double to) const;

  /// The times from < t <= to at which the formula passes from one case to another: where the argument of step or abs
  /// passes zero, or those of min or max pass each other. Each is the first number that has the case behind it; the number
  /// before still has the case before.
  ///
  /// Found by interval arithmetic: what can have no such time is left aside, the rest is halved and looked at again. So
  /// cases that last however short a time are found, unless there are thousands: after `mostBoundings` bounds two passages
  /// in the same rest that cancel are not seen.
  std::vector<double> breakTimes(double from, double to) const;

  static constexpr int mostBoundings = 40'000;

  /// How many intermediate results may wait for their operation.
  static constexpr std::size_t largestDepth = 32;

 private:
  friend class FormulaParser;

  enum class Operation : unsigned char {
    number,
    time,
    quantity,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,  // clang-format off
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, sqrt, abs, step, min, max,
    // clang-format on
  };
  struct Instruction {
    Operation operation;
    double number = 0.0;  // or which of the quantities
  };

  /// `watch(a, b)` sees which two numbers decide between cases, in the order of the program.
  template <class T, class Watch>
  T evaluate(const T& time, Watch&& watch, std::span<const T> quantities = {}) const;

  /// Which case each decision takes at a time.
  std::vector<bool> cases(double time) const;

  /// Whether a decision may change between two times.
  bool mayChange(double from, double to) const;

  /// Adds the times of changes between two times whose cases differ.
  void locate(double from, double to, const std::vector<bool>& before, const std::vector<bool>& behind,
              std::vector<double>& times) const;

  std::string text_, variable_;
  std::vector<Instruction> program_;  // operands before their operation
};

}  // namespace polhode
