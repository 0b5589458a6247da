#include "system/redundancy.h"

#include "math/dependent_columns.h"
#include "math/rotation_maps.h"
#include "system/closing.h"
#include "system/joint_opening.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr Eigen::Index mostRowsAtOnce = 500;  // in a dense decomposition
constexpr double shortestWay =
    0.005;                           // rad, or of the reach: a motion after which the choice is looked at again; longer
constexpr double longestWay = 0.15;  // ones where the choice is good and no singular position near
constexpr double muchBetter = 0.3;   // kept rows are changed where others are better by more than this factor
constexpr double nearSingular = 10.0 * jointAccuracy;  // no choice is made here: roundings would take part in it

Eigen::ColPivHouseholderQR<MatrixX> pivoted(const MatrixX& columns) {
  return Eigen::ColPivHouseholderQR<MatrixX>(columns);
}

MatrixX keptColumns(const LoopConditions& conditions, const Redundancy& redundancy, std::vector<int>& rows) {
  const MatrixX all(conditions.columns);
  rows.clear();
  std::vector<Eigen::Index> kept;
  for (std::size_t c = 0; c < conditions.rows.size(); ++c)
    if (!redundancy.contains(conditions.rows[c])) {
      kept.push_back(static_cast<Eigen::Index>(c));
      rows.push_back(conditions.rows[c]);
    }
  return all(Eigen::all, kept);
}

/// A little further on: every rate of the tree takes a step, no two the same, and the loops are closed again, as well as the
/// roundings of the model allow. Nothing where they do not close.
std::optional<MechanismMotion> furtherOn(const Mechanism& mechanism, const MechanismMotion& start) {
  const TreeRates tree(mechanism, start);
  const double size = mechanismSize(mechanism);
  for (const double excursion : {0.1, 0.03, 0.01}) {
    MechanismMotion bodies = start;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      Vector3 turn = Vector3::Zero(), move = Vector3::Zero();
      tree.visitRatesOf(static_cast<int>(b), [&](int r) {
        const TreeRate& rate = tree.rate(r);
        const double by = excursion * std::sin(1.0 + 2.3 * r) * (rate.turns() ? 1.0 : size);
        turn += by * rate.rotation;
        move += by * rate.velocityAt(bodies[b].at.x);
      });
      bodies[b].at = {bodies[b].at.x + move, expSO3(turn) * bodies[b].at.D};
    }
    bodies = closedMotion(mechanism, bodies, jointAccuracy);
    const auto openings = jointOpenings(mechanism, bodies);
    if (std::all_of(openings.begin(), openings.end(),
                    [](const JointOpening& gap) { return gap.relativePosition < 0.1 * jointAccuracy; }))
      return bodies;
  }
  return std::nullopt;
}

}  // namespace

Redundancy::Redundancy(const Mechanism& mechanism) : mechanism_(mechanism), reach_(reachOf(mechanism)) {
  const MechanismMotion start = initialMotion(mechanism);
  const LoopConditions conditions = loopConditions(mechanism, 0.0, start);
  treeRates_ = conditions.rates;
  if (conditions.rows.empty()) return;
  Choice choice = choose(conditions, std::nullopt);
  if (!choice.rows.empty())
    if (const auto further = furtherOn(mechanism, start)) {
      const LoopConditions there = loopConditions(mechanism, 0.0, *further);
      if (Choice elsewhere = choose(there, std::nullopt); elsewhere.rows.size() < choice.rows.size()) {
        startsSingular_ = true;
        choice = std::move(elsewhere);
      }
    }
  rank_ = static_cast<int>(conditions.rows.size() - choice.rows.size());
  take(std::move(choice), start);
}

/// Without a rank it is found: all columns of which enough is left when those before them have been taken out.
Redundancy::Choice Redundancy::choose(const LoopConditions& conditions, std::optional<Eigen::Index> rank) {
  Choice choice;
  std::vector<std::pair<int, double>> found;
  if (conditions.columns.cols() > mostRowsAtOnce) {
    for (const int column : dependentColumns(conditions.columns, jointAccuracy))
      found.emplace_back(conditions.rows[static_cast<std::size_t>(column)], 0.0);
  } else if (conditions.rates == 0) {  // a tree that cannot move
    for (const int row : conditions.rows) found.emplace_back(row, 0.0);
  } else {
    const auto qr = pivoted(MatrixX(conditions.columns));
    const Eigen::Index most = std::min(qr.rows(), qr.cols());
    if (!rank) {
      rank = 0;
      while (*rank < most && std::abs(qr.matrixR()(*rank, *rank)) > jointAccuracy) ++*rank;
    }
    if (*rank > 0) choice.weakest = std::abs(qr.matrixR()(*rank - 1, *rank - 1));
    for (Eigen::Index c = *rank; c < qr.cols(); ++c) {
      const Eigen::Index left = std::min(c + 1, most) - *rank;
      const double rounding = left > 0 ? qr.matrixR().col(c).segment(*rank, left).norm() : 0.0;
      found.emplace_back(conditions.rows[static_cast<std::size_t>(qr.colsPermutation().indices()[c])], rounding);
    }
  }
  std::sort(found.begin(), found.end());
  for (const auto& [row, rounding] : found) {
    choice.rows.push_back(row);
    choice.roundings.push_back(rounding);
  }
  return choice;
}

