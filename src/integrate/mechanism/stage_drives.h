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
    int joint, ofJoint;                                            // its number among those of its joint
    stages::Rows<3> arm = stages::Rows<3>::Zero(), armRate = arm;  // of an angle, fixed in the first body: a and a'
    stages::Rows<1> rate = stages::Rows<1>::Zero();                // of others: what the signal adds
    double miss = 0.0;                                             // at the end of the step, as it is made up for
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

  /// As stages::forRowsOf, with the rates of signals. Rows before `from` have none.
  template <class Take, class Leave>
  void forRowsOf(std::size_t joint, int begin, const stages::MovingBody& first, const stages::MovingBody& second,
                 const Take& take, const Leave& leave, std::size_t from = 0) const {
    using namespace stages;
    const std::vector<JointEquation>& equations = mechanism_.joints()[joint].equations;
    int next = rows_.empty() ? -1 : firstOf_[joint];
    if (next < 0) return stages::forRowsOf(equations, first, second, take, leave, from);
    for (std::size_t row = from; row < equations.size(); ++row) {
      const Form& form = equations[row].form;
      Arm ofFirst(firstArmOf(form), first);
      const Arm ofSecond(secondArmOf(form), second);
      const Row* driven = equations[row].drive ? &rows_[static_cast<std::size_t>(next++)] : nullptr;
      if (driven && equations[row].drive->kind == DriveKind::angle) {
        const Vec arm = vectorAt(driven->arm.data(), begin);
        ofFirst.at = first.D * arm;
        ofFirst.rate = first.W * arm + first.D * vectorAt(driven->armRate.data(), begin);
      }
      Gradient gradient = gradientOf(form, first, second, ofFirst, ofSecond);
      if (driven) gradient.rate += Lane::from(&driven->rate(0, begin));
      take(static_cast<int>(row), gradient);
      leave(0, ofFirst);
      leave(1, ofSecond);
    }
  }

 private:
  const Mechanism& mechanism_;
  std::vector<Row> rows_;
  std::vector<int> firstOf_;  // of a joint among these, or -1
};

}  // namespace polhode
