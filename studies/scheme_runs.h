#pragma once

#include "polhode/analysis/run.h"
#include "study.h"

#include <functional>
#include <string>
#include <vector>

/// What the studies of conserving schemes have in common: runs of an example with a fixed step, and convergence.
namespace polhode::schemes {

/// A scheme as a paper calls it, and as it is called here.
struct NamedScheme {
  std::string label, integrator;
};

/// The model of one of the examples.
Model exampleModel(const std::string& name);

/// Settings for a fixed step.
SimulationSettings fixedStep(const std::string& integrator, double step, double end);

/// Runs with a fixed step and records every one.
RunResult recordedRun(const Model& model, const std::string& integrator, double step, double end);

/// A column of a recording over time, as it is, as its distance from the first value, and as its change from step to step.
Series valueSeries(const std::string& name, const Recording& recording, const std::string& column);
Series driftSeries(const std::string& name, const Recording& recording, const std::string& column, double size);
Series incrementSeries(const std::string& name, const Recording& recording, const std::string& column);

/// The largest absolute value of a curve.
double largest(const Series& series);

/// A number that says how far the end of a run is from where it should be.
using EndError = std::function<double(const Observation&)>;

/// The centre of mass of examples/heavy-top against its steady precession, relative (Betsch & Siebert 5.2.3; Kinon &
/// Betsch (120), (121)).
double steadyTopError(const Observation& end);
Vector3 steadyTopCentre(double t);

/// |R_ref R^T - I| in the Frobenius norm, R_ref by DOP853 at the limit of double precision (Betsch & Siebert 5.1.2).
EndError rotationError(const Model& model, double end);

/// The largest difference of all bodies, |x - x_ref| in metres or |R - R_ref|, against DOP853 with a tolerance of 1e-13.
EndError placementError(const Model& model, double end);

/// Errors at an end over step sizes.
struct Convergence {
  std::string label;
  std::vector<double> steps, errors;  // NaN where the scheme has no solution

  Series series() const;
  double order() const;     // between the last two steps that are above rounding
  double constant() const;  // error/h^2 at the smallest step
};

/// Runs each scheme with end/n for each number of steps.
std::vector<Convergence> convergences(const Model& model, const std::vector<NamedScheme>& schemes, double end,
                                      const std::vector<int>& numbersOfSteps, const EndError& error,
                                      const StudyProgress& progress);
Convergence convergence(const std::string& label, const Model& model, const std::string& integrator, double end,
                        const std::vector<int>& numbersOfSteps, const EndError& error);

/// The curve of that label.
const Convergence& byLabel(const std::vector<Convergence>& all, const std::string& label);

/// error/h^2 of all, from the best to the worst: "DIR_EM 255 < EML 1356".
std::string ranking(std::vector<Convergence> all);

/// That all of them have order 2.
Claim secondOrder(const std::string& statement, const std::vector<Convergence>& all);

Chart convergenceChart(const std::string& title, const std::vector<Convergence>& all, const std::string& note = "");

/// Coordinates x and z of the top's centre of mass over two seconds, by some schemes and in its steady precession.
void addTopMotion(StudyResult& result, const std::string& figure, const Model& top,
                  const std::vector<NamedScheme>& schemes, double step);

/// The largest step with which a scheme gets through a run, to a thousandth.
double largestSolvableStep(const Model& model, const std::string& integrator, double end, double solvable,
                           double unsolvable);

}  // namespace polhode::schemes
