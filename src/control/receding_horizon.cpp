#include "control/receding_horizon.h"

namespace polhode {
namespace {

constexpr double secondTimeConstant = 1.0 / 2.0, thirdTimeConstant = 1.0 / 4.0;  // relative to T
constexpr double horizon = 16.0;                                                 // relative to T; e^-16 is left
constexpr int fewestDoublings = 12;                                              // where steps are longer than T
constexpr double longestStep =
    4.0;  // relative to T; beyond it T grows with the step, since a law that is to be faster than
          // its steps has a closed loop on the edge of stability

/// The dynamics of one component and what the law minimises, in the units e, U w, U^2 a, U^3 u: U is T or, where steps are
/// longer than that, the step, so that no number is far from one.
struct ScaledProblem {
  double unit;  // U/T
  Matrix3 A;
  Vector3 B;
  Matrix3 weight;
  double weightOfControl;

  ScaledProblem(double relativeStep, double share) : unit(std::max(1.0, relativeStep)) {
    const double h = relativeStep / unit;
    A << 1.0, h, share * h * h,  //
        0.0, 1.0, h,             //
        0.0, 0.0, 1.0;
    B = h * A.col(2);

    const double p = square(secondTimeConstant), q = square(thirdTimeConstant),
                 u = 1.0 / square(std::min(unit, longestStep));
    weight = h * Vector3(1.0, (1.0 + p + q) * u, (p + q + p * q) * u * u).asDiagonal();
    weightOfControl = h * p * q * u * u * u;
  }
};

/// The cost of the best 2^n steps from a state x, x^T H x.
Matrix3 riccatiByDoubling(const ScaledProblem& problem, int doublings) {
  Matrix3 A = problem.A, H = problem.weight;
  Matrix3 G = problem.B * problem.B.transpose() / problem.weightOfControl;
  for (int i = 0; i < doublings; ++i) {
    const Matrix3 inverse = (Matrix3::Identity() + G * H).inverse();
    const Matrix3 AI = A * inverse;
    G += AI * G * A.transpose();
    H += A.transpose() * H * inverse * A;
    A = AI * A;
  }
  return H;
}

}  // namespace

RecedingHorizonGains recedingHorizonGains(double relativeStep, double shareOfStep) {
  const ScaledProblem problem(relativeStep, shareOfStep);
  const int doublings = std::max(fewestDoublings, static_cast<int>(std::ceil(std::log2(horizon / relativeStep))));
  const Matrix3 H = riccatiByDoubling(problem, doublings);
  const Vector3 HB = H * problem.B;
  const Vector3 gains = problem.A.transpose() * HB / (problem.weightOfControl + problem.B.dot(HB));
  // back from U to T
  const double u = problem.unit;
  return {gains[0] / (u * u * u), gains[1] / (u * u), gains[2] / u};
}

double amplificationFactor(const RecedingHorizonGains& gains, double relativeStep, double shareOfStep) {
  const ScaledProblem problem(relativeStep, shareOfStep);
  const double u = problem.unit;
  const Eigen::RowVector3d K(gains.ofDeviation * u * u * u, gains.ofVelocity * u * u, gains.ofAcceleration * u);
  const MatrixX closed = problem.A - problem.B * K;
  return closed.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace polhode
