#include "math/tree_system.h"

#include <cmath>

namespace polhode {

namespace {

constexpr int largestPart = 12;  // of the border

/// How rows or columns of the border change on their way to the parent.
template <class Scalar>
struct HandedOn {
  Eigen::Matrix<Scalar, 6, 6> matrix;
  Matrix6 size;
  explicit HandedOn(const Eigen::Matrix<Scalar, 6, 6>& m) : matrix(m), size(m.cwiseAbs()) {}

  /// Adds what becomes of `v`. What cancels is zero, not a rounding: where bodies do not move against each other nothing is
  /// left of a loop between them, and no pivot may be made of that.
  template <class Sum>
  void add(const Eigen::Matrix<Scalar, 6, 1>& v, Sum&& sum) const {
    constexpr double cancelled = 1e-13;
    const Eigen::Matrix<Scalar, 6, 1> more = matrix * v;
    const polhode::Vector6 sizes = size * v.cwiseAbs() + sum.cwiseAbs();
    for (int half = 0; half < 6; half += 3) {
      const double rounding = cancelled * sizes.template segment<3>(half).maxCoeff();
      for (int k = half; k < half + 3; ++k) {
        const Scalar total = sum[k] + more[k];
        sum[k] = std::abs(total) > rounding ? total : Scalar(0.0);
      }
    }
  }
};

}  // namespace

/// Before anything has been eliminated, when only the nodes that have rows of the border themselves have some.
template <class Scalar>
void TreeSystemOf<Scalar>::findFreeScale(int b) {
  const polhode::Vector6 diagonal = node(b).A.diagonal().cwiseAbs();
  for (const BorderPlaces::Known& known : places_.knownBy(b))
    for (int i = 0; i < part(known.part).size; ++i) {
      const std::size_t here = known.slot + static_cast<std::size_t>(i);
      const polhode::Vector6 product = at(rowsOfBorder_, here).cwiseProduct(at(columns_, here)).cwiseAbs();
      for (int k = 0; k < 6; ++k)
        if (diagonal[k] > 0.0) border_.freeScale(part(known.part).first + i) += product[k] / diagonal[k];
    }
}

/// The loops that close in node b, when all beyond it has been eliminated.
template <class Scalar>
void TreeSystemOf<Scalar>::factoriseHomed(int b) {
  for (const BorderPlaces::Homed& homed : places_.homedAt(b)) {
    border_.factorise(homed.group);
    const int size = part(homed.part).size;
    SixWide F = wide(columns_, homed.slot, size), R = wide(rowsOfBorder_, homed.slot, size),
            FD = wide(homedColumns_, homed.slot, size);
    FD.noalias() = F.lazyProduct(border_.inverse(homed.group));
    node(b).A.noalias() -= FD.lazyProduct(R.transpose());
    for (const BorderPlaces::Change& change : homed.changes) {
      wide(rowsOfBorder_, change.slot, change.size).noalias() -= R.lazyProduct(border_.lower(change.below).transpose());
      wide(columns_, change.slot, change.size).noalias() -= FD.lazyProduct(border_.block(change.right));
    }
  }
}

template <class Scalar>
void TreeSystemOf<Scalar>::reduceHomed(int b) {
  for (const BorderPlaces::Homed& homed : places_.homedAt(b)) {
    const BorderPlaces::Part& own = part(homed.part);
    for (int i = 0; i < own.size; ++i)
      node(b).f -= border_.right(own.first + i) * at(homedColumns_, homed.slot + static_cast<std::size_t>(i));
    border_.reduce(homed.group);
  }
}

/// When the node's motion is known, and the border from here to the root.
template <class Scalar>
void TreeSystemOf<Scalar>::solveHomed(int b) {
  const auto& all = places_.homedAt(b);
  for (auto homed = all.rbegin(); homed != all.rend(); ++homed) {
    const BorderPlaces::Part& own = part(homed->part);
    for (int i = 0; i < own.size; ++i)
      border_.right(own.first + i) -=
          at(rowsOfBorder_, homed->slot + static_cast<std::size_t>(i)).cwiseProduct(node(b).z).sum();
    border_.solve(homed->group);
  }
}

template <class Scalar>
void TreeSystemOf<Scalar>::factoriseBorderOf(int b) {
  const auto known = places_.knownBy(b);
  if (known.empty()) return;
  const Kept& kept = kept_[static_cast<std::size_t>(b)];
  const Matrix6 NQ = kept.N * kept.Q;
  const polhode::Matrix6 sizeNQ = kept.N.cwiseAbs() * kept.Q.cwiseAbs();
  const HandedOn<Scalar> columnsOn(kept.YLeft.transpose() - kept.B * NQ), rowsOn((kept.Y - NQ * kept.E).transpose());
  const int* pair = places_.pairsOf(b);
  for (const BorderPlaces::Known& k : known) {
    const BorderPlaces::Part& rows = part(k.part);
    if (rows.home == b) continue;
    Vector6 rowNQ[largestPart];
    for (int i = 0; i < rows.size; ++i) {
      const auto next = static_cast<std::size_t>(i);
      const Vector6 row = at(rowsOfBorder_, k.slot + next), column = at(columns_, k.slot + next);
      rowNQ[i] = NQ.transpose() * row;
      border_.scale(rows.first + i) += row.cwiseAbs().dot(sizeNQ * column.cwiseAbs());
      if (k.parentSlot == BorderPlaces::none) continue;
      rowsOn.add(row, at(rowsOfBorder_, k.parentSlot + next));
      columnsOn.add(column, at(columns_, k.parentSlot + next));
    }
    const int firstRow = border_.place(rows.first).row;
    for (const BorderPlaces::Known& l : known) {
      const BorderPlaces::Part& columns = part(l.part);
      if (columns.home == b) continue;
      typename LoopBorder::Matrix& D = border_.block(*pair++);
      const int firstColumn = border_.place(columns.first).row;
      for (int j = 0; j < columns.size; ++j) {
        const Vector6 column = at(columns_, l.slot + static_cast<std::size_t>(j));
        for (int i = 0; i < rows.size; ++i) D(firstRow + i, firstColumn + j) -= rowNQ[i].cwiseProduct(column).sum();
      }
    }
  }
}

template void TreeSystemOf<double>::findFreeScale(int);
template void TreeSystemOf<double>::factoriseHomed(int);
template void TreeSystemOf<double>::reduceHomed(int);
template void TreeSystemOf<double>::solveHomed(int);
template void TreeSystemOf<double>::factoriseBorderOf(int);
template void TreeSystemOf<std::complex<double>>::findFreeScale(int);
template void TreeSystemOf<std::complex<double>>::factoriseHomed(int);
template void TreeSystemOf<std::complex<double>>::reduceHomed(int);
template void TreeSystemOf<std::complex<double>>::solveHomed(int);
template void TreeSystemOf<std::complex<double>>::factoriseBorderOf(int);

}  // namespace polhode
