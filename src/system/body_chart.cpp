#include "system/body_chart.h"

#include <array>

namespace polhode {

namespace {

/// The pairs of rows of D whose product a constraint fixes, in the order of g.
constexpr std::array<std::array<int, 2>, 6> rowPairs = {{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {2, 0}, {1, 2}}};

}  // namespace

Vector<double, 6> DirectorChart::constraint(const Coordinates& d) {
  const Matrix3 D = directors(d);
  Vector<double, 6> g;
  for (int k = 0; k < 6; ++k) {
    const auto [a, b] = rowPairs[k];
    g[k] = a == b ? 0.5 * (D.row(a).squaredNorm() - 1.0) : D.row(a).dot(D.row(b));
  }
  return g;
}

Eigen::Matrix<double, 6, 9> DirectorChart::constraintJacobian(const Coordinates& d) {
  const Matrix3 D = directors(d);
  Eigen::Matrix<double, 6, 9> G = Eigen::Matrix<double, 6, 9>::Zero();
  for (int k = 0; k < 6; ++k) {
    const auto [a, b] = rowPairs[k];
    // Component a of director i stands in column 3 i + a.
    for (int i = 0; i < 3; ++i) {
      G(k, 3 * i + a) = D(b, i);
      G(k, 3 * i + b) = D(a, i);
    }
  }
  return G;
}

Vector<double, 6> DirectorChart::constraintAcceleration(const Coordinates& ddot) {
  const Matrix3 W = directors(ddot);
  Vector<double, 6> gII;
  for (int k = 0; k < 6; ++k) {
    const auto [a, b] = rowPairs[k];
    gII[k] = (a == b ? 1.0 : 2.0) * W.row(a).dot(W.row(b));
  }
  return gII;
}

Vector3 DirectorChart::angularVelocity(const Coordinates& d, const Coordinates& ddot) {
  const Matrix3 S = directors(d).transpose() * directors(ddot);
  return 0.5 * Vector3(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1));
}

}  // namespace polhode
