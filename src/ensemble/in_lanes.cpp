#include "analysis/instant_watch.h"
#include "analysis/mechanism_observation.h"
#include "ensemble/member_mover.h"
#include "ensemble/watched_motion.h"
#include "integrate/mechanism/lane_trees.h"
#include "integrate/step_breaks.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace polhode::ensemble {

namespace {

/// Members that can be stepped together, by their places among those that were handed over.
struct SideBySide {
  std::vector<std::size_t> places;
  std::vector<std::shared_ptr<const Mechanism>> mechanisms;
};

/// Nothing where the lanes cannot move it, or where it is no mechanism at all: it is told why when it goes alone.
std::shared_ptr<const Mechanism> mechanismForLanes(const Model& model) {
  try {
    auto mechanism = std::make_shared<const Mechanism>(model);
    return LaneTrees::fit(*mechanism, *mechanism) ? mechanism : nullptr;
  } catch (const InputError&) {
    return nullptr;
  }
}

/// In groups of so many at most. Those that the lanes cannot move are in none.
std::vector<SideBySide> groupsForLanes(std::span<const Member> members, std::size_t width) {
  std::vector<SideBySide> groups;
  for (std::size_t m = 0; m < members.size(); ++m) {
    auto mechanism = mechanismForLanes(members[m].model);
    if (!mechanism) continue;
    const auto fits = [&](const SideBySide& group) {
      return group.places.size() < width && LaneTrees::fit(*group.mechanisms.front(), *mechanism);
    };
    auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->places.push_back(m);
    group->mechanisms.push_back(std::move(mechanism));
  }
  return groups;
}

/// A member as it goes, with those who look at it.
struct LaneMember {
  std::shared_ptr<const Mechanism> mechanism;
  const Model& model;
  MemberOutcome& outcome;
  InstantWatch instant;
  std::optional<MeasureWatch> measures{};
  std::vector<Observable> columns{};  // of its trajectory
  MechanismMotion motion{};           // where its bodies are

  LaneMember(std::shared_ptr<const Mechanism> its, const Model& itsModel, MemberOutcome& itsOutcome)
      : mechanism(std::move(its)), model(itsModel), outcome(itsOutcome), instant(mechanism) {}

  Observation observe(double t, const MechanismMotion& bodies, Detail detail) {
    Observation observation = observeMechanism(*mechanism, t, bodies);
    instant.tell(observation, bodies, detail);
    return observation;
  }
};

class InLanes final : public MemberMover {
 public:
  explicit InLanes(const Wanted& wanted) : wanted_(wanted), alone_(oneByOne.make(wanted)) {}

  /// Whether a member goes in lanes hangs on itself alone, not on those that were handed over with it.
  void move(std::span<const Member> members, std::span<MemberOutcome> outcomes) override {
    std::vector<bool> goesAlone(members.size(), true);
    for (const SideBySide& group : groupsForLanes(members, static_cast<std::size_t>(wanted_.laneWidth))) {
      for (const std::size_t place : group.places) goesAlone[place] = false;
      move(group, members, outcomes);
    }
    for (std::size_t m = 0; m < members.size(); ++m)
      if (goesAlone[m]) alone_->move(members.subspan(m, 1), outcomes.subspan(m, 1));
  }

 private:
  static constexpr double unknown_ = std::numeric_limits<double>::quiet_NaN();

  void move(const SideBySide& group, std::span<const Member> members, std::span<MemberOutcome> outcomes) const {
    const SimulationSettings& settings = members.front().settings;
    const auto trees = LaneTrees::make(group.mechanisms, *settings.step, wanted_.laneWidth);
    std::deque<LaneMember> lanes;
    for (std::size_t i = 0; i < group.places.size(); ++i)
      lanes.emplace_back(group.mechanisms[i], members[group.places[i]].model, outcomes[group.places[i]]);
    see(*trees, 0.0, lanes);
    const auto watched = watchedOf(lanes.front());
    StepGrid grid(*settings.step, settings.end);
    for (double time = 0.0; time < settings.end;) {
      const StepGrid::Step step = grid.from(time);
      trees->step(step.length);
      grid.take(step);
      time = step.end;
      if (isRow(time) || (wanted_.measures.watchesSteps() && !watched))
        see(*trees, time, lanes);
      else if (wanted_.measures.watchesSteps())
        watch(*watched, *trees, time, lanes);
    }
    for (std::size_t m = 0; m < lanes.size(); ++m) {
      MemberOutcome& outcome = lanes[m].outcome;
      outcome.failure = trees->failure(m);
      RunResult result;
      result.final = lanes[m].observe(settings.end, trees->motion(m), wanted_.measures.detail());
      outcome.measures = outcome.failure.empty() ? lanes[m].measures->finish(result)
                                                 : std::vector<double>(wanted_.measures.size(), unknown_);
    }
  }

