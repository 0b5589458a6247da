#include "integrate/mechanism/stage_drives.h"

#include "math/rotation_maps.h"
#include "polhode/io/model_file.h"
#include "system/mechanism_observation.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::stage_drives_test {
namespace {

// Two bodies with a driven angle and displacement between them, and a rope that is paid out.
const std::string driven = R"toml(
[[body]]
name = "base"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "arm"
mass = 1
inertia = [1, 1, 1]
position = [0.6, 0, 0]
[[joint]]
name = "sleeve"
type = "cylindrical"
bodies = ["base", "arm"]
point = [0.2, 0.1, 0]
axis = [0.1, 0.2, 1]
drive = { angle = { formula = "0.4*sin(3*t)" }, displacement = { formula = "0.2*t^2" } }
[[joint]]
name = "rope"
type = "distance"
bodies = ["ground", "arm"]
points = [[0, 0, -2], [0.6, 0, 0]]
length = { formula = "2.0880613017821101 + 0.1*t^2" }
)toml";

/// A body anywhere, that moves somehow; it need not fit the joints.
MovingPlacement somewhere(int body, int stage) {
  const auto number = [&](int k) { return std::sin(1.0 + 2.3 * k + 5.1 * body + 0.7 * stage); };
  MovingPlacement motion;
  motion.at.x = Vector3(number(0), number(1), number(2));
  motion.at.D = expSO3(Vector3(number(3), number(4), number(5)));
  motion.rate.v = Vector3(number(6), number(7), number(8));
  motion.rate.W = hat(Vector3(number(9), number(10), number(11))) * motion.at.D;
  return motion;
}

// All rows at all stages, those without a drive as well, have the rates and gradients that the equation of the joint has there.
TEST(StageDrives, RowsAreThoseOfTheEquationsAtEachStage) {
  using namespace stages;
  const Mechanism mechanism(readModelText(driven, "driven.toml").model);
  const GaussCoefficients& coefficients = GaussCoefficients::of(8);
  StageDrives drives(mechanism);
  EXPECT_EQ(drives.rows().size(), 3u);
  const double time = 0.3, h = 0.2;
  drives.follow(time, h, coefficients);
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism.joints()[j];
    for (int begin = 0; begin < columns; begin += lanes) {
      const auto inLanes = [&](int body) {
        MovingBody all;
        for (int lane = 0; lane < lanes; ++lane) {
          const MovingPlacement one = body < 0 ? MovingPlacement{} : somewhere(body, begin + lane);
          for (int i = 0; i < 3; ++i) {
            all.x[i].numbers[lane] = one.at.x[i];
            all.v[i].numbers[lane] = one.rate.v[i];
          }
          for (int i = 0; i < 9; ++i) {
            all.D(i % 3, i / 3).numbers[lane] = one.at.D(i % 3, i / 3);
            all.W(i % 3, i / 3).numbers[lane] = one.rate.W(i % 3, i / 3);
          }
        }
        return all;
      };
      int seen = 0;
      forRowsOf(
          joint.equations, drives.of(j), begin, inLanes(joint.first), inLanes(joint.second),
          [&](int row, const Gradient& gradient) {
            ++seen;
            const JointEquation& equation = joint.equations[static_cast<std::size_t>(row)];
            for (int lane = 0; lane < lanes; ++lane) {
              const int stage = begin + lane;
              const double t = time + coefficients.c()[stage] * h;
              const MovingPlacement first = joint.first < 0 ? MovingPlacement{} : somewhere(joint.first, stage),
                                    second = somewhere(joint.second, stage);
              EXPECT_NEAR(gradient.rate[lane], equation.rate(t, first, second), 1e-13) << joint.name;
              const FormGradient expected = equation.gradient(t, first.at, second.at);
              const Vec turning = gradient.first.onRotation();
              for (int i = 0; i < 3; ++i) {
                EXPECT_NEAR(gradient.second.onPosition[i][lane], expected.second.onPosition[i], 1e-13) << joint.name;
                EXPECT_NEAR(turning[i][lane], expected.first.onRotation(first.at.D)[i], 1e-13) << joint.name;
              }
            }
          },
          [](int, const Arm&) {});
      EXPECT_EQ(seen, joint.rows());
    }
  }
}

}  // namespace
}  // namespace polhode::stage_drives_test
