#pragma once

#include "integrate/gauss_coefficients.h"
#include "math/cross.h"
#include "math/lanes.h"
#include "polhode/model/joint_equation.h"

#include <vector>

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

/// As many rows as are asked for, which begin where registers are read and written as a whole. They begin as zeros.
namespace detail {
struct alignas(columns * sizeof(double)) Row {
  double numbers[columns];
};
struct RowStore {
  std::vector<Row> held;

  explicit RowStore(Eigen::Index rows) : held(static_cast<std::size_t>(rows)) {}
  double* firstNumber() { return held.empty() ? nullptr : held.front().numbers; }
};
}  // namespace detail

class ManyRows : private detail::RowStore, public Eigen::Map<Rows<Eigen::Dynamic>> {
  using Map = Eigen::Map<Rows<Eigen::Dynamic>>;

 public:
  explicit ManyRows(Eigen::Index rows) : RowStore(rows), Map(firstNumber(), rows, columns) {}
  ManyRows(const ManyRows& other) : RowStore(other), Map(firstNumber(), other.rows(), columns) {}
  ~ManyRows() = default;

  using Map::operator=;
  ManyRows& operator=(const ManyRows& other) {
    Map::operator=(other);
    return *this;
  }

  template <class Archive>
  void persist(Archive& archive) {
    for (detail::Row& row : held) archive.plain(row);
  }
};

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

/// product = factor x m, for some rows x of stages. The matrix stays in registers.
template <int Stages>
void multiplyBy(double factor, const double* x, int rows, const Square& m, double* product) {
  for (int first = 0; first < filled(Stages); first += lanes) {
    Lane of[Stages];
    for (int j = 0; j < Stages; ++j) of[j] = Lane::from(&m(j, first));
    for (int row = 0; row < rows; ++row, x += columns, product += columns) {
      Lane sum = 0.0;
      for (int j = 0; j < Stages; ++j) sum = multiplyAdd(Lane(x[j]), of[j], sum);
      (Lane(factor) * sum).to(product + first);
    }
    x -= rows * columns, product -= rows * columns;
  }
}
inline void multiply(double factor, const double* x, int rows, const Square& m, int stages, double* product) {
  switch (stages) {
    case 2:
      return multiplyBy<2>(factor, x, rows, m, product);
    case 3:
      return multiplyBy<3>(factor, x, rows, m, product);
    case 4:
      return multiplyBy<4>(factor, x, rows, m, product);
    case 5:
      return multiplyBy<5>(factor, x, rows, m, product);
    case 6:
      return multiplyBy<6>(factor, x, rows, m, product);
    case 7:
      return multiplyBy<7>(factor, x, rows, m, product);
    default:
      return multiplyBy<8>(factor, x, rows, m, product);
  }
}

/// A body at some stages (placement.h).
struct MovingBody {
  Vec x, v;
  Mat D, W;
};

/// What a form sees of a body: an arm that turns with it, in space, and the arm's rate.
struct Arm {
  Vec at, rate;

  Arm(const Vector3& inBody, const MovingBody& body)
      : at(body.D * inAllLanes(inBody)), rate(body.W * inAllLanes(inBody)) {}
};

/// The derivative of a form with respect to one body: by its place, and by its arm.
struct End {
  Vec onPosition, onArm, arm;

  Vec onRotation() const { return arm.cross(onArm); }  // in space
};

/// The gradient of a form at some stages, and its rate.
struct Gradient {
  End first, second;
  Lane rate;
};

/// The arms of a form at both of its bodies, along theirs.
inline const Vector3& firstArmOf(const Form& form) {
  return form.kind == FormKind::axes || form.kind == FormKind::axisPoint ? form.a : form.firstPoint;
}
inline const Vector3& secondArmOf(const Form& form) {
  return form.kind == FormKind::axes ? form.b : form.secondPoint;
}

