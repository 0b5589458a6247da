#include "ensemble/sweep_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::ensemble {

namespace {

MeasureSummary measured(const std::string& name, const SweepReader& file) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  MeasureSummary summary{name, 0, unknown, unknown, unknown, unknown};
  double sum = 0.0, least = std::numeric_limits<double>::infinity(), most = -least;
  file.forEach("measures/" + name, [&](double value) {
    if (!std::isfinite(value)) return;
    ++summary.known;
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
  });
  if (summary.known == 0) return summary;
  const auto n = static_cast<double>(summary.known);
  summary.mean = sum / n;
  summary.least = least;
  summary.most = most;
  double squares = 0.0;
  file.forEach("measures/" + name, [&](double value) {
    if (std::isfinite(value)) squares += (value - summary.mean) * (value - summary.mean);
  });
  summary.deviation = summary.known > 1 ? std::sqrt(squares / (n - 1.0)) : 0.0;
  return summary;
}

}  // namespace

SweepSummary summaryOf(const Sweep& sweep, const SweepReader& file) {
  SweepSummary summary;
  summary.done = file.done();
  const SweepReader::Failed failed = file.failed();
  summary.failed = failed.count;
  summary.firstFailed = failed.first;
  if (failed.count > 0) summary.firstFailure = file.failures(failed.first, 1).front();
  summary.dimensions = sweep.dimensionNames();
  for (const std::string& measure : sweep.plan().measures) {
    summary.measures.push_back(measured(measure, file));
    if (sweep.plan().indices)
      summary.measures.back().indices = sobolIndices(file.column({"measures/" + measure, 1, ""}, 0, summary.done),
                                                     sweep.dimensions(), sweep.plan().seed);
  }
  return summary;
}

}  // namespace polhode::ensemble
