#pragma once

#include <Eigen/Core>
#include <cmath>
#include <initializer_list>

/// The largest of what is measured (errors, gaps, drifts) where a number that is none must not get lost: std::max(a, NaN)
/// is a, so that a motion that has blown up would look perfect. Everything that watches a run takes its maxima here.
namespace polhode {

/// The larger of two numbers; not a number as soon as one of them is not.
inline double largestOrNaN(double a, double b) {
  return a >= b || std::isnan(a) ? a : b;
}

inline double largestOrNaN(std::initializer_list<double> numbers) {
  double largest = *numbers.begin();
  for (const double number : numbers) largest = largestOrNaN(largest, number);
  return largest;
}

/// The largest absolute value of a vector's or a matrix' components; zero where there are none.
template <class Derived>
double largestSizeOrNaN(const Eigen::DenseBase<Derived>& values) {
  return values.size() == 0 ? 0.0 : values.derived().cwiseAbs().template maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace polhode
