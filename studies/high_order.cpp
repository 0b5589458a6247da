#include "cost_curve.h"
#include "high_order_mechanisms.h"
#include "study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

/// Conserving schemes of order 2 to 16 against DOP853: what an error costs, in time and in evaluations, and what becomes of
/// the energy; single bodies here, mechanisms in high_order_mechanisms.h. The compositions are those of integrate/composition.h; Gauss collocation is integrate/gauss.h.
namespace polhode {

namespace {

using namespace schemes;

struct Method {
  std::string label, integrator;
  int stages;  // sub-steps in a step, or what costs about as much
};

/// A stage of director-em is two sub-steps, see composition.h. A step of Gauss collocation is a dozen sweeps over its stages.
const std::vector<Method> methods = {{"order 2, director-em", "director-em", 1},
                                     {"order 4, director-em", "director-em-4", 10},
                                     {"order 6, director-em", "director-em-6", 18},
                                     {"order 8, director-em", "director-em-8", 34},
                                     {"order 4, quaternion-em", "quaternion-em-4", 5},
                                     {"order 6, quaternion-em", "quaternion-em-6", 9},
                                     {"order 8, quaternion-em", "quaternion-em-8", 17},
                                     {"order 8, Gauss", "gauss-8", 50},
                                     {"order 12, Gauss", "gauss-12", 80},
                                     {"order 16, Gauss", "gauss-16", 120}};

/// All methods from coarse to fine: between `coarsest` and `finest` sub-steps in all, and DOP853 at 1e-3 to 1e-14.
std::vector<CostCurve> costCurves(const Model& model, double end, int coarsest, int finest, const EndError& error,
                                  const StudyProgress& progress) {
  std::vector<CostCurve> curves;
  for (const Method& method : methods) {
    progress(fmt::format("{}: {}", model.name, method.label));
    CostCurve curve{method.label, method.integrator, {}};
    for (double subSteps = coarsest; subSteps < 1.01 * finest; subSteps *= std::pow(10.0, 0.25)) {
      const double steps = std::max(1.0, std::round(subSteps / method.stages));
      const Cost cost = measureCost(model, fixedStep(method.integrator, end / steps, end), error);
      if (std::isfinite(cost.error)) curve.points.push_back(cost);
    }
    curves.push_back(std::move(curve));
  }
  progress(fmt::format("{}: DOP853", model.name));
  curves.push_back(toleranceCurve("order 8, DOP853", model, "dop853", end, 14.0, error));
  return curves;
}

/// A run of the steady top for a hundred seconds, of which the exact motion is known.
struct LongRun {
  std::string label, integrator;
  double step, tolerance;  // a step of zero: chosen for the tolerance
};

const std::vector<LongRun> longRuns = {{"director-em, h = 0.0005", "director-em", 0.0005, 0.0},
                                       {"director-em-8, h = 0.005", "director-em-8", 0.005, 0.0},
                                       {"quaternion-em-8, h = 0.005", "quaternion-em-8", 0.005, 0.0},
                                       {"gauss-16, h = 0.01", "gauss-16", 0.01, 0.0},
                                       {"DOP853, 1e-7", "dop853", 0.0, 1e-7},
                                       {"DOP853, 1e-9", "dop853", 0.0, 1e-9},
                                       {"DOP853, 1e-11", "dop853", 0.0, 1e-11}};

void addLongRuns(StudyResult& result, const Model& top, const StudyProgress& progress) {
  Chart error{"Error of the centre of mass", "t [s]", "relative error", true, true, {}, ""};
  Chart energy{"Energy error", "t [s]", "relative energy error", true, true, {}, "Zero is not shown."};
  Table table{"A hundred seconds",
              {"method", "evaluations", "error at t = 1", "at t = 10", "at t = 100", "energy drift", "drift of L_z"},
              {},
              ""};
  for (const LongRun& run : longRuns) {
    progress("a hundred seconds: " + run.label);
    SimulationSettings settings;
    settings.integrator = run.integrator;
    if (run.step > 0.0) settings.step = run.step;
    if (run.tolerance > 0.0) settings.tolerance = run.tolerance;
    settings.end = 100.0;
    settings.outputEvery = 0.1;  // a multiple of the steps: nodes, not what lies between
    const RunResult found = simulate(top, settings, true);
    Series errors = valueSeries(run.label, found.recording, "time");
    std::vector<Vector3> positions(errors.x.size());
    for (int axis = 0; axis < 3; ++axis) {
      const auto column = found.recording.column(fmt::format("top.position.{}", "xyz"[axis]));
      for (std::size_t i = 0; i < positions.size(); ++i) positions[i][axis] = column[i];
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Vector3 exact = steadyTopCentre(errors.x[i]);
      errors.y[i] = (positions[i] - exact).norm() / exact.norm();
    }
    energy.series.push_back(driftSeries(run.label, found.recording, "energy", std::abs(found.initial.energy())));
    table.rows.push_back({run.label, fmt::format("{}", found.work.rhsEvaluations), fmt::format("{:.1e}", errors.y[10]),
                          fmt::format("{:.1e}", errors.y[100]), fmt::format("{:.1e}", errors.y.back()),
                          fmt::format("{:.1e}", found.energyDrift),
                          fmt::format("{:.1e}", found.angularMomentumDrift[2])});
    error.series.push_back(std::move(errors));
  }
  result.section(
      "A long run",
      "The top in steady precession for a hundred seconds. The energy of DOP853 goes off steadily, and with it "
      "the speed: its error grows like t^2. With a conserving scheme the error grows like t. So whoever wins at "
      "t = 1 need not win at t = 100.");
  result.add("long-run.csv", std::move(table));
  result.add("long-run-error.csv", std::move(error));
  result.add("long-run-energy.csv", std::move(energy));
}

}  // namespace

StudyResult highOrderStudy(const StudyProgress& progress) {
  const Model top = exampleModel("heavy-top"), free = exampleModel("free-body"),
              nutating = exampleModel("heavy-top-nutating");
  struct Case {
    std::string label, file;
    std::vector<CostCurve> curves;
  };
  std::vector<Case> cases;
  cases.push_back({"Heavy top, t = 1", "top", costCurves(top, 1.0, 100, 40000, steadyTopError, progress)});
  cases.push_back({"Free body, t = 1", "free", costCurves(free, 1.0, 60, 40000, rotationError(free, 1.0), progress)});
  cases.push_back({"Nutating top, t = 2", "nutating",
                   costCurves(nutating, 2.0, 100, 40000, rotationError(nutating, 2.0), progress)});

  StudyResult result;
  result.report.title = "High order that conserves";
  result.report.subtitle =
      "Compositions of order 4, 6 and 8 of two energy-momentum schemes, and Gauss collocation, against DOP853";
  result.report.summary =
      "Symmetric compositions keep what their base scheme keeps, so that energy and momentum stay at rounding whatever "
      "the step. Gauss collocation in quaternions keeps energy and length exactly, and momentum at its order. What "
      "they "
      "cost beside the best explicit code is measured here.\n\n"
      "An evaluation of a conserving scheme is an iteration of Newton's method, with the equations and their Jacobian "
      "(3 "
      "unknowns); one of DOP853 or of Gauss collocation is a right-hand side. Times are the least of several runs, of "
      "whole simulations with "
      "nothing recorded.";

  result.section(
      "Who wins where",
      "What the best conserving scheme takes for an error at the end, relative to DOP853. For large errors over short "
      "times DOP853 is hard to beat; for small ones Gauss collocation does it, whose stages go side by side through "
      "vector registers. Over long times see the last section.");
  Table winners = winnerTable();
  for (const Case& c : cases) addWinners(winners, c.label, c.curves, {1e-2, 1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12});
  result.add("winners.csv", std::move(winners));

  for (const Case& c : cases) {
    result.section(c.label, "");
    result.add(c.file + "-evaluations.csv",
               costChart(c.label + ": error against evaluations", "evaluations", c.curves, &Cost::evaluations));
    result.add(c.file + "-time.csv", costChart(c.label + ": error against time", "time [s]", c.curves, &Cost::seconds));
    result.add(c.file + "-energy.csv",
               costChart(c.label + ": energy error against evaluations", "evaluations", c.curves, &Cost::evaluations,
                         &Cost::energyError, "relative energy error at the end"));
  }
  addMechanisms(result, progress);
  addLongRuns(result, top, progress);
  return result;
}

}  // namespace polhode
