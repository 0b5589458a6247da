#pragma once

#include "polhode/math/types.h"

namespace polhode {

/// An ordinary differential equation y' = f(t, y) with an invariant that y may be projected onto.
///
/// The integrators are templates over a type with this interface (see OdeType). A type with a fixed `Size`
/// is inlined into the step loop; this one is the type of unknown size that everything else derives from.
class OdeSystem {
 public:
  static constexpr int Size = Eigen::Dynamic;
  using State = VectorX;

  virtual ~OdeSystem() = default;
  virtual int size() const = 0;

  /// dydt = f(t, y); `dydt` already has the right size.
  /// Throws SimulationError where f is not defined (gimbal lock).
  virtual void derivative(double t, const State& y, State& dydt) const = 0;

  /// Moves y back onto the invariant; false if there is none, and y is as it was.
  virtual bool project(double /*t*/, State& /*y*/) const { return false; }
};

/// What an integrator needs to know of an ordinary differential equation.
template <class Ode>
concept OdeType = requires(const Ode& ode, double t, const typename Ode::State& y, typename Ode::State& dydt) {
  { Ode::Size } -> std::convertible_to<int>;
  { ode.size() } -> std::convertible_to<int>;
  ode.derivative(t, y, dydt);
};

}  // namespace polhode
