#include "polhode/model/force_law.h"

#include "model/formula_law.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

void requireFinite(const std::vector<double>& numbers) {
  for (const double number : numbers)
    if (!std::isfinite(number)) throw InputError("has a law with a number that is not finite; give finite numbers");
}

}  // namespace

ForceLaw ForceLaw::polynomial(std::vector<double> coefficients) {
  if (coefficients.empty()) throw InputError("has a law without coefficients; write law = { polynomial = [k1, k2] }");
  requireFinite(coefficients);
  ForceLaw law;
  law.coefficients_ = std::move(coefficients);
  return law;
}

ForceLaw ForceLaw::table(std::vector<double> stretches, std::vector<double> tensions) {
  if (stretches.size() < 2 || stretches.size() != tensions.size())
    throw InputError("has a law with fewer than two points; write law = { table = [[-1, -10], [1, 10]] }");
  requireFinite(stretches);
  requireFinite(tensions);
  for (std::size_t i = 1; i < stretches.size(); ++i)
    if (!(stretches[i] > stretches[i - 1]))
      throw InputError(fmt::format("has a law whose stretches do not increase ({} behind {}); sort its points",
                                   stretches[i], stretches[i - 1]));
  ForceLaw law;
  law.knots_ = std::move(stretches);
  law.tensions_ = std::move(tensions);
  return law;
}

ForceLaw ForceLaw::formula(const std::string& text, const std::map<std::string, double>& parameters) {
  const Formula formula(text, "x", parameters);
  std::vector<double> coefficients = formula.polynomial();
  while (!coefficients.empty() && coefficients.back() == 0.0) coefficients.pop_back();
  if (coefficients.size() == 1 || !formula.varies() || (coefficients.empty() && !formula.polynomial().empty()))
    throw InputError(
        fmt::format("has a law {} that does not depend on x, the stretch in m or rad; write law = {{ formula = "
                    "\"200*x + 5e3*x^3\" }}",
                    quoted(text)));
  if (!coefficients.empty() && coefficients[0] == 0.0)
    return polynomial({coefficients.begin() + 1, coefficients.end()});

  bool finite = std::isfinite(formula.value(0.0));
  for (int k = -60; k <= 60 && !finite; ++k)
    finite = std::isfinite(formula.value(std::exp2(0.5 * k))) || std::isfinite(formula.value(-std::exp2(0.5 * k)));
  if (!finite)
    throw InputError(fmt::format("has a law {} that is not finite for any x; check its domain", quoted(text)));
  ForceLaw law;
  law.formula_ = std::make_shared<const FormulaLaw>(formula);
  return law;
}

/// A table is cut where it passes zero, also beyond its ends; a polynomial becomes a formula or, if it is linear, a table.
ForceLaw ForceLaw::oneSided(double sign) const {
  if (isLinear()) return table({-1.0, 0.0, 1.0}, {-coefficients_[0], 0.0, coefficients_[0]}).oneSided(sign);
  if (knots_.empty()) {
    std::string text = "0";
    for (std::size_t n = 0; n < coefficients_.size(); ++n) text += fmt::format(" + ({})*x^{}", coefficients_[n], n + 1);
    ForceLaw law;
    law.formula_ =
        std::make_shared<const FormulaLaw>((formula_ ? formula_->formula() : Formula(text, "x")).oneSided(sign));
    return law;
  }
  std::vector<double> stretches = knots_;
  const auto addBeyond = [&](double end, double way) {  // where the last straight piece passes zero, and a bit behind
    const double root = slope(end) != 0.0 ? end - tension(end) / slope(end) : end;
    if ((root - end) * way > 0.0) stretches.insert(stretches.end(), {root, root + (root - end)});
  };
  addBeyond(knots_.front(), -1.0);
  addBeyond(knots_.back(), 1.0);
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
    if (tensions_[i] * tensions_[i + 1] < 0.0)
      stretches.push_back(knots_[i] - tensions_[i] * (knots_[i + 1] - knots_[i]) / (tensions_[i + 1] - tensions_[i]));
  std::sort(stretches.begin(), stretches.end());
  stretches.erase(std::unique(stretches.begin(), stretches.end()), stretches.end());
  std::vector<double> tensions;
  for (const double e : stretches)
    tensions.push_back(sign > 0.0 ? std::max(tension(e), 0.0) : std::min(tension(e), 0.0));
  return table(std::move(stretches), std::move(tensions));
}

/// The segment that holds a stretch: between knots i and i + 1, or the one at the end.
std::size_t ForceLaw::segment(double stretch) const {
  const auto above = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, stretch);
  return static_cast<std::size_t>(above - knots_.begin()) - 1;
}

double ForceLaw::slope(double e) const {
  if (coefficients_.empty()) {
    if (formula_) return formula_->slope(e);
    const std::size_t i = segment(e);
    return (tensions_[i + 1] - tensions_[i]) / (knots_[i + 1] - knots_[i]);
  }
  double slope = 0.0;
  for (std::size_t n = coefficients_.size(); n > 0; --n)
    slope = slope * e + static_cast<double>(n) * coefficients_[n - 1];
  return slope;
}

double ForceLaw::tension(double e) const {
  if (coefficients_.empty()) {
    if (formula_) return formula_->tension(e);
    const std::size_t i = segment(e);
    return tensions_[i] + slope(e) * (e - knots_[i]);
  }
  double sum = 0.0;
  for (std::size_t n = coefficients_.size(); n > 0; --n) sum = (sum + coefficients_[n - 1]) * e;
  return sum;
}

double ForceLaw::integral(double from, double to) const {
  if (to < from) return -integral(to, from);
  double sum = 0.0, left = from;
  for (std::size_t i = segment(from); i < segment(to); ++i) {
    const double right = knots_[i + 1];
    sum += 0.5 * (right - left) * (tension(left) + tensions_[i + 1]);
    left = right;
  }
  return sum + 0.5 * (to - left) * (tension(left) + tension(to));
}

double ForceLaw::potential(double e) const {
  if (!coefficients_.empty()) return e * mean(0.0, e);
  return formula_ ? formula_->potential(e) : integral(0.0, e);
}

double ForceLaw::mean(double a, double b) const {
  if (coefficients_.empty()) {
    if (formula_) return formula_->mean(a, b);
    if (segment(a) == segment(b)) return 0.5 * (tension(a) + tension(b));
    return integral(a, b) / (b - a);
  }
  // int_a^b e^n de / (b - a) = (a^n + a^(n-1) b + ... + b^n)/(n + 1), the sum by  s_n = a s_(n-1) + b^n
  double mean = 0.0, sum = 1.0, power = 1.0;
  for (std::size_t n = 1; n <= coefficients_.size(); ++n) {
    power *= b;
    sum = a * sum + power;
    mean += coefficients_[n - 1] * sum / static_cast<double>(n + 1);
  }
  return mean;
}

double ForceLaw::meanSlope(double a, double b) const {
  if (coefficients_.empty()) {
    if (formula_) return formula_->meanSlope(a, b);
    if (segment(a) == segment(b)) return 0.5 * slope(b);
    return (tension(b) - mean(a, b)) / (b - a);
  }
  // the derivative of s_n by b:  s_n' = a s_(n-1)' + n b^(n-1)
  double mean = 0.0, sum = 0.0, power = 1.0;
  for (std::size_t n = 1; n <= coefficients_.size(); ++n) {
    sum = a * sum + static_cast<double>(n) * power;
    power *= b;
    mean += coefficients_[n - 1] * sum / static_cast<double>(n + 1);
  }
  return mean;
}

}  // namespace polhode
