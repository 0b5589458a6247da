#pragma once

#include "ensemble/gpu/tree_watch.h"
#include "ensemble/gpu/walk_tree.h"
#include "integrate/mechanism/mechanism_state.h"
#include "system/mechanism.h"

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace polhode::ensemble {

/// What tree_walk.h wants to know of members, as it lies in memory before the first step.
struct WalkParts {
  std::int64_t members = 0;
  std::vector<WalkLink> links;
  std::vector<WalkForce> forces;
  std::vector<std::size_t> bodyOf;  // the number in the mechanism of each link's body, or of one of its bodies
  std::vector<std::vector<WalkBody>> carried;  // all bodies, of each member, or of all
  std::vector<double> gravity, parameters, forceNumbers, bodies;
  std::vector<std::function<double(double)>> scales;  // of forces over time
  int branches = 0;
  WalkKind kind{false, false, false, false, false};

  std::int64_t groups() const { return (members + walkWidth - 1) / walkWidth; }

  /// The place of a number in an array that has so many of `each` link of each member.
  std::size_t place(std::int64_t member, std::size_t link, std::size_t each, std::size_t number) const {
    const auto slot = static_cast<std::size_t>(member), width = static_cast<std::size_t>(walkWidth);
    return (((slot / width) * links.size() + link) * each + number) * width + slot % width;
  }

  /// Number k of a link's parameters.
  double number(std::int64_t member, std::size_t link, std::size_t k) const {
    return kind.varied ? parameters[place(member, link, of_link::count, k)] : parameters[link * of_link::count + k];
  }
  Vector3 number3(std::int64_t member, std::size_t link, std::size_t k) const {
    return {number(member, link, k), number(member, link, k + 1), number(member, link, k + 2)};
  }
  std::span<const WalkBody> bodiesOf(std::int64_t member) const {
    return carried[carried.size() > 1 ? static_cast<std::size_t>(member) : 0];
  }

  /// The scales of so many steps from a time on, each at the middle of its step, one step after the other.
  std::vector<double> scalesFrom(double time, double h, std::int64_t steps) const;

  /// Where these are, on this machine. What is to be stepped has `bodies` and `branches` of its own.
  WalkMemory memory() const;
};

/// Of trees that go together (walk_tree.h).
WalkParts walkParts(std::span<const WalkTree> trees, std::span<const std::shared_ptr<const Mechanism>> members);

/// The same; throws InputError where a walk cannot take the first one.
WalkParts walkParts(std::span<const std::shared_ptr<const Mechanism>> members);

/// Where a member is, from the numbers of `bodies`.
MechanismMotion walkedMotion(const WalkParts& parts, std::span<const double> bodies, std::int64_t member);

/// What `bodies` has of a member that moves so, numbersOfBody for each link after the other. The joints say where it is:
/// positions that open them are not.
std::vector<double> walkedNumbers(const WalkParts& parts, std::int64_t member, const MechanismMotion& motion);

/// A quantity that is watched while members go: of a body, or the energy.
struct Watched {
  WatchedQuantity quantity = WatchedQuantity::energy;
  std::size_t body = 0;
  int component = 0;
};

/// What tree_watch.h wants to know, as it lies in memory.
struct WatchParts {
  std::vector<WalkWatch> watches;
  std::vector<double> numbers;

  /// Where a member's numbers of a watch are among those of all.
  std::size_t place(std::int64_t member, std::size_t watch, std::size_t each, std::size_t number) const {
    const auto slot = static_cast<std::size_t>(member), width = static_cast<std::size_t>(walkWidth);
    return (((slot / width) * watches.size() + watch) * each + number) * width + slot % width;
  }
};
WatchParts watchParts(const WalkParts& parts, std::span<const std::shared_ptr<const Mechanism>> members,
                      std::span<const Watched> watched);

/// What `loads` has of the link of a body at which forces and torques pull, three numbers of each for a member (none: zero), group
/// after group.
std::vector<double> walkedLoads(const WalkParts& parts, std::span<const double> forces,
                                std::span<const double> torques);

/// Calls with the walk's kind as a constant, of which there are eighteen: with slides or forces all else is expected as well.
template <class Call>
void withKind(const WalkKind& kind, const Call& call) {
  if (kind.more && kind.varied) return call(std::integral_constant<WalkKind, WalkKind{true, true, true, true, true}>());
  if (kind.more) return call(std::integral_constant<WalkKind, WalkKind{true, true, false, true, true}>());
  const auto chooseLoads = [&]<bool hinges, bool branches, bool varied>() {
    if (kind.loads)
      call(std::integral_constant<WalkKind, WalkKind{hinges, branches, varied, true, false}>());
    else
      call(std::integral_constant<WalkKind, WalkKind{hinges, branches, varied, false, false}>());
  };
  const auto choose = [&]<bool hinges, bool branches>() {
    kind.varied ? chooseLoads.template operator()<hinges, branches, true>()
                : chooseLoads.template operator()<hinges, branches, false>();
  };
  if (kind.hinges)
    kind.branches ? choose.template operator()<true, true>() : choose.template operator()<true, false>();
  else
    kind.branches ? choose.template operator()<false, true>() : choose.template operator()<false, false>();
}

}  // namespace polhode::ensemble
