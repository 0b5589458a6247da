#include "polhode/system/mobility.h"

#include "polhode/math/dependent_columns.h"
#include "polhode/math/rotation_maps.h"
#include "polhode/model/tree_paths.h"
#include "polhode/system/closing.h"
#include "polhode/system/joint_opening.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>

namespace polhode {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr std::size_t mostBodiesAtOnce = 500;  // in a dense decomposition; larger mechanisms are left to the solvers
constexpr Eigen::Index mostRowsAtOnce = 500;   // as well
constexpr double negligible = 1e-8;            // of a pivot, all conditions having been scaled to length one

/// A rate of the tree as a motion of all bodies behind it: a velocity field v = translation + rotation cross x.
struct TreeRate {
  Vector3 translation, rotation;

  Vector3 velocityAt(const Vector3& x) const { return translation + rotation.cross(x); }
};

/// The rates of the spanning tree: for each body those of the joint that it hangs on, or six of a free one.
class TreeRates {
 public:
  TreeRates(const Mechanism& mechanism, const MechanismMotion& at) : mechanism_(mechanism) {
    const Topology& tree = mechanism.topology();
    start_.resize(mechanism.bodies().size() + 1, 0);
    for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
      start_[b] = static_cast<int>(rates_.size());
      const int joint = tree.parentJoint[b];
      if (joint < 0)
        addFreeBody(at[b].at.x);
      else
        addJoint(mechanism.joints()[static_cast<std::size_t>(joint)], at);
    }
    start_.back() = static_cast<int>(rates_.size());
  }

  int count() const { return static_cast<int>(rates_.size()); }
  const TreeRate& rate(int number) const { return rates_[static_cast<std::size_t>(number)]; }

  /// Calls with the number of each rate that moves a body; or moves it against one that is on its way to the ground.
  template <class Visitor>
  void visitRatesOf(int body, const Visitor& visit, int against = groundIndex) const {
    for (; body != against; body = mechanism_.topology().parent[static_cast<std::size_t>(body)])
      for (int r = start_[static_cast<std::size_t>(body)]; r < start_[static_cast<std::size_t>(body) + 1]; ++r)
        visit(r);
  }

 private:
  void addFreeBody(const Vector3& centre) {
    for (int k = 0; k < 3; ++k) rates_.push_back({Vector3::Unit(k), Vector3::Zero()});
    for (int k = 0; k < 3; ++k) rates_.push_back({-Vector3::Unit(k).cross(centre), Vector3::Unit(k)});
  }

  void addJoint(const MechanismJoint& joint, const MechanismMotion& at) {
    const Placement first = motionOf(at, joint.first).at, second = motionOf(at, joint.second).at;
    for (const JointMotion& motion : joint.type->motions) {
      const Vector3 axis = motion.fixedInSecond ? Vector3(second.D * joint.geometry.second.axes.col(motion.axis))
                                                : Vector3(first.D * joint.geometry.first.axes.col(motion.axis));
      if (motion.kind == MotionKind::translation)
        rates_.push_back({axis, Vector3::Zero()});
      else
        rates_.push_back({-axis.cross(second.point(joint.geometry.second.point)), axis});
    }
  }

  const Mechanism& mechanism_;
  std::vector<TreeRate> rates_;
  std::vector<int> start_;
};

/// The conditions of the cut joints on the tree's rates, one column each, scaled to length one; and their rows. What moves
/// both bodies of a joint alike does not open it.
struct LoopConditions {
  Sparse columns;
  std::vector<int> rows;
  int rates = 0;
};

LoopConditions loopConditions(const Mechanism& mechanism, const MechanismMotion& at) {
  const TreeRates tree(mechanism, at);
  const TreePaths paths(mechanism.topology());
  LoopConditions result;
  std::vector<Eigen::Triplet<double>> entries;
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(j)];
    const Placement first = motionOf(at, joint.first).at, second = motionOf(at, joint.second).at;
    const int home = paths.meeting(joint.first, joint.second, [](int) {});
    for (int i = 0; i < joint.rows(); ++i) {
      const FormGradient g = joint.equations[static_cast<std::size_t>(i)].form.gradient(first, second);
      const auto add = [&](int body, const Placement& of, const EndGradient& gradient) {
        const auto addRate = [&](int r) {
          const TreeRate& rate = tree.rate(r);
          const double value =
              gradient.onPosition.dot(rate.velocityAt(of.x)) + gradient.onRotation(of.D).dot(rate.rotation);
          if (value != 0.0) entries.emplace_back(r, static_cast<int>(result.rows.size()), value);
        };
        tree.visitRatesOf(body, addRate, home);
      };
      add(joint.first, first, g.first);
      add(joint.second, second, g.second);
      result.rows.push_back(joint.firstRow + i);
    }
  }
  result.rates = tree.count();
  result.columns.resize(tree.count(), static_cast<Eigen::Index>(result.rows.size()));
  result.columns.setFromTriplets(entries.begin(), entries.end());
  for (Eigen::Index c = 0; c < result.columns.cols(); ++c) {
    const double length = result.columns.col(c).norm();
    if (length > 1e-12) result.columns.col(c) /= length;
  }
  return result;
}

/// The columns behind the pivots: of several choices the one whose others depend on each other least.
std::vector<int> columnsWithoutPivot(const MatrixX& columns) {
  Eigen::ColPivHouseholderQR<MatrixX> qr;
  qr.setThreshold(negligible);
  qr.compute(columns);
  const auto& order = qr.colsPermutation().indices();
  return {order.data() + qr.rank(), order.data() + order.size()};
}

