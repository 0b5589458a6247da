#pragma once

#include "polhode/integrate/mechanism/director_engine.h"
#include "polhode/integrate/stepper.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace polhode {

/// The director scheme on a mechanism as a stepper. Its state is, for each body, x, D (column by column), v and W, and
/// after all bodies the work of loads and dampers.
class MechanismStepper : public Stepper {
 public:
  virtual DirectorEngine& engine() = 0;
  virtual const MechanismState& mechanismState() const = 0;

  /// Begins anew at that time, with the bodies moving as given.
  virtual void goOnFrom(double time, const MechanismMotion& bodies) = 0;

  static MechanismMotion motionFrom(const VectorX& y);

  /// The same where it lies; as long as y stays.
  static std::span<const MovingPlacement> motionIn(const VectorX& y);
  static double workFrom(const VectorX& y) { return y[y.size() - 1]; }
  static void pack(const MechanismState& state, VectorX& y);
};

/// With steps of a fixed length, or chosen for the tolerance. Steps end where a drive or a load kinks or jumps
/// (system/break_times.h); the grid of a fixed length goes on behind. Chosen steps are at most `largest` long; where drives or
/// loads depend on time also no longer than these allow (model/smooth_pieces.h), and, where `largest` is not given, than a
/// fiftieth of the run. Throws InputError for a name that is none.
std::unique_ptr<MechanismStepper> makeMechanismStepper(const std::string& name, const Mechanism& mechanism, double tEnd,
                                                       std::optional<double> length, double tolerance,
                                                       std::optional<double> largest = std::nullopt);

}  // namespace polhode
