#include "analysis/instant_watch.h"
#include "ensemble/gpu/gpu_trees.h"
#include "ensemble/member_mover.h"
#include "ensemble/watched_motion.h"
#include "integrate/step_breaks.h"
#include "polhode/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode::ensemble {

namespace {

/// Starts and ends are observed here, what is between them is kept by the card. A member whose step does not converge there goes
/// from its beginning member by member, as does one of another structure than the ensemble's typical member: so where a member
/// goes hangs on itself, not on those that were handed over with it.
class OnGpu final : public MemberMover {
 public:
  explicit OnGpu(const Wanted& wanted) : wanted_(wanted), alone_(oneByOne.make(wanted)) {}

  void move(std::span<const Member> members, std::span<MemberOutcome> outcomes) override {
    const SimulationSettings& settings = members.front().settings;
    const Member& typical = wanted_.typical ? *wanted_.typical : members.front();
    const WalkTree usual = walkTree(Mechanism(typical.model));
    std::vector<std::shared_ptr<const Mechanism>> mechanisms;
    std::vector<WalkTree> trees;
    std::vector<std::size_t> which;  // of the members
    for (std::size_t m = 0; m < members.size(); ++m) {
      auto mechanism = std::make_shared<const Mechanism>(members[m].model);
      WalkTree tree = walkTree(*mechanism);
      if (!goTogether(usual, tree, settings.end)) {
        alone_->move(members.subspan(m, 1), outcomes.subspan(m, 1));
        continue;
      }
      mechanisms.push_back(std::move(mechanism));
      trees.push_back(std::move(tree));
      which.push_back(m);
    }
    if (trees.empty()) return;
    GpuTrees card(walkParts(trees, mechanisms));
    std::vector<Watched> watched;
    for (std::size_t k = 0; k < wanted_.measures.size(); ++k)
      if (const Observable* along = wanted_.measures.watchedAlong(k))
        watched.push_back(*watchedBy(*along, members.front().model));
    if (!watched.empty()) card.watch(mechanisms, watched);
    std::vector<MeasureWatch> watches;
    const std::vector<double> start = card.bodies();
    for (std::size_t i = 0; i < which.size(); ++i)
      watches.emplace_back(wanted_.measures, observe(mechanisms[i], card, start, i, 0.0));

    go(card, *mechanisms.front(), settings);
    const std::vector<double>& end = card.bodies();
    const std::vector<double> states = card.watchedStates();
    for (std::size_t i = 0; i < which.size(); ++i) {
      const std::size_t m = which[i];
      if (card.hasStopped(static_cast<std::int64_t>(i))) {
        alone_->move(members.subspan(m, 1), outcomes.subspan(m, 1));
        continue;
      }
      take(card, states, i, settings.end, watches[i]);
      RunResult result;
      result.final = observe(mechanisms[i], card, end, i, settings.end);
      outcomes[m].measures = watches[i].finish(result);
    }
  }

 private:
  /// To the end; equal steps go to the card together.
  static void go(GpuTrees& card, const Mechanism& mechanism, const SimulationSettings& settings) {
    StepGrid grid(*settings.step, settings.end, StepBreaks::ofFixedSteps(mechanism, settings.end));
    double time = 0.0;
    while (time < settings.end) {
      const StepGrid::Step first = grid.from(time);
      std::int64_t count = 0;
      for (StepGrid::Step step = first; time < settings.end && step.length == first.length; ++count) {
        grid.take(step);
        time = step.end;
        if (time < settings.end) step = grid.from(time);
      }
      card.step(count, first.length);
    }
  }

  /// What the card has kept of a member.
  void take(const GpuTrees& card, const std::vector<double>& states, std::size_t member, double end,
            MeasureWatch& watch) const {
    std::size_t w = 0;
    for (std::size_t k = 0; k < wanted_.measures.size(); ++k) {
      if (!wanted_.measures.watchedAlong(k)) continue;
      const auto kept = [&](int number) {
        return states[card.watches().place(static_cast<std::int64_t>(member), w, of_watch::count,
                                           static_cast<std::size_t>(number))];
      };
      watch.take(k,
                 {kept(of_watch::first), kept(of_watch::last), kept(of_watch::most), kept(of_watch::least),
                  kept(of_watch::integral), kept(of_watch::squares)},
                 end);
      ++w;
    }
  }

  Observation observe(const std::shared_ptr<const Mechanism>& mechanism, const GpuTrees& card,
                      const std::vector<double>& bodies, std::size_t member, double time) const {
    return observeInstant(mechanism, time, walkedMotion(card.parts(), bodies, static_cast<std::int64_t>(member)),
                          wanted_.measures.detail());
  }

  const Wanted& wanted_;
  std::unique_ptr<MemberMover> alone_;
};

std::string gpuObstacle(const Member& member, const Wanted& wanted) {
  if (!wanted.onGpu) return "it was not asked for";
  const Model& model = member.model;
  const SimulationSettings& settings = member.settings;
  if (settings.integrator != "director-em" || !settings.step || !(*settings.step > 0.0) || !settings.stopWhen.empty())
    return "it steps by director-em with a fixed step, to the end";
  if (!model.actuators.empty() || !model.sensors.empty() || !model.couplings.empty())
    return "it knows no actuators, sensors and couplings";
  if (wanted.measures.locatesPassages() || wanted.measures.asksForReports())
    return "it does not look between steps, and writes no report of a run";
  if (wanted.every)
    return "it tells how members start and end and what was most, least and in the mean; it keeps no trajectories";
  for (std::size_t k = 0; k < wanted.measures.size(); ++k)
    if (const Observable* along = wanted.measures.watchedAlong(k); along && !watchedBy(*along, model))
      return fmt::format("on the way it watches the energy, positions and velocities of bodies, but not {}",
                         along->name);
  try {
    walkTree(Mechanism(model));
  } catch (const InputError& error) {
    return error.what();
  }
  return GpuTrees::obstacle();
}

}  // namespace

const MoverType onGpu = {
    "on a GPU",
    "trees of ball joints, hinges, slides and fixed joints with springs, dampers, motors and loads, tens of thousands "
    "at a time",
    32768,
    gpuObstacle,
    [](const Member& first, const Member& second) { return inLanes.goTogether(first, second); },
    [](const Wanted& wanted) -> std::unique_ptr<MemberMover> { return std::make_unique<OnGpu>(wanted); },
};

}  // namespace polhode::ensemble
