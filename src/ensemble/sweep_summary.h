#pragma once

#include "ensemble/sobol_indices.h"
#include "ensemble/sweep.h"

#include <cstdint>
#include <string>
#include <vector>

namespace polhode::ensemble {

/// A measure over all members of which it is known.
struct MeasureSummary {
  std::string name;
  std::int64_t known = 0;
  double mean = 0.0, deviation = 0.0, least = 0.0, most = 0.0;  // NaN where it is known of none
  std::vector<SobolIndex> indices{};                            // by dimension, where they were asked for
};

struct SweepSummary {
  std::int64_t done = 0, failed = 0, firstFailed = -1;
  std::string firstFailure;
  std::vector<std::string> dimensions;  // their names
  std::vector<MeasureSummary> measures;
};

/// Of the members that are in the file; one measure after the other is in memory.
SweepSummary summaryOf(const Sweep& sweep, const SweepReader& file);

}  // namespace polhode::ensemble
