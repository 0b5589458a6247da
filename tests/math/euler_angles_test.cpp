#include "math/euler_angles.h"

#include "math/dual.h"
#include "math/quaternion.h"
#include "math/random.h"
#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::euler_angles_test {
namespace {

using std::numbers::pi;
using test::cases, test::distance, test::Random, test::roundOff;

// Products of three sines and cosines.
constexpr double tolerance = 8 * roundOff;

/// Where a kind of angles is locked, and from which elementary rotations it is made.
template <class Angles>
struct Convention;

template <>
struct Convention<Euler313> {
  static constexpr double locked = 0, farthest = pi / 2;
  static Matrix3 product(const Vector3& theta) {
    return (Eigen::AngleAxisd(theta[0], Vector3::UnitZ()) * Eigen::AngleAxisd(theta[1], Vector3::UnitX()) *
            Eigen::AngleAxisd(theta[2], Vector3::UnitZ()))
        .toRotationMatrix();
  }
};

template <>
struct Convention<Cardan> {
  static constexpr double locked = pi / 2, farthest = 0;
  static Matrix3 product(const Vector3& theta) {
    return (Eigen::AngleAxisd(theta[0], Vector3::UnitX()) * Eigen::AngleAxisd(theta[1], Vector3::UnitY()) *
            Eigen::AngleAxisd(theta[2], Vector3::UnitZ()))
        .toRotationMatrix();
  }
};

template <class Angles>
class ThreeAngles : public testing::Test {
 protected:
  /// Angles at least 0.1 rad away from gimbal lock, in the range that fromRotation returns.
  Vector3 angles() {
    return {random.uniform(-3.1, 3.1), Convention<Angles>::farthest + random.uniform(-1.47, 1.47),
            random.uniform(-3.1, 3.1)};
  }
  Random random;
};

using Kinds = testing::Types<Euler313, Cardan>;
TYPED_TEST_SUITE(ThreeAngles, Kinds);

TYPED_TEST(ThreeAngles, rotationIsTheProductOfThree) {
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = this->angles();
    EXPECT_LT(distance(TypeParam::rotation(theta), Convention<TypeParam>::product(theta)), tolerance);
  }
}

TYPED_TEST(ThreeAngles, anglesAndBack) {
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = this->angles();
    // an entry of size sin(0.1) or more decides an angle
    EXPECT_LT(distance(TypeParam::fromRotation(TypeParam::rotation(theta)), theta), 10 * tolerance);
  }
}

TYPED_TEST(ThreeAngles, everyRotationAndBack) {
  for (int k = 0; k < cases; ++k) {
    const Matrix3 R = this->random.rotation();
    const Vector3 theta = TypeParam::fromRotation(R);
    // R is a rotation up to a rounding, which a small sine (or cosine) of theta2 magnifies in theta1 and
    // theta3
    const double magnified = 1 / std::abs(std::sin(theta[1] - Convention<TypeParam>::locked));
    EXPECT_LT(distance(TypeParam::rotation(theta), R), tolerance * magnified);
  }
}

TYPED_TEST(ThreeAngles, gimbalLockIsSaid) {
  const Vector3 locked(0.3, Convention<TypeParam>::locked, 0.4);
  try {
    TypeParam::fromRotation(TypeParam::rotation(locked));
    FAIL() << "gimbal lock passed unnoticed";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("gimbal lock"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("use quaternions"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace polhode::euler_angles_test
