#include "model/formula.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

bool Formula::varies() const {
  return std::any_of(program_.begin(), program_.end(),
                     [](const Instruction& each) { return each.operation == Operation::time; });
}

Formula Formula::oneSided(double sign) const {
  Formula limited = *this;
  limited.text_ = fmt::format("{}({}, 0)", sign > 0.0 ? "max" : "min", text_);
  limited.program_.push_back({Operation::number, 0.0});
  limited.program_.push_back({sign > 0.0 ? Operation::max : Operation::min});
  return limited;
}

namespace {

// Polynomials by their coefficients of 1, t, t^2, ...
using Polynomial = std::vector<double>;
constexpr std::size_t mostCoefficients = 17;

Polynomial sum(Polynomial a, const Polynomial& b, double factor) {
  a.resize(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < b.size(); ++i) a[i] += factor * b[i];
  return a;
}

/// Nothing where the degree is too high, or where a factor is nothing.
Polynomial product(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty() || a.size() + b.size() - 1 > mostCoefficients) return {};
  Polynomial c(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) c[i + k] += a[i] * b[k];
  return c;
}

}  // namespace

std::vector<double> Formula::polynomial() const {
  std::vector<Polynomial> stack;
  for (const auto& [operation, number] : program_) {
    if (operation == Operation::number || operation == Operation::time) {
      stack.push_back(operation == Operation::number ? Polynomial{number} : Polynomial{0.0, 1.0});
      continue;
    }
    if (operation == Operation::quantity) return {};
    const Polynomial b = stack.back();
    stack.pop_back();
    if (operation == Operation::negate) {
      stack.push_back(product({-1.0}, b));
      continue;
    }
    const bool isBinary = operation == Operation::add || operation == Operation::subtract ||
                          operation == Operation::multiply || operation == Operation::divide ||
                          operation == Operation::power;
    if (!isBinary) return {};
    Polynomial a = stack.back();
    stack.pop_back();
    if (operation == Operation::multiply) {
      a = product(a, b);
    } else if (operation == Operation::add || operation == Operation::subtract) {
      a = sum(a, b, operation == Operation::add ? 1.0 : -1.0);
    } else if (b.size() > 1) {
      return {};
    } else if (operation == Operation::divide) {
      for (double& coefficient : a) coefficient /= b[0];
    } else {
      if (!(b[0] >= 0.0 && b[0] < mostCoefficients && b[0] == std::floor(b[0]))) return {};
      Polynomial power = {1.0};
      for (int n = 0; n < static_cast<int>(b[0]); ++n) power = product(power, a);
      a = power;
    }
    if (a.empty()) return {};
    stack.push_back(a);
  }
  const bool finite = std::all_of(stack[0].begin(), stack[0].end(), [](double c) { return std::isfinite(c); });
  return finite ? stack[0] : Polynomial();
}

namespace {

// Operations with cases, for all kinds of numbers. What is not a number stays none.

template <class T>
bool isNone(const T& a) {
  return !(a < 1.0) && !(-a < 0.0);
}

template <class T>
T stepOf(const T& a) {
  if (isNone(a)) return a;
  return T(a < 0.0 ? 0.0 : 1.0);
}
Interval stepOf(const Interval& a) {
  return {a.least() < 0.0 ? 0.0 : 1.0, a.greatest() < 0.0 ? 0.0 : 1.0};
}

template <class T>
T lesser(const T& a, const T& b) {
  if (isNone(a)) return a;
  return a < b ? a : b;  // where they are equal the second, as `cases` has it
}
Interval lesser(const Interval& a, const Interval& b) {
  return min(a, b);
}

template <class T>
T greater(const T& a, const T& b) {
  if (isNone(b)) return b;
  return a < b ? b : a;
}
Interval greater(const Interval& a, const Interval& b) {
  return max(a, b);
}

constexpr auto unwatched = [](const auto&, const auto&) {};

}  // namespace

