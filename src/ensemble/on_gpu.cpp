#include "analysis/instant_watch.h"
#include "ensemble/gpu/gpu_trees.h"
#include "ensemble/side_by_side.h"
#include "integrate/step_breaks.h"
#include "polhode/error.h"

namespace polhode::ensemble {

namespace {

/// What is known of a member is what it is at its start and its end, which are observed here. One whose step does not converge
/// on the card goes from its beginning member by member.
class OnGpu final : public MemberMover {
 public:
  explicit OnGpu(const Wanted& wanted) : wanted_(wanted), alone_(oneByOne.make(wanted)) {}

  void move(std::span<const Member> members, std::span<MemberOutcome> outcomes) override {
    const auto mechanisms = mechanismsSideBySide(members);
    if (mechanisms.empty()) return alone_->move(members, outcomes);

    const SimulationSettings& settings = members.front().settings;
    GpuTrees trees(walkParts(mechanisms));
    std::vector<MeasureWatch> watches;
    const std::vector<double> start = trees.bodies();
    for (std::size_t m = 0; m < members.size(); ++m)
      watches.emplace_back(wanted_.measures, observe(mechanisms[m], trees, start, m, 0.0));

    // equal steps go to the card together
    StepGrid grid(*settings.step, settings.end);
    double time = 0.0;
    while (time < settings.end) {
      const StepGrid::Step first = grid.from(time);
      std::int64_t count = 0;
      for (StepGrid::Step step = first; time < settings.end && step.length == first.length; ++count) {
        grid.take(step);
        time = step.end;
        if (time < settings.end) step = grid.from(time);
      }
      trees.step(count, first.length);
    }
    const std::vector<double>& end = trees.bodies();
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (trees.hasStopped(static_cast<std::int64_t>(m))) {
        alone_->move(members.subspan(m, 1), outcomes.subspan(m, 1));
        continue;
      }
      RunResult result;
      result.final = observe(mechanisms[m], trees, end, m, settings.end);
      outcomes[m].measures = watches[m].finish(result);
    }
  }

 private:
  Observation observe(const std::shared_ptr<const Mechanism>& mechanism, const GpuTrees& trees,
                      const std::vector<double>& bodies, std::size_t member, double time) const {
    return observeInstant(mechanism, time, walkedMotion(trees.parts(), bodies, static_cast<std::int64_t>(member)),
                          wanted_.measures.detail());
  }

  const Wanted& wanted_;
  std::unique_ptr<MemberMover> alone_;
};

std::string gpuObstacle(const Member& member, const Wanted& wanted) {
  if (!wanted.onGpu) return "it was not asked for";
  if (std::string why = GpuTrees::obstacle(); !why.empty()) return why;
  if (std::string why = inLanes.obstacle(member, wanted); !why.empty())
    return "it takes what goes in lanes alone, and " + why;
  if (wanted.every || wanted.measures.watchesSteps()) return "it tells how members start and end, and nothing between";
  return "";
}

}  // namespace

const MoverType onGpu = {
    "on a GPU",
    "what goes in lanes, tens of thousands at a time",
    32768,
    gpuObstacle,
    [](const Member& first, const Member& second) { return inLanes.goTogether(first, second); },
    [](const Wanted& wanted) -> std::unique_ptr<MemberMover> { return std::make_unique<OnGpu>(wanted); },
};

}  // namespace polhode::ensemble
