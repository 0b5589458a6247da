#include "integrate/mechanism/driven_angles.h"

#include "math/rotation_maps.h"
#include "polhode/io/model_file.h"

#include <gtest/gtest.h>

namespace polhode::driven_angles_test {
namespace {

// A wheel that is where its drive leads it, whichever way round that is, and one that is half a turn further, where the equation
// of its drive holds as well.
TEST(DrivenAngles, TellAHalfTurnFromNone) {
  const Mechanism mechanism(readModelText(R"toml(
[[body]]
name = "wheel"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "wheel"]
point = [0, 0, 0]
axis = [0, 0, 1]
drive = { angle = { formula = "2*t" } }
)toml",
                                          "wheel.toml")
                                .model);
  const DrivenAngles angles(mechanism);
  const JointEquation& equation = mechanism.joints()[1].equations[0];
  const Placement start = mechanism.bodies()[0].placement;
  for (const double t : {0.0, 0.7, 1.6, 2.9}) {
    const auto wheelAt = [&](double angle) { return Placement{start.x, expSO3(Vector3(0.0, 0.0, angle)) * start.D}; };
    const auto turnedOver = [&](const Placement& wheel) {
      EXPECT_NEAR(equation.gap(t, Placement{}, wheel), 0.0, 1e-14);
      return angles.turnedOver(t, [&](int body) { return body < 0 ? Placement{} : wheel; });
    };
    EXPECT_EQ(turnedOver(wheelAt(2.0 * t)), -1) << t;
    EXPECT_EQ(turnedOver(wheelAt(2.0 * t + M_PI)), 1) << t;
  }
}

}  // namespace
}  // namespace polhode::driven_angles_test
