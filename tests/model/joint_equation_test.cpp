#include "polhode/model/joint_equation.h"

#include "math/rotation_maps.h"

#include <gtest/gtest.h>

namespace polhode::joint_equation_test {
namespace {

/// Bodies that move evenly and turn evenly, so that all derivatives by time are known.
struct EvenMotion {
  Vector3 x, v, w;

  MovingPlacement at(double t) const {
    const Matrix3 D = expSO3(Vector3(t * w));
    return {{x + t * v, D}, {v, hat(w) * D}};
  }
  /// How a gradient feels x'' and D''.
  double along(const EndGradient& gradient, double t) const {
    return gradient.onDirectors.dot(hat(w) * hat(w) * at(t).at.D * gradient.arm);
  }
};

const EvenMotion first{{0.1, -0.2, 0.3}, {0.5, 0.4, -0.2}, {0.3, -0.6, 0.4}};
const EvenMotion second{{1.1, 0.7, -0.4}, {-0.3, 0.2, 0.6}, {-0.2, 0.5, 0.7}};

std::vector<JointEquation> drivenEquations() {
  const Signal signal = Signal::formula("0.7 + 0.4*sin(3*t) + t^2");
  const auto drive = [&](DriveKind kind) {
    return std::make_shared<const JointDrive>(JointDrive{kind, signal, Vector3::UnitZ()});
  };
  const Vector3 a(0.3, 0.1, -0.2), b(-0.1, 0.2, 0.5);
  return {{axisPointForm(Vector3::UnitX(), a, b), 0.0, drive(DriveKind::displacement)},
          {squaredDistanceForm(a, b), 0.0, drive(DriveKind::length)},
          {axesForm(Vector3::UnitY(), Vector3::UnitX()), 0.0, drive(DriveKind::angle)}};
}

TEST(JointEquation, DerivativesOfDrivenEquationsAreThoseOfTheGap) {
  const double h = 1e-3;
  for (const JointEquation& equation : drivenEquations()) {
    for (const double t : {0.0, 0.4, 1.3}) {
      const auto gap = [&](double s) { return equation.gap(s, first.at(s).at, second.at(s).at); };
      const auto rate = [&](double s) { return equation.rate(s, first.at(s), second.at(s)); };
      const auto slope = [&](const auto& f) {
        return (8.0 * (f(t + h) - f(t - h)) - f(t + 2 * h) + f(t - 2 * h)) / (12 * h);
      };
      EXPECT_NEAR(rate(t), slope(gap), 1e-9);
      const FormGradient gradient = equation.gradient(t, first.at(t).at, second.at(t).at);
      const double byBodies = first.along(gradient.first, t) + second.along(gradient.second, t);
      EXPECT_NEAR(byBodies + equation.curvature(t, first.at(t), second.at(t)), slope(rate), 1e-8);
    }
  }
}

TEST(JointEquation, AnAngleIsDrivenOverFullTurns) {
  const JointEquation equation{
      axesForm(Vector3::UnitY(), Vector3::UnitX()), 0.0,
      std::make_shared<const JointDrive>(JointDrive{DriveKind::angle, Signal::formula("2*t"), Vector3::UnitZ()})};
  for (const double t : {0.0, 1.0, 2.5, 10.0}) {
    const MovingPlacement turned = EvenMotion{Vector3::Zero(), Vector3::Zero(), Vector3(0, 0, 2)}.at(t);
    EXPECT_NEAR(equation.gap(t, {}, turned.at), 0.0, 1e-14);
    EXPECT_NEAR(equation.rate(t, {}, turned), 0.0, 1e-14);
    EXPECT_NEAR(equation.drivenRate(t, {}, turned.at), -2.0, 1e-14);
  }
}

}  // namespace
}  // namespace polhode::joint_equation_test
