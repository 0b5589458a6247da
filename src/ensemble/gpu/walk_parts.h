#pragma once

#include "ensemble/gpu/tree_walk.h"
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
  std::vector<std::size_t> bodyOf;  // the number in the mechanism of each link's body
  std::vector<double> gravity, parameters, bodies;
  int branches = 0;
  WalkKind kind{false, false, false};

  std::int64_t groups() const { return (members + walkWidth - 1) / walkWidth; }

  /// Where these are, on this machine. What is to be stepped has `bodies` and `branches` of its own.
  WalkMemory memory() const;
};

/// Of members that LaneTrees::fit says go together.
WalkParts walkParts(std::span<const std::shared_ptr<const Mechanism>> members);

/// Where a member is, from the numbers of `bodies`.
MechanismMotion walkedMotion(const WalkParts& parts, std::span<const double> bodies, std::int64_t member);

/// Calls with the walk's kind as a constant, of which there are eight.
template <class Call>
void withKind(const WalkKind& kind, const Call& call) {
  const auto choose = [&]<bool hinges, bool branches>() {
    if (kind.varied)
      call(std::integral_constant<WalkKind, WalkKind{hinges, branches, true}>());
    else
      call(std::integral_constant<WalkKind, WalkKind{hinges, branches, false}>());
  };
  if (kind.hinges)
    kind.branches ? choose.template operator()<true, true>() : choose.template operator()<true, false>();
  else
    kind.branches ? choose.template operator()<false, true>() : choose.template operator()<false, false>();
}

}  // namespace polhode::ensemble
