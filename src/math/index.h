#pragma once

#include <cstddef>

namespace polhode {

/// Numbers of bodies, rows and groups are ints, which may be -1 (none) and counted down; what containers are indexed with
/// is not.
constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace polhode
