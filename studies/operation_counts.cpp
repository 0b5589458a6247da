#include "operation_counts.h"

#include "system/absolute_director_body.h"
#include "system/absolute_quaternion_body.h"
#include "system/null_space_body.h"

namespace polhode::lang {

namespace {

using T = CountingScalar;

RigidBodyData racket() {
  RigidBodyData body;
  body.inertia = Vector3(41.6, 11.6, 50.0);
  return body;
}

template <class Coordinates>
OperationCounts nullSpaceCounts() {
  const NullSpaceBody<Coordinates> body(racket(), UniformGravity());
  const Vector<T, Coordinates::Size> q =
      Coordinates::fromQuaternion(Quaternion(0.4, 0.5, -0.6, 0.3).normalized()).template cast<T>();
  const Vector<T, 3> Omega = Vector3(50.0, 0.1, 0.2).cast<T>();
  Vector<T, Coordinates::Size> qDot;
  Vector<T, 3> OmegaDot;
  return countOperations([&] { body.rotate(q, Omega, qDot, OmegaDot); });
}

OperationCounts absoluteQuaternionCounts() {
  const AbsoluteQuaternionBody<> body(racket(), UniformGravity());
  const Vector<T, 4> p = Quaternion(0.4, 0.5, -0.6, 0.3).normalized().cast<T>();
  const Vector<T, 4> v = QuaternionCoordinates::rate(p, Vector<T, 3>(T(50.0), T(0.1), T(0.2)));
  Vector<T, 4> vDot;
  return countOperations([&] { body.rotate(p, v, vDot); });
}

OperationCounts absoluteDirectorCounts() {
  using Matrix = Eigen::Matrix<T, 3, 3>;
  const Matrix D = rotationMatrix(Quaternion(Quaternion(0.4, 0.5, -0.6, 0.3).normalized())).cast<T>();
  const Matrix rate = D * hat(Vector<T, 3>(T(50.0), T(0.1), T(0.2)));
  const Vector<T, 3> E = AbsoluteDirectorBody<>::eulerTensor(racket().inertia).cast<T>();
  const Vector<T, 3> noTorque = Vector<T, 3>::Zero();
  Matrix acceleration;
  return countOperations([&] { acceleration = directorAcceleration(D, rate, E, noTorque); });
}

/// In the order of the paper's rows: + - * / square sin cos.
OperationCounts counts(int plus, int minus, int times, int divided, int squares, int sines = 0, int cosines = 0) {
  OperationCounts c;
  c.additions = plus;
  c.subtractions = minus;
  c.multiplications = times;
  c.divisions = divided;
  c.squares = squares;
  c.sines = sines;
  c.cosines = cosines;
  return c;
}

}  // namespace

double RightHandSideCost::printedTotal() const {
  constexpr double n = 15.0;
  const double decomposition = 2.0 * n * n * n / 3.0 - n * n / 2.0 - n / 6.0, solves = 2.0 * n * n - n;
  return static_cast<double>(printed.total()) + (printedLuDecomposition ? decomposition + solves : 0.0);
}

std::vector<RightHandSideCost> operationCounts() {
  return {
      {"quaternion null space (42)", "p, Omega: 7", counts(5, 7, 18, 6, 0), false,
       nullSpaceCounts<QuaternionCoordinates>()},
      {"director null space (25)", "d, Omega: 12", counts(0, 12, 24, 3, 0), false,
       nullSpaceCounts<DirectorCoordinates>()},
      {"quaternion absolute (40)", "p, p': 8", counts(17, 4, 24, 3, 4), false, absoluteQuaternionCounts()},
      {"director absolute (23)", "d, d': 18", counts(16, 1, 10, 0, 9), true, absoluteDirectorCounts()},
      {"Euler angles (66)", "theta, Omega: 6", counts(2, 5, 14, 5, 0, 2, 2), false,
       nullSpaceCounts<Euler313Coordinates>()},
  };
}

}  // namespace polhode::lang
