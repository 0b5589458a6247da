#pragma once

#include "ensemble/gpu/walk_parts.h"

#include <algorithm>

#include <gtest/gtest.h>

// Members that a processor moves as a GPU does.
namespace polhode::test {

using Members = std::vector<std::shared_ptr<const Mechanism>>;

/// Members in the memory of this machine.
class WalkedMembers {
 public:
  explicit WalkedMembers(const Members& members)
      : parts_(ensemble::walkParts(members)), bodies_(parts_.bodies), memory_(parts_.memory()) {
    branches_.resize(
        static_cast<std::size_t>(parts_.branches * ensemble::keptOfBranch * parts_.groups() * ensemble::walkWidth));
    elimination_.resize(parts_.links.size() * static_cast<std::size_t>(ensemble::keptOfElimination(parts_.kind)));
    work_.resize(static_cast<std::size_t>(parts_.groups() * ensemble::walkWidth));
    memory_.work = work_.data();
    memory_.bodies = bodies_.data();
    memory_.branches = branches_.data();
  }

  int go(int steps, double h) {
    int iterations = 0;
    ensemble::withKind(parts_.kind, [&](auto kind) {
      for (std::int64_t m = 0; m < parts_.members; ++m) {
        ensemble::TreeWalk<decltype(kind)::value> walk(memory_, m, elimination_.data(), 1);
        walk.begin(h);
        for (int i = 0; i < steps; ++i) {
          const std::vector<double> scales = parts_.scalesFrom((begun_ + i) * h, h, 1);
          const ensemble::WalkedStep step = walk.step(h, 12, scales.data());
          EXPECT_TRUE(step.converged) << "step " << i << " of member " << m;
          iterations += step.iterations;
          if (watched_.watches > 0) ensemble::watchMember(walk, watched_, m, h);
        }
      }
    });
    begun_ += steps;
    return iterations;
  }
  double work(std::int64_t member) const { return work_[static_cast<std::size_t>(member)]; }
  void place(std::int64_t member, const MechanismMotion& motion) {
    const std::vector<double> numbers = ensemble::walkedNumbers(parts_, member, motion);
    const std::size_t count = static_cast<std::size_t>(ensemble::numbersOfBody(parts_.kind));
    for (std::size_t k = 0; k < numbers.size(); ++k)
      bodies_[parts_.place(member, k / count, count, k % count)] = numbers[k];
  }
  void setLoads(std::size_t body, std::span<const double> forces, std::span<const double> torques) {
    parts_.kind.loads = true;
    loads_.resize(parts_.links.size() * ensemble::numbersOfLoad *
                  static_cast<std::size_t>(parts_.groups() * ensemble::walkWidth));
    memory_.loads = loads_.data();
    const auto link = std::find(parts_.bodyOf.begin(), parts_.bodyOf.end(), body) - parts_.bodyOf.begin();
    const std::vector<double> own = ensemble::walkedLoads(parts_, forces, torques);
    const std::size_t ofLink = static_cast<std::size_t>(ensemble::numbersOfLoad * ensemble::walkWidth);
    for (std::size_t k = 0; k < own.size(); ++k)
      loads_[(k / ofLink * parts_.links.size() + static_cast<std::size_t>(link)) * ofLink + k % ofLink] = own[k];
  }
  /// From here on keeps what is most, least and in the mean.
  void watch(const Members& members, std::span<const ensemble::Watched> watched) {
    watches_ = ensemble::watchParts(parts_, members, watched);
    states_.resize(watches_.numbers.size() / ensemble::numbersOfWatch * ensemble::of_watch::count);
    watched_ = {static_cast<int>(watched.size()), watches_.watches.data(), watches_.numbers.data(), states_.data()};
    ensemble::withKind(parts_.kind, [&](auto kind) {
      for (std::int64_t m = 0; m < parts_.members; ++m)
        ensemble::watchMember(ensemble::TreeWalk<decltype(kind)::value>(memory_, m, nullptr, 1), watched_, m, 0.0);
    });
  }
  double watched(std::int64_t member, std::size_t watch, int number) const {
    return states_[watches_.place(member, watch, ensemble::of_watch::count, static_cast<std::size_t>(number))];
  }
  MechanismMotion motion(std::int64_t member) const { return ensemble::walkedMotion(parts_, bodies_, member); }
  double energy(std::int64_t member) {
    double energy = 0.0;
    ensemble::withKind(parts_.kind, [&](auto kind) {
      energy = ensemble::TreeWalk<decltype(kind)::value>(memory_, member, nullptr, 1).energy();
    });
    return energy;
  }
  ensemble::WalkParts& parts() { return parts_; }

 private:
  ensemble::WalkParts parts_;
  std::vector<double> bodies_, branches_, loads_, elimination_, work_;
  int begun_ = 0;  // steps
  ensemble::WatchParts watches_;
  ensemble::WatchMemory watched_;
  std::vector<double> states_;
  ensemble::WalkMemory memory_;
};

inline double distance(const MechanismMotion& a, const MechanismMotion& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max({largest, (a[i].at.x - b[i].at.x).norm(), (a[i].at.D - b[i].at.D).norm(),
                        1e-2 * (a[i].rate.v - b[i].rate.v).norm(), 1e-2 * (a[i].rate.W - b[i].rate.W).norm()});
  return largest;
}

}  // namespace polhode::test
