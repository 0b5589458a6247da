#pragma once

#include "math/quick_power.h"
#include "system/ode.h"

#include <algorithm>
#include <cmath>

/// What the explicit one-step codes share: the weighted norm of an error, the first step and the choice of
/// the next one.
///
/// Reference: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, section II.4.
namespace polhode {

/// The weights |y| -> 1/(atol + rtol |y|) of the error norm, formed from the larger of two states.
struct ErrorWeights {
  double relative;
  double absolute;

  double scale(double a) const { return absolute + relative * std::abs(a); }
  double scale(double a, double b) const { return absolute + relative * std::max(std::abs(a), std::abs(b)); }
};

/// A first step for a method of the given order, from the sizes of y, y' and y'' (one evaluation of f).
template <OdeType Ode>
double firstStep(const Ode& ode, double t, const typename Ode::State& y, const typename Ode::State& f0,
                 const ErrorWeights& weights, int order, double largest, typename Ode::State& work,
                 typename Ode::State& f1) {
  double sizeF = 0.0, sizeY = 0.0;
  for (int i = 0; i < y.size(); ++i) {
    const double sk = weights.scale(y[i]);
    sizeF += (f0[i] / sk) * (f0[i] / sk);
    sizeY += (y[i] / sk) * (y[i] / sk);
  }
  double h = sizeF <= 1e-10 || sizeY <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(sizeY / sizeF);
  h = std::min(h, largest);

  // An Euler step shows the second derivative.
  work = y + h * f0;
  ode.derivative(t + h, work, f1);
  double second = 0.0;
  for (int i = 0; i < y.size(); ++i) {
    const double d = (f1[i] - f0[i]) / weights.scale(y[i]);
    second += d * d;
  }
  second = std::sqrt(second) / h;

  const double larger = std::max(second, std::sqrt(sizeF));
  const double h1 = larger <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / larger, 1.0 / order);
  return std::min({100.0 * h, h1, largest});
}

/// Gustafsson's PI controller as DOPRI5 and DOP853 use it (section II.4, IV.2): the factor of the next step
/// is safety / (err^(1/order - 0.75 beta) err_old^(-beta)), held between `least` and `most`.
class StepController {
 public:
  struct Parameters {
    double exponent;  // of the present error
    double beta;      // of the previous one
    double least;     // smallest and
    double most;      // largest factor
    double safety = 0.9;
  };
  explicit StepController(const Parameters& parameters) : p_(parameters) {}

  /// The next step after an accepted one of size h; `squaredError` is the square of its error (<= 1).
  double accept(double h, double squaredError) {
    const double factor = fromPrevious_ * ofError_(squaredError);
    const double next = h * std::clamp(factor, p_.least, p_.most);
    const double chosen = rejectedLast_ ? std::min(next, h) : next;
    rejectedLast_ = false;
    fromPrevious_ = p_.safety * ofPreviousError_(std::max(squaredError, leastError));
    return chosen;
  }

  /// The step to try instead of a rejected one.
  double reject(double h, double squaredError) {
    rejectedLast_ = true;
    return h / std::min(1.0 / p_.least, std::pow(squaredError, 0.5 * p_.exponent) / p_.safety);
  }

  /// What it remembers (archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(fromPrevious_, rejectedLast_);
  }

 private:
  static constexpr double leastError = 1e-8;  // the least square that is remembered

  Parameters p_;
  QuickPower ofError_{-0.5 * p_.exponent}, ofPreviousError_{0.5 * p_.beta};
  double fromPrevious_ = p_.safety * ofPreviousError_(leastError);  // what is known of the next factor
  bool rejectedLast_ = false;
};

}  // namespace polhode
