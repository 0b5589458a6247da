#include "integrate/extrapolation_control.h"

#include <cmath>

namespace polhode {

ExtrapolationControl::ExtrapolationControl(const ExtrapolationRules& rules, int expectedRow, double largestStep)
    : rules_(rules), largestStep_(largestStep), expectedRow_(expectedRow) {
  workRate_[1] = rules.firstRowWork;
}

// (3) and (4).
void ExtrapolationControl::recordRow(int row, double error) {
  const double exponent = 1.0 / (rules_.power * (row - 1) + 1);
  const double least = std::pow(rules_.strongestGrowth, exponent);
  const double most = rules_.strongestReduction / least;
  const double wanted = std::pow(error / rules_.errorSafety, exponent) / rules_.stepSafety;
  optimalStep_[row] = std::min(step_ / std::min(most, std::max(least, wanted)), largestStep_);
  workRate_[row] = rules_.work[row] / optimalStep_[row];
}

// The error in a row above which row k+1 cannot be expected to suffice.
double ExtrapolationControl::hopeless(int row) const {
  double gain = 1.0;
  for (int later = row + 1; later <= expectedRow_ + 1; ++later) gain *= rules_.expectedGain * rules_.substeps[later];
  return std::pow(gain, rules_.power);
}

// The next k after a step that was accepted in row_.
int ExtrapolationControl::bestRow() const {
  const auto& W = workRate_;
  const int highest = rules_.rows - 1;
  if (row_ == 2) return afterRejection_ ? 2 : std::min(3, highest);

  int best;
  if (row_ <= expectedRow_) {
    best = row_;
    if (W[row_ - 1] < W[row_] * rules_.lowerOrder) best = row_ - 1;
    if (W[row_] < W[row_ - 1] * rules_.higherOrder) best = std::min(row_ + 1, highest);
  } else {
    best = row_ - 1;
    if (row_ > 3 && W[row_ - 2] < W[row_ - 1] * rules_.lowerOrder) best = row_ - 2;
    if (W[row_] < W[best] * rules_.higherOrder) best = std::min(row_, highest);
  }
  return best;
}

double ExtrapolationControl::afterAccepted() {
  const int best = bestRow();

  // after a rejection neither order nor step may grow at once
  if (afterRejection_) {
    afterRejection_ = false;
    expectedRow_ = std::min(best, row_);
    return std::min(step_, optimalStep_[expectedRow_]);
  }

  const int expectedBefore = expectedRow_;
  expectedRow_ = best;
  if (best <= row_) return optimalStep_[best];

  // no error of the next row is known: its step grows like its work
  const bool isRising = row_ < expectedBefore && workRate_[row_] < workRate_[row_ - 1] * rules_.higherOrder;
  const double growth = rules_.work[isRising ? best + 1 : best] / rules_.work[row_];
  return std::min(optimalStep_[row_] * growth, largestStep_);
}

double ExtrapolationControl::afterRejected() {
  afterRejection_ = true;
  int& k = expectedRow_;
  k = std::min({k, row_, rules_.rows - 1});
  if (k > 2 && workRate_[k - 1] < workRate_[k] * rules_.lowerOrder) --k;
  return optimalStep_[k];
}

double ExtrapolationControl::afterUnstable() {
  afterRejection_ = true;
  return 0.5 * step_;
}

}  // namespace polhode
