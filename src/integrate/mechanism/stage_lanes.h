#pragma once

#include "integrate/gauss_coefficients.h"
#include "math/cross.h"
#include "math/lanes.h"
#include "polhode/model/form.h"

/// What a step of Gauss collocation knows of its stages: each number is a row, with a stage in each column, so that stages go
/// through vector registers side by side (math/lanes.h). Columns beyond the last stage repeat it.
namespace polhode::stages {

using Lane = Lanes<lanesOfRegister>;
using Vec = Vector<Lane, 3>;
using Mat = Matrix33<Lane>;

constexpr int lanes = lanesOfRegister, columns = GaussCoefficients::most;

template <int Numbers>
using Rows = Eigen::Matrix<double, Numbers, columns, Eigen::RowMajor>;
using Square = Eigen::Matrix<double, columns, columns, Eigen::RowMajor>;

/// How many columns all registers together have that the stages fill.
constexpr int filled(int stages) {
  return (stages + lanes - 1) / lanes * lanes;
}

/// Three rows, or nine as the columns of a matrix, at the stages from `first` on.
inline Vec vectorAt(const double* row, int first) {
  Vec v;
  for (int i = 0; i < 3; ++i) v[i] = Lane::from(row + i * columns + first);
  return v;
}
inline Mat matrixAt(const double* row, int first) {
  Mat m;
  for (int i = 0; i < 9; ++i) m(i % 3, i / 3) = Lane::from(row + i * columns + first);
  return m;
}
inline void put(const Vec& v, double* row, int first) {
  for (int i = 0; i < 3; ++i) v[i].to(row + i * columns + first);
}
inline void add(const Vec& v, double* row, int first) {
  put(vectorAt(row, first) + v, row, first);
}

inline Vec inAllLanes(const Vector3& v) {
  return Vec(v[0], v[1], v[2]);
}
inline Mat inAllLanes(const Matrix3& m) {
  Mat all;
  for (int i = 0; i < 9; ++i) all(i % 3, i / 3) = m(i % 3, i / 3);
  return all;
}

/// product = factor x m, for some rows x of stages.
inline void multiply(double factor, const double* x, int rows, const Square& m, int stages, double* product) {
  for (int row = 0; row < rows; ++row)
    for (int first = 0; first < filled(stages); first += lanes) {
      Lane sum = 0.0;
      for (int j = 0; j < stages; ++j) sum = multiplyAdd(Lane(x[row * columns + j]), Lane::from(&m(j, first)), sum);
      (Lane(factor) * sum).to(product + row * columns + first);
    }
}

/// A body at some stages (placement.h).
struct MovingBody {
  Vec x, v;
  Mat D, W;
};

/// The derivative of a form with respect to one body, as EndGradient has it; the turning torque is in space.
struct End {
  Vec onPosition, onDirectors, arm;  // arm: in space

  Vec onRotation() const { return arm.cross(onDirectors); }
};

/// The gradient of a form at some stages, and its rate.
struct Gradient {
  End first, second;
  Lane rate;
};

inline Gradient gradientOf(const Form& form, const MovingBody& first, const MovingBody& second) {
  Gradient g;
  const auto end = [](const Vec& onPosition, const Vec& onDirectors, const Vec& arm) {
    return End{onPosition, onDirectors, arm};
  };
  const bool turns = form.kind == FormKind::axes || form.kind == FormKind::axisPoint;
  const Vec ofFirst = inAllLanes(turns ? form.a : form.firstPoint);
  const Vec ofSecond = inAllLanes(form.kind == FormKind::axes ? form.b : form.secondPoint);
  const Vec armOfFirst = first.D * ofFirst, armOfSecond = second.D * ofSecond;
  switch (form.kind) {
    case FormKind::point: {
      const Vec a = inAllLanes(form.a);
      g.first = end(-a, -a, armOfFirst);
      g.second = end(a, a, armOfSecond);
      break;
    }
    case FormKind::axes:
      g.first = end(Vec::Zero(), armOfSecond, armOfFirst);
      g.second = end(Vec::Zero(), armOfFirst, armOfSecond);
      break;
    case FormKind::axisPoint:
      g.first = end(-armOfFirst, second.x + armOfSecond - first.x, armOfFirst);
      g.second = end(armOfFirst, armOfFirst, armOfSecond);
      break;
    case FormKind::squaredDistance: {
      const Vec apart = second.x + armOfSecond - first.x - armOfFirst, twice = apart + apart;
      g.first = end(-twice, -twice, armOfFirst);
      g.second = end(twice, twice, armOfSecond);
      break;
    }
  }
  const Vec movesFirst = first.W * ofFirst, movesSecond = second.W * ofSecond;
  g.rate = g.first.onPosition.dot(first.v) + g.first.onDirectors.dot(movesFirst) +
           (g.second.onPosition.dot(second.v) + g.second.onDirectors.dot(movesSecond));
  return g;
}

}  // namespace polhode::stages
