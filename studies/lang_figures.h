#pragma once

#include "lang_cases.h"
#include "study.h"
#include "work_precision.h"

#include <map>
#include <string>
#include <vector>

namespace polhode::lang {

/// One curve of a work/precision diagram: a formulation and an integrator over the tolerances.
struct WorkPrecisionCurve {
  Formulation formulation;
  std::string integrator;
  std::vector<double> tolerances;
  std::vector<WorkPrecision> points;

  /// Evaluations needed for a given error, by interpolation between the points; infinite if it is not reached.
  double evaluationsFor(double error) const;
  /// The loosest tolerance that reached it; zero if none did.
  double toleranceFor(double error) const;
};

/// Runs every formulation with every integrator at 10^-first to 10^-last.
std::vector<WorkPrecisionCurve> workPrecision(const Model& model, double end,
                                              const std::vector<std::string>& integrators, int first, int last,
                                              const StudyProgress& progress);

/// Error against evaluations.
Chart workPrecisionChart(const std::string& title, const std::vector<WorkPrecisionCurve>& curves);
Table workPrecisionTable(const std::string& title, const std::vector<WorkPrecisionCurve>& curves);

/// The drift from the constraints over time and the exponents of its growth: how far t^k.
struct DriftCurve {
  std::string label;
  std::vector<double> time, position, velocity;
  double positionExponent = 0.0, velocityExponent = 0.0;
};

/// Figure 6: RADAU5 at 1e-9 on example A; beside (40) as printed also the index-1 system (37) that it stands for.
std::vector<DriftCurve> driftCurves(const StudyProgress& progress);

/// The exponent k of the envelope y ~ t^k, by least squares in logarithms over the last decade and a half of t.
double growthExponent(const std::vector<double>& t, const std::vector<double>& y);

/// Step sizes of DOPRI5, the energy error and the solution, over time: figures 8 to 12.
Chart stepSizeChart(const std::string& title, const Model& model, double end, double tolerance);
Chart energyChart(const std::string& title, const Model& model, double end, double tolerance,
                  std::map<std::string, double>& largestError);
std::vector<Chart> solutionCharts(const std::string& title, const Model& model, double end);

}  // namespace polhode::lang
