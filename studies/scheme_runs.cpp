#include "scheme_runs.h"

#include "analysis/engine_registry.h"
#include "io/examples.h"
#include "math/euler_map.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace polhode::schemes {

namespace {

/// Where a run ends; nothing if it does not.
std::optional<Observation> endOf(const Model& model, const SimulationSettings& settings) {
  const auto simulation = makeEngine(model, settings);
  try {
    simulation->advanceTo(settings.end);
  } catch (const SimulationError&) {
    return std::nullopt;
  }
  return simulation->observe(settings.end, simulation->stepper().state());
}

}  // namespace

Model exampleModel(const std::string& name) {
  return readModelText(findExample(name)->text, name + ".toml").model;
}

SimulationSettings fixedStep(const std::string& integrator, double step, double end) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = step;
  settings.end = end;
  return settings;
}

RunResult recordedRun(const Model& model, const std::string& integrator, double step, double end) {
  return simulate(model, fixedStep(integrator, step, end), true);
}

Series valueSeries(const std::string& name, const Recording& recording, const std::string& column) {
  return {name, recording.column("time"), recording.column(column)};
}

Series driftSeries(const std::string& name, const Recording& recording, const std::string& column, double size) {
  Series series = valueSeries(name, recording, column);
  const double first = series.y.front();
  for (double& y : series.y) y = std::abs(y - first) / size;
  return series;
}

Series incrementSeries(const std::string& name, const Recording& recording, const std::string& column) {
  const std::vector<double> t = recording.column("time"), y = recording.column(column);
  Series series{name, {}, {}};
  for (std::size_t i = 1; i < t.size(); ++i) {
    series.x.push_back(t[i]);
    series.y.push_back(y[i] - y[i - 1]);
  }
  return series;
}

double largest(const Series& series) {
  double most = 0.0;
  for (const double y : series.y) most = std::max(most, std::abs(y));
  return most;
}

Vector3 steadyTopCentre(double t) {
  const double length = 0.075, tilt = std::numbers::pi / 3.0, precession = 10.0;
  return length *
         Vector3(std::sin(tilt) * std::sin(precession * t), -std::sin(tilt) * std::cos(precession * t), std::cos(tilt));
}

double steadyTopError(const Observation& end) {
  const Vector3 exact = steadyTopCentre(end.time);
  return (end.bodies.front().position - exact).norm() / exact.norm();
}

EndError rotationError(const Model& model, double end) {
  SimulationSettings settings;
  settings.integrator = "dop853";
  settings.projection = "explicit";
  settings.tolerance = 1e-14;
  settings.end = end;
  const Matrix3 reference = rotationMatrix(endOf(model, settings)->bodies.front().orientation);
  return [reference](const Observation& o) {
    return (reference * rotationMatrix(o.bodies.front().orientation).transpose() - Matrix3::Identity()).norm();
  };
}

EndError placementError(const Model& model, double end) {
  SimulationSettings settings;
  settings.integrator = "dop853";
  settings.tolerance = 1e-13;
  settings.end = end;
  return [reference = endOf(model, settings)->bodies](const Observation& o) {
    double largest = 0.0;
    for (std::size_t b = 0; b < reference.size(); ++b) {
      const Matrix3 turned = rotationMatrix(o.bodies[b].orientation) - rotationMatrix(reference[b].orientation);
      largest = std::max({largest, (o.bodies[b].position - reference[b].position).norm(), turned.norm()});
    }
    return largest;
  };
}

Series Convergence::series() const {
  return {label, steps, errors, true, true};
}

double Convergence::order() const {
  const std::size_t n = errors.size();
  return std::log(errors[n - 2] / errors[n - 1]) / std::log(steps[n - 2] / steps[n - 1]);
}

double Convergence::constant() const {
  return errors.back() / (steps.back() * steps.back());
}

Convergence convergence(const std::string& label, const Model& model, const std::string& integrator, double end,
                        const std::vector<int>& numbersOfSteps, const EndError& error) {
  Convergence result{label, {}, {}};
  for (const int n : numbersOfSteps) {
    const double h = end / n;
    const auto last = endOf(model, fixedStep(integrator, h, end));
    result.steps.push_back(h);
    result.errors.push_back(last ? error(*last) : std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

std::vector<Convergence> convergences(const Model& model, const std::vector<NamedScheme>& schemes, double end,
                                      const std::vector<int>& numbersOfSteps, const EndError& error,
                                      const StudyProgress& progress) {
  std::vector<Convergence> all;
  for (const NamedScheme& scheme : schemes) {
    progress(fmt::format("{} at t = {:g}: {}", model.name, end, scheme.label));
    all.push_back(convergence(scheme.label, model, scheme.integrator, end, numbersOfSteps, error));
  }
  return all;
}

const Convergence& byLabel(const std::vector<Convergence>& all, const std::string& label) {
  return *std::find_if(all.begin(), all.end(), [&](const Convergence& c) { return c.label == label; });
}

std::string ranking(std::vector<Convergence> all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.constant() < b.constant(); });
  std::string text;
  for (const Convergence& c : all) text += fmt::format("{}{} {:.0f}", text.empty() ? "" : " < ", c.label, c.constant());
  return text;
}

Claim secondOrder(const std::string& statement, const std::vector<Convergence>& all) {
  Claim claim{statement, "", true};
  for (const Convergence& c : all) {
    claim.holds = claim.holds && std::abs(c.order() - 2.0) < 0.05;
    claim.measured += fmt::format("{}{} {:.3f}", claim.measured.empty() ? "" : ", ", c.label, c.order());
  }
  return claim;
}

Chart convergenceChart(const std::string& title, const std::vector<Convergence>& all, const std::string& note) {
  Chart chart{title, "h [s]", "error", true, true, {}, note};
  for (const Convergence& curve : all) chart.series.push_back(curve.series());
  return chart;
}

void addTopMotion(StudyResult& result, const std::string& figure, const Model& top,
                  const std::vector<NamedScheme>& schemes, double step) {
  std::vector<Recording> runs;
  for (const NamedScheme& scheme : schemes) runs.push_back(recordedRun(top, scheme.integrator, step, 2.0).recording);
  for (const std::string axis : {"x", "z"}) {
    Chart chart{
        fmt::format("Figure {}: {}(t), h = {:g}", figure, axis, step), "t [s]", axis + " [m]", false, false, {}, ""};
    for (std::size_t i = 0; i < schemes.size(); ++i)
      chart.series.push_back(valueSeries(schemes[i].label, runs[i], "top.position." + axis));
    Series exact{"analytical", {}, {}};
    for (int i = 0; i <= 400; ++i) {
      exact.x.push_back(0.005 * i);
      exact.y.push_back(steadyTopCentre(exact.x.back())[axis == "x" ? 0 : 2]);
    }
    chart.series.push_back(std::move(exact));
    result.add(fmt::format("figure-{}-{}.csv", figure, axis), std::move(chart));
  }
}

double largestSolvableStep(const Model& model, const std::string& integrator, double end, double solvable,
                           double unsolvable) {
  while (unsolvable - solvable > 1e-3 * solvable) {
    const double middle = 0.5 * (solvable + unsolvable);
    (endOf(model, fixedStep(integrator, middle, end)) ? solvable : unsolvable) = middle;
  }
  return solvable;
}

}  // namespace polhode::schemes