template <class T, class Watch>
T Formula::evaluate(const T& time, Watch&& watch, std::span<const T> quantities) const {
  using std::abs, std::acos, std::asin, std::atan, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin,
      std::sinh, std::sqrt, std::tan, std::tanh;
  std::array<T, largestDepth> stack;
  std::size_t size = 0;
  const auto push = [&](const T& number) { stack[size++] = number; };
  const auto pop = [&] { return stack[--size]; };
  for (const Instruction& instruction : program_) {
    switch (instruction.operation) {
      // clang-format off
      case Operation::number: push(T(instruction.number)); break;
      case Operation::time: push(time); break;
      case Operation::quantity: push(quantities[static_cast<std::size_t>(instruction.number)]); break;
      case Operation::negate: push(-pop()); break;
      case Operation::add: { const T b = pop(), a = pop(); push(a + b); break; }
      case Operation::subtract: { const T b = pop(), a = pop(); push(a - b); break; }
      case Operation::multiply: { const T b = pop(), a = pop(); push(a * b); break; }
      case Operation::divide: { const T b = pop(), a = pop(); push(a / b); break; }
      case Operation::power: { const T b = pop(), a = pop(); push(pow(a, b)); break; }
      case Operation::sin: push(sin(pop())); break;
      case Operation::cos: push(cos(pop())); break;
      case Operation::tan: push(tan(pop())); break;
      case Operation::asin: push(asin(pop())); break;
      case Operation::acos: push(acos(pop())); break;
      case Operation::atan: push(atan(pop())); break;
      case Operation::sinh: push(sinh(pop())); break;
      case Operation::cosh: push(cosh(pop())); break;
      case Operation::tanh: push(tanh(pop())); break;
      case Operation::exp: push(exp(pop())); break;
      case Operation::log: push(log(pop())); break;
      case Operation::sqrt: push(sqrt(pop())); break;
      case Operation::abs: { const T a = pop(); watch(a, T(0.0)); push(abs(a)); break; }
      case Operation::step: { const T a = pop(); watch(a, T(0.0)); push(stepOf(a)); break; }
      case Operation::min: { const T b = pop(), a = pop(); watch(a, b); push(lesser(a, b)); break; }
      case Operation::max: { const T b = pop(), a = pop(); watch(a, b); push(greater(a, b)); break; }
        // clang-format on
    }
  }
  return stack[0];
}

double Formula::value(double time) const {
  return evaluate(time, unwatched);
}

double Formula::value(double time, std::span<const double> quantities) const {
  return evaluate(time, unwatched, quantities);
}

double Formula::change(double time, std::span<const double> quantities, std::span<const double> changes) const {
  std::vector<Dual<1>> varied;
  for (std::size_t i = 0; i < quantities.size(); ++i)
    varied.emplace_back(quantities[i], Dual<1>::Derivative::Constant(changes[i]));
  return evaluate(Dual<1>(time), unwatched, std::span<const Dual<1>>(varied)).derivative()[0];
}

double Formula::rate(double time) const {
  return evaluate(Dual<1>::variable(time, 0), unwatched).derivative()[0];
}

double Formula::acceleration(double time) const {
  using Twice = Dual<1, Dual<1>>;
  return evaluate(Twice::variable(Dual<1>::variable(time, 0), 0), unwatched).derivative()[0].derivative()[0];
}

Interval Formula::range(double from, double to) const {
  return evaluate(Interval(from, to), unwatched);
}

std::vector<bool> Formula::cases(double time) const {
  std::vector<bool> taken;
  evaluate(time, [&](double a, double b) { taken.push_back(a < b); });
  return taken;
}

bool Formula::mayChange(double from, double to) const {
  bool changes = false;
  evaluate(Interval(from, to), [&](const Interval& a, const Interval& b) {
    const bool constant = a.isNumber() && b.isNumber();
    changes = changes || (!constant && a.least() <= b.greatest() && b.least() <= a.greatest());
  });
  return changes;
}

void Formula::locate(double from, double to, const std::vector<bool>& before, const std::vector<bool>& behind,
                     std::vector<double>& times) const {
  if (before == behind) return;
  const double middle = from + 0.5 * (to - from);
  if (middle <= from || middle >= to) return times.push_back(to);
  const std::vector<bool> between = cases(middle);
  locate(from, middle, before, between, times);
  locate(middle, to, between, behind, times);
}

std::vector<double> Formula::breakTimes(double from, double to) const {
  struct Rest {
    double from, to;
    std::vector<bool> before, behind;
  };
  // a passage is sure to be found by its two sides once the rest around it is this short
  constexpr int surelyShort = 14, shortest = 40;
  const auto isDecision = [](const Instruction& each) {
    return each.operation == Operation::step || each.operation == Operation::abs || each.operation == Operation::min ||
           each.operation == Operation::max;
  };
  std::vector<double> times;
  if (!(to > from) || std::none_of(program_.begin(), program_.end(), isDecision)) return times;

  std::vector<Rest> rests = {{from, to, cases(from), cases(to)}}, halves;
  int boundings = 0;
  for (int halvings = 0; !rests.empty() && halvings < shortest && boundings < mostBoundings; ++halvings) {
    halves.clear();
    for (Rest& rest : rests) {
      ++boundings;
      if (rest.before == rest.behind && !mayChange(rest.from, rest.to)) continue;
      if (halvings >= surelyShort && rest.before != rest.behind) {
        locate(rest.from, rest.to, rest.before, rest.behind, times);
        continue;
      }
      const double middle = rest.from + 0.5 * (rest.to - rest.from);
      const std::vector<bool> between = cases(middle);
      halves.push_back({rest.from, middle, std::move(rest.before), between});
      halves.push_back({middle, rest.to, between, std::move(rest.behind)});
    }
    rests.swap(halves);
  }
  for (const Rest& rest : rests) locate(rest.from, rest.to, rest.before, rest.behind, times);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace polhode
