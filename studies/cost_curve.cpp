#include "cost_curve.h"

#include "analysis/engine_registry.h"
#include "polhode/error.h"

#include <chrono>
#include <cmath>
#include <limits>

namespace polhode::schemes {

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
    const double energy = simulation->observe(0.0, simulation->stepper().state()).energy();
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
    cost.energyError = std::abs(end.energy() - energy) / std::abs(energy);
  }
  return cost;
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
