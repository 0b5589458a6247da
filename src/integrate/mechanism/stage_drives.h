#pragma once

#include "integrate/mechanism/stage_lanes.h"
#include "system/mechanism.h"

#include <vector>

namespace polhode {

/// What the drives of a mechanism ask for at the stages of a step of Gauss collocation. The rate of a driven row is
///
///     grad g . q' - s'            of a displacement s,       grad g . q' - 2 s s'      of a length
///     grad g . q' + (D1 a') . (D2 b),   a' = s' axis cross a,   of an angle, which turns a, and grad g with it
class StageDrives {
 public:
  explicit StageDrives(const Mechanism& mechanism);

  /// A row that follows a signal.
  struct Row {
    int joint, ofJoint;  // its number among those of its joint
    double miss = 0.0;   // at the end of the step, as it is made up for
  };
  std::vector<Row>& rows() { return rows_; }
  const std::vector<Row>& rows() const { return rows_; }
  bool empty() const { return rows_.empty(); }

  const MechanismJoint& jointOf(const Row& row) const {
    return mechanism_.joints()[static_cast<std::size_t>(row.joint)];
  }
  const JointEquation& equationOf(const Row& row) const {
    return jointOf(row).equations[static_cast<std::size_t>(row.ofJoint)];
  }
  int numberOf(const Row& row) const { return jointOf(row).firstRow + row.ofJoint; }

  /// Looks at the signals over a step.
  void follow(double time, double h, const GaussCoefficients& coefficients);

  /// Those of a joint, for stages::forRowsOf; null where there are none.
  const stages::DrivenRow* of(std::size_t joint) const {
    return firstOf_[joint] < 0 ? nullptr : &atStages_[static_cast<std::size_t>(firstOf_[joint])];
  }

 private:
  const Mechanism& mechanism_;
  std::vector<Row> rows_;
  std::vector<stages::DrivenRow> atStages_;  // of each
  std::vector<int> firstOf_;                 // of a joint among these, or -1
};

}  // namespace polhode
