#include "ensemble/ensemble.h"

#include "ensemble/gpu/gpu_trees.h"
#include "integrate/mechanism/lane_trees.h"
#include "model/number_of.h"
#include "polhode/error.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>

namespace polhode::ensemble {

namespace {

constexpr std::size_t seenAtOnce = 256;  // members that a thread observes before it asks for more

bool haveTheSameBodies(const Model& first, const Model& second) {
  return std::equal(first.bodies.begin(), first.bodies.end(), second.bodies.begin(), second.bodies.end(),
                    [](const Body& a, const Body& b) { return a.name == b.name; });
}

}  // namespace

Ensemble::Ensemble(std::size_t size, const Models& models, const EnsembleOptions& options)
    : models_(size), threads_(std::max(options.threads, 1u)) {
  if (size == 0) throw InputError("an ensemble has no member; give a size of one at least");
  if (!(options.step > 0.0))
    throw InputError(fmt::format("an ensemble is stepped by {:g} s; give a step above zero", options.step));
  if (options.device == Device::gpu)
    if (const std::string why = GpuTrees::obstacle(); !why.empty())
      throw InputError("no GPU moves this ensemble: " + why);
  models_[0] = models(0);
  forEach(size - 1, [&](std::size_t i) {
    models_[i + 1] = models(i + 1);
    if (!haveTheSameBodies(*models_[0], *models_[i + 1]))
      throw InputError("the members of an ensemble must have the same bodies");
  });
  makeGroups(options);
}

/// Members that share a model share its mechanism as well.
Mechanisms Ensemble::mechanismsOf(std::size_t first, std::size_t behind) const {
  Mechanisms mechanisms;
  for (std::size_t m = first; m < behind; ++m) {
    if (m > first && models_[m] == models_[m - 1]) {
      mechanisms.push_back(mechanisms.back());
      continue;
    }
    mechanisms.push_back(std::make_shared<const Mechanism>(*models_[m]));
  }
  return mechanisms;
}

void Ensemble::makeGroups(const EnsembleOptions& options) {
  const Model& model = *models_[0];
  const bool isPlain = model.actuators.empty() && model.sensors.empty();
  if (options.device == Device::gpu) {
    if (!isPlain) throw InputError("a GPU moves no actuators and no sensors; take the processor, device=\"cpu\"");
    width_ = size();
    groups_.push_back(groupOnGpu(mechanismsOf(0, size()), options.step));
    return;
  }
  const Mechanism first(model);
  const bool isTree = isPlain && LaneTrees::fit(first, first);
  isInLanes_ = isTree;
  width_ = isTree ? static_cast<std::size_t>(LaneTrees::usualWidth()) : 1;
  groups_.resize((size() + width_ - 1) / width_);
  forEach(groups_.size(), [&](std::size_t g) {
    if (!isTree) {
      groups_[g] = groupAlone(models_[g], options.step);
      return;
    }
    Mechanisms members = mechanismsOf(g * width_, std::min((g + 1) * width_, size()));
    for (std::size_t i = 0; i < members.size(); ++i)
      if (!LaneTrees::fit(first, *members[i])) throw unlikeTheFirst(g * width_ + i);
    groups_[g] = groupInLanes(std::move(members), options.step);
  });
}

/// Work is taken as threads get free; the first exception ends it and is thrown.
void Ensemble::forEach(std::size_t count, const std::function<void(std::size_t)>& work) const {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto take = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < std::min<std::size_t>(threads_, count); ++i) others.emplace_back(take);
  } catch (const std::system_error&) {
    // the machine starts no more; those that there are do the work
  }
  take();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void Ensemble::step(std::int64_t count) {
  forEach(groups_.size(), [&](std::size_t g) { groups_[g]->step(count); });
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
  values.resize(size() * chosen.size());
  forEach((size() + seenAtOnce - 1) / seenAtOnce, [&](std::size_t some) {
    for (std::size_t m = some * seenAtOnce; m < std::min((some + 1) * seenAtOnce, size()); ++m) {
      const Observation observation = groups_[m / width_]->observe(m % width_, chosen[0].detail);
      for (std::size_t i = 0; i < chosen.size(); ++i) values[m * chosen.size() + i] = chosen[i].value(observation);
    }
  });
  return chosen.size();
}

void Ensemble::apply(const std::string& body, std::span<const double> forces, std::span<const double> torques) {
  const std::size_t number = numberOf(models_[0]->bodies, body, "there is no body");
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t first = 3 * g * width_, count = std::min(3 * width_, 3 * size() - first);
    groups_[g]->setLoads(number, forces.subspan(first, count), torques.subspan(first, count));
  }
}

void Ensemble::reset(std::span<const std::size_t> members) {
  std::map<std::size_t, std::vector<std::size_t>> ofGroups;
  for (const std::size_t m : members) {
    if (m >= size())
      throw InputError(fmt::format("there is no member {} in an ensemble of {}; they are counted from 0", m, size()));
    ofGroups[m / width_].push_back(m % width_);
  }
  for (const auto& [group, some] : ofGroups) groups_[group]->reset(some);
}

const std::string& Ensemble::failure(std::size_t member) const {
  return groups_[member / width_]->failure(member % width_);
}

}  // namespace polhode::ensemble
