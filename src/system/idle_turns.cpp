#include "system/idle_turns.h"

#include "math/dependent_columns.h"
#include "system/joint_row.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr double unfelt = 1e-11;  // what rows of unit length feel of a unit move, below this is nothing

bool turnsWithoutInertia(const MechanismBody& body, int axis) {
  return body.inertia[axis] <= 1e-14 * body.inertia.maxCoeff();
}

/// A measure of rotational inertia in this mechanism; only its magnitude matters.
double typicalInertia(const Mechanism& mechanism) {
  double inertia = 0.0, mass = 0.0;
  for (const MechanismBody& body : mechanism.bodies()) {
    inertia = std::max(inertia, body.inertia.maxCoeff());
    mass = std::max(mass, body.mass);
  }
  return inertia > 0.0 ? inertia : mass;
}

/// A move of one body that no inertia of its own resists: a turn about one of its principal axes, or, of a body without
/// mass, a displacement. Idle directions are made of these.
struct UnresistedMove {
  std::size_t body;
  int axis;  // 0, 1, 2: a turn; 3, 4, 5: a displacement in space
};

std::vector<UnresistedMove> unresistedMoves(const Mechanism& mechanism) {
  std::vector<UnresistedMove> moves;
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
    const MechanismBody& body = mechanism.bodies()[b];
    for (int k = 0; k < 3; ++k)
      if (turnsWithoutInertia(body, k)) moves.push_back({b, k});
    for (int k = 0; k < 3 && !(body.mass > 0.0); ++k) moves.push_back({b, 3 + k});
  }
  return moves;
}

/// How the joints, rows of unit length, answer to these moves.
Eigen::SparseMatrix<double> jointRows(const Mechanism& mechanism, const std::vector<UnresistedMove>& moves) {
  const auto& bodies = mechanism.bodies();
  std::vector<std::vector<int>> movesOf(bodies.size());
  for (std::size_t i = 0; i < moves.size(); ++i) movesOf[moves[i].body].push_back(static_cast<int>(i));
  std::vector<Eigen::Triplet<double>> entries;
  const MechanismMotion start = initialMotion(mechanism);
  forEachRow(mechanism, [&](const JointRow& row) {
    double square = 0.0;
    row.visitGradient(0.0, motionsIn(start), [&](int body, const EndGradient& end) {
      square += end.onPosition.squaredNorm() + end.onRotation(motionOf(start, body).at.D).squaredNorm();
    });
    if (square == 0.0) return;
    row.visitGradient(0.0, motionsIn(start), [&](int body, const EndGradient& end) {
      const Matrix3& D = motionOf(start, body).at.D;
      for (const int i : movesOf[static_cast<std::size_t>(body)]) {
        const int axis = moves[static_cast<std::size_t>(i)].axis;
        const double rate = axis < 3 ? D.col(axis).dot(end.onRotation(D)) : end.onPosition[axis - 3];
        entries.emplace_back(row.number(), i, rate / std::sqrt(square));
      }
    });
  });
  Eigen::SparseMatrix<double> rows(mechanism.rows(), static_cast<Eigen::Index>(moves.size()));
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

/// An orthonormal basis of the null space. Where there is none, as in a chain of rods on hinges, a sparse elimination
/// finds that out.
MatrixX nullSpace(const Eigen::SparseMatrix<double>& rows) {
  if (dependentColumns(rows, unfelt).empty()) return MatrixX(rows.cols(), 0);
  MatrixX dense = MatrixX::Zero(std::max(rows.rows(), rows.cols()), rows.cols());
  dense.topRows(rows.rows()) = rows;
  const Eigen::JacobiSVD<MatrixX> svd(dense, Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  while (rank < rows.cols() && svd.singularValues()[rank] > unfelt * svd.singularValues()[0]) ++rank;
  return svd.matrixV().rightCols(rows.cols() - rank);
}

}  // namespace

std::vector<Matrix3> idleTurnInertia(const Mechanism& mechanism) {
  const auto& bodies = mechanism.bodies();
  std::vector<Matrix3> idle(bodies.size(), Matrix3::Zero());
  const std::vector<UnresistedMove> moves = unresistedMoves(mechanism);
  if (moves.empty()) return idle;
  const double inertia = typicalInertia(mechanism);
  const Eigen::SparseMatrix<double> rows = jointRows(mechanism, moves);

  // Moves that no joint feels are idle each for itself; the others may be so together.
  std::vector<UnresistedMove> felt;
  std::vector<Eigen::Index> feltColumns;
  for (Eigen::Index i = 0; i < rows.cols(); ++i) {
    const auto& [body, axis] = moves[static_cast<std::size_t>(i)];
    if (rows.col(i).norm() > unfelt) {
      felt.push_back({body, axis});
      feltColumns.push_back(i);
    } else if (axis < 3) {
      idle[body](axis, axis) += inertia;
    }
  }
  if (felt.empty()) return idle;
  Eigen::SparseMatrix<double> feltRows(rows.rows(), static_cast<Eigen::Index>(felt.size()));
  for (std::size_t i = 0; i < felt.size(); ++i) feltRows.col(static_cast<Eigen::Index>(i)) = rows.col(feltColumns[i]);
  const MatrixX together = nullSpace(feltRows);
  for (const VectorX direction : together.colwise()) {
    std::vector<Vector3> turns(bodies.size(), Vector3::Zero());
    for (std::size_t i = 0; i < felt.size(); ++i)
      if (felt[i].axis < 3) turns[felt[i].body][felt[i].axis] = direction[static_cast<Eigen::Index>(i)];
    for (std::size_t b = 0; b < bodies.size(); ++b) idle[b] += inertia * turns[b] * turns[b].transpose();
  }
  return idle;
}

}  // namespace polhode
