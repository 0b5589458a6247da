#include "analysis/engine_registry.h"
#include "cost_curve.h"
#include "polhode/error.h"
#include "standard_problems.h"
#include "study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

/// The standard problems of the multibody community: whether what is required of each is reached, and error against work
/// for each integrator.
namespace polhode {

namespace {

using namespace schemes;
using standard::Problem, standard::Way;

/// One integrator from coarse to fine.
struct Range {
  std::string kind, integrator;
  std::vector<Way> ways;
};

Range byTolerance(const std::string& kind, const std::string& integrator, const std::vector<double>& tolerances) {
  Range range{kind, integrator, {}};
  for (const double tolerance : tolerances) range.ways.push_back({integrator, tolerance});
  return range;
}

/// With n, 2 n, 4 n, ... steps until the end.
Range bySteps(const std::string& kind, const std::string& integrator, double end, int n, int runs) {
  Range range{kind, integrator, {}};
  for (int i = 0; i < runs; ++i) range.ways.push_back({integrator, 0.0, end / (n << i)});
  return range;
}

/// The integrators that fit a problem: no explicit ones where it is stiff, and no compositions beyond order 4, since a
/// negative sub-step turns the decay of dampers into growth.
std::vector<Range> rangesFor(const Problem& problem) {
  std::vector<Range> all;
  const std::vector<double> wide = {1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13}, narrow = {1e-3, 1e-5, 1e-7, 1e-9};
  if (!problem.stiff)
    for (const char* name : {"dopri5", "dop853", "odex"}) all.push_back(byTolerance("explicit", name, wide));
  for (const char* name : {"radau5", "seulex", "bdf"}) all.push_back(byTolerance("implicit", name, narrow));
  const double end = problem.compared;
  const int n = problem.coarsest;
  all.push_back(bySteps("conserving", "director-em", end, n, 5));
  all.push_back(bySteps("conserving", "director-em-4", end, std::max(n / 10, 4), 5));
  if (!problem.stiff) {
    all.push_back(bySteps("conserving", "director-em-6", end, std::max(n / 20, 3), 5));
    all.push_back(bySteps("conserving", "director-em-8", end, std::max(n / 30, 2), 5));
  }
  all.push_back(bySteps("in quaternions", "eml", end, n, 5));
  all.push_back(bySteps("real time", "linear-implicit-euler", end, 4 * n, 4));
  return all;
}

/// Whether an integrator takes a model at all.
bool fits(const Model& model, const Way& way) {
  try {
    makeEngine(model, way.settings(1.0));
  } catch (const InputError&) {
    return false;
  }
  return true;
}

std::vector<CostCurve> measured(const Problem& problem, const Model& model, const StudyProgress& progress) {
  std::vector<CostCurve> curves;
  for (const Range& range : rangesFor(problem)) {
    if (!fits(model, range.ways.front())) continue;
    progress(fmt::format("{}: {}", problem.title, range.integrator));
    CostCurve curve{fmt::format("{}, {}", range.kind, range.integrator), range.integrator, {}};
    for (const Way& way : range.ways)
      curve.points.push_back(measureCost(model, way.settings(problem.compared),
                                         [&](const Observation& end) { return problem.error(end); }));
    curves.push_back(std::move(curve));
  }
  return curves;
}

struct Compared {
  const Problem* problem;
  std::vector<CostCurve> curves;
};

const CostCurve* curveOf(const Compared& c, const std::string& integrator) {
  const auto found = std::find_if(c.curves.begin(), c.curves.end(),
                                  [&](const CostCurve& curve) { return curve.integrator == integrator; });
  return found == c.curves.end() ? nullptr : &*found;
}

/// One row an integrator, one column a problem; `cell` says what stands there.
template <class Cell>
Table acrossProblems(const std::string& title, const std::vector<Compared>& all, const std::string& note,
                     const Cell& cell) {
  Table table{title, {"integrator"}, {}, note};
  for (const Compared& c : all) table.columns.push_back(c.problem->label);
  for (const CostCurve& first : all.front().curves) {
    table.rows.push_back({first.integrator});
    for (const Compared& c : all) {
      const CostCurve* curve = curveOf(c, first.integrator);
      table.rows.back().push_back(curve ? cell(c, *curve) : "");
    }
  }
  return table;
}

/// Time for an evaluation, in all runs of a curve together.
double timeOfEvaluation(const CostCurve& curve) {
  double seconds = 0.0, evaluations = 0.0;
  for (const Cost& point : curve.points) {
    if (!std::isfinite(point.error)) continue;
    seconds += point.seconds;
    evaluations += point.evaluations;
  }
  return seconds / evaluations;
}

void addComparison(StudyResult& result, const std::vector<Compared>& all) {
  constexpr double error = 1e-6;
  result.section(
      "Who needs how much",
      "An evaluation is one of the right-hand side for the classical integrators (numerical Jacobians "
      "included), one iteration of Newton's method with its linear system for director-em, its "
      "compositions and eml, one step with its linear system for linear-implicit-euler. So they are not worth the "
      "same; the second table has what one takes beside one of radau5 on the same problem.");
  result.add("evaluations.csv",
             acrossProblems(fmt::format("Evaluations for an error of {:.0e}", error), all,
                            "–: not reached in the runs made here. Empty: does not fit, or too stiff for it.",
                            [&](const Compared&, const CostCurve& curve) {
                              const double needed = curve.costFor(error, &Cost::evaluations);
                              return std::isfinite(needed) ? fmt::format("{:.0f}", needed) : std::string("–");
                            }));
  result.add("time-of-evaluation.csv",
             acrossProblems("Time of an evaluation, that of radau5 being 1", all,
                            "Ratios of times within one run of this study; they differ from run to run.",
                            [&](const Compared& c, const CostCurve& curve) {
                              const double ratio = timeOfEvaluation(curve) / timeOfEvaluation(*curveOf(c, "radau5"));
                              return std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : std::string("–");
                            }));
}

}  // namespace

StudyResult benchmarksStudy(const StudyProgress& progress) {
  std::vector<Claim> claims;
  std::vector<Compared> compared;
  for (const Problem& problem : standard::problems()) {
    const Model model = exampleModel(problem.example);
    progress(problem.title);
    for (const standard::Instant& instant : problem.instants) claims.push_back(standard::required(problem, instant));
    if (problem.others)
      for (Claim& claim : problem.others()) claims.push_back(std::move(claim));
    compared.push_back({&problem, measured(problem, model, progress)});
  }

  StudyResult result;
  result.report.title = "Standard problems of the multibody community";
  result.report.subtitle = "Whether what is required is reached, and what an error costs";
  result.report.summary =
      "The problems of IFToMM's library and the top of Brüls, Cardona & Arnold. Classical integrators run in "
      "quaternions "
      "and null-space form with tolerances from 1e-3 down, the conserving engine and the real-time scheme with fixed "
      "steps. The error is the largest deviation from the reference at one instant. References are published values, "
      "or "
      "were computed in extended precision.\n\n"
      "Drag in a chart to zoom, double-click to go back; click a name in the legend to hide its curve.";
  result.section("Requirements", "What is asked of a solution, and what was reached.");
  result.add("requirements.csv", claimTable(claims));
  addComparison(result, compared);
  result.section("Error against work",
                 "Each point is one run. A curve ends where a run did not come through. In the four-bar linkages an "
                 "error of the size of 1 is a run that left the regular motion in a singular position.");
  for (const Compared& c : compared) {
    Chart chart = costChart(fmt::format("{}, t = {:g} s", c.problem->title, c.problem->compared), "evaluations",
                            c.curves, &Cost::evaluations, &Cost::error, "error");
    chart.note = fmt::format("Error of {}.", c.problem->quantity);
    result.add(fmt::format("{}.csv", c.problem->example), std::move(chart));
  }
  return result;
}

}  // namespace polhode
