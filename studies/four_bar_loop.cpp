#include "analysis/engine_registry.h"
#include "integrate/constrained_stepper.h"
#include "math/euler_map.h"
#include "scheme_runs.h"
#include "study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

/// Kinon & Betsch 2024, section 5.5: four bars in a closed loop of ball joints, pushed until t = 1 and then left alone.
/// Figures 14 to 16, by their quaternion scheme EML, by the midpoint rule MPL, and by the director scheme.
namespace polhode {

namespace {

using namespace schemes;

constexpr double loadEnds = 1.0, coarseStep = 0.1, shortRun = 10.0, longRun = 60.0;

struct LoopRun {
  std::string label;
  RunResult run;

  Series series(const std::string& column) const { return valueSeries(label, run.recording, column); }

  /// The value of a column at a time that was recorded; NaN where the run did not get there.
  double at(double time, const std::string& column) const {
    const std::vector<double> t = run.recording.column("time"), y = run.recording.column(column);
    for (std::size_t i = 0; i < t.size(); ++i)
      if (std::abs(t[i] - time) < 1e-9) return y[i];
    return NAN;
  }
};

LoopRun loopRun(const Model& model, const std::string& integrator, double h, double until) {
  return {fmt::format("{}, h = {:g}", integrator, h), recordedRun(model, integrator, h, until)};
}

/// How far a column goes from its value at the end of the load, up to a time.
Series driftAfterLoad(const LoopRun& of, const std::string& column, double until) {
  const Series all = of.series(column);
  const double first = of.at(loadEnds, column);
  Series drift{of.label, {}, {}, true, false};
  for (std::size_t i = 0; i < all.x.size(); ++i) {
    if (all.x[i] < loadEnds + 1e-9 || all.x[i] > until + 1e-9) continue;
    drift.x.push_back(all.x[i]);
    drift.y.push_back(std::abs(all.y[i] - first));
  }
  return drift;
}

/// The largest multiplier of the joints over time.
Series largestMultiplier(const LoopRun& of) {
  Series series{of.label, of.run.recording.column("time"), {}, true, false};
  series.y.assign(series.x.size(), 0.0);
  for (const std::string& column : of.run.recording.columns) {
    if (column.rfind("multiplier.", 0) != 0) continue;
    const std::vector<double> values = of.run.recording.column(column);
    for (std::size_t i = 0; i < values.size(); ++i) series.y[i] = std::max(series.y[i], std::abs(values[i]));
  }
  return series;
}

double valueAt(const Series& series, double time) {
  for (std::size_t i = 0; i < series.x.size(); ++i)
    if (std::abs(series.x[i] - time) < 1e-9) return series.y[i];
  return NAN;
}

double last(const Series& series) {
  return series.x.back();
}

/// Figure 15: the corners at an instant, joined by the bars, seen from above at an angle.
Series snapshot(const Recording& recording, double time) {
  const std::vector<double> t = recording.column("time");
  std::size_t row = 0;
  while (row + 1 < t.size() && t[row] < time - 1e-9) ++row;
  const auto value = [&](const std::string& name) { return recording.column(name)[row]; };
  Series series{fmt::format("t = {:g}", time), {}, {}, true, true};
  // from corner to corner: each bar's end in body axes
  const std::pair<const char*, Vector3> ends[] = {
      {"bar1", {0, -5, 0}}, {"bar1", {0, 5, 0}}, {"bar2", {-5, 0, 0}}, {"bar3", {0, -5, 0}}, {"bar4", {5, 0, 0}}};
  for (const auto& [bar, inBody] : ends) {
    const std::string name = bar;
    const Vector3 x(value(name + ".position.x"), value(name + ".position.y"), value(name + ".position.z"));
    const Quaternion p(value(name + ".quaternion.w"), value(name + ".quaternion.x"), value(name + ".quaternion.y"),
                       value(name + ".quaternion.z"));
    const Vector3 corner = x + rotationMatrix(p) * inBody;
    series.x.push_back(corner[0] + 0.4 * corner[1]);
    series.y.push_back(corner[2] + 0.3 * corner[1]);
  }
  return series;
}

/// The largest multiplier of EML at a time, those of |p| = 1 included.
double largestOfAll(const Model& model, double time) {
  const auto simulation = makeEngine(model, fixedStep("eml", coarseStep, time));
  simulation->advanceTo(time);
  return dynamic_cast<const ConstrainedStepper&>(simulation->stepper()).multipliers().cwiseAbs().maxCoeff();
}

/// Where bar 1 is at t = 2, computed in 113-bit arithmetic with two integrators.
constexpr double referenceX = 19.22106781259821;

double errorAtTwo(const Model& model, const std::string& integrator, double h) {
  return std::abs(simulate(model, fixedStep(integrator, h, 2.0)).final.bodies[0].position[0] - referenceX);
}

struct Runs {
  LoopRun eml, finer, director, midpoint;
  LoopRun emlLong, finerLong, directorLong, midpointLong;
};

std::vector<Claim> claims(const Model& model, const Runs& runs) {
  const std::string L = "angular_momentum.x";
  const double energy = largest(driftAfterLoad(runs.eml, "energy", shortRun)) / runs.eml.at(loadEnds, "energy");
  const double coarse = largest(driftAfterLoad(runs.eml, L, 2.0)), fine = largest(driftAfterLoad(runs.finer, L, 2.0));
  const double kept = largest(driftAfterLoad(runs.directorLong, L, longRun)) / 300.0;
  const double keptEnergy =
      largest(driftAfterLoad(runs.directorLong, "energy", longRun)) / runs.directorLong.at(loadEnds, "energy");
  const Series ofEml = largestMultiplier(runs.eml), ofDirector = largestMultiplier(runs.directorLong);
  const double order = std::log2(errorAtTwo(model, "eml", 0.02) / errorAtTwo(model, "eml", 0.01));
  const double emlError = errorAtTwo(model, "eml", 0.01), directorError = errorAtTwo(model, "director-em", 0.01);

  return {
      {"EML keeps the generalised energy once the load has ended (figure 16, left)",
       fmt::format("drift from t = 1 to 10 s: {:.1e} of it", energy), energy < 1e-10},
      {"EML keeps the angular momentum once the load has ended (figure 16, right)",
       fmt::format("L_x goes from {:.4f} at t = 1 to {:.4f} at t = 10 s", runs.eml.at(loadEnds, L),
                   runs.eml.at(shortRun, L)),
       largest(driftAfterLoad(runs.eml, L, shortRun)) < 1e-10 * 300.0},
      {"What EML loses of it is O(h^2)",
       fmt::format("largest drift from t = 1 to 2 s: {:.1e} with h = 0.1, {:.1e} with h = 0.05, order {:.1f}", coarse,
                   fine, std::log2(coarse / fine)),
       std::abs(std::log2(coarse / fine) - 2.0) < 0.5},
      {"EML closes the joints and keeps |p| = 1 to rounding",
       fmt::format("largest gap {:.1e}", runs.eml.run.positionViolation), runs.eml.run.positionViolation < 1e-12},
      {"EML is of second order",
       fmt::format("order {:.2f} at t = 2 s; error {:.1e} with h = 0.01 ({:.1e} by director-em)", order, emlError,
                   directorError),
       std::abs(order - 2.0) < 0.1},
      {"EML suits closed loops in the long run",
       fmt::format(
           "the largest multiplier of a joint grows from {:.1f} at t = 1.1 to {:.0f} at t = 10 s, those of "
           "|p| = 1 from {:.0f} to {:.0f}; Newton's method fails at t = {:.1f} s with h = 0.1, at {:.2f} s with "
           "h = 0.05",
           valueAt(ofEml, 1.1), valueAt(ofEml, shortRun), largestOfAll(model, 1.1), largestOfAll(model, shortRun),
           last(runs.emlLong.series("energy")), last(runs.finerLong.series("energy"))),
       runs.emlLong.run.failure.empty()},
      {"director-em (ours) keeps energy and angular momentum, and its multipliers stay",
       fmt::format("until t = {:g} s: energy to {:.1e}, L_x to {:.1e}; largest multiplier {:.1f} at t = 1.1, {:.1f} at "
                   "t = 10 s, {:.1f} at t = 55 s",
                   last(runs.directorLong.series("energy")), keptEnergy, kept, valueAt(ofDirector, 1.1),
                   valueAt(ofDirector, shortRun), valueAt(ofDirector, 55.0)),
       kept < 1e-11 && keptEnergy < 1e-11 && runs.directorLong.run.failure.empty()},
      {"The midpoint rule MPL goes on where EML fails",
       fmt::format("until t = {:g} s; L_x goes from {:.4f} at t = 1 to {:.4f} at the end",
                   last(runs.midpointLong.series("energy")), runs.midpointLong.at(loadEnds, L),
                   runs.midpointLong.at(longRun, L)),
       runs.midpointLong.run.failure.empty()},
  };
}

void addFigures(StudyResult& result, const Model& model, const Runs& runs) {
  result.section("Figure 14: the load", "The force is 8 f(t) along x, the torque 6 f(t) about x, both on bar 1.");
  Series load{"f", {}, {}, true, false};
  for (int i = 0; i <= 100; ++i) {
    load.x.push_back(0.02 * i);
    load.y.push_back(100.0 * model.forces.front().scale.value(load.x.back()));
  }
  result.add("figure-14.csv", Chart{"Figure 14: f over time", "t [s]", "f", false, false, {load}, ""});

  result.section("Figure 15: snapshots", "The loop by director-em, h = 0.1, seen from above at an angle.");
  Chart snapshots{"Figure 15: the loop", "x + 0.4 y [m]", "z + 0.3 y [m]", false, false, {}, ""};
  for (const double t : {0.0, 1.0, 2.0, 4.0, 6.0}) snapshots.series.push_back(snapshot(runs.director.run.recording, t));
  result.add("figure-15.csv", std::move(snapshots));

  result.section("Figure 16: energy and angular momentum",
                 "In the paper's scale both look constant after t = 1. What they lose shows beside it.");
  const std::vector<const LoopRun*> all = {&runs.eml, &runs.finer, &runs.midpoint, &runs.director};
  Chart energy{"Figure 16, left: generalised energy", "t [s]", "energy [J]", false, false, {}, ""};
  Chart momentum{"Figure 16, right: angular momentum about x", "t [s]", "L_x", false, false, {}, ""};
  Chart energyDrift{"Energy lost after the load", "t [s]", "|E - E(1)| [J]", false, true, {}, "Zero is not shown."};
  Chart momentumDrift{
      "Angular momentum lost after the load", "t [s]", "|L_x - L_x(1)|", false, true, {}, "Zero is not shown."};
  for (const LoopRun* run : all) {
    energy.series.push_back(run->series("energy"));
    momentum.series.push_back(run->series("angular_momentum.x"));
    energyDrift.series.push_back(driftAfterLoad(*run, "energy", shortRun));
    momentumDrift.series.push_back(driftAfterLoad(*run, "angular_momentum.x", shortRun));
  }
  result.add("figure-16-energy.csv", std::move(energy));
  result.add("figure-16-momentum.csv", std::move(momentum));
  result.add("energy-drift.csv", std::move(energyDrift));
  result.add("momentum-drift.csv", std::move(momentumDrift));

  result.section("In the long run",
                 "The largest multiplier of a joint, until the run ends or fails. mpl lies under director-em.");
  Chart multiplier{"Largest multiplier", "t [s]", "largest |lambda|", false, true, {}, ""};
  for (const LoopRun* run : {&runs.emlLong, &runs.finerLong, &runs.midpointLong, &runs.directorLong})
    multiplier.series.push_back(largestMultiplier(*run));
  result.add("multipliers.csv", std::move(multiplier));
}

}  // namespace

StudyResult fourBarLoopStudy(const StudyProgress& progress) {
  const Model model = exampleModel("four-bar-loop");
  const auto made = [&](const char* integrator, double h, double until) {
    progress(fmt::format("{}, h = {:g}, until t = {:g}", integrator, h, until));
    return loopRun(model, integrator, h, until);
  };
  const Runs runs{made("eml", coarseStep, shortRun),         made("eml", coarseStep / 2, shortRun),
                  made("director-em", coarseStep, shortRun), made("mpl", coarseStep, shortRun),
                  made("eml", coarseStep, longRun),          made("eml", coarseStep / 2, longRun),
                  made("director-em", coarseStep, longRun),  made("mpl", coarseStep, longRun)};

  StudyResult result;
  result.report.title = "A closed loop of four bars";
  result.report.subtitle = "Kinon & Betsch 2024, section 5.5: quaternion EML against the director scheme";
  result.report.summary =
      "Four bars in a loop of ball joints, free in space. A force and a torque act on the first bar until t = 1; from "
      "then on energy and momenta ought to be kept. EML and MPL are the paper's schemes in quaternions, director-em is "
      "the conserving engine.\n\n"
      "Drag in a chart to zoom, double-click to go back; click a name in the legend to hide its curve.";
  result.section("Claims", "Each statement of the paper, and what was measured here.");
  result.add("claims.csv", claimTable(claims(model, runs)));
  addFigures(result, model, runs);
  return result;
}

}  // namespace polhode
