#include "scheme_runs.h"
#include "study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

/// Betsch & Siebert 2009, "Rigid body dynamics in terms of quaternions": figures 1, 3, 4 and 5.
namespace polhode {

namespace {

using namespace schemes;

const std::vector<NamedScheme> compared = {
    {"QUAT_EM", "quaternion-em"}, {"DIR_EM", "director-em"}, {"QUAT_VI", "quaternion-vi"}, {"ALGO_C1", "simo-wong"}};

/// Drift of the energy and of components of the angular momentum over a run.
Chart conservationChart(const std::string& title, const RunResult& run, const std::vector<std::string>& components) {
  Chart chart{title, "t [s]", "relative drift", false, true, {}, "Zero is not shown on a logarithmic axis."};
  chart.series.push_back(
      driftSeries("energy", run.recording, "energy",
                  std::max(std::abs(run.initial.kineticEnergy), std::abs(run.initial.potentialEnergy))));
  for (const std::string& component : components)
    chart.series.push_back(driftSeries("L_" + component, run.recording, "angular_momentum." + component,
                                       run.initial.angularMomentum.norm()));
  return chart;
}

Chart energyAndMomentum(const std::string& title, const RunResult& run, const std::vector<std::string>& components) {
  Chart chart{title, "t [s]", "value", false, false, {}, ""};
  chart.series.push_back(valueSeries("energy [J]", run.recording, "energy"));
  for (const std::string& component : components)
    chart.series.push_back(
        valueSeries(fmt::format("L_{} [Nms]", component), run.recording, "angular_momentum." + component));
  return chart;
}

Table errorTable(const std::string& title, const std::vector<Convergence>& all) {
  Table table{title, {"scheme", "order", "error/h^2"}, {}, "Order and error/h^2 at the smallest steps."};
  for (const Convergence& curve : all)
    table.rows.push_back({curve.label, fmt::format("{:.3f}", curve.order()), fmt::format("{:.1f}", curve.constant())});
  return table;
}

Claim conserves(const std::string& statement, const RunResult& run, const std::vector<int>& components) {
  double momentum = 0.0;
  for (const int i : components) momentum = std::max(momentum, run.angularMomentumDrift[i]);
  return {statement, fmt::format("largest drift: energy {:.1e}, angular momentum {:.1e}", run.energyDrift, momentum),
          std::max(run.energyDrift, momentum) < 1e-12};
}

bool isBest(const std::vector<Convergence>& all, const std::string& label) {
  return std::all_of(all.begin(), all.end(),
                     [&](const Convergence& c) { return byLabel(all, label).constant() <= c.constant(); });
}

}  // namespace

StudyResult betschSiebertStudy(const StudyProgress& progress) {
  const Model free = exampleModel("free-body"), top = exampleModel("heavy-top");
  progress("conservation");
  const RunResult freeRun = recordedRun(free, "quaternion-em", 0.05, 2.0);
  const RunResult topRun = recordedRun(top, "quaternion-em", 0.01, 2.0);
  const RunResult nine = recordedRun(free, "quaternion-em-nine", 0.05, 2.0);
  const RunResult algoTop = recordedRun(top, "simo-wong", 0.01, 2.0);

  const std::vector<int> freeSteps = {20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
  const std::vector<int> topSteps = {100, 143, 200, 500, 1000, 2000, 5000, 10000, 20000};
  const auto freeErrors = convergences(free, compared, 1.0, freeSteps, rotationError(free, 1.0), progress);
  const auto topErrors = convergences(top, compared, 1.0, topSteps, steadyTopError, progress);
  const auto earlyErrors =
      convergences(top, compared, 0.1, {10, 20, 50, 100, 200, 500, 1000, 2000}, steadyTopError, progress);

  progress("the limit of QUAT_VI");
  const double limit = largestSolvableStep(top, "quaternion-vi", 0.1, 0.005, 0.01);
  const double freeLimit = largestSolvableStep(free, "quaternion-vi", 0.5, 0.02, 0.05);
  const double spin = top.bodies.front().angularVelocity.norm();

  StudyResult result;
  result.report.title = "Rigid body dynamics in terms of quaternions";
  result.report.subtitle = "Betsch & Siebert 2009: figures 1, 3, 4 and 5";
  result.report.summary =
      "An energy-momentum scheme in quaternions (QUAT_EM, here `quaternion-em`) beside the director scheme DIR_EM "
      "(`director-em`), the variational QUAT_VI (`quaternion-vi`) and ALGO_C1 of Simo & Wong (`simo-wong`), on a free "
      "body and on a heavy top in steady precession.\n\n"
      "Drag in a chart to zoom, double-click to go back; click a name in the legend to hide its curve.";

  result.section("Claims", "Each statement of the paper, and what was measured here.");
  std::vector<Claim> claims;
  claims.push_back(
      conserves("QUAT_EM conserves energy and angular momentum (free body, h = 0.05)", freeRun, {0, 1, 2}));
  claims.push_back(conserves("QUAT_EM conserves energy and L_z (top, h = 0.01)", topRun, {2}));
  const double difference =
      (freeRun.final.bodies.front().orientation - nine.final.bodies.front().orientation).cwiseAbs().maxCoeff();
  claims.push_back({"The null-space form (three unknowns) is the scheme (51) with nine",
                    fmt::format("end states after 40 steps differ by {:.1e}", difference), difference < 1e-12});
  claims.push_back({"DIR_EM is the most accurate for a given step (top, t = 1)", "error/h^2: " + ranking(topErrors),
                    isBest(topErrors, "DIR_EM")});
  claims.push_back(
      {"The same at t = 0.1 (not in the paper)", "error/h^2: " + ranking(earlyErrors), isBest(earlyErrors, "DIR_EM")});
  claims.push_back({"The same for the free body at T = 1 (not said in the paper)", "error/h^2: " + ranking(freeErrors),
                    isBest(freeErrors, "DIR_EM")});
  claims.push_back(secondOrder("All schemes have order 2 (free body)", freeErrors));
  claims.push_back(secondOrder("All schemes have order 2 (top)", topErrors));
  claims.push_back({"QUAT_VI needs a step of 0.007 or less on the top",
                    fmt::format("it has a solution up to h = {:.5f}, h |Omega| = {:.3f}; on the free body up to "
                                "{:.4f}, so not at the 0.05 of figure 1",
                                limit, limit * spin, freeLimit),
                    limit > 0.007 && limit < 0.0075});
  result.add("claims.csv", claimTable(claims));

  result.section("Free body", "Section 5.1: J = diag(6, 8, 3), Omega(0) = (10, 20, 20).");
  result.add("figure-1-left.csv", energyAndMomentum("Figure 1, left: energy and angular momentum, QUAT_EM, h = 0.05",
                                                    freeRun, {"x", "y", "z"}));
  result.add("figure-1-drift.csv", conservationChart("The same, as drift", freeRun, {"x", "y", "z"}));
  result.add(
      "figure-1-right.csv",
      convergenceChart("Figure 1, right: |R_ref R^T - I| at T = 1", freeErrors,
                       "A curve begins where its scheme first has a solution. Above h of about 0.02 none of the errors "
                       "means anything: a step turns the body by more than half a radian."));
  result.add("free-body-errors.csv", errorTable("Free body at T = 1", freeErrors));

  result.section(
      "Heavy top",
      fmt::format(
          "Section 5.2: a cone on its apex in steady precession of 10 rad/s; h = 0.01 turns it by 1.4 rad a step. "
          "ALGO_C1, of which the paper compares the accuracy only, does not keep the energy here: it goes off by "
          "{:.1e} at h = 0.01. Without gravity it keeps it.",
          algoTop.energyDrift));
  result.add("figure-3-left.csv",
             energyAndMomentum("Figure 3, left: energy and L_z, QUAT_EM, h = 0.01", topRun, {"z"}));
  result.add("figure-3-drift.csv", conservationChart("The same, as drift", topRun, {"z"}));
  result.add("figure-3-right.csv", convergenceChart("Figure 3, right: relative error of the centre of mass at t = 1",
                                                    topErrors, "QUAT_VI has no solution above h = 0.0071."));
  result.add("top-errors.csv", errorTable("Heavy top at t = 1", topErrors));
  result.add("top-early-errors.csv", errorTable("Heavy top at t = 0.1", earlyErrors));
  progress("motion of the top");
  addTopMotion(result, "4", top, {compared[0], compared[1]}, 0.01);
  addTopMotion(result, "5", top, {compared[2], compared[3]}, 0.007);
  return result;
}

}  // namespace polhode
