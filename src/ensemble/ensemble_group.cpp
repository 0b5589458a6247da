#include "ensemble/ensemble_group.h"

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "ensemble/gpu/gpu_trees.h"
#include "integrate/mechanism/lane_trees.h"
#include "polhode/error.h"

#include <limits>

#include <fmt/format.h>

namespace polhode::ensemble {

namespace {

class LaneGroup final : public EnsembleGroup {
 public:
  LaneGroup(Mechanisms mechanisms, double step)
      : mechanisms_(mechanisms), trees_(LaneTrees::make(std::move(mechanisms), step, LaneTrees::usualWidth())) {}

  void step(std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i) trees_->step();
  }
  Observation observe(std::size_t member, Detail detail) override {
    return observeInstant(mechanisms_[member], trees_->time(), trees_->motion(member), detail);
  }
  void setLoads(std::size_t body, std::span<const double> forces, std::span<const double> torques) override {
    for (std::size_t m = 0; m < mechanisms_.size(); ++m)
      trees_->setLoad(m, body, Vector3(forces.data() + 3 * m), Vector3(torques.data() + 3 * m));
  }
  void reset(std::span<const std::size_t> members) override {
    for (const std::size_t m : members) trees_->place(m, initialMotion(*mechanisms_[m]));
  }
  const std::string& failure(std::size_t member) const override { return trees_->failure(member); }

 private:
  Mechanisms mechanisms_;
  std::unique_ptr<LaneTrees> trees_;
};

class AloneGroup final : public EnsembleGroup {
 public:
  AloneGroup(std::shared_ptr<const Model> model, double step) : model_(std::move(model)) {
    settings_.integrator = "director-em";
    settings_.step = step;
    settings_.end = std::numeric_limits<double>::infinity();
    reset({});
  }

  void step(std::int64_t count) override {
    try {
      for (std::int64_t i = 0; failure_.empty() && i < count; ++i) engine_->stepper().step();
    } catch (const SimulationError& error) {
      failure_ = error.what();
    }
  }
  Observation observe(std::size_t, Detail detail) override {
    return engine_->observe(engine_->stepper().time(), engine_->stepper().state(), detail);
  }
  void setLoads(std::size_t body, std::span<const double> forces, std::span<const double> torques) override {
    engine_->setLoad(body, Vector3::Zero(), Vector3(forces.data()), Vector3(torques.data()));
  }
  void reset(std::span<const std::size_t>) override {
    engine_ = makeEngine(*model_, settings_, Loads::wanted);
    failure_.clear();
  }
  const std::string& failure(std::size_t) const override { return failure_; }

 private:
  std::shared_ptr<const Model> model_;
  SimulationSettings settings_;
  std::unique_ptr<Engine> engine_;
  std::string failure_;
};

/// The walks of members that go together; those that share a mechanism share the reading of it.
std::vector<WalkTree> walksOf(const Mechanisms& mechanisms) {
  std::vector<WalkTree> trees;
  for (std::size_t m = 0; m < mechanisms.size(); ++m) {
    const bool isShared = m > 0 && mechanisms[m] == mechanisms[m - 1];
    trees.push_back(isShared ? trees.back() : walkTree(*mechanisms[m]));
    if (!isShared && !goTogether(trees.front(), trees.back(), 0.0)) throw unlikeTheFirst(m);
  }
  if (!trees.front().scales.empty())
    throw InputError(
        "the GPU moves an ensemble by one clock, and members that begin anew would feel loads that change with time at "
        "another one; take the processor, device=\"cpu\"");
  return trees;
}

/// All members of an ensemble.
class GpuGroup final : public EnsembleGroup {
 public:
  GpuGroup(Mechanisms mechanisms, double step)
      : mechanisms_(std::move(mechanisms)), step_(step), trees_(walkParts(walksOf(mechanisms_), mechanisms_)) {}

  void step(std::int64_t count) override {
    trees_.step(count, step_);
    time_ += static_cast<double>(count) * step_;
    places_ = &trees_.bodies();
  }
  Observation observe(std::size_t member, Detail detail) override {
    const auto motion = walkedMotion(trees_.parts(), *places_, static_cast<std::int64_t>(member));
    return observeInstant(mechanisms_[member], time_, motion, detail);
  }
  void setLoads(std::size_t body, std::span<const double> forces, std::span<const double> torques) override {
    trees_.setLoads(body, forces, torques);
  }
  void reset(std::span<const std::size_t> members) override {
    std::vector<std::int64_t> numbers;
    std::vector<MechanismMotion> starts;
    for (const std::size_t m : members) {
      numbers.push_back(static_cast<std::int64_t>(m));
      starts.push_back(initialMotion(*mechanisms_[m]));
    }
    trees_.place(numbers, starts);
    places_ = &trees_.bodies();
  }
  const std::string& failure(std::size_t member) const override {
    static const std::string none,
        stopped = "a step did not converge on the GPU; take shorter steps, or device=\"cpu\"";
    return trees_.hasStopped(static_cast<std::int64_t>(member)) ? stopped : none;
  }

 private:
  Mechanisms mechanisms_;
  double step_, time_ = 0.0;
  GpuTrees trees_;
  const std::vector<double>* places_ = &trees_.bodies();  // where all members are now
};

}  // namespace

InputError unlikeTheFirst(std::size_t member) {
  return InputError(fmt::format("member {} of the ensemble has other joints or forces than the first one", member));
}

std::unique_ptr<EnsembleGroup> groupInLanes(Mechanisms members, double step) {
  return std::make_unique<LaneGroup>(std::move(members), step);
}

std::unique_ptr<EnsembleGroup> groupOnGpu(Mechanisms members, double step) {
  return std::make_unique<GpuGroup>(std::move(members), step);
}

std::unique_ptr<EnsembleGroup> groupAlone(std::shared_ptr<const Model> member, double step) {
  return std::make_unique<AloneGroup>(std::move(member), step);
}

}  // namespace polhode::ensemble
