#pragma once

#include "system/body_forces.h"

#include <cmath>
#include <memory>

/// The single-body examples of Lang 2010, section 7, with reference solutions.
///
/// The references were computed for this project in 113-bit arithmetic, in two formulations and with two
/// integrators (extrapolation of order 20, Gauss-Legendre of order 16) that agree to 1e-19; all printed
/// digits are right.
namespace polhode::test {

struct LangExample {
  RigidBodyData body;
  std::shared_ptr<const BodyForces> forces;
  Quaternion orientation;   // at t = 0
  Vector3 angularVelocity;  // at t = 0, in the body frame
  double end;               // time of the reference
  Matrix3 referenceRotation;
  Vector3 referenceAngularVelocity;
  double energy;
};

/// Example A: a slightly unsymmetrical heavy top, I = (50, 42, 10), m L = 11.09, g = 9.81; reference at t
/// = 1.
inline LangExample langA() {
  const Vector3 centre(0.0, 0.0, 11.09);  // with m = 1: only m L matters about a fixed point
  LangExample example;
  example.body = {1.0, Vector3(50.0, 42.0, 10.0), centre, false, Vector3::Zero()};
  example.forces = std::make_shared<UniformGravity>(example.body, Vector3(0.0, 0.0, -9.81));
  example.orientation = Quaternion(std::sqrt(3.0) / 2.0, 0.5, 0.0, 0.0);
  example.angularVelocity = Vector3(0.0, 0.0, 20.0);
  example.end = 1.0;
  example.referenceRotation << 0.3074706466506446, -0.7483061317134501, 0.5877922547025328,  //
      0.5627038900511695, -0.35514948997574536, -0.7464805234507123,                         //
      0.7673500723721317, 0.5602738375205651, 0.3118767279238121;
  example.referenceAngularVelocity << 0.4305737904870977, 0.8975870246159925, 19.994562859929488;
  example.energy = 2054.39645;
  return example;
}

/// Example B: the tennis racket spinning about its middle axis, disturbed by 0.1, without forces. The body
/// tumbles once by t = 0.4, the time of the reference.
inline LangExample langB() {
  LangExample example;
  example.body = {1.0, Vector3(41.6, 11.6, 50.0), Vector3::Zero(), false, Vector3::Zero()};
  example.forces = std::make_shared<UniformGravity>(example.body, Vector3::Zero());
  const double a = M_PI / 3.0, b = M_PI / 4.0, c = M_PI / 2.0;  // Euler angles 3-1-3
  example.orientation =
      Quaternion(std::cos(b / 2.0) * std::cos((a + c) / 2.0), std::sin(b / 2.0) * std::cos((a - c) / 2.0),
                 std::sin(b / 2.0) * std::sin((a - c) / 2.0), std::cos(b / 2.0) * std::sin((a + c) / 2.0));
  example.angularVelocity = Vector3(50.0, 0.1, 0.1);
  example.end = 0.4;
  example.referenceRotation << 0.6086554880507333, -0.025651411865894654, -0.7930198622575666,  //
      -0.3536771022612282, -0.9034586604619169, -0.2422291398086934,                            //
      -0.7102471430437607, 0.4279070622292241, -0.5589673889347487;
  example.referenceAngularVelocity << -49.999888082757685, 0.137039063308772, 0.13143292056665506;
  example.energy = 52000.308;
  return example;
}

}  // namespace polhode::test
