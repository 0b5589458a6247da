#pragma once

#include "system/redundancy.h"

#include <string>

/// How sentences call an equation of a joint.
namespace polhode {

const JointEquation& equationOfRow(const Mechanism& mechanism, int row);

/// "joint 'hip'", "the drive of joint 'hip'", "the driven length of joint 'rope'".
std::string rowOwner(const Mechanism& mechanism, int row);

/// "the drive of joint 'hip' and the drive of joint 'knee'": those that follow signals among the rows that a row which is
/// left out repeats. Empty where there are none.
std::string drivesRepeatedBy(const Redundancy& redundancy, const Mechanism& mechanism, int row, double t,
                             std::span<const MovingPlacement> bodies);

}  // namespace polhode
