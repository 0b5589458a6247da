#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace polhode::fuzz {

/// A model file that bytes decide: a tree of joints of all types, a planar linkage of one to three loops in a plane that is
/// turned, or a ring of ball joints; with loads, springs, drives, an integrator and a step. All lengths and directions are
/// written with so many digits, as people and their programs write them.
struct RandomMechanism {
  std::string text;
  int digits;
};

RandomMechanism makeMechanism(const std::uint8_t* data, std::size_t size);

}  // namespace polhode::fuzz
