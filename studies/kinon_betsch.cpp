#include "kinon_betsch_systems.h"
#include "math/euler_map.h"
#include "study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

/// Kinon & Betsch 2024, "Conserving integration of multibody systems with singular and non-constant mass matrix including
/// quaternion-based rigid body dynamics": figures 1 to 13.
namespace polhode {

namespace {

using namespace schemes;
using namespace kinon;

const std::vector<NamedScheme> comparedSchemes = {
    {"EML", "eml"}, {"EMH", "quaternion-em"}, {"MPL", "mpl"}, {"MPH", "mph"}};

Chart timeChart(const std::string& title, const std::string& yLabel, std::vector<Series> series,
                const std::string& note = "") {
  return {title, "t [s]", yLabel, false, false, std::move(series), note};
}

Series absolute(Series series) {
  for (double& y : series.y) y = std::abs(y);
  return series;
}

Chart incrementChart(const std::string& title, std::vector<Series> series, const std::string& note = "") {
  for (Series& s : series) s = absolute(std::move(s));
  return {title, "t [s]", "|increment a step|", false, true, std::move(series), note};
}

Chart energies(const std::string& title, const Recording& r) {
  return timeChart(
      title, "energy [J]",
      {valueSeries("kinetic", r, "kinetic"), valueSeries("potential", r, "potential"),
       valueSeries("total (80)", r, "total_energy"), valueSeries("generalised (74)", r, "generalised_energy")});
}

std::string measured(const char* what, double value) {
  return fmt::format("{} {:.1e}", what, value);
}

// ---- 5.1 and 5.2 ----

void massSpring(StudyResult& result, std::vector<Claim>& claims) {
  const Recording r = systemRun("mass-spring", "livens-em");
  const Series increments = incrementSeries("generalised", r, "generalised_energy");
  const Series gap = valueSeries("g", r, "constraint");
  claims.push_back({"5.1: increments of the generalised energy are close to computer precision",
                    measured("largest", largest(increments)), largest(increments) < 1e-12});
  claims.push_back(
      {"5.1: the constraint is fulfilled exactly", measured("largest |g|", largest(gap)), largest(gap) < 1e-13});
  result.section("5.1 Masses on springs",
                 "Redundant coordinates with a singular mass matrix, EML, h = 0.1. The mass matrix is constant, so the "
                 "two energies are the same.");
  result.add("figure-1.csv", energies("Figure 1: energies", r));
  result.add("figure-2-left.csv", Chart{"Figure 2, left: constraint (107)",
                                        "t [s]",
                                        "|g|",
                                        false,
                                        true,
                                        {gap},
                                        "Zero is not shown on a logarithmic axis."});
  result.add("figure-2-right.csv", incrementChart("Figure 2, right: increments of the energy",
                                                  {increments, incrementSeries("total", r, "total_energy")}));
}

void springPendulum(StudyResult& result, std::vector<Claim>& claims) {
  const Recording r = systemRun("spring-pendulum", "livens-em"),
                  chain = systemRun("spring-pendulum", "livens-em-chain");
  const Series total = incrementSeries("total (80)", r, "total_energy");
  const Series generalised = incrementSeries("generalised (74)", r, "generalised_energy");
  claims.push_back({"5.2: the total energy is captured down to 1e-4", measured("largest increment", largest(total)),
                    largest(total) < 5e-4});
  claims.push_back({"5.2: the generalised energy is preserved exactly",
                    measured("largest increment", largest(generalised)), largest(generalised) < 1e-12});
  const Series momentum = driftSeries("EML, Gonzalez' gradient (129)-(131)", r, "p.3", 1.0);
  const Series chained = driftSeries("EML, gradient by the chain rule", chain, "p.3", 1.0);
  claims.push_back({"Remark 4.5: momentum maps are conserved (p_phi of the spring pendulum)",
                    fmt::format("p_phi drifts by {:.1e}; with discrete gradients by the chain rule "
                                "(livens-em-chain) by {:.1e}",
                                largest(momentum), largest(chained)),
                    largest(momentum) < 1e-12});
  result.section("5.2 Spring pendulum",
                 "Spherical coordinates, so the mass matrix depends on them; EML, h = 0.01. The azimuth is cyclic: its "
                 "momentum is conserved by the motion, but not by the scheme as printed.");
  result.add("figure-3.csv", energies("Figure 3: energies", r));
  result.add("figure-4-left.csv", incrementChart("Figure 4, left: increments of the total energy", {total}));
  result.add("figure-4-right.csv",
             incrementChart("Figure 4, right: increments of the generalised energy", {generalised}));
  result.add("pendulum-momentum.csv", Chart{"Beyond the paper: the momentum of the azimuth",
                                            "t [s]",
                                            "|p_phi - p_phi(0)|",
                                            false,
                                            true,
                                            {momentum, chained},
                                            ""});
}

// ---- 5.3 ----

Chart snapshots(const Recording& r) {
  Chart chart{"Figure 5: the axis d3 in space", "t [s]", "components of d3", false, false, {}, ""};
  const std::vector<double> t = r.column("time");
  std::vector<std::vector<double>> q;
  for (const char* c : {"w", "x", "y", "z"}) q.push_back(r.column(fmt::format("body.quaternion.{}", c)));
  for (int axis = 0; axis < 3; ++axis) {
    Series series{std::string(1, "xyz"[axis]), t, {}, true, true};
    for (std::size_t i = 0; i < t.size(); ++i)
      series.y.push_back(rotationMatrix(Quaternion(q[0][i], q[1][i], q[2][i], q[3][i]))(axis, 2));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Table snapshotTable(const Recording& r) {
  Table table{"Figure 5: snapshots", {"t [s]", "w", "x", "y", "z"}, {}, "Quaternions of the snapshots' times."};
  const std::vector<double> t = r.column("time");
  for (const double when : {0.0, 0.25, 0.75, 1.25, 1.75, 2.0}) {
    const auto row = static_cast<std::size_t>(
        std::min_element(t.begin(), t.end(),
                         [&](double a, double b) { return std::abs(a - when) < std::abs(b - when); }) -
        t.begin());
    std::vector<std::string> cells = {fmt::format("{:g}", when)};
    for (const char* c : {"w", "x", "y", "z"})
      cells.push_back(fmt::format("{:.6f}", r.column(fmt::format("body.quaternion.{}", c))[row]));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

void freeBody(StudyResult& result, std::vector<Claim>& claims) {
  const Model model = exampleModel("free-body");
  const RunResult run = recordedRun(model, "eml", 0.05, 2.0);
  const Recording& r = run.recording;
  const Series generalised = incrementSeries("generalised", r, "energy"),
               total = incrementSeries("total", r, "node_energy");
  const Series defect = valueSeries("EML", r, "constraint.velocity");
  claims.push_back({"5.3: the generalised energy is conserved", measured("largest drift", run.energyDrift),
                    run.energyDrift < 1e-12});
  claims.push_back({"5.3: angular momentum is conserved (Proposition 4.10)",
                    measured("largest drift", run.angularMomentumDrift.maxCoeff()),
                    run.angularMomentumDrift.maxCoeff() < 1e-12});
  claims.push_back({"5.3: the unit length is conserved", measured("largest error", run.positionViolation),
                    run.positionViolation < 1e-14});
  claims.push_back(
      {"5.3: the total energy (80) is not preserved",
       fmt::format("it changes by up to {:.0f} of {:.0f} in one step, and q . v reaches {:.1f} at the nodes",
                   largest(total), run.initial.energy(), largest(defect)),
       largest(total) > 1.0});
  result.section("5.3 Free body",
                 "J = diag(6, 8, 3), Omega(0) = (10, 20, 20), EML, h = 0.05. EML's velocities fulfil q . v = 0 at "
                 "mid-points only, and its total energy, made from velocities at the nodes, is far from constant. The "
                 "scheme `ggl` holds the velocities on their constraint at the nodes as well; its total energy jumps "
                 "all the same.");
  result.add("figure-5-table.csv", snapshotTable(r));
  result.add("figure-5.csv", snapshots(r));
  result.add("figure-6-left.csv",
             timeChart("Figure 6, left: generalised energy", "E [J]", {valueSeries("EML", r, "energy")}));
  result.add("figure-6-right.csv", incrementChart("Figure 6, right: its increments", {generalised}));
  result.add("figure-7-left.csv", Chart{"Figure 7, left: unit length",
                                        "t [s]",
                                        "| |q|^2 - 1 | / 2",
                                        false,
                                        true,
                                        {valueSeries("EML", r, "constraint.position")},
                                        "Zero is not shown on a logarithmic axis."});
  const Recording ggl = recordedRun(model, "ggl", 0.05, 2.0).recording;
  result.add("figure-7-right.csv", timeChart("Figure 7, right: total energy (80)", "T + V [J]",
                                             {valueSeries("EML", r, "node_energy"),
                                              valueSeries("GGL, not in the paper", ggl, "node_energy")}));
  result.add("velocity-constraint.csv", timeChart("Beyond the paper: velocity constraint at the nodes", "|q . v|",
                                                  {defect, valueSeries("GGL", ggl, "constraint.velocity")}));
  std::vector<Series> momenta, momentumIncrements;
  for (const char* c : {"x", "y", "z"}) {
    const std::string column = fmt::format("angular_momentum.{}", c), name = fmt::format("L_{}", c);
    momenta.push_back(valueSeries(name, r, column));
    momentumIncrements.push_back(incrementSeries(name, r, column));
  }
  result.add("figure-8-left.csv", timeChart("Figure 8, left: angular momentum", "L [Nms]", momenta));
  result.add("figure-8-right.csv", incrementChart("Figure 8, right: its increments", momentumIncrements));
}

void reductions(StudyResult& result, std::vector<Claim>& claims) {
  const auto costs = reductionCosts();
  const double reduced = costRatio(costs[1], costs[0]), null = costRatio(costs[2], costs[0]);
  claims.push_back(
      {"5.3: REML takes nearly half of the time of EML", fmt::format("{:.2f} of it", reduced), reduced < 0.6});
  claims.push_back({"5.3: Null-EML is notably faster again",
                    fmt::format("{:.2f} of EML, {:.2f} of REML", null, null / reduced), null < 0.8 * reduced});
  Chart chart{"Figure 9: time for T = 10",
              "h [s]",
              "time [s]",
              true,
              true,
              {},
              "Times depend on the machine; the ratios hardly do. All three give the same motion."};
  Table table{"Figure 9: ratios of time", {"h [s]", "EML", "REML", "Null-EML"}, {}, "Time relative to EML."};
  for (const SchemeCost& cost : costs)
    chart.series.push_back(
        {fmt::format("{} ({} unknowns)", cost.label, cost.unknowns), cost.steps, cost.seconds, true, true});
  for (std::size_t i = 0; i < costs[0].steps.size(); ++i)
    table.rows.push_back({fmt::format("{:g}", costs[0].steps[i]), "1",
                          fmt::format("{:.2f}", costs[1].seconds[i] / costs[0].seconds[i]),
                          fmt::format("{:.2f}", costs[2].seconds[i] / costs[0].seconds[i])});
  result.section("5.3 What the reductions save", "The free body for ten seconds, the least of seven runs in turns.");
  result.add("figure-9.csv", std::move(chart));
  result.add("figure-9-ratios.csv", std::move(table));
}

// ---- 5.4 ----

/// The largest error of a coordinate of the centre of mass.
double largestError(const Recording& r, const std::string& axis) {
  const std::vector<double> t = r.column("time"), x = r.column("top.position." + axis);
  double most = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i)
    most = std::max(most, std::abs(x[i] - steadyTopCentre(t[i])[axis == "x" ? 0 : 2]));
  return most;
}

void heavyTop(StudyResult& result, std::vector<Claim>& claims, const Model& model) {
  result.section(
      "5.4 Heavy top",
      "A cone on its apex in steady precession, h = 0.01, which turns it by 1.4 rad a step. EML and EMH keep "
      "an energy exactly, the midpoint schemes do not.");
  std::vector<Series> increments;
  std::vector<Recording> runs;
  for (const NamedScheme& scheme : comparedSchemes) {
    runs.push_back(recordedRun(model, scheme.integrator, 0.01, 2.0).recording);
    increments.push_back(incrementSeries(scheme.label, runs.back(), "energy"));
  }
  claims.push_back(
      {"5.4: EML and EMH conserve energy, the midpoint schemes do not",
       fmt::format("largest increments: EML {:.1e}, EMH {:.1e}, MPL {:.1e}, MPH {:.1e}", largest(increments[0]),
                   largest(increments[1]), largest(increments[2]), largest(increments[3])),
       std::max(largest(increments[0]), largest(increments[1])) < 1e-12 &&
           std::min(largest(increments[2]), largest(increments[3])) > 1e-6});
  result.add("figure-10.csv", incrementChart("Figure 10: increments of the energy", increments));

  std::vector<Series> momenta;
  for (const char* c : {"x", "y", "z"})
    momenta.push_back(valueSeries(fmt::format("L_{}", c), runs[0], fmt::format("angular_momentum.{}", c)));
  const Series vertical = incrementSeries("L_z", runs[0], "angular_momentum.z");
  claims.push_back(
      {"5.4: L_z is conserved by EML", measured("largest increment", largest(vertical)), largest(vertical) < 1e-14});
  result.add("figure-11-left.csv", timeChart("Figure 11, left: angular momentum, EML", "L [Nms]", momenta));
  result.add("figure-11-right.csv", incrementChart("Figure 11, right: increments of L_z", {vertical}));
  const auto compare = [&](const char* axis) {
    return fmt::format("largest error in 2 s: EML {:.3f} m, EMH {:.3f} m", largestError(runs[0], axis),
                       largestError(runs[1], axis));
  };
  const double quality = largestError(runs[0], "z") / largestError(runs[1], "z");
  claims.push_back({"5.4: for the height of the centre of mass EML and EMH are equally good (figure 12)", compare("z"),
                    quality > 1.0 / 1.5 && quality < 1.5});
  claims.push_back({"5.4: for its x EML is the more accurate (figure 12)", compare("x"),
                    largestError(runs[0], "x") < largestError(runs[1], "x")});
  addTopMotion(result, "12", model, {comparedSchemes[0], comparedSchemes[1]}, 0.01);
}

void heavyTopAccuracy(StudyResult& result, std::vector<Claim>& claims, const Model& model,
                      const StudyProgress& progress) {
  std::vector<NamedScheme> more = comparedSchemes;
  for (const NamedScheme& other : {NamedScheme{"DIR_EM", "director-em"}, NamedScheme{"QUAT_VI", "quaternion-vi"},
                                   NamedScheme{"ALGO_C1", "simo-wong"}, NamedScheme{"GGL", "ggl"},
                                   NamedScheme{"MPH, true inverse", "mph-inverse"}})
    more.push_back(other);
  const auto early = convergences(model, more, 0.1, {10, 20, 50, 100, 200, 500, 1000, 2000}, steadyTopError, progress);
  const auto late = convergences(model, more, 1.0, {100, 200, 500, 1000, 2000, 5000, 10000}, steadyTopError, progress);
  const std::vector<Convergence> four(early.begin(), early.begin() + 4);
  const auto c = [&](const char* label) { return byLabel(early, label).constant(); };
  claims.push_back(
      {"5.4: EML is more accurate than EMH", "error/h^2 at t = 0.1: " + ranking(four), c("EML") < c("EMH")});
  claims.push_back(
      {"5.4: the Livens-based schemes have smaller errors than the Hamiltonian ones",
       fmt::format("EML {:.0f}, MPL {:.0f} against MPH {:.0f}, EMH {:.0f}", c("EML"), c("MPL"), c("MPH"), c("EMH")),
       std::max(c("EML"), c("MPL")) < std::min(c("MPH"), c("EMH"))});
  claims.push_back(
      {"The same with the true inverse of the mass matrix in MPH (133), not the polynomial (139)",
       fmt::format("MPH is then MPL, {:.1f} and {:.1f}, and better than EML", c("MPH, true inverse"), c("MPL")),
       std::max(c("EML"), c("MPL")) < c("MPH, true inverse")});
  claims.push_back({"5.4: of these four MPL has the lowest error at t = 0.1",
                    fmt::format("MPL {:.0f}; the director scheme has {:.0f}", c("MPL"), c("DIR_EM")),
                    c("MPL") <= std::min({c("EML"), c("EMH"), c("MPH")})});
  claims.push_back({"The same at t = 1",
                    "error/h^2: " + ranking(std::vector<Convergence>(late.begin(), late.begin() + 4)),
                    byLabel(late, "MPL").constant() <= byLabel(late, "EML").constant()});
  claims.push_back(secondOrder("5.4: all have order 2", four));

  result.section("5.4 Heavy top, accuracy", "The centre of mass against its steady precession, step by step finer.");
  result.add("figure-13.csv", convergenceChart("Figure 13: relative error (121) at t = 0.1", four));
  result.add("figure-13-late.csv", convergenceChart("The same at t = 1, with more schemes", late));
  Table table{"Error/h^2 of the top", {"scheme", "t = 0.1", "t = 1"}, {}, "At the smallest steps."};
  for (std::size_t i = 0; i < more.size(); ++i)
    table.rows.push_back(
        {more[i].label, fmt::format("{:.1f}", early[i].constant()), fmt::format("{:.1f}", late[i].constant())});
  result.add("top-errors.csv", std::move(table));
}

}  // namespace

StudyResult kinonBetschStudy(const StudyProgress& progress) {
  StudyResult result;
  std::vector<Claim> claims;
  progress("masses on springs");
  massSpring(result, claims);
  progress("spring pendulum");
  springPendulum(result, claims);
  progress("free body");
  freeBody(result, claims);
  progress("cost of the reductions");
  reductions(result, claims);
  const Model top = exampleModel("heavy-top");
  progress("heavy top");
  heavyTop(result, claims, top);
  heavyTopAccuracy(result, claims, top, progress);

  result.report.title = "Conserving integration from Livens' principle";
  result.report.subtitle = "Kinon & Betsch 2024: figures 1 to 13";
  result.report.summary =
      "The energy-momentum scheme EML on four systems, its reductions REML and Null-EML, and the schemes EMH, MPL "
      "and MPH beside it. Figures 14 to 16, the closed loop, are not part of this study.\n\n"
      "Drag in a chart to zoom, double-click to go back; click a name in the legend to hide its curve.";
  result.report.sections.insert(result.report.sections.begin(),
                                {"Claims", "Each statement of the paper, and what was measured here.", {}, {}});
  const Table table = claimTable(claims);
  result.report.sections.front().tables.push_back(table);
  result.tables.emplace_back("claims.csv", table);
  return result;
}

}  // namespace polhode
