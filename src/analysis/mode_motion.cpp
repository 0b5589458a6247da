#include "analysis/mode_motion.h"

#include "analysis/mechanism_observation.h"
#include "analysis/observable.h"
#include "polhode/error.h"

#include <numbers>

namespace polhode {

namespace {

constexpr int swings = 2, rowsOfASwing = 60;
constexpr double widest = 0.3, narrowest = 1e-3;

/// All rows of one mode; nothing where the joints do not close at one of them.
std::optional<std::vector<MechanismMotion>> swingsOf(const MotionReducer& reducer, const MechanismMotion& bodies,
                                                     const Mode& mode, double width) {
  std::vector<MechanismMotion> rows;
  for (int row = 0; row < swings * rowsOfASwing; ++row) {
    const std::complex<double> phase = std::polar(width, 2.0 * std::numbers::pi * row / rowsOfASwing);
    VectorX change(6 * static_cast<Eigen::Index>(bodies.size()));
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto first = 6 * static_cast<Eigen::Index>(b);
      change.segment<3>(first) = (phase * mode.bodies[b].displacement).imag();
      change.segment<3>(first + 3) = (phase * mode.bodies[b].rotation).imag();
    }
    std::optional<MechanismMotion> there = reducer.moved(bodies, change);
    if (!there) return std::nullopt;
    rows.push_back(std::move(*there));
  }
  return rows;
}

std::vector<MechanismMotion> widestSwings(const MotionReducer& reducer, const MechanismMotion& bodies,
                                          const Mode& mode) {
  for (double width = widest; width >= narrowest; width /= 2.0)
    if (auto rows = swingsOf(reducer, bodies, mode, width)) return *rows;
  throw SimulationError(0.0,
                        "a mode cannot be shown: joints do not close beside this position, which is a singular one; "
                        "take another with --at, or change a length");
}

}  // namespace

Recording modeMotion(const std::shared_ptr<const Mechanism>& mechanism, double reach, const MechanismMotion& bodies,
                     std::span<const Mode> modes) {
  const MotionReducer reducer(mechanism, reach);
  const MechanismMotion resting = movingBy(bodies, VectorX::Zero(6 * static_cast<Eigen::Index>(bodies.size())));
  std::vector<Observable> told;
  for (const Observable& each : observables(observeMechanism(*mechanism, 0.0, resting)))
    if (each.kind == ObservedKind::body && (each.quantity == "position" || each.quantity == "quaternion"))
      told.push_back(each);
  Recording recording;
  recording.columns = {"time"};
  for (const Observable& each : told) recording.columns.push_back(each.name);
  double time = 0.0;
  for (const Mode& mode : modes)
    for (const MechanismMotion& row : widestSwings(reducer, resting, mode)) {
      const Observation observation = observeMechanism(*mechanism, time, row);
      recording.values.push_back(time);
      for (const Observable& each : told) recording.values.push_back(each.value(observation));
      time += secondsOfModeMotion / (swings * rowsOfASwing);
    }
  return recording;
}

}  // namespace polhode
