#pragma once

#include "scheme_runs.h"

/// What an error costs: curves of runs from coarse to fine.
namespace polhode::schemes {

/// What one run cost and how good it was. The energy is what is left of it when the work of loads and dampers has been
/// taken away.
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

/// Runs with chosen steps, for tolerances from 1e-3 down to ten to the minus `digits`; ends early behind a run that took
/// more than `patience` seconds, or failed.
CostCurve toleranceCurve(const std::string& label, const Model& model, const std::string& integrator, double end,
                         double digits, const EndError& error, double patience = 60.0);

/// For each error the best conserving scheme and what it takes relative to DOP853, in evaluations and in time. DOP853 is
/// the last of the curves.
Table winnerTable();
void addWinners(Table& table, const std::string& example, const std::vector<CostCurve>& curves,
                const std::vector<double>& errors);

Chart costChart(const std::string& title, const std::string& xLabel, const std::vector<CostCurve>& curves,
                double Cost::*x, double Cost::*y = &Cost::error, const std::string& yLabel = "error at the end");

}  // namespace polhode::schemes
