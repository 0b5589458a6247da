#pragma once

#include "system/assembly.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Joint coordinates and rates that a mechanism starts with, in place of where its bodies are written.
///
/// The bodies as written are the position where all coordinates are zero. From there the tree of joints is moved: what a
/// joint carries goes along, and joints of which nothing is said keep their coordinates. Where there are loops this is done
/// in small pieces of the way, and after each the loops are closed (closing.h) with the given coordinates held, so that the
/// mechanism stays on the branch on which it is written.
///
/// Rates likewise: each body below a joint with a rate is carried by the body before it and moves against it at that rate,
/// and where loops do not allow it the velocities are changed as little as can be with the given rates held.
namespace polhode {

/// The coordinates that a joint of this type can start with: those of its type, or "first_angle" and "second_angle".
std::vector<std::string> startingCoordinates(const JointType& type);

/// Of one joint, in the order of startingCoordinates.
struct JointStart {
  std::size_t joint = 0;
  std::vector<std::optional<double>> values, rates;

  bool hasRates() const;
};

/// Closes the joints of the model as it is written (closeJoints), then moves it to the given coordinates and writes these
/// into its joints. Bushings are relaxed as they are written. Between the two `asWritten` is called. Says what is wrong where
/// it cannot.
std::optional<JointProblem> moveToStart(Model& model, const std::vector<JointStart>& starts, bool assemble,
                                        AssemblyReport* report = nullptr,
                                        const std::function<void()>& asWritten = nullptr);

/// The velocities of a model that stands where it starts. Those of `given` bodies stay.
std::optional<JointProblem> setStartingRates(Model& model, const std::vector<JointStart>& starts,
                                             const std::vector<GivenVelocities>& given, bool assemble);

}  // namespace polhode