inline Gradient gradientOf(const Form& form, const MovingBody& first, const MovingBody& second, const Arm& ofFirst,
                           const Arm& ofSecond) {
  Gradient g;
  g.first.arm = ofFirst.at;
  g.second.arm = ofSecond.at;
  switch (form.kind) {
    case FormKind::point: {
      const Vec a = inAllLanes(form.a);
      g.first.onPosition = g.first.onArm = -a;
      g.second.onPosition = g.second.onArm = a;
      g.rate = a.dot(second.v + ofSecond.rate - (first.v + ofFirst.rate));
      return g;
    }
    case FormKind::axes:
      g.first.onPosition = g.second.onPosition = Vec::Zero();
      g.first.onArm = ofSecond.at;
      g.second.onArm = ofFirst.at;
      g.rate = ofSecond.at.dot(ofFirst.rate) + ofFirst.at.dot(ofSecond.rate);
      return g;
    case FormKind::axisPoint:
      g.first.onArm = second.x + ofSecond.at - first.x;
      g.first.onPosition = -ofFirst.at;
      g.second.onPosition = g.second.onArm = ofFirst.at;
      g.rate = g.first.onArm.dot(ofFirst.rate) + ofFirst.at.dot(second.v + ofSecond.rate - first.v);
      return g;
    case FormKind::squaredDistance: {
      const Vec apart = second.x + ofSecond.at - (first.x + ofFirst.at), twice = apart + apart;
      g.first.onPosition = g.first.onArm = -twice;
      g.second.onPosition = g.second.onArm = twice;
      g.rate = twice.dot(second.v + ofSecond.rate - (first.v + ofFirst.rate));
      return g;
    }
  }
  return g;
}

/// What the drive of a row asks for at the stages (stage_drives.h).
struct DrivenRow {
  Rows<3> arm = Rows<3>::Zero(), armRate = Rows<3>::Zero();  // of an angle, fixed in the first body: a and a'
  Rows<1> rate = Rows<1>::Zero();                            // of others: what the signal adds
};

/// The arm of a driven angle, which turns against its body.
[[gnu::noinline]] inline void turn(Arm& arm, const DrivenRow& row, int begin, const MovingBody& body) {
  const Vec inBody = vectorAt(row.arm.data(), begin);
  arm.at = body.D * inBody;
  arm.rate = body.W * inBody + body.D * vectorAt(row.armRate.data(), begin);
}

/// The gradients of a joint's rows, one after the other, as `take(row, gradient)`. Most rows share their arms: behind the last
/// one of those with the same arm at the first body (side 0) or the second (1) comes `leave(side, arm)`. `driven` are those rows
/// that follow a signal, in their order, or null where the joint has none; `begin` is the first of the stages. Rows before `from`,
/// which follow none, are passed over.
template <class Take, class Leave>
void forRowsOf(const std::vector<JointEquation>& equations, const DrivenRow* driven, int begin, const MovingBody& first,
               const MovingBody& second, const Take& take, const Leave& leave, std::size_t from = 0) {
  if (from >= equations.size()) return;
  const Vector3 *ofFirst = &firstArmOf(equations[from].form), *ofSecond = &secondArmOf(equations[from].form);
  Arm atFirst(*ofFirst, first), atSecond(*ofSecond, second);
  for (std::size_t row = from; row < equations.size(); ++row) {
    const Form& form = equations[row].form;
    if (firstArmOf(form) != *ofFirst || driven) {
      leave(0, atFirst);
      atFirst = Arm(*(ofFirst = &firstArmOf(form)), first);
    }
    if (secondArmOf(form) != *ofSecond) {
      leave(1, atSecond);
      atSecond = Arm(*(ofSecond = &secondArmOf(form)), second);
    }
    const JointDrive* drive = driven ? equations[row].drive.get() : nullptr;
    if (drive && drive->kind == DriveKind::angle) turn(atFirst, *driven, begin, first);
    Gradient gradient = gradientOf(form, first, second, atFirst, atSecond);
    if (drive) gradient.rate += Lane::from(&driven++->rate(0, begin));
    take(static_cast<int>(row), gradient);
  }
  leave(0, atFirst);
  leave(1, atSecond);
}

}  // namespace polhode::stages
