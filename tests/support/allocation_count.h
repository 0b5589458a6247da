#pragma once

/// Counts the blocks that the program takes from the heap, Eigen's included (it calls malloc, not operator
/// new). A step loop is free of allocations if the count does not change over it.
namespace polhode::test {

long allocationCount();

}  // namespace polhode::test
