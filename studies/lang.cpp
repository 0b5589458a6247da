#include "integrate/catalogue.h"
#include "lang_claims.h"
#include "study.h"

#include <fmt/format.h>

/// Lang 2010, "Comparison of quaternionic and rotation-free null space formalisms for multibody dynamics": tables 1
/// and 3, figures 6 and 8 to 15.
namespace polhode {

namespace {

using namespace lang;

constexpr double chosenTolerance = 1e-6;  // where the paper does not say which it used

Table operationTable(const std::vector<RightHandSideCost>& costs) {
  Table table{
      "Table 1: operations of the right-hand sides, without torque",
      {"right-hand side", "unknowns", "", "+", "-", "*", "/", "square", "sin", "cos", "total", "fused"},
      {},
      "An LU decomposition of a 15 x 15 matrix with its solves is counted as 2570 operations; polhode solves (23) "
      "with three unknowns instead. A fused multiply-add is one instruction for a product and a sum."};
  const auto row = [](const RightHandSideCost& cost, const char* who, const OperationCounts& c,
                      const std::string& total, const std::string& fused) {
    return std::vector<std::string>{cost.label,
                                    cost.unknowns,
                                    who,
                                    fmt::format("{}", c.additions),
                                    fmt::format("{}", c.subtractions),
                                    fmt::format("{}", c.multiplications),
                                    fmt::format("{}", c.divisions),
                                    fmt::format("{}", c.squares),
                                    fmt::format("{}", c.sines),
                                    fmt::format("{}", c.cosines),
                                    total,
                                    fused};
  };
  for (const RightHandSideCost& cost : costs) {
    table.rows.push_back(row(cost, "printed", cost.printed,
                             fmt::format("{}{}", cost.printed.total(), cost.printedLuDecomposition ? " + LU" : ""),
                             ""));
    const bool within = static_cast<double>(cost.measured.total()) <= cost.printedTotal();
    table.rows.push_back(row(cost, "measured", cost.measured,
                             fmt::format("{} {}", within ? "✓" : "✗", cost.measured.total()),
                             fmt::format("{}", cost.measured.fusedTotal())));
  }
  return table;
}

Table integratorTable() {
  Table table{"Table 3: the integrators", {"name", "kind", "what it is"}, {}, ""};
  for (const IntegratorInfo& info : integrators())
    if (info.adaptive) table.rows.push_back({info.name, info.kind, info.summary});
  return table;
}

Chart driftChart(const std::string& title, const std::vector<DriftCurve>& drift, bool position) {
  Chart chart{title, "t [s]", position ? "|g|" : "|dg/dt|", true, true, {}, ""};
  for (const DriftCurve& curve : drift)
    chart.series.push_back({curve.label, curve.time, position ? curve.position : curve.velocity});
  return chart;
}

Findings measure(const StudyProgress& progress) {
  Findings f;
  f.costs = operationCounts();
  f.drift = driftCurves(progress);
  f.exampleA = workPrecision(exampleA(), 60.0, {"dopri5", "dop853", "odex"}, 3, 12, progress);
  for (WorkPrecisionCurve& curve : workPrecision(exampleA(), 60.0, {"radau5", "seulex", "bdf"}, 3, 10, progress))
    f.exampleA.push_back(std::move(curve));
  f.exampleBLarge = workPrecision(exampleB(1e-1), 0.4, {"dopri5"}, 3, 13, progress);
  f.exampleBSmall = workPrecision(exampleB(1e-5), 1.0, {"dopri5"}, 3, 13, progress);
  f.projectionDifference = projectionDifference();
  return f;
}

std::vector<WorkPrecisionCurve> only(const std::vector<WorkPrecisionCurve>& curves, const std::string& integrator) {
  std::vector<WorkPrecisionCurve> some;
  for (const WorkPrecisionCurve& curve : curves)
    if (curve.integrator == integrator) some.push_back(curve);
  return some;
}

}  // namespace

StudyResult langStudy(const StudyProgress& progress) {
  Findings f = measure(progress);
  progress("energy at Omega_3 = 500");
  const Chart energy = energyChart("Figure 10: energy in example A with Omega_3(0) = 500, DOPRI5", exampleA(500.0),
                                   10.0, chosenTolerance, f.energyErrorAt500);
  StudyResult result;
  result.report.title = "One rigid body, five ways";
  result.report.subtitle = "Lang 2010: quaternions and directors, null-space and absolute coordinates, Euler angles";
  result.report.summary =
      "The equations of motion of one rigid body in five formulations, integrated by six classical codes. Errors are "
      "the largest in an entry of the rotation matrix (drift included) or a component of the angular velocity at the "
      "end, against a run at the limit of double precision.\n\n"
      "Drag in a chart to zoom, double-click to go back; click a name in the legend to hide its curve.";

  result.section("Claims", "Each statement of the paper, and what was measured here.");
  result.add("claims.csv", claimTable(claims(f)));

  result.section("Tables", "");
  result.add("table-1.csv", operationTable(f.costs));
  result.add("table-3.csv", integratorTable());

  result.section("Drift-off",
                 "Figure 6: RADAU5 at a tolerance of 1e-9 on example A, without projection. In null-space "
                 "coordinates the constraint holds on the level of velocity by construction (no curve).\n\n"
                 "Equation (40) as printed, with the radial term -|v|^2 p, pulls the quaternion back to the "
                 "unit sphere: its length does not drift quadratically.");
  result.add("figure-6-position.csv", driftChart("Figure 6: drift in position", f.drift, true));
  result.add("figure-6-velocity.csv", driftChart("Figure 6: drift in velocity", f.drift, false));

  result.section("Step sizes", "Figures 8 and 9: the steps that DOPRI5 chooses at a tolerance of 1e-6.");
  result.add("figure-8.csv", stepSizeChart("Figure 8: example A", exampleA(), 60.0, chosenTolerance));
  result.add("figure-9.csv",
             stepSizeChart("Figure 9: example B, disturbance 1e-3", exampleB(1e-3), 3.0, chosenTolerance));

  result.section("Energy", "Figure 10: DOPRI5 at a tolerance of 1e-6, the top spinning at 500 rad/s.");
  result.add("figure-10.csv", energy);

  result.section("Solutions", "Figures 11 and 12, by DOP853 at 1e-12.");
  int part = 0;
  for (Chart& chart : solutionCharts("Figure 11, example A", exampleA(), 60.0))
    result.add(fmt::format("figure-11-{}.csv", ++part), std::move(chart));
  part = 0;
  for (Chart& chart : solutionCharts("Figure 12, example B", exampleB(1e-3), 3.0))
    result.add(fmt::format("figure-12-{}.csv", ++part), std::move(chart));

  result.section("Accuracy, example A",
                 "Figures 13 (explicit codes) and 14 (implicit codes): T = 60 s, tolerances from 1e-3 down.");
  for (const char* integrator : {"dopri5", "dop853", "odex"})
    result.add(fmt::format("figure-13-{}.csv", integrator),
               workPrecisionChart(fmt::format("Figure 13: {}", integrator), only(f.exampleA, integrator)));
  for (const char* integrator : {"radau5", "seulex", "bdf"})
    result.add(fmt::format("figure-14-{}.csv", integrator),
               workPrecisionChart(fmt::format("Figure 14: {}", integrator), only(f.exampleA, integrator)));
  result.tables.emplace_back("work-precision-a.csv", workPrecisionTable("Example A", f.exampleA));

  result.section("Accuracy, example B", "Figure 15: DOPRI5, the tennis racket.");
  result.add("figure-15a.csv", workPrecisionChart("Figure 15a: disturbance 1e-1, T = 0.4 s", f.exampleBLarge));
  result.add("figure-15b.csv", workPrecisionChart("Figure 15b: disturbance 1e-5, T = 1 s", f.exampleBSmall));
  result.tables.emplace_back("work-precision-b-large.csv", workPrecisionTable("Example B, 1e-1", f.exampleBLarge));
  result.tables.emplace_back("work-precision-b-small.csv", workPrecisionTable("Example B, 1e-5", f.exampleBSmall));
  return result;
}

}  // namespace polhode
