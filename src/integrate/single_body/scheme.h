#pragma once

#include "integrate/single_body/top.h"
#include "integrate/step_report.h"

#include <algorithm>
#include <concepts>
#include <string_view>

namespace polhode::single_body {

/// When a scheme keeps its energy to round-off.
enum class EnergyLaw {
  always,    // free and under gravity
  whenFree,  // without gravity only
  bounded,   // never exactly, but without drift
};

/// A one-step scheme for one body. `State` holds the scheme's own variables (q, v, p, ...); a step that fails
/// leaves the state as it was. Angular momentum in space is kept by all of them (its component along gravity
/// where there is gravity), and so is |q| = 1.
template <class S>
concept SingleBodyScheme = requires(const S& scheme, const TopData& top, const TopState& initial,
                                    typename S::State& state, const typename S::State& other, double h) {
  S(top);
  { S::name } -> std::convertible_to<std::string_view>;
  { S::order } -> std::convertible_to<int>;
  { S::symmetric } -> std::convertible_to<bool>;           // stepping h and then -h comes back
  { S::nearIdentity } -> std::convertible_to<bool>;        // see composition.h
  { S::energyLaw } -> std::convertible_to<EnergyLaw>;      // of energy(state)
  { S::tangential } -> std::convertible_to<bool>;          // q . v = 0 at the nodes as well
  { S::remedy } -> std::convertible_to<std::string_view>;  // what to do when a step fails

  { scheme.start(initial) } -> std::same_as<typename S::State>;
  { scheme.step(state, h) } -> std::same_as<StepReport>;

  { scheme.top(other) } -> std::same_as<TopState>;                   // Omega from the momentum
  { scheme.energy(other) } -> std::convertible_to<double>;           // the energy of energyLaw
  { scheme.totalEnergy(other) } -> std::convertible_to<double>;      // T + V from the velocities at the node
  { scheme.angularMomentum(other) } -> std::same_as<Vector3>;        // in space, about the reference point
  { scheme.velocityDefect(other) } -> std::convertible_to<double>;   // q . v
  { scheme.distance(other, other) } -> std::convertible_to<double>;  // angle between two states
};

/// The angle between two orientations that are close together.
inline double angleBetween(const Quaternion& a, const Quaternion& b) {
  return 2.0 * std::min((a - b).norm(), (a + b).norm());
}

}  // namespace polhode::single_body
