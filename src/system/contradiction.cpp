#include "system/contradiction.h"

#include "system/closing.h"
#include "system/joint_opening.h"
#include "system/row_words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr int fewestTimes = 50, mostTimes = 1000;  // times that are looked at
constexpr double stride = 0.05;  // rad, or of the reach: the longest way of a drive between two of them

/// The rows that are left out although they, or rows that they repeat, follow signals.
std::vector<int> doublyDriven(const Mechanism& mechanism, const Redundancy& redundancy, const MechanismMotion& start) {
  std::vector<int> rows;
  for (const int row : redundancy.rows())
    if (equationOfRow(mechanism, row).drive || !drivesRepeatedBy(redundancy, mechanism, row, 0.0, start).empty())
      rows.push_back(row);
  return rows;
}

/// How far the drive that goes furthest goes from one time to another, by way of some in between.
double wayOfDrives(const Mechanism& mechanism, double reach, double from, double to) {
  double longest = 0.0;
  for (const MechanismJoint& joint : mechanism.joints())
    for (const JointEquation& equation : joint.equations) {
      if (!equation.drive) continue;
      const double unit = equation.drive->kind == DriveKind::angle ? 1.0 : reach;
      double way = 0.0, before = equation.drive->signal.value(from);
      for (const double share : {0.21, 0.47, 0.72, 1.0}) {
        const double now = equation.drive->signal.value(from + share * (to - from));
        way += std::abs(now - before) / unit;
        before = now;
      }
      longest = std::max(longest, way);
    }
  return longest;
}

std::string words(const Mechanism& mechanism, const Redundancy& redundancy, const std::vector<int>& rows, double t,
                  const MechanismMotion& start) {
  // a drive that is left out first, then one whose joint is
  const auto isDrive = [&](int row) { return equationOfRow(mechanism, row).drive != nullptr; };
  const auto found = std::find_if(rows.begin(), rows.end(), isDrive);
  const int row = found == rows.end() ? rows.front() : *found;
  const std::string others = drivesRepeatedBy(redundancy, mechanism, row, 0.0, start);
  return fmt::format(
      "{} contradicts {}: at t = {:.4g} the joints cannot be closed any more; leave one of them out, or let "
      "them agree",
      rowOwner(mechanism, row), others.empty() ? "what the joints allow" : others, t);
}

}  // namespace

std::string contradictionOf(const Mechanism& mechanism, double end) {
  if (!mechanism.isDriven()) return "";
  const Redundancy redundancy(mechanism);
  MechanismMotion bodies = initialMotion(mechanism);
  const std::vector<int> rows = doublyDriven(mechanism, redundancy, bodies);
  if (rows.empty()) return "";

  const MechanismMotion start = bodies;
  const double reach = reachOf(mechanism);
  const double bound = std::max(10.0 * redundancy.largestRounding(), 1e-5);
  double t = 0.0, step = end / fewestTimes;
  for (int i = 0; i < mostTimes && t < end; ++i) {
    step = std::min(2.0 * step, std::min(end / fewestTimes, end - t));
    while (step > 1e-12 * end && wayOfDrives(mechanism, reach, t, t + step) > stride) step *= 0.5;
    t = step >= end - t ? end : t + step;
    bodies = closedMotion(mechanism, bodies, jointAccuracy, t);
    for (const JointOpening& gap : jointOpenings(mechanism, bodies, t))
      if (!(gap.distance <= bound * reach && gap.angle <= bound)) return words(mechanism, redundancy, rows, t, start);
  }
  return "";
}

}  // namespace polhode
