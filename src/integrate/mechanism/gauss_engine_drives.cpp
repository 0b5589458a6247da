#include "integrate/mechanism/gauss_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

/// Rows that follow a signal.
namespace polhode {

/// By how much a row would miss where the step ends if its rate were zero at all stages: what is open already, and what the
/// quadrature misses of a signal that is no polynomial and of an angle's equation, which is no quadratic one. All stages go so
/// much slower or faster that it holds there. What changes by roundings stays as it is, or no iteration would come to rest.
void GaussEngine::aimAtEnds(const MechanismState& state, double h) {
  constexpr double roundings = 3.0 * std::numeric_limits<double>::epsilon();
  for (StageDrives::Row& row : drives_.rows()) {
    const int number = drives_.numberOf(row);
    auto residual = residuals_.row(firstMultiplier() + number);
    double mean = 0.0;
    for (int i = 0; i < stages_; ++i) mean += b_[i] * residual[i];
    const double miss = drivenGap(row, state.time + h) - h * (mean - closing_[number]);
    if (!(std::abs(miss - row.miss) > roundings * scaleOf(drives_.equationOf(row), state.time + h))) continue;
    const double change = (miss - row.miss) / h;
    row.miss = miss;
    closing_[number] += change;
    residual.array() += change;
  }
}

/// How large the numbers are that a gap is the difference of.
double GaussEngine::scaleOf(const JointEquation& equation, double time) const {
  const bool isAngle = equation.form.kind == FormKind::axes;
  const double own = isAngle ? 1.0 : equation.form.kind == FormKind::squaredDistance ? square(size_) : size_;
  return std::max(own, std::abs(equation.offsetAt(time)));
}

/// Where the step ends.
double GaussEngine::drivenGap(const StageDrives::Row& row, double time) const {
  const MechanismJoint& joint = drives_.jointOf(row);
  const int origin = joint.first >= 0 ? joint.first : joint.second;
  return drives_.equationOf(row).gap(time, seenFrom(origin, motionOf(end_, joint.first)).at,
                                     seenFrom(origin, motionOf(end_, joint.second)).at);
}

/// What the multipliers of driven rows do over the step, sum_i h b_i lambda_i grad g(q_i) . q'_i; those of all others do none.
double GaussEngine::workOfDrives(const MechanismState& state, double h) const {
  double work = 0.0;
  for (const StageDrives::Row& row : drives_.rows()) {
    const MechanismJoint& joint = drives_.jointOf(row);
    const JointEquation& equation = drives_.equationOf(row);
    const int origin = joint.first >= 0 ? joint.first : joint.second;
    for (int i = 0; i < stages_; ++i) {
      const double time = state.time + coefficients_.c()[i] * h;
      const MovingPlacement first = seenFrom(origin, atStage(i, joint.first)),
                            second = seenFrom(origin, atStage(i, joint.second));
      const FormGradient gradient = equation.gradient(time, first.at, second.at);
      work += h * b_[i] * multipliers_(drives_.numberOf(row), i) *
              (gradient.first.along(first.rate) + gradient.second.along(second.rate));
    }
  }
  return work;
}

}  // namespace polhode
