#include "math/projection.h"

#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

Matrix3 projectFrameToNearest(const Matrix3& drifted) {
  constexpr int mostIterations = 20;
  constexpr double nearEnough = 1e-9;  // the error is now its square, below round-off

  const double determinant = drifted.determinant();
  if (!(determinant > 0 && std::isfinite(determinant)))
    throw InputError(
        fmt::format("directors with determinant {:g} have no nearest rotation; give three right-handed "
                    "directors that do not lie in a plane",
                    determinant));

  Matrix3 X = drifted;
  for (int iteration = 0; iteration < mostIterations; ++iteration) {
    const Matrix3 scaled = X / std::cbrt(X.determinant());
    const Matrix3 next = (scaled + scaled.inverse().transpose()) / 2;
    const double change = (next - X).norm();
    X = next;
    if (change < nearEnough) break;
  }
  return X;
}

FrameMotion<double> projectFrameToNearest(const Matrix3& drifted, const Matrix3& driftedVelocity) {
  const Matrix3 R = projectFrameToNearest(drifted);
  return {R, projectFrameVelocity(R, driftedVelocity)};
}

}  // namespace polhode
