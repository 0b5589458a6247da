#include "math/random.h"
#include "math/rotation_maps.h"
#include "polhode/model/joint_type.h"
#include "system/joint_opening.h"
#include "system/scalar_coordinate.h"

#include <gtest/gtest.h>

/// What every type of joint must fulfil; a new one is tested as soon as it is in the list of jointTypes().
namespace polhode::all_joints_test {
namespace {

using test::Random;

using Twist = Eigen::Matrix<double, 6, 1>;  // of the second body: velocity of its centre of mass, angular velocity

class AllJoints : public testing::TestWithParam<JointType> {
 protected:
  /// Two bodies that stand anyhow, and the joint between them.
  static Model model() {
    Random random;
    Model result;
    for (const char* name : {"first", "second"}) {
      Body body;
      body.name = name;
      body.inertia = Vector3(1, 2, 2.5).asDiagonal();
      body.position = random.matrix<3>();
      body.orientation = random.unitQuaternion();
      result.bodies.push_back(body);
    }
    Joint joint{"joint", GetParam().name, "first", "second", random.matrix<3>()};
    joint.axis = random.matrix<3>();
    if (GetParam().needs == JointNeeds::twoPoints) joint.secondPoint = random.matrix<3>();
    if (GetParam().needs == JointNeeds::pointAndTwoAxes) joint.secondAxis = joint.axis.unitOrthogonal();
    result.joints = {joint};
    return result;
  }

  const Mechanism mechanism{model()};
  const MechanismJoint& joint = mechanism.joints()[0];
  const Placement first = mechanism.bodies()[0].placement, second = mechanism.bodies()[1].placement;
  Random random;

  /// Nine and three numbers that need not be a rotation.
  PlacementRate anyRate() { return {random.matrix<3>(), random.matrix<3, 3>()}; }
  Placement anyPlacement() { return {random.matrix<3>(), random.matrix<3, 3>()}; }

  static Placement moved(const Placement& z, double by, const PlacementRate& rate) {
    return {z.x + by * rate.v, z.D + by * rate.W};
  }

  /// How the equations notice a motion of the second body.
  MatrixX rows() const {
    MatrixX result(joint.rows(), 6);
    for (int i = 0; i < joint.rows(); ++i) {
      const EndGradient g = joint.equations[static_cast<std::size_t>(i)].form.gradient(first, second).second;
      result.row(i) << g.onPosition.transpose(), g.onRotation(second.D).transpose();
    }
    return result;
  }

  /// The axis of a motion that the joint leaves free, in space.
  Vector3 axisOf(const JointMotion& motion) const {
    return motion.fixedInSecond ? Vector3(second.D * joint.geometry.second.axes.col(motion.axis))
                                : Vector3(first.D * joint.geometry.first.axes.col(motion.axis));
  }

