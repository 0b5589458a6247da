#include "math/euler_map.h"
#include "math/rotation_maps.h"
#include "polhode/analysis/run.h"
#include "system/mechanism.h"

#include <gtest/gtest.h>

/// Each motion that a joint leaves free, against its closed form: a body on a joint to the ground, without forces, goes on
/// uniformly along an axis or about a principal axis through its centre of mass.
namespace polhode::all_joints_motion_test {
namespace {

constexpr double rate = 0.7;

class AllJointsMotion : public testing::TestWithParam<JointType> {
 protected:
  static Model model() {
    Model result;
    Body body;
    body.name = "body";
    body.mass = 2.0;
    body.inertia = Vector3(1, 2, 2.5).asDiagonal();
    body.position = {0.3, -0.2, 0.5};
    result.bodies = {body};
    result.joints = {{"joint", GetParam().name, "ground", "body", body.position}};
    if (GetParam().needs == JointNeeds::pointAndTwoAxes) result.joints[0].secondAxis = Vector3::UnitX();
    if (GetParam().needs == JointNeeds::twoPoints) {
      result.joints[0].point = Vector3::Zero();
      result.joints[0].secondPoint = body.position;
    }
    return result;
  }

  static Body after(const Model& model, double end) {
    SimulationSettings settings;
    settings.integrator = "director-em-8";
    settings.step = 0.05;
    settings.end = end;
    const RunResult result = simulate(model, settings);
    EXPECT_EQ(result.failure, "");
    return result.final.bodies.front();
  }
};

}  // namespace

TEST_P(AllJointsMotion, IsUniform) {
  const Model start = model();
  const Body& before = start.bodies.front();
  const JointFrame frame = Mechanism(start).joints()[0].geometry.first;
  const JointFrame other = Mechanism(start).joints()[0].geometry.second;  // the body's axes are those of space
  for (const JointMotion& motion : GetParam().motions) {
    const Vector3 axis = motion.fixedInSecond ? other.axes.col(motion.axis) : frame.axes.col(motion.axis);
    Model moving = start;
    const bool turns = motion.kind == MotionKind::rotation;
    (turns ? moving.bodies[0].angularVelocity : moving.bodies[0].velocity) = rate * axis;
    const Body body = after(moving, 1.0);
    const Vector3 position = turns ? before.position : Vector3(before.position + rate * axis);
    const Matrix3 rotation = turns ? expSO3(Vector3(rate * axis)) : Matrix3(Matrix3::Identity());
    EXPECT_LT((body.position - position).norm(), 1e-11);
    EXPECT_LT((rotationMatrix(body.orientation) - rotation).norm(), 1e-11);
  }
}

TEST_P(AllJointsMotion, CirclesOnADistance) {
  if (GetParam().needs != JointNeeds::twoPoints) GTEST_SKIP() << "not a distance";
  Model moving = model();
  const Vector3 from = moving.bodies[0].position, axis = from.unitOrthogonal();
  moving.bodies[0].velocity = rate * axis.cross(from);
  const Body body = after(moving, 1.0);
  EXPECT_LT((body.position - expSO3(Vector3(rate * axis)) * from).norm(), 1e-11);
  EXPECT_LT((rotationMatrix(body.orientation) - Matrix3::Identity()).norm(), 1e-11);
}

TEST_P(AllJointsMotion, RestsWhereNothingActs) {
  const Body body = after(model(), 0.1);
  EXPECT_LT((body.position - model().bodies[0].position).norm(), 1e-15);
  EXPECT_LT((rotationMatrix(body.orientation) - Matrix3::Identity()).norm(), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(, AllJointsMotion, testing::ValuesIn(jointTypes()),
                         [](const testing::TestParamInfo<JointType>& test) { return test.param.name; });

}  // namespace polhode::all_joints_motion_test
