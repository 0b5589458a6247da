#include "system/row_words.h"

#include "model/suggestion.h"
#include "system/mobility.h"

#include <fmt/format.h>

namespace polhode {

const JointEquation& equationOfRow(const Mechanism& mechanism, int row) {
  const MechanismJoint& joint = jointOfRow(mechanism, row);
  return joint.equations[static_cast<std::size_t>(row - joint.firstRow)];
}

std::string rowOwner(const Mechanism& mechanism, int row) {
  const MechanismJoint& joint = jointOfRow(mechanism, row);
  if (joint.drives) return fmt::format("the drive of joint {}", quoted(mechanism.joints()[joint.ofModel].name));
  if (joint.coupling) return fmt::format("coupling {}", quoted(joint.name));
  return fmt::format("{}joint {}", equationOfRow(mechanism, row).drive ? "the driven length of " : "",
                     quoted(joint.name));
}

std::string drivesRepeatedBy(const Redundancy& redundancy, const Mechanism& mechanism, int row, double t,
                             std::span<const MovingPlacement> bodies) {
  std::string text;
  for (const int other : redundancy.repeatedBy(row, t, bodies))
    if (equationOfRow(mechanism, other).drive) text += (text.empty() ? "" : " and ") + rowOwner(mechanism, other);
  return text;
}

}  // namespace polhode
