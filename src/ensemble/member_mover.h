#pragma once

#include "ensemble/measure.h"
#include "integrate/mechanism/lane_trees.h"
#include "polhode/model/model.h"
#include "polhode/model/simulation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Ways to move the members of an ensemble. Members are loaded by the sweep (sweep_run.h) and handed over in small numbers, as
/// many as a way is wide; it moves each to its end and says what was measured. Which way a member goes is decided by what fits:
/// the first of moverTypes() with no obstacle. The last one, member by member, always fits.
///
/// Another width (lanes, a GPU) is one file in src/ensemble with a class derived from MemberMover and its MoverType, and one
/// line in member_mover.cpp, before the last. It is bound to one thing: what it says of a member must be the same, bit by bit,
/// whichever members stand beside it and however many, since files are to be the same for any number of threads.
namespace polhode::ensemble {

/// A model with its own numbers.
struct Member {
  std::int64_t number = 0;
  Model model;  // as readModelFile checked it
  SimulationSettings settings;
};

/// What came of it.
struct MemberOutcome {
  std::vector<double> measures;    // as many as the plan has; NaN where the run failed
  std::vector<double> trajectory;  // column by column at the even times; NaN behind the end of a run that ended early
  std::string failure;             // why the run failed; empty where it did not
};

/// What is wanted of each member.
struct Wanted {
  MeasureSet measures;
  std::optional<double> every{};            // seconds between the rows of trajectories, where they are wanted
  std::size_t rows = 0;                     // of each
  std::vector<std::string> columns{};       // of each
  bool onGpu = false;                       // where a GPU can
  int laneWidth = LaneTrees::usualWidth();  // members side by side in lanes: 1, 2, 4 or 8, for the same numbers
  std::shared_ptr<const Member> typical{};  // one of them, whose structure most have
};

class MemberMover {
 public:
  virtual ~MemberMover() = default;

  /// Of equal structure, and at most as many as its type is wide. Throws nothing for what a member cannot do.
  virtual void move(std::span<const Member> members, std::span<MemberOutcome> outcomes) = 0;
};

struct MoverType {
  const char* name;     // "member by member"
  const char* summary;  // in a line
  std::size_t width;    // how many at once

  /// Why it does not move such a member, or does not tell what is wanted, as a sentence; empty where it does.
  std::string (*obstacle)(const Member& member, const Wanted& wanted);

  /// Whether two members that it moves may stand beside each other. Not asked where it is one wide.
  bool (*goTogether)(const Member& first, const Member& second);

  /// One for each thread; `wanted` outlives it.
  std::unique_ptr<MemberMover> (*make)(const Wanted& wanted);
};

/// All of them, those that fit few before those that fit all.
std::span<const MoverType* const> moverTypes();

/// Trees with forces on a GPU; only where it is asked for.
extern const MoverType onGpu;

/// Trees of ball joints and hinges under their weight by director-em, several in the lanes of vector registers.
extern const MoverType inLanes;

/// Each member by an engine of its own, exactly as `polhode run` moves it.
extern const MoverType oneByOne;

}  // namespace polhode::ensemble
