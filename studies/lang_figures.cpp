#include "lang_figures.h"

#include "integrate/catalogue.h"
#include "math/euler_map.h"
#include "polhode/analysis/run.h"
#include "system/index0_ode.h"
#include "system/principal_body.h"
#include "system/quaternion_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace polhode::lang {

double WorkPrecisionCurve::evaluationsFor(double error) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].failure.empty() || points[i].error() > error) continue;
    const double here = static_cast<double>(points[i].work.rhsEvaluations);
    if (i == 0 || !points[i - 1].failure.empty()) return here;
    // between two points the diagram is a straight line in logarithms
    const double before = static_cast<double>(points[i - 1].work.rhsEvaluations);
    const double part = std::log(error / points[i].error()) / std::log(points[i - 1].error() / points[i].error());
    return here * std::pow(before / here, part);
  }
  return std::numeric_limits<double>::infinity();
}

double WorkPrecisionCurve::toleranceFor(double error) const {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].failure.empty() && points[i].error() <= error) return tolerances[i];
  return 0.0;
}

std::vector<WorkPrecisionCurve> workPrecision(const Model& model, double end,
                                              const std::vector<std::string>& integrators, int first, int last,
                                              const StudyProgress& progress) {
  const BodyMotion reference = accurateMotion(model, end);
  std::vector<WorkPrecisionCurve> curves;
  for (const std::string& integrator : integrators)
    for (const Formulation& formulation : formulations()) {
      progress(fmt::format("{}: {}, {}", model.name, integrator, formulation.label));
      WorkPrecisionCurve curve{formulation, integrator, {}, {}};
      for (int digits = first; digits <= last; ++digits) {
        curve.tolerances.push_back(std::pow(10.0, -digits));
        curve.points.push_back(
            measureWorkPrecision(model, settings(formulation, integrator, curve.tolerances.back(), end), reference));
      }
      curves.push_back(std::move(curve));
    }
  return curves;
}