  /// Whether a trajectory has a row then.
  bool isRow(double time) const {
    return wanted_.every &&
           std::abs(time - std::round(time / *wanted_.every) * *wanted_.every) <= 1e-9 * *wanted_.every;
  }

  /// What measures watch along the way, where all of them are read off the motion alone.
  std::optional<std::vector<Watched>> watchedOf(const LaneMember& lane) const {
    std::vector<Watched> all(wanted_.measures.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Observable* along = wanted_.measures.watchedAlong(k);
      if (!along) continue;
      const std::optional<Watched> watched = watchedBy(*along, lane.model);
      if (!watched) return std::nullopt;
      all[k] = *watched;
    }
    return all;
  }

  void watch(const std::vector<Watched>& watched, const LaneTrees& trees, double time,
             std::deque<LaneMember>& lanes) const {
    for (std::size_t m = 0; m < lanes.size(); ++m) {
      LaneMember& lane = lanes[m];
      if (!trees.failure(m).empty()) continue;
      trees.motion(m, lane.motion);
      lane.measures->seeAlong(time, [&](std::size_t k) { return valueOf(watched[k], *lane.mechanism, lane.motion); });
    }
  }

  void see(const LaneTrees& trees, double time, std::deque<LaneMember>& lanes) const {
    for (std::size_t m = 0; m < lanes.size(); ++m) {
      LaneMember& lane = lanes[m];
      if (!trees.failure(m).empty()) continue;
      const Observation now =
          lane.observe(time, trees.motion(m), wanted_.every ? Detail::forces : wanted_.measures.detail());
      if (!lane.measures)
        lane.measures.emplace(wanted_.measures, now);
      else
        lane.measures->see(now, nullptr);
      if (isRow(time)) keepRow(lane, now);
    }
  }

  void keepRow(LaneMember& lane, const Observation& now) const {
    std::vector<double>& trajectory = lane.outcome.trajectory;
    if (trajectory.empty()) {
      trajectory.assign(wanted_.rows * wanted_.columns.size(), unknown_);
      const std::vector<Observable> all = observables(now);
      for (const std::string& column : wanted_.columns) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Observable& o) { return o.name == column; });
        lane.columns.push_back(*found);
      }
    }
    const auto row = static_cast<std::size_t>(std::llround(now.time / *wanted_.every));
    for (std::size_t k = 0; k < lane.columns.size() && row < wanted_.rows; ++k)
      trajectory[k * wanted_.rows + row] = lane.columns[k].value(now);
  }

  const Wanted& wanted_;
  std::unique_ptr<MemberMover> alone_;
};

bool isBallOrHinge(const Joint& joint) {
  return !joint.own && joint.drives.empty() && (joint.type == "spherical" || joint.type == "revolute");
}

/// What the model shows at a glance; whether it is a tree is seen when it is moved.
std::string laneObstacle(const Member& member, const Wanted& wanted) {
  const Model& model = member.model;
  const SimulationSettings& settings = member.settings;
  if (settings.integrator != "director-em" || !settings.step || !(*settings.step > 0.0) || !settings.stopWhen.empty())
    return "lanes step by director-em with a fixed step, to the end";
  if (!model.forces.empty() || !model.actuators.empty() || !model.sensors.empty() || !model.couplings.empty() ||
      model.joints.size() != model.bodies.size() ||
      !std::all_of(model.joints.begin(), model.joints.end(), isBallOrHinge))
    return "lanes move trees of ball joints and hinges under their weight";
  if (wanted.measures.locatesPassages() || wanted.measures.asksForReports())
    return "lanes do not look between steps, and write no report of a run";
  const double steps = wanted.every.value_or(*settings.step) / *settings.step;
  if (std::abs(steps - std::round(steps)) > 1e-9 * steps)
    return "lanes have rows of a trajectory at the ends of steps only";
  return "";
}

bool goSideBySide(const Member& first, const Member& second) {
  const Model &a = first.model, &b = second.model;
  return first.settings.step == second.settings.step && first.settings.end == second.settings.end &&
         a.bodies.size() == b.bodies.size() && a.joints.size() == b.joints.size() &&
         std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), [](const Joint& one, const Joint& two) {
           return one.type == two.type && one.first == two.first && one.second == two.second;
         });
}

}  // namespace

const MoverType inLanes = {
    "in lanes",
    "trees of ball joints and hinges by director-em, several side by side in vector registers",
    static_cast<std::size_t>(LaneTrees::usualWidth()),
    laneObstacle,
    goSideBySide,
    [](const Wanted& wanted) -> std::unique_ptr<MemberMover> { return std::make_unique<InLanes>(wanted); },
};

}  // namespace polhode::ensemble
