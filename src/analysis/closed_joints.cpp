#include "analysis/closed_joints.h"

#include "system/joint_row.h"
#include "system/row_words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

bool isLength(const JointEquation& equation) {
  return equation.form.kind != FormKind::axes;
}

}  // namespace

ClosedJoints::ClosedJoints(const Mechanism& mechanism, const Redundancy& redundancy, double tolerance, double torn)
    : mechanism_(mechanism),
      redundancy_(redundancy),
      reach_(reachOf(mechanism)),
      tolerance_(tolerance),
      torn_(std::clamp(100.0 * tolerance, torn, std::max(torn, 0.1))) {}

ClosedJoints::Verdict ClosedJoints::look(double t, std::span<const MovingPlacement> bodies) const {
  struct Largest {
    double relative = 0.0, gap = 0.0;
    int row = -1;
  } kept, leftOut;
  forEachRow(mechanism_, [&](const JointRow& row) {
    const JointEquation& equation = row.equation();
    double gap = std::abs(row.gap(t, motionsIn(bodies)));
    if (equation.form.kind == FormKind::squaredDistance) gap /= 2.0 * std::sqrt(equation.offsetAt(t));
    const double relative = isLength(equation) ? gap / reach_ : gap;
    Largest& largest = redundancy_.contains(row.number()) ? leftOut : kept;
    if (!(relative <= largest.relative || std::isnan(largest.relative))) largest = {relative, gap, row.number()};
  });
  const Largest& worst = leftOut.relative > kept.relative ? leftOut : kept;
  if (!(worst.relative <= torn_)) return {State::torn, worst.row, worst.gap};
  const double follows = 1e-9 + 10.0 * kept.relative + 300.0 * redundancy_.largestRounding() + 1000.0 * tolerance_;
  if (!(leftOut.relative <= follows)) return {State::parting, leftOut.row, leftOut.gap};
  return {State::closed, worst.row, worst.gap};
}

bool ClosedJoints::isContradiction(const Verdict& verdict, double t, std::span<const MovingPlacement> bodies) const {
  if (!redundancy_.contains(verdict.row)) return false;
  return equationOfRow(mechanism_, verdict.row).drive ||
         !drivesRepeatedBy(redundancy_, mechanism_, verdict.row, t, bodies).empty();
}

std::string ClosedJoints::words(const Verdict& verdict, double t, std::span<const MovingPlacement> bodies) const {
  const bool isDriven = equationOfRow(mechanism_, verdict.row).drive != nullptr;
  const char* unit = isLength(equationOfRow(mechanism_, verdict.row)) ? "m" : "rad";
  std::string text = fmt::format("at t = {:.6g} {} is {} by {:.3g} {}", t, rowOwner(mechanism_, verdict.row),
                                 isDriven ? "missed" : "open", verdict.gap, unit);
  if (redundancy_.contains(verdict.row)) {
    const std::string others = drivesRepeatedBy(redundancy_, mechanism_, verdict.row, t, bodies);
    if (!others.empty())
      return text + fmt::format(": it contradicts {}; leave one of them out, or let them agree", others);
    if (isDriven) return text + ": the other joints do not let it move like this; change or leave out its drive";
  }
  return text +
         ", and the motion has been left; give a smaller tolerance, or take 'director-em', which keeps its joints";
}

}  // namespace polhode
