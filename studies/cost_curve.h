#pragma once

#include "scheme_runs.h"

/// What an error costs: curves of runs from coarse to fine.
namespace polhode::schemes {

/// What one run cost and how good it was.
struct Cost {
  double error, evaluations, seconds, energyError;
};

struct CostCurve {
  std::string label, integrator;
  std::vector<Cost> points;

  /// The least of a cost with which an error is reached, straight in logarithms between points; infinite if it is not.
  double costFor(double error, double Cost::*cost) const;
};

/// Runs to the end, short runs repeatedly so that the least time means something. The error is NaN where the run fails.
Cost measureCost(const Model& model, const SimulationSettings& settings, const EndError& error);

Chart costChart(const std::string& title, const std::string& xLabel, const std::vector<CostCurve>& curves,
                double Cost::*x, double Cost::*y = &Cost::error, const std::string& yLabel = "error at the end");

}  // namespace polhode::schemes