  /// Where the second body is after a motion along or about an axis.
  Placement after(const JointMotion& motion, double by) const {
    const Vector3 axis = axisOf(motion);
    if (motion.kind == MotionKind::translation) return {second.x + by * axis, second.D};
    const Matrix3 turn = expSO3(Vector3(by * axis));
    const Vector3 pivot = first.point(joint.geometry.first.point);
    return {pivot + turn * (second.x - pivot), turn * second.D};
  }
};

}  // namespace

TEST_P(AllJoints, AreClosedWhereTheyAreGiven) {
  const JointOpening opening = jointOpening(joint, {first, {}}, {second, {}});
  EXPECT_LT(opening.distance, 3e-15);  // roundings of a turn there and back
  EXPECT_LT(opening.angle, 3e-15);
}

TEST_P(AllJoints, HaveTheRightJacobianAndAConstantSecondDerivative) {
  // for a quadratic form differences of any length are exact
  for (const JointEquation& equation : joint.equations)
    for (int trial = 0; trial < 20; ++trial) {
      const Placement a = anyPlacement(), b = anyPlacement();
      const PlacementRate da = anyRate(), db = anyRate();
      const auto value = [&](double by) { return equation.form.value(moved(a, by, da), moved(b, by, db)); };
      const FormGradient g = equation.form.gradient(a, b);
      EXPECT_NEAR(g.first.along(da) + g.second.along(db), 0.5 * (value(1) - value(-1)), 1e-13);
      EXPECT_NEAR(equation.form.curvature(da, db), value(1) - 2 * value(0) + value(-1), 1e-13);
    }
}

TEST_P(AllJoints, HaveAnExactDiscreteGradientAtTheMean) {
  for (const JointEquation& equation : joint.equations)
    for (int trial = 0; trial < 20; ++trial) {
      const Placement a0 = anyPlacement(), b0 = anyPlacement(), a1 = anyPlacement(), b1 = anyPlacement();
      const FormGradient g = equation.form.gradient(mean(a0, a1), mean(b0, b1));
      const double along = g.first.along({a1.x - a0.x, a1.D - a0.D}) + g.second.along({b1.x - b0.x, b1.D - b0.D});
      EXPECT_NEAR(along, equation.form.value(a1, b1) - equation.form.value(a0, b0), 1e-13);
    }
}

TEST_P(AllJoints, HaveIndependentEquations) {
  EXPECT_EQ(rows().colPivHouseholderQr().rank(), joint.rows());
}

TEST_P(AllJoints, LeaveFreeWhatTheirMotionsSay) {
  const JointType& type = *joint.type;
  if (!type.spansTree) GTEST_SKIP() << "no tree is built on it";
  ASSERT_EQ(static_cast<int>(type.motions.size()), 6 - joint.rows());
  const Vector3 pivot = first.point(joint.geometry.first.point);
  MatrixX motions(6, type.motions.size());
  for (std::size_t i = 0; i < type.motions.size(); ++i) {
    const Vector3 axis = axisOf(type.motions[i]);
    Twist twist;
    if (type.motions[i].kind == MotionKind::translation)
      twist << axis, Vector3::Zero();
    else
      twist << axis.cross(second.x - pivot), axis;
    motions.col(static_cast<Eigen::Index>(i)) = twist;
  }
  EXPECT_LT((rows() * motions).norm(), 1e-14) << "the equations notice them";
  if (motions.cols() > 0) {
    EXPECT_EQ(motions.colPivHouseholderQr().rank(), motions.cols());
  }
}

TEST_P(AllJoints, StayClosedInEachOfTheirMotions) {
  for (const JointMotion& motion : joint.type->motions)
    for (const double by : {-2.0, 0.3, 1.5}) {
      const JointOpening opening = jointOpening(joint, {first, {}}, {after(motion, by), {}});
      EXPECT_LT(opening.distance, 3e-15);
      EXPECT_LT(opening.angle, 3e-15);
    }
}

TEST_P(AllJoints, MeasureTheirMotions) {
  for (const JointCoordinateInfo& info : joint.type->coordinates) {
    const ScalarCoordinate coordinate = ScalarCoordinate::ofJoint(joint.geometry, info);
    EXPECT_NEAR(coordinate.value(first, second), 0.0, 1e-15) << info.name;
    for (const JointMotion& motion : joint.type->motions) {
      const bool isIts = motion.kind == info.kind && motion.axis == info.axis;
      EXPECT_NEAR(coordinate.value(first, after(motion, 0.7)), isIts ? 0.7 : 0.0, 2e-15) << info.name;
      const Pull gradient = coordinate.gradient(first, second);
      const double ahead = coordinate.value(first, after(motion, 1e-6)),
                   behind = coordinate.value(first, after(motion, -1e-6));
      EXPECT_NEAR((ahead - behind) / 2e-6, isIts ? 1.0 : 0.0, 1e-9);
      EXPECT_GT(gradient.norm(), 0.5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, AllJoints, testing::ValuesIn(jointTypes()),
                         [](const testing::TestParamInfo<JointType>& test) { return test.param.name; });

}  // namespace polhode::all_joints_test
