#include "ensemble/ensemble.h"

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "integrate/mechanism/lane_trees.h"
#include "model/number_of.h"
#include "polhode/error.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace polhode::ensemble {

/// A few members that are stepped at once.
class Ensemble::Group {
 public:
  virtual ~Group() = default;
  virtual void step(std::int64_t count) = 0;
  virtual Observation observe(std::size_t member, Detail detail) = 0;
  virtual void setLoad(std::size_t member, std::size_t body, const Vector3& force, const Vector3& torque) = 0;
  virtual void reset(std::size_t member) = 0;
  virtual const std::string& failure(std::size_t member) const = 0;
};

class Ensemble::LaneGroup final : public Group {
 public:
  LaneGroup(std::vector<std::shared_ptr<const Mechanism>> mechanisms, double step)
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
  std::vector<std::shared_ptr<const Mechanism>> mechanisms_;
  std::unique_ptr<LaneTrees> trees_;
};

class Ensemble::AloneGroup final : public Group {
 public:
  AloneGroup(const Model& model, double step) : model_(model) {
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
    engine_ = makeEngine(model_, settings_, Loads::wanted);
    failure_.clear();
  }
  const std::string& failure(std::size_t) const override { return failure_; }

 private:
  const Model& model_;
  SimulationSettings settings_;
  std::unique_ptr<Engine> engine_;
  std::string failure_;
};

Ensemble::Ensemble(std::vector<Model> members, double step, unsigned threads)
    : models_(std::move(members)), step_(step), threads_(std::max(threads, 1u)) {
  if (models_.empty()) throw InputError("an ensemble has no member; give a size of one at least");
  if (!(step > 0.0)) throw InputError(fmt::format("an ensemble is stepped by {:g} s; give a step above zero", step));
  const auto named = [](const Body& a, const Body& b) { return a.name == b.name; };
  for (const Model& model : models_)
    if (!std::equal(model.bodies.begin(), model.bodies.end(), models_[0].bodies.begin(), models_[0].bodies.end(),
                    named))
      throw InputError("the members of an ensemble must have the same bodies");

  const Mechanism first(models_[0]);
  const bool inLanes = models_[0].actuators.empty() && models_[0].sensors.empty() && LaneTrees::fit(first, first);
  width_ = inLanes ? static_cast<std::size_t>(LaneTrees::usualWidth()) : 1;
  groups_.resize((models_.size() + width_ - 1) / width_);
  forEachGroup([&](std::size_t g) {
    if (!inLanes) {
      groups_[g] = std::make_unique<AloneGroup>(models_[g], step_);
      return;
    }
    std::vector<std::shared_ptr<const Mechanism>> mechanisms;
    for (std::size_t m = g * width_; m < std::min((g + 1) * width_, models_.size()); ++m) {
      mechanisms.push_back(std::make_shared<const Mechanism>(models_[m]));
      if (!LaneTrees::fit(first, *mechanisms.back()))
        throw InputError(fmt::format("member {} of the ensemble has other joints than the first one", m));
    }
    groups_[g] = std::make_unique<LaneGroup>(std::move(mechanisms), step_);
  });
}

Ensemble::~Ensemble() = default;

bool Ensemble::isInLanes() const {
  return dynamic_cast<const LaneGroup*>(groups_[0].get()) != nullptr;
}

/// Groups are taken as threads get free; the first exception ends it and is thrown.
void Ensemble::forEachGroup(const std::function<void(std::size_t)>& work) const {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto take = [&] {
    try {
      for (std::size_t g = next++; g < groups_.size(); g = next++) work(g);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      next = groups_.size();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads_, groups_.size()); ++i) others.emplace_back(take);
  take();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void Ensemble::step(std::int64_t count) {
  forEachGroup([&](std::size_t g) { groups_[g]->step(count); });
  steps_ += count;
}

std::size_t Ensemble::observe(const std::string& quantity, std::vector<double>& values) const {
  std::vector<Observable> chosen;
  std::vector<std::string> known;
  for (const Observable& each : observables(groups_[0]->observe(0, Detail::forces))) {
    const std::string whole =
        each.component.empty() ? each.name : each.name.substr(0, each.name.size() - each.component.size() - 1);
    if (each.name == quantity || whole == quantity) chosen.push_back(each);
    if (known.empty() || known.back() != whole) known.push_back(whole);
  }
  if (chosen.empty())
    throw InputError(fmt::format("there is no quantity {}; {}", quoted(quantity), suggestion(quantity, known)));
  values.resize(models_.size() * chosen.size());
  forEachGroup([&](std::size_t g) {
    for (std::size_t m = g * width_; m < std::min((g + 1) * width_, models_.size()); ++m) {
      const Observation observation = groups_[g]->observe(m - g * width_, chosen[0].detail);
      for (std::size_t i = 0; i < chosen.size(); ++i) values[m * chosen.size() + i] = chosen[i].value(observation);
    }
  });
  return chosen.size();
}

void Ensemble::apply(const std::string& body, std::span<const double> forces, std::span<const double> torques) {
  const std::size_t number = numberOf(models_[0].bodies, body, "there is no body");
  for (std::size_t m = 0; m < models_.size(); ++m)
    groups_[m / width_]->setLoad(m % width_, number, Vector3(forces.data() + 3 * m), Vector3(torques.data() + 3 * m));
}

void Ensemble::reset(std::span<const std::size_t> members) {
  for (const std::size_t m : members) {
    if (m >= models_.size())
      throw InputError(fmt::format("there is no member {} in an ensemble of {}; they are counted from 0", m, size()));
    groups_[m / width_]->reset(m % width_);
  }
}

const std::string& Ensemble::failure(std::size_t member) const {
  return groups_[member / width_]->failure(member % width_);
}

}  // namespace polhode::ensemble
