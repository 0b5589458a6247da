#include "io/examples.h"
#include "lang_cases.h"
#include "lang_figures.h"
#include "polhode/analysis/run.h"
#include "polhode/io/model_file.h"
#include "study.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

/// A first look at polhode: a handful of examples, what they conserve, and what accuracy costs.
namespace polhode {

namespace {

const std::vector<std::string>& tourExamples() {
  static const std::vector<std::string> names = {"lang-a",    "lang-b", "free-body", "heavy-top", "heavy-top-nutating",
                                                 "spring-top"};
  return names;
}

ModelFile load(const std::string& name) {
  return readModelText(findExample(name)->text, name + ".toml");
}

/// |y - y(0)| over time, relative to a size.
Series deviation(const std::string& name, const std::vector<double>& t, std::vector<double> y, double size) {
  const double first = y.front();
  for (double& v : y) v = std::abs(v - first) / size;
  return {name, t, std::move(y)};
}

struct Tour {
  Table found{"What was found",
              {"example", "time [s]", "steps", "evaluations", "energy drift", "drift of L_z", "constraint drift"},
              {},
              ""};
  Chart energy{"Energy error", "t [s]", "relative energy error", true, true, {}, ""};
  Chart momentum{"Vertical angular momentum", "t [s]", "relative error of L_z", true, true, {}, ""};
  Chart constraint{"Constraint drift", "t [s]", "| |q|^2 - 1 | / 2", true, true, {}, ""};

  /// Runs an example as its file says, or by another integrator with a fixed step.
  void visit(const std::string& example, const std::string& integrator = "", std::optional<double> step = {}) {
    ModelFile file = load(example);
    file.simulation.outputEvery.reset();
    if (!integrator.empty()) {
      file.simulation.integrator = integrator;
      file.simulation.step = step;
    }
    const std::string name = fmt::format("{} by {}", example, file.simulation.integrator);
    const RunResult result = simulate(file.model, file.simulation, true);
    const Recording& r = result.recording;
    const std::vector<double> t = r.column("time");
    const double energySize =
        std::max(std::abs(result.initial.kineticEnergy), std::abs(result.initial.potentialEnergy));
    energy.series.push_back(deviation(name, t, r.column("energy"), energySize));
    const double L = result.initial.angularMomentum.norm();
    momentum.series.push_back(deviation(name, t, r.column("angular_momentum.z"), L > 0.0 ? L : 1.0));
    constraint.series.push_back({name, t, r.column("constraint.position")});
    found.rows.push_back({name, fmt::format("{:g}", result.final.time), fmt::format("{}", result.work.steps),
                          fmt::format("{}", result.work.rhsEvaluations), fmt::format("{:.1e}", result.energyDrift),
                          fmt::format("{:.1e}", result.angularMomentumDrift[2]),
                          fmt::format("{:.1e}", result.positionViolation)});
  }
};

}  // namespace

StudyResult tourStudy(const StudyProgress& progress) {
  Tour tour;
  for (const std::string& name : tourExamples()) {
    progress(name);
    tour.visit(name);
  }
  tour.visit("heavy-top", "director-em", 0.001);
  tour.visit("free-body", "null-eml", 0.005);
  StudyResult result;
  result.report.title = "polhode, a first look";
  result.report.subtitle = "Six examples, what they conserve, and what accuracy costs";
  result.report.summary =
      "Each example is simulated as its model file says. Drag in a chart to zoom, double-click to go back; click a "
      "name "
      "in the legend to hide its curve. `polhode study lang` compares formulations and integrators in depth.";

  result.section(
      "Found",
      "Drifts are the largest over the run, relative to the largest part of the quantity. The last two are by "
      "conserving schemes, whose drift is rounding. A spring that is not vertical does not keep the vertical "
      "angular momentum.");
  result.add("found.csv", tour.found);
  result.section("Invariants", "");
  result.add("energy.csv", tour.energy);
  result.add("angular-momentum.csv", tour.momentum);
  result.add("constraint.csv", tour.constraint);

  result.section("Work and precision",
                 "The gyro top of Lang's example A over 10 s: error at the end against the number "
                 "of right-hand side evaluations, for tolerances from 1e-3 to 1e-10.");
  const auto curves = lang::workPrecision(lang::exampleA(), 10.0,
                                          {"dopri5", "dop853", "odex", "radau5", "seulex", "bdf"}, 3, 10, progress);
  std::vector<lang::WorkPrecisionCurve> quaternion, dop853;
  for (const lang::WorkPrecisionCurve& curve : curves) {
    if (curve.formulation.equation == "42") quaternion.push_back(curve);
    if (curve.integrator == "dop853") dop853.push_back(curve);
  }
  result.add("work-precision-integrators.csv",
             lang::workPrecisionChart("Six integrators, quaternion null space", quaternion));
  result.add("work-precision-formulations.csv", lang::workPrecisionChart("Five formulations, DOP853", dop853));
  return result;
}

}  // namespace polhode