bool Redundancy::contains(int row) const {
  return std::binary_search(rows_.begin(), rows_.end(), row);
}

double Redundancy::largestRounding() const {
  return roundings_.empty() ? 0.0 : *std::max_element(roundings_.begin(), roundings_.end());
}

void Redundancy::take(Choice choice, std::span<const MovingPlacement> bodies) {
  rows_ = std::move(choice.rows);
  roundings_ = std::move(choice.roundings);
  weakest_ = choice.weakest;
  way_ = std::clamp(0.3 * weakest_, shortestWay, longestWay);
  lookedAt_.assign(bodies.begin(), bodies.end());
}

bool Redundancy::hasMoved(std::span<const MovingPlacement> bodies) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Placement &before = lookedAt_[b].at, &now = bodies[b].at;
    if (!((now.x - before.x).norm() <= way_ * reach_ && (now.D - before.D).norm() <= way_)) return true;
  }
  return false;
}

double Redundancy::weakestOf(const LoopConditions& conditions) const {
  std::vector<int> rows;
  const MatrixX kept = keptColumns(conditions, *this, rows);
  if (kept.size() == 0) return 1.0;  // every row repeats what the tree says already
  const auto qr = pivoted(kept);
  const Eigen::Index last = std::min(qr.rows(), qr.cols()) - 1;
  return std::abs(qr.matrixR()(last, last));
}

bool Redundancy::review(double t, std::span<const MovingPlacement> bodies) {
  if (lookedAt_.empty() || !hasMoved(bodies)) return false;
  return reviewed(t, bodies, muchBetter);
}

bool Redundancy::chooseAnew(double t, std::span<const MovingPlacement> bodies) {
  return !rows_.empty() && reviewed(t, bodies, 1.0);
}

bool Redundancy::reviewed(double t, std::span<const MovingPlacement> bodies, double sufficientShare) {
  const LoopConditions conditions = loopConditions(mechanism_, t, bodies);
  if (conditions.columns.cols() > mostRowsAtOnce) return false;
  weakest_ = weakestOf(conditions);
  lookedAt_.assign(bodies.begin(), bodies.end());
  way_ = std::clamp(0.3 * weakest_, shortestWay, longestWay);
  if (rows_.empty()) return false;
  Choice choice = choose(conditions, rank_);
  way_ = std::clamp(0.3 * (weakest_ / choice.weakest - muchBetter), shortestWay, way_);
  if (choice.weakest < nearSingular || weakest_ >= sufficientShare * choice.weakest || choice.rows == rows_)
    return false;
  take(std::move(choice), bodies);
  return true;
}

std::vector<int> Redundancy::repeatedBy(int row, double t, std::span<const MovingPlacement> bodies) const {
  const LoopConditions conditions = loopConditions(mechanism_, t, bodies);
  if (conditions.columns.cols() > mostRowsAtOnce) return {};
  const auto at = std::find(conditions.rows.begin(), conditions.rows.end(), row);
  if (at == conditions.rows.end()) return {};
  std::vector<int> rows;
  const MatrixX kept = keptColumns(conditions, *this, rows);
  if (kept.size() == 0) return {};
  const VectorX shares =
      pivoted(kept).solve(VectorX(conditions.columns.col(static_cast<Eigen::Index>(at - conditions.rows.begin()))));
  std::vector<std::pair<double, int>> sorted;
  for (Eigen::Index i = 0; i < shares.size(); ++i)
    if (std::abs(shares[i]) > 1e-3) sorted.emplace_back(-std::abs(shares[i]), rows[static_cast<std::size_t>(i)]);
  std::sort(sorted.begin(), sorted.end());
  rows.clear();
  for (const auto& [share, number] : sorted) rows.push_back(number);
  return rows;
}

}  // namespace polhode
