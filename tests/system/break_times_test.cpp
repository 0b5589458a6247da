#include "system/break_times.h"

#include "polhode/io/model_file.h"

#include <gtest/gtest.h>

namespace polhode::break_times_test {
namespace {

/// A slide that is pushed by a load, a torque and a motor, each with a table over time of its own.
const char* const pushed = R"toml(
[[body]]
name = "slide"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "slide"]
point = [0, 0, 0]
axis = [1, 0, 0]
[[force]]
name = "push"
type = "load"
body = "slide"
force = [1, 0, 0]
scale = { table = [[0.5, 0], [1, 1], [2, 0]] }
[[force]]
name = "twist"
type = "torque"
body = "slide"
torque = [1, 0, 0]
scale = { table = [[1, 0], [3, 1]] }
[[force]]
name = "motor"
type = "joint-motor"
joint = "rail"
effort = 3
scale = { table = [[0.25, 0], [4, 1]] }
[[force]]
name = "weight"
type = "load"
body = "slide"
force = [0, 0, -1]
)toml";

TEST(BreakTimes, AreThoseOfAllLoadsInOrderEachOnce) {
  const Mechanism mechanism(readModelText(pushed, "pushed.toml").model);
  EXPECT_EQ(breakTimes(mechanism), (std::vector<double>{0.25, 0.5, 1, 2, 3, 4}));
  EXPECT_EQ(signalsOf(mechanism).size(), 3u);  // the weight is the same at all times
}

// A motor gives its effort times the scale, at an instant and over a step.
TEST(BreakTimes, TheMotorsForceIsItsEffortTimesTheScale) {
  const Mechanism mechanism(readModelText(pushed, "pushed.toml").model);
  const MovingPlacement rest{};
  const Wrench wrench = mechanism.forces()[2]->wrenches(4.0, rest, rest).second;
  EXPECT_NEAR(wrench.force[0], 3.0, 1e-15);
}

}  // namespace
}  // namespace polhode::break_times_test