/// The rows that depend on the others.
std::vector<int> dependentRows(const LoopConditions& conditions) {
  std::vector<int> rows;
  for (const int column : conditions.columns.cols() <= mostRowsAtOnce
                              ? columnsWithoutPivot(MatrixX(conditions.columns))
                              : dependentColumns(conditions.columns, negligible))
    rows.push_back(conditions.rows[static_cast<std::size_t>(column)]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// A little further on: every rate of the tree takes a step, no two the same, and the loops are closed again. Nothing
/// where they do not close.
std::optional<MechanismMotion> furtherOn(const Mechanism& mechanism, const MechanismMotion& start) {
  const TreeRates tree(mechanism, start);
  const double size = mechanismSize(mechanism);
  for (const double excursion : {0.1, 0.03, 0.01}) {
    MechanismMotion bodies = start;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      Vector3 turn = Vector3::Zero(), move = Vector3::Zero();
      tree.visitRatesOf(static_cast<int>(b), [&](int r) {
        const TreeRate& rate = tree.rate(r);
        const double by = excursion * std::sin(1.0 + 2.3 * r) * (rate.rotation.isZero() ? size : 1.0);
        turn += by * rate.rotation;
        move += by * rate.velocityAt(bodies[b].at.x);
      });
      bodies[b].at = {bodies[b].at.x + move, expSO3(turn) * bodies[b].at.D};
    }
    bodies = closedMotion(mechanism, bodies);
    const auto openings = jointOpenings(mechanism, bodies);
    if (std::all_of(openings.begin(), openings.end(),
                    [](const JointOpening& gap) { return gap.relativePosition < 1e-12; }))
      return bodies;
  }
  return std::nullopt;
}

}  // namespace

Mobility mobilityOf(const Mechanism& mechanism) {
  Mobility result;
  const MechanismMotion start = initialMotion(mechanism);
  const LoopConditions conditions = loopConditions(mechanism, start);
  result.treeRates = conditions.rates;
  if (!conditions.rows.empty()) {
    result.redundantRows = dependentRows(conditions);
    const auto further = result.redundantRows.empty() ? std::nullopt : furtherOn(mechanism, start);
    const auto elsewhere = further ? dependentRows(loopConditions(mechanism, *further)) : result.redundantRows;
    result.startsSingular = elsewhere.size() < result.redundantRows.size();
    if (result.startsSingular) result.redundantRows = elsewhere;
  }
  result.freedoms = result.treeRates - static_cast<int>(conditions.rows.size()) + result.redundant();
  return result;
}

int unresistedBody(const Mechanism& mechanism) {
  const auto& bodies = mechanism.bodies();
  if (std::none_of(bodies.begin(), bodies.end(), [](const MechanismBody& body) { return body.mass == 0.0; })) return -1;
  if (bodies.size() > mostBodiesAtOnce) return -1;

  // rates that move no inertia and that the loops allow: the kernel of these rows
  const MechanismMotion start = initialMotion(mechanism);
  const TreeRates tree(mechanism, start);
  const LoopConditions loops = loopConditions(mechanism, start);
  const auto count = static_cast<Eigen::Index>(bodies.size());
  MatrixX rows = MatrixX::Zero(6 * count + loops.columns.cols(), tree.count());
  for (Eigen::Index b = 0; b < count; ++b) {
    const MechanismBody& body = bodies[static_cast<std::size_t>(b)];
    const Matrix3 axes = body.placement.D.transpose();
    tree.visitRatesOf(static_cast<int>(b), [&](int r) {
      const TreeRate& rate = tree.rate(r);
      rows.block<3, 1>(6 * b, r) = std::sqrt(body.mass) * rate.velocityAt(body.placement.x);
      rows.block<3, 1>(6 * b + 3, r) = body.inertia.cwiseMax(0.0).cwiseSqrt().cwiseProduct(axes * rate.rotation);
    });
  }
  rows.bottomRows(loops.columns.cols()) = MatrixX(loops.columns).transpose();
  Eigen::FullPivLU<MatrixX> decomposition(rows);
  decomposition.setThreshold(1e-12);
  if (decomposition.dimensionOfKernel() == 0) return -1;
  const MatrixX kernel = decomposition.kernel();

  // such a rate is harmless unless it moves or turns a body without mass
  for (Eigen::Index b = 0; b < count; ++b) {
    if (bodies[static_cast<std::size_t>(b)].mass > 0.0) continue;
    MatrixX motion = MatrixX::Zero(6, kernel.cols());
    tree.visitRatesOf(static_cast<int>(b), [&](int r) {
      Eigen::Matrix<double, 6, 1> twist;
      twist << tree.rate(r).velocityAt(bodies[static_cast<std::size_t>(b)].placement.x), tree.rate(r).rotation;
      motion += twist * kernel.row(r);
    });
    if (motion.norm() > 1e-9 * kernel.norm()) return static_cast<int>(b);
  }
  return -1;
}

const MechanismJoint& jointOfRow(const Mechanism& mechanism, int row) {
  const auto& joints = mechanism.joints();
  const auto behind = std::upper_bound(joints.begin(), joints.end(), row,
                                       [](int number, const MechanismJoint& joint) { return number < joint.firstRow; });
  return *(behind - 1);
}

}  // namespace polhode
