#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

/// What a spring does when it is stretched: its tension T over its stretch e, T = dU/de. The stretch is a length or an
/// angle, from where the spring is relaxed.
///
/// For conserving schemes a law gives the mean of its tension between two stretches, which is the difference quotient of
/// the potential without its cancellation:
///
///     mean(e0, e1) = 1/(e1 - e0) int_e0^e1 T de = (U(e1) - U(e0))/(e1 - e0),     mean(e, e) = T(e)
namespace polhode {

class FormulaLaw;

class ForceLaw {
 public:
  /// T = c1 e + c2 e^2 + c3 e^3 + ...; {k} is the linear law. Throws an InputError where a number is not finite or there
  /// is none.
  static ForceLaw polynomial(std::vector<double> coefficients);

  /// Linear between points (e, T), with its first and its last slope beyond them. Throws an InputError where there are
  /// fewer than two, or stretches do not increase.
  static ForceLaw table(std::vector<double> stretches, std::vector<double> tensions);

  /// T = "200*x + 5e3*x^3", a formula (formula.h) of the stretch x. One that is written as a polynomial without a constant
  /// is that polynomial; others are integrated to rounding (formula_law.h), and all below is not a number where they are
  /// not finite. It may use parameters by their names. Throws an InputError where the formula is wrong or does not depend on
  /// x.
  static ForceLaw formula(const std::string& text, const std::map<std::string, double>& parameters = {});

  /// The same law where it pulls (T > 0), or pushes (T < 0), and no tension elsewhere: a rope, a stop.
  ForceLaw pullsOnly() const { return oneSided(1.0); }
  ForceLaw pushesOnly() const { return oneSided(-1.0); }

  double tension(double stretch) const;
  double slope(double stretch) const;      // dT/de
  double potential(double stretch) const;  // zero at e = 0, if the law is finite there
  double mean(double from, double to) const;
  double meanSlope(double from, double to) const;  // the derivative of the mean by `to`

  /// Whether the law is T = k e, and k.
  bool isLinear() const { return coefficients_.size() == 1; }
  double stiffness() const { return slope(0.0); }

 private:
  ForceLaw oneSided(double sign) const;
  double integral(double from, double to) const;  // of a table
  std::size_t segment(double stretch) const;

  std::vector<double> coefficients_;      // of a polynomial
  std::vector<double> knots_, tensions_;  // of a table
  std::shared_ptr<const FormulaLaw> formula_;
};

}  // namespace polhode
