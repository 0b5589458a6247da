#include "integrate/step_breaks.h"

#include "system/mechanism_pieces.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr double farthest = 1e4;  // s: behind it nothing is foreseen; a run without an end has to begin some time

}  // namespace

StepBreaks StepBreaks::ofFixedSteps(const Mechanism& mechanism, double end) {
  return {.times = breakTimes(mechanism, std::min(end, farthest))};
}

StepBreaks StepBreaks::ofChosenSteps(const Mechanism& mechanism, double end, std::optional<double> largest) {
  StepBreaks breaks;
  if (largest) breaks.largest = *largest;
  if (signalsOf(mechanism).empty()) return breaks;
  breaks.pieces = smoothPieces(mechanism, 0.0, std::min(end, farthest));
  if (!largest) breaks.largest = end / 50.0;
  for (std::size_t i = 1; i < breaks.pieces.size(); ++i) breaks.times.push_back(breaks.pieces[i].begin);
  return breaks;
}

double StepBreaks::next(double t, double margin, double end) const {
  const auto next = std::upper_bound(times.begin(), times.end(), t + margin);
  return next != times.end() && *next < end - margin ? *next : end;
}

bool StepBreaks::at(double t, double margin) const {
  const auto next = std::lower_bound(times.begin(), times.end(), t - margin);
  return next != times.end() && *next <= t + margin;
}

double StepBreaks::largestStep(double t) const {
  double most = largest;
  for (const SmoothPiece& piece : pieces)
    if (piece.begin <= t && t < piece.end) most = std::min(most, piece.largestStep);
  return most;
}

StepGrid::Step StepGrid::from(double time) const {
  const double planned = begin_ + static_cast<double>(steps_ + 1) * length_;
  const double onGrid = planned < end_ - margin() ? planned : end_;
  const double next = breaks_.next(time, margin(), onGrid);
  const bool isWhole = std::abs(next - time - length_) < margin();
  return {next, isWhole ? length_ : next - time, next == onGrid};
}

}  // namespace polhode
