#include "system/closing.h"

#include "system/free_motions.h"
#include "system/joint_opening.h"
#include "system/joint_row.h"
#include "system/smallest_change.h"

#include <algorithm>

namespace polhode {

namespace {

constexpr int mostSteps = 200;
constexpr double longestTurn = 0.5;  // of a body in one step, in rad

/// The gaps of all equations.
VectorX residual(const Mechanism& mechanism, const MechanismMotion& bodies, double t) {
  VectorX result(mechanism.rows());
  forEachRow(mechanism, [&](const JointRow& row) { result[row.number()] = row.gap(t, motionsIn(bodies)); });
  return result;
}

}  // namespace

MechanismMotion closedMotion(const Mechanism& mechanism, MechanismMotion bodies, double accuracy, double t) {
  const std::vector<bool> free(6 * bodies.size(), true);
  const auto sizeOf = [&](const MechanismMotion& at) {
    double sum = 0.0;
    for (const JointOpening& gap : jointOpenings(mechanism, at, t)) sum += square(gap.relativePosition);
    return sum;
  };
  double size = sizeOf(bodies);
  for (int step = 0; step < mostSteps && size > square(0.1 * roundOffGap); ++step) {
    const VectorX change = SmallestChange(mechanism, bodies, free, accuracy, t).solve(-residual(mechanism, bodies, t));
    double turn = 0.0;
    for (Eigen::Index i = 3; i < change.size(); i += 6) turn = std::max(turn, change.segment<3>(i).norm());
    // a step that is shortened until it reduces the gaps
    double fraction = turn > longestTurn ? longestTurn / turn : 1.0;
    auto next = displaced(bodies, change, fraction);
    for (int halvings = 0; halvings < 20 && !(sizeOf(next) < size); ++halvings)
      next = displaced(bodies, change, fraction *= 0.5);
    const double nextSize = sizeOf(next);
    if (!(nextSize < size)) break;  // at round-off, or where no change closes the gap any further
    const bool gainsLittle = nextSize > 0.5 * size && nextSize < square(0.1 * accuracy);
    bodies = std::move(next);
    size = nextSize;
    if (gainsLittle) break;  // what is left are roundings of the model
  }
  return bodies;
}

}  // namespace polhode
