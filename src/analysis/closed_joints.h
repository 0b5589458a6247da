#pragma once

#include "system/redundancy.h"

#include <string>

namespace polhode {

/// Looks at the joints of a mechanism where a step has ended: all equations, those that are left out as repetitions
/// (redundancy.h) included.
///
/// Integrators that do not solve the joints' equations let them open by their own error. More than `torn` of the reach of the
/// mechanism (or radians) is no error of an integrator any more: the motion has been left. Rows that are left out ought to
/// follow the others, up to the roundings of the model; where they part from them the choice of rows is to blame.
class ClosedJoints {
 public:
  /// `tolerance` is that of the integrator; the redundancy must outlive this.
  ClosedJoints(const Mechanism& mechanism, const Redundancy& redundancy, double tolerance, double torn = 1e-3);

  double torn() const { return torn_; }

  enum class State {
    closed,
    parting,  // rows that were left out part from those that are kept
    torn
  };
  struct Verdict {
    State state = State::closed;
    int row = -1;      // the one that is open most,
    double gap = 0.0;  // by this, in metres or radians
  };
  Verdict look(double t, std::span<const MovingPlacement> bodies) const;

  /// "at t = 0.3 joint 'hinge' is open by 0.02 m ...", and what it contradicts if it is driven.
  std::string words(const Verdict& verdict, double t, std::span<const MovingPlacement> bodies) const;

  /// Whether the row, or one that it repeats, follows a signal: then signals contradict each other.
  bool isContradiction(const Verdict& verdict, double t, std::span<const MovingPlacement> bodies) const;

 private:
  const Mechanism& mechanism_;
  const Redundancy& redundancy_;
  double reach_, tolerance_, torn_;
};

}  // namespace polhode
