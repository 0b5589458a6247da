// Writes a page with the kinds of content that studies have, to look at and for web/test/report_page.mjs:
//
//     report_sample FILE.html

#include "io/report.h"

#include <cmath>
#include <exception>
#include <iostream>
#include <random>

#include <fmt/format.h>

namespace {

using namespace polhode;

const std::vector<std::string> formulations = {"null-space", "index-1", "index-2", "index-3", "ggl"};
const std::vector<std::string> integrators = {"dopri5", "dop853", "radau5", "seulex"};
const std::vector<int> orders = {5, 8, 5, 6};

std::mt19937 generator(1);  // NOLINT: the page is to be the same every time

double noise(double deviation) {
  return std::normal_distribution<double>(0.0, deviation)(generator);
}

Chart energyError() {
  Chart chart{"Relative energy error", "t / s", "|E − E₀| / |E₀|", false, true, {}, ""};
  chart.note = "The first value of each curve is exactly zero, which a logarithmic axis cannot show.";
  for (std::size_t k = 0; k < formulations.size(); ++k) {
    Series series{formulations[k], {}, {}};
    for (int i = 0; i <= 100'000; ++i) {
      const double t = 6e-4 * i;
      series.x.push_back(t);
      const double growth = k == 0 ? 0.0 : std::pow(t, 0.5 + 0.4 * static_cast<double>(k));
      series.y.push_back(
          i == 0 ? 0.0 : std::pow(10.0, -15.0 + 1.9 * static_cast<double>(k)) * (0.4 + growth) * std::exp(noise(0.5)));
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart stepSizes() {
  Chart chart{"Accepted steps of dop853", "t / s", "h / s", false, false, {}, ""};
  for (std::size_t k = 0; k < 3; ++k) {
    Series series{formulations[k], {}, {}};
    double t = 0.0;
    while (t < 60.0) {
      const double h = (0.012 + 0.006 * static_cast<double>(k)) * (1.3 + std::sin(1.7 * t)) * std::exp(noise(0.08));
      t += h;
      series.x.push_back(t);
      // a restart after an event leaves a gap
      const bool restarting = k == 1 && t > 30.0 && t < 31.0;
      series.y.push_back(restarting ? std::nan("") : h);
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart workPrecision() {
  Chart chart{"Work and precision", "right-hand sides", "error of the orientation at t = 60 s", true, true, {}, ""};
  chart.note = "Tolerances from `1e-3` to `1e-12`. The colour says which formulation, the marker which integrator.";
  for (std::size_t f = 0; f < formulations.size(); ++f) {
    for (std::size_t m = 0; m < integrators.size(); ++m) {
      Series series{formulations[f] + ", " + integrators[m], {}, {}, true, true};
      for (int tolerance = 3; tolerance <= 12; ++tolerance) {
        const double work =
            900.0 * (1.0 + 0.3 * static_cast<double>(f)) * std::pow(10.0, tolerance / double(orders[m]));
        series.x.push_back(work * std::exp(noise(0.04)) * (m > 1 ? 4.0 : 1.0));
        series.y.push_back(std::max(std::pow(10.0, 0.6 * double(f) - tolerance), 3e-12) * std::exp(noise(0.5)));
      }
      chart.series.push_back(series);
    }
  }
  return chart;
}

Chart constraintDrift() {
  Chart chart{"Joint gap over time", "t / s", "gap / m", true, true, {}, ""};
  for (std::size_t k = 0; k < formulations.size(); ++k) {
    Series series{formulations[k], {}, {}};
    for (int i = 1; i <= 20'000; ++i) {
      const double t = 3e-3 * i;
      const double drift = k == 1   ? 1e-10 * t * t
                           : k == 2 ? 1e-11 * t
                                    : std::pow(10.0, -16.0 + 0.3 * static_cast<double>(k));
      series.x.push_back(t);
      series.y.push_back(drift * std::exp(noise(0.3)));
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart solution() {
  Chart chart{"Centre of mass", "t / s", "position / m", false, false, {}, ""};
  const char* names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    Series series{names[k], {}, {}};
    for (int i = 0; i <= 6000; ++i) {
      const double t = 0.01 * i;
      series.x.push_back(t);
      series.y.push_back(k == 2 ? 0.04 + 0.008 * std::cos(2.1 * t)
                                : 0.065 * std::sin(0.45 * t + 1.57 * k) + 0.006 * std::sin(2.1 * t));
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart polhode() {
  Chart chart{"Polhode", "Ω₁ / (rad/s)", "Ω₂ / (rad/s)", false, false, {}, "A curve may turn back in x."};
  for (int k = 1; k <= 3; ++k) {
    Series series{fmt::format("start {}", k), {}, {}};
    for (int i = 0; i <= 400; ++i) {
      const double angle = 6.283185307 * i / 400.0;
      series.x.push_back(0.4 * k * std::cos(angle));
      series.y.push_back(0.25 * k * std::sin(angle));
    }
    chart.series.push_back(series);
  }
  return chart;
}

Table operationCounts() {
  return {"Operations for one right-hand side",
          {"formulation", "unknowns", "multiplications", "additions", "square roots", "published", "agrees"},
          {{"null-space", "12", "412", "301", "0", "412", "✓"},
           {"index-1", "26", "1,208", "987", "1", "1,208", "✓"},
           {"index-2", "26", "1,093", "902", "1", "1,093", "✓"},
           {"index-3", "26", "1,093", "898", "1", "1,090", "✗ 3 more"},
           {"ggl", "32", "1,467", "1,201", "1", "–", ""}},
          "Counted by running the same templates on a scalar that counts."};
}

Table finalErrors() {
  return {"At the end, t = 60 s",
          {"formulation", "energy drift", "momentum drift", "joint gap", "wall time"},
          {{"null-space", "✓ 3.1e-15", "✓ 1.2e-14", "✓ 2.2e-16", "0.41 s"},
           {"index-1", "✗ 4.4e-07", "✗ 6.0e-08", "✗ 3.7e-07", "1.93 s"},
           {"ggl", "✓ 8.0e-13", "✓ 7.1e-13", "✓ 4.0e-16", "2.60 s"}},
          ""};
}

/// Forty members of an ensemble, one of which has no result.
void addEnsemble(Report& report) {
  Parallel parallel{"Parallel coordinates", {{"mass", false, {}}, {"spin", false, {}}, {"height", true, {}}}};
  Series points{"members", {}, {}, false, true};
  points.members = true;
  report.members.emplace();
  for (int i = 0; i < 40; ++i) {
    const double mass = 1.0 + 0.05 * i, spin = 100.0 + 50.0 * std::sin(1.7 * i);
    const double height = i == 7 ? std::nan("") : spin / mass + noise(2.0);
    report.members->numbers.push_back(i);
    report.members->commands.push_back(fmt::format("polhode run top --set body.top.mass={:g}", mass));
    points.x.push_back(mass);
    points.y.push_back(height);
    const double row[] = {mass, spin, height};
    for (std::size_t k = 0; k < 3; ++k) parallel.columns[k].values.push_back(row[k]);
  }
  Section section{"An ensemble", "A click on a point or a line shows a member's command.", {}, {}};
  section.charts.push_back({"Height over mass", "mass", "height", false, false, {points}, ""});
  section.parallels.push_back(parallel);
  section.bars.push_back({"Shares", {"mass", "spin"}, {{"alone", {0.3, 0.6}, {0.2, 0.5}, {0.4, 0.7}}}});
  report.sections.push_back(section);
}

Report sample() {
  Report report{"The heavy top in five formulations", "A sample of the page that `polhode study` writes", "", {}};
  report.summary =
      "A symmetric top on a ball joint, followed for 60 s with every formulation and four integrators. The "
      "numbers on this "
      "page are made up; they have the shape of real ones.\n\n"
      "The null-space formulation keeps the joint closed to rounding; `index-1` lets it drift with t².";
  report.sections = {
      {"Motion",
       "The centre of mass, and the paths of the angular velocity for three starts.",
       {},
       {solution(), polhode()}},
      {"Conservation",
       "Energy over time. Each curve has 100 001 points, of which the page holds about 4000.",
       {finalErrors()},
       {energyError(), constraintDrift()}},
      {"Work and precision", "How much work each combination needs for a precision.", {}, {workPrecision()}},
      {"Step sizes", "What step-size control chose.", {}, {stepSizes()}},
      {"Operation counts", "Counts of one evaluation, beside those that were published.", {operationCounts()}, {}},
  };
  addEnsemble(report);
  return report;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 2) {
    std::cerr << "usage: report_sample FILE.html\n";
    return 2;
  }
  writeReport(arguments[1], sample());
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
