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
  void setLoad(std::size_t member, std::size_t body, const Vector3& force, const Vector3& torque) override {
    trees_->setLoad(member, body, force, torque);
  }
  void reset(std::size_t member) override { trees_->place(member, initialMotion(*mechanisms_[member])); }
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
    reset(0);
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
  void setLoad(std::size_t, std::size_t body, const Vector3& force, const Vector3& torque) override {
    engine_->setLoad(body, Vector3::Zero(), force, torque);
  }
  void reset(std::size_t) override {
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

/// All members of an ensemble.
class GpuGroup final : public EnsembleGroup {
 public:
  GpuGroup(Mechanisms mechanisms, double step)
      : mechanisms_(std::move(mechanisms)), step_(step), trees_(walkParts(mechanisms_)) {}

  void step(std::int64_t count) override {
    trees_.step(count, step_);
    time_ += static_cast<double>(count) * step_;
    places_ = &trees_.bodies();
  }
  Observation observe(std::size_t member, Detail detail) override {
    const auto motion = walkedMotion(trees_.parts(), *places_, static_cast<std::int64_t>(member));
    return observeInstant(mechanisms_[member], time_, motion, detail);
  }

 private:
  Mechanisms mechanisms_;
  double step_, time_ = 0.0;
  GpuTrees trees_;
  const std::vector<double>* places_ = &trees_.bodies();  // where all members are now
};

}  // namespace

std::unique_ptr<EnsembleGroup> groupInLanes(Mechanisms members, double step) {
  return std::make_unique<LaneGroup>(std::move(members), step);
}

std::unique_ptr<EnsembleGroup> groupAlone(std::shared_ptr<const Model> member, double step) {
  return std::make_unique<AloneGroup>(std::move(member), step);
}

}  // namespace polhode::ensemble
