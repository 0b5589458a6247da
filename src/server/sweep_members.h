#pragma once

#include "server/session.h"

#include <memory>
#include <string>

namespace polhode::live {

/// The members of a sweep (`polhode sweep`), to be looked at all together and opened one by one. Throws InputError where the
/// file is no sweep, or none of its members is there yet.
std::shared_ptr<const SweepMembers> openSweepFile(const std::string& path);

}  // namespace polhode::live
