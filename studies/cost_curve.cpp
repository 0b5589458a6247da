#include "cost_curve.h"

#include "analysis/engine_registry.h"
#include "polhode/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

namespace polhode::schemes {

namespace {

/// Of all curves but the last, which is DOP853's.
const CostCurve& cheapestConserving(const std::vector<CostCurve>& curves, double error, double Cost::*cost) {
  return *std::min_element(curves.begin(), std::prev(curves.end()), [&](const CostCurve& a, const CostCurve& b) {
    return a.costFor(error, cost) < b.costFor(error, cost);
  });
}

}  // namespace

double CostCurve::costFor(double error, double Cost::*cost) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Cost& here = points[i];
    if (!(here.error <= error)) continue;
    double found = here.*cost;
    if (i > 0 && points[i - 1].error > error && points[i - 1].*cost < found) {
      const double part = std::log(error / here.error) / std::log(points[i - 1].error / here.error);
      found *= std::pow(points[i - 1].*cost / found, part);
    }
    least = std::min(least, found);
  }
  return least;
}

Cost measureCost(const Model& model, const SimulationSettings& settings, const EndError& error) {
  Cost cost{std::numeric_limits<double>::quiet_NaN(), 0.0, std::numeric_limits<double>::infinity(), 0.0};
  double spent = 0.0;
  for (int repeat = 0; repeat < 15 && spent < 0.05; ++repeat) {
    const auto simulation = makeEngine(model, settings);
    const Observation start = simulation->observe(0.0, simulation->stepper().state());
    const auto begin = std::chrono::steady_clock::now();
    try {
      simulation->advanceTo(settings.end);
    } catch (const SimulationError&) {
      return cost;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const Observation end = simulation->observe(settings.end, simulation->stepper().state());
    spent += seconds;
    cost.seconds = std::min(cost.seconds, seconds);
    cost.error = error(end);
    cost.evaluations = static_cast<double>(simulation->stepper().work().rhsEvaluations);
    cost.energyError = std::abs((end.energy() - end.work) - (start.energy() - start.work)) / std::abs(start.energy());
  }
  return cost;
}

CostCurve toleranceCurve(const std::string& label, const Model& model, const std::string& integrator, double end,
                         double digits, const EndError& error, double patience) {
  CostCurve curve{label, integrator, {}};
  for (double digit = 3.0; digit <= digits; digit += 0.5) {
    SimulationSettings settings;
    settings.integrator = integrator;
    settings.tolerance = std::pow(10.0, -digit);
    settings.end = end;
    const Cost cost = measureCost(model, settings, error);
    if (!std::isfinite(cost.error)) break;
    curve.points.push_back(cost);
    if (cost.seconds > patience) break;
  }
  return curve;
}

Table winnerTable() {
  return {"The best conserving scheme relative to DOP853",
          {"example", "error", "evaluations", "time"},
          {},
          "Below 1 the conserving scheme wins, above 1 DOP853."};
}

void addWinners(Table& table, const std::string& example, const std::vector<CostCurve>& curves,
                const std::vector<double>& errors) {
  const CostCurve& classical = curves.back();
  for (const double error : errors) {
    std::vector<std::string> row = {example, fmt::format("{:.0e}", error)};
    for (double Cost::*const cost : {&Cost::evaluations, &Cost::seconds}) {
      const CostCurve& conserving = cheapestConserving(curves, error, cost);
      const double ratio = conserving.costFor(error, cost) / classical.costFor(error, cost);
      row.push_back(std::isfinite(ratio) ? fmt::format("{:.2f} by {}", ratio, conserving.integrator)
                                         : "not reached by both");
    }
    table.rows.push_back(std::move(row));
  }
}

Chart costChart(const std::string& title, const std::string& xLabel, const std::vector<CostCurve>& curves,
                double Cost::*x, double Cost::*y, const std::string& yLabel) {
  Chart chart{title, xLabel, yLabel, true, true, {}, ""};
  for (const CostCurve& curve : curves) {
    Series series{curve.label, {}, {}, true, true};
    for (const Cost& point : curve.points) {
      series.x.push_back(point.*x);
      series.y.push_back(point.*y);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace polhode::schemes
