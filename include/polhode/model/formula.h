#pragma once

#include "polhode/math/dual.h"

#include <array>
#include <string>
#include <vector>

/// A number that depends on time, written as people write it: "0.3*sin(2*pi*t) + step(t - 1)".
///
///     sum     = product { ("+" | "-") product }
///     product = sign { ("*" | "/") sign }
///     sign    = { "+" | "-" } power                       -t^2 is -(t^2)
///     power   = operand [ "^" sign ]                      2^3^2 is 2^(3^2)
///     operand = number | "t" | "pi" | "e" | function "(" sum { "," sum } ")" | "(" sum ")"
///
/// Functions: sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs step min max; step(x) is 0 for x < 0 and
/// 1 from x = 0 on.
namespace polhode {

class Formula {
 public:
  /// Throws an InputError that quotes the formula and says at which character what is wrong.
  explicit Formula(std::string text);

  const std::string& text() const { return text_; }

  /// The value; infinite or not a number where the formula is.
  double value(double time) const;

  /// The derivative by time, exact wherever the formula has one; a step's is zero.
  double rate(double time) const;

  /// The second derivative by time.
  double acceleration(double time) const;

  /// How many intermediate results may wait for their operation.
  static constexpr std::size_t largestDepth = 32;

 private:
  friend class FormulaParser;

  enum class Operation : unsigned char {
    number,
    time,
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
    double number = 0.0;
  };

  template <class T>
  T evaluate(const T& time) const;

  std::string text_;
  std::vector<Instruction> program_;  // operands before their operation
};

}  // namespace polhode