Chart workPrecisionChart(const std::string& title, const std::vector<WorkPrecisionCurve>& curves) {
  Chart chart{title, "right-hand side evaluations", "largest error in R and Omega", true, true, {}, ""};
  // A part of the name that all curves share says nothing.
  const auto same = [&](auto part) {
    return std::all_of(curves.begin(), curves.end(), [&](const auto& c) { return part(c) == part(curves.front()); });
  };
  const bool oneFormulation = same([](const auto& c) { return c.formulation.label; });
  const bool oneIntegrator = same([](const auto& c) { return c.integrator; });
  for (const WorkPrecisionCurve& curve : curves) {
    const std::string name = oneIntegrator    ? curve.formulation.label
                             : oneFormulation ? curve.integrator
                                              : fmt::format("{}, {}", curve.formulation.label, curve.integrator);
    Series series{name, {}, {}, true, true};
    for (const WorkPrecision& point : curve.points) {
      if (!point.failure.empty()) continue;
      series.x.push_back(static_cast<double>(point.work.rhsEvaluations));
      series.y.push_back(point.error());
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Table workPrecisionTable(const std::string& title, const std::vector<WorkPrecisionCurve>& curves) {
  Table table{title,
              {"integrator", "formulation", "tolerance", "evaluations", "steps", "rejected", "error in R",
               "error in Omega", "energy error", "drift"},
              {},
              ""};
  for (const WorkPrecisionCurve& curve : curves)
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const WorkPrecision& p = curve.points[i];
      table.rows.push_back({curve.integrator, curve.formulation.label, fmt::format("{:.0e}", curve.tolerances[i]),
                            fmt::format("{}", p.work.rhsEvaluations), fmt::format("{}", p.work.steps),
                            fmt::format("{}", p.work.rejected),
                            p.failure.empty() ? fmt::format("{:.3e}", p.rotationError) : "failed",
                            p.failure.empty() ? fmt::format("{:.3e}", p.angularVelocityError) : "failed",
                            fmt::format("{:.2e}", p.energyError), fmt::format("{:.2e}", p.drift)});
    }
  return table;
}

double growthExponent(const std::vector<double>& t, const std::vector<double>& y) {
  const double from = t.back() / 30.0;
  double envelope = 0.0, n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    envelope = std::max(envelope, y[i]);
    if (t[i] < from || envelope <= 0.0) continue;
    // points at even distances in log t, whatever the steps were: weigh by dt/t
    const double weight = i > 0 ? (t[i] - t[i - 1]) / t[i] : 0.0;
    const double lx = std::log(t[i]), ly = std::log(envelope);
    n += weight, sx += weight * lx, sy += weight * ly, sxx += weight * lx * lx, sxy += weight * lx * ly;
  }
  return n > 0.0 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : 0.0;
}

namespace {

/// The index-1 system (37), solved for the accelerations at every evaluation, instead of (40).
DriftCurve indexOneDrift() {
  const PrincipalBody body(exampleA());
  const BodyMotion start = body.initialMotion();
  const auto system = std::make_shared<QuaternionBody>(body.data(), body.allForces());
  const Index0Ode equation(system);
  const VectorX q = system->position(start.position, start.orientation);
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = 1e-9;
  const double end = 60.0;
  const auto stepper = makeOdeStepper(
      "radau5", equation, 0.0, equation.initialValue(q, system->velocity(q, start.velocity, start.angularVelocity)),
      end, options);

  DriftCurve curve{"quaternion absolute, (37) itself", {0.0}, {0.0}, {0.0}};
  while (stepper->time() < end) {
    stepper->step();
    const Quaternion p = stepper->state().head<4>(), v = stepper->state().tail<4>();
    curve.time.push_back(stepper->time());
    curve.position.push_back(std::abs(0.5 * (p.squaredNorm() - 1.0)));
    curve.velocity.push_back(std::abs(p.dot(v)));
  }
  curve.positionExponent = growthExponent(curve.time, curve.position);
  curve.velocityExponent = growthExponent(curve.time, curve.velocity);
  return curve;
}

}  // namespace

std::vector<DriftCurve> driftCurves(const StudyProgress& progress) {
  std::vector<DriftCurve> curves;
  for (const Formulation& formulation : formulations()) {
    if (formulation.equation == "66") continue;  // angles have nothing to drift from
    progress("drift: " + formulation.label);
    const RunResult result = simulate(exampleA(), settings(formulation, "radau5", 1e-9, 60.0), true);
    DriftCurve curve{formulation.label, result.recording.column("time"), result.recording.column("constraint.position"),
                     result.recording.column("constraint.velocity")};
    curve.positionExponent = growthExponent(curve.time, curve.position);
    curve.velocityExponent = growthExponent(curve.time, curve.velocity);
    curves.push_back(std::move(curve));
  }
  progress("drift: index 1");
  curves.push_back(indexOneDrift());
  return curves;
}

Chart stepSizeChart(const std::string& title, const Model& model, double end, double tolerance) {
  Chart chart{title, "t [s]", "step size [s]", false, true, {}, ""};
  for (const Formulation& formulation : formulations()) {
    const RunResult result = simulate(model, settings(formulation, "dopri5", tolerance, end), true);
    const std::vector<double> t = result.recording.column("time");
    Series series{formulation.label, {}, {}};
    for (std::size_t i = 1; i + 1 < t.size(); ++i) {  // the last step is cut off by the end
      series.x.push_back(t[i - 1]);
      series.y.push_back(t[i] - t[i - 1]);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart energyChart(const std::string& title, const Model& model, double end, double tolerance,
                  std::map<std::string, double>& largestError) {
  Chart chart{title, "t [s]", "relative energy error", false, true, {}, ""};
  for (const Formulation& formulation : formulations()) {
    const RunResult result = simulate(model, settings(formulation, "dopri5", tolerance, end), true);
    Series series{formulation.label, result.recording.column("time"), result.recording.column("energy")};
    const double first = series.y.front();
    for (double& e : series.y) e = std::abs(e - first) / std::abs(first);
    largestError[formulation.equation] = *std::max_element(series.y.begin(), series.y.end());
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::vector<Chart> solutionCharts(const std::string& title, const Model& model, double end) {
  SimulationSettings s = settings(formulations().front(), "dop853", 1e-12, end);
  s.outputEvery = end / 2000.0;
  const RunResult result = simulate(model, s, true);
  const Recording& recording = result.recording;
  const std::vector<double> t = recording.column("time");
  const std::string body = model.bodies.front().name;

  std::vector<Chart> charts;
  for (int axis = 0; axis < 3; ++axis) {
    Chart chart{
        fmt::format("{}: director d{}", title, axis + 1), "t [s]", fmt::format("d{}", axis + 1), false, false, {}, ""};
    for (const char* name : {"x", "y", "z"}) chart.series.push_back({name, t, std::vector<double>(t.size())});
    std::vector<std::vector<double>> q;
    for (const char* c : {"w", "x", "y", "z"}) q.push_back(recording.column(fmt::format("{}.quaternion.{}", body, c)));
    for (std::size_t i = 0; i < t.size(); ++i) {
      const Matrix3 R = rotationMatrix(Quaternion(q[0][i], q[1][i], q[2][i], q[3][i]));
      for (std::size_t m = 0; m < 3; ++m) chart.series[m].y[i] = R(static_cast<int>(m), axis);
    }
    charts.push_back(std::move(chart));
  }
  Chart velocity{title + ": angular velocity", "t [s]", "Omega [1/s]", false, false, {}, ""};
  for (const char* c : {"x", "y", "z"})
    velocity.series.push_back(
        {fmt::format("Omega_{}", c), t, recording.column(fmt::format("{}.angular_velocity.{}", body, c))});
  charts.push_back(std::move(velocity));
  return charts;
}

}  // namespace polhode::lang
