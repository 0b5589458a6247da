#pragma once

#include "polhode/analysis/observation.h"

#include <optional>
#include <string>
#include <string_view>

/// The state of a simulation as pages read it: 64-bit floating-point numbers, little-endian,
///
///     0 sequence     1 time            2 kinetic energy    3 potential energy
///     4-6 linear momentum              7-9 angular momentum about the origin
///     10 joint gap (position)          11 joint gap (velocity)
///     12 real-time factor   13 mean step / s   14 worst step of the last minute / s   15 share of one core
///     16 body that is pulled, or -1    17-19 where, in space    20-22 where to    23-25 force
///     26 work of loads and dampers since the start             27-29 torque of a hand that turns the body
///     30 number of bodies
///
/// (of a finished run that does not tell some of them they are not numbers, and one that keeps only the sum of the energies
/// has it in place of the kinetic one) and behind them for each body its position and its quaternion (w, x, y, z), then what each sensor of the model measures (one
/// number or three, as the scene says), then what is watched (watched.h, as the status says). web/live/frame.js reads it.
namespace polhode::live {

constexpr std::size_t frameHead = 31;
constexpr std::size_t frameBody = 7;

/// How well a simulation keeps up with the clock.
struct Timing {
  double realTimeFactor = 0.0;  // simulated seconds a second
  double meanStep = 0.0;        // seconds of one step, over the last half second
  double worstStep = 0.0;       // the longest of the last minute
  double load = 0.0;            // share of one core
};

/// A body that is pulled at one of its points, or turned so that this point comes where it is to go.
struct Pulled {
  std::size_t body = 0;
  Vector3 point = Vector3::Zero();  // in space
  Vector3 target = Vector3::Zero();
  Vector3 force = Vector3::Zero();
  Vector3 torque = Vector3::Zero();
};

std::string packFrame(double sequence, const Observation& observation, const Timing& timing,
                      const std::optional<Pulled>& pulled);

/// The same as it is sent, half as long: the head and what is measured and watched as it is, and behind them the places of the
/// bodies as 32-bit numbers, which are for drawing. (Where a number of a body is asked for it is watched.)
std::string onTheWire(std::string_view frame);

}  // namespace polhode::live
