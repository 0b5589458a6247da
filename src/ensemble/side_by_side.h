#pragma once

#include "ensemble/member_mover.h"
#include "system/mechanism.h"

namespace polhode::ensemble {

/// The mechanisms of members that are stepped at once (integrate/mechanism/lane_trees.h); none where one of them does not fit.
std::vector<std::shared_ptr<const Mechanism>> mechanismsSideBySide(std::span<const Member> members);

}  // namespace polhode::ensemble
