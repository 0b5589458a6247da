#include "server/run_page.h"

#include "analysis/observable.h"
#include "io/recording_layout.h"
#include "model/sensor_unit.h"
#include "polhode/error.h"
#include "server/scene.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>

#include <fmt/format.h>

namespace polhode::live {

namespace {

constexpr std::size_t mostCurves = 8;                 // that are seen at once
constexpr double faintest = 1e-17;                    // what is less is drawn here, on the floor of logarithmic axes
constexpr double mostRows = 6000.0, mostKept = 60e6;  // numbers

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// The columns of a run as curves over its time.
class RunCurves {
 public:
  explicit RunCurves(const Recording& recording) : recording_(recording) {
    for (std::size_t i = 0; i < recording.columns.size(); ++i) index_.emplace(recording.columns[i], i);
  }

  bool has(const std::string& column) const { return index_.contains(column); }

  std::vector<double> column(const std::string& name) const {
    std::vector<double> values(recording_.rows());
    const std::size_t at = index_.at(name);
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = recording_.at(row, at);
    return values;
  }

  /// The lengths of a vector whose components are NAME.x, .y, .z.
  std::vector<double> lengths(const std::string& name) const {
    std::vector<double> squares(recording_.rows(), 0.0);
    for (const char* axis : axisNames) {
      const std::vector<double> component = column(name + "." + axis);
      for (std::size_t row = 0; row < squares.size(); ++row) squares[row] += component[row] * component[row];
    }
    for (double& square : squares) square = std::sqrt(square);
    return squares;
  }

 private:
  const Recording& recording_;
  std::map<std::string, std::size_t> index_;
};

Series curve(std::string name, std::vector<double> values) {
  Series series;
  series.name = std::move(name);
  series.y = std::move(values);
  series.onGrid = true;
  return series;
}

double largest(const Series& series) {
  double most = 0.0;
  for (const double y : series.y)
    if (std::isfinite(y)) most = std::max(most, std::abs(y));
  return most;
}

Chart chartOf(std::string title, std::string unit, std::vector<Series> series) {
  Chart chart;
  chart.title = std::move(title);
  chart.xLabel = "time / s";
  chart.yLabel = std::move(unit);
  chart.series = std::move(series);
  if (chart.series.size() > mostCurves) {
    std::stable_sort(chart.series.begin(), chart.series.end(),
                     [](const Series& a, const Series& b) { return largest(a) > largest(b); });
    chart.shownAtFirst = mostCurves;
    chart.note = fmt::format("The {} largest of {} curves; the others are shown by a click on their names.", mostCurves,
                             chart.series.size());
  }
  return chart;
}

/// Energy less work, relative to the largest part of the energy, as an absolute value.
std::vector<double> energyDrift(const RunCurves& curves) {
  std::vector<double> drift = curves.column("energy");
  const std::vector<double> kinetic = curves.column("kinetic_energy"), potential = curves.column("potential_energy"),
                            work = curves.column("work");
  double scale = 0.0;
  for (std::size_t i = 0; i < drift.size(); ++i) {
    scale = std::max({scale, std::abs(kinetic[i]), std::abs(potential[i])});
    drift[i] -= work[i];
  }
  const double first = drift.front();
  for (double& each : drift) each = std::max(std::abs(each - first) / (scale > 0.0 ? scale : 1.0), faintest);
  return drift;
}

Section conservation(const RunCurves& curves) {
  Section section;
  section.title = "Energy and momenta";
  std::vector<Series> energies = {curve("total", curves.column("energy")),
                                  curve("kinetic", curves.column("kinetic_energy")),
                                  curve("potential", curves.column("potential_energy"))};
  if (Series work = curve("work of forces", curves.column("work")); largest(work) > 0.0)
    energies.push_back(std::move(work));
  section.charts.push_back(chartOf("Energy", "J", std::move(energies)));

  std::vector<Series> drifts = {curve("energy less work", energyDrift(curves))};
  for (const auto& [column, name] :
       {std::pair{"constraint.position", "joint gap"}, {"constraint.velocity", "its rate"}}) {
    Series gap = curve(name, curves.column(column));
    if (largest(gap) == 0.0) continue;
    for (double& y : gap.y) y = std::max(std::abs(y), faintest);
    drifts.push_back(std::move(gap));
  }
  // powers of ten need points of their own
  for (Series& series : drifts) {
    series.onGrid = false;
    series.x = curves.column("time");
  }
  Chart drift = chartOf("Drift", "relative; m and rad; m/s and rad/s", std::move(drifts));
  drift.logY = true;
  drift.note =
      "Energy less the work of loads, dampers, drives and actuators, relative to its largest part; the largest gap "
      "of a joint.";
  section.charts.push_back(std::move(drift));

  for (const auto& [quantity, title, unit] : {std::tuple{"linear_momentum", "Linear momentum", "kg m/s"},
                                              {"angular_momentum", "Angular momentum about the origin", "kg m^2/s"}}) {
    std::vector<Series> components;
    for (const char* axis : axisNames)
      components.push_back(curve(axis, curves.column(fmt::format("{}.{}", quantity, axis))));
    section.charts.push_back(chartOf(title, unit, std::move(components)));
  }
  return section;
}

/// Charts of quantities that several owners have, each in one chart: its title, its unit, its curves.
class ChartsByQuantity {
 public:
  void add(const std::string& title, const std::string& unit, Series series) {
    for (auto& each : charts_)
      if (each.title == title) return each.series.push_back(std::move(series));
    charts_.push_back({title, unit, {}});
    charts_.back().series.push_back(std::move(series));
  }

  /// Those of which anything differs from zero by more than `rounding`.
  void appendTo(Section& section, double rounding) {
    for (auto& each : charts_) {
      std::erase_if(each.series, [&](const Series& series) { return !(largest(series) > rounding); });
      if (!each.series.empty()) section.charts.push_back(chartOf(each.title, each.unit, std::move(each.series)));
    }
  }

 private:
  struct Group {
    std::string title, unit;
    std::vector<Series> series;
  };
  std::vector<Group> charts_;
};

/// As in recordings, by the name of the column; empty where that does not tell.
std::string unitOfColumn(const std::string& column) {
  return recordingLayout({column}).front().unit;
}

/// Of the sensor of that name.
std::string unitOfSensor(const Model& model, const std::string& name) {
  const auto found =
      std::find_if(model.sensors.begin(), model.sensors.end(), [&](const Sensor& each) { return each.name == name; });
  return found == model.sensors.end() ? "" : unitOf(*found);
}

/// What the joints, the forces and the sensors tell, each kind in a section.
void addParts(Report& page, const RunCurves& curves, const Model& model, const Observation& sample) {
  ChartsByQuantity coordinates, reactions, forces, sensors;
  double mostForce = 0.0;  // beside which others are rounding
  for (const Body& body : model.bodies) mostForce += body.mass * std::max(1.0, model.gravity.norm());
  for (const Observable& each : observables(sample)) {
    if (!curves.has(each.name)) continue;
    const bool isVector = !each.component.empty();
    if (isVector && each.kind != ObservedKind::sensor && each.component != "x") continue;  // told with the first one
    const std::string base = isVector ? each.name.substr(0, each.name.size() - 2) : each.name;
    if (each.kind == ObservedKind::joint) {
      if (isVector) {
        Series series = curve(each.owner, curves.lengths(base));
        if (each.quantity == "force") mostForce = std::max(mostForce, largest(series));
        const bool isForce = each.quantity == "force";
        reactions.add(isForce ? "Forces in joints" : "Torques in joints", isForce ? "N" : "N m", std::move(series));
      } else if (!each.quantity.ends_with("_rate")) {
        const std::string unit = unitOfColumn(each.name);
        const bool isOnly = each.quantity == "angle" || each.quantity == "displacement";
        coordinates.add(unit == "rad" ? "Angles of joints" : "Displacements of joints", unit,
                        curve(isOnly ? each.owner : each.owner + " " + each.quantity, curves.column(each.name)));
      }
    } else if (each.kind == ObservedKind::force) {
      if (isVector)
        forces.add(each.quantity == "force" ? "Forces" : "Torques", each.quantity == "force" ? "N" : "N m",
                   curve(each.owner, curves.lengths(base)));
      else
        forces.add(each.quantity == "length"    ? "Lengths of springs and dampers"
                   : each.quantity == "tension" ? "Tension of springs and dampers"
                                                : each.quantity,
                   unitOfColumn(each.name), curve(each.owner, curves.column(each.name)));
    } else if (each.kind == ObservedKind::sensor) {
      sensors.add(each.owner, unitOfSensor(model, each.owner),
                  curve(isVector ? each.component : "value", curves.column(each.name)));
    }
  }
  const auto append = [&](const char* title, ChartsByQuantity& charts, double rounding) {
    Section section;
    section.title = title;
    charts.appendTo(section, rounding);
    if (!section.charts.empty()) page.sections.push_back(std::move(section));
  };
  append("Joint coordinates", coordinates, 0.0);
  append("Reactions", reactions, 1e-10 * mostForce);
  append("Forces", forces, 0.0);
  append("Sensors", sensors, -1.0);
}

/// Where bodies are in each row.
Motion motionOf(const Model& model, const Recording& recording) {
  Motion motion;
  motion.scene = sceneJson({"run", model.name, &model, {}});
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < recording.columns.size(); ++i) index.emplace(recording.columns[i], i);
  std::vector<std::size_t> columns;
  for (const Body& body : model.bodies) {
    for (const char* axis : {"x", "y", "z"})
      columns.push_back(index.at(fmt::format("{}.position.{}", body.name, axis)));
    for (const char* axis : {"w", "x", "y", "z"})
      columns.push_back(index.at(fmt::format("{}.quaternion.{}", body.name, axis)));
  }
  for (std::size_t row = 0; row < recording.rows(); ++row) {
    motion.times.push_back(recording.at(row, index.at("time")));
    for (const std::size_t column : columns) motion.places.push_back(recording.at(row, column));
  }
  return motion;
}

/// "6.8 × 10⁻¹⁶", which no line is broken in; "0".
std::string readable(double number) {
  if (number == 0.0) return "0";
  const std::string text = fmt::format("{:.1e}", number);
  const auto e = text.find('e');
  static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const int exponent = std::stoi(text.substr(e + 1));
  std::string power = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) power += raised[digit - '0'];
  return text.substr(0, e) + "\u00a0×\u00a010" + power;
}

std::string findings(const Model& model, const SimulationSettings& settings, const RunResult& result,
                     const std::string& whyIntegrator) {
  std::string text;
  if (!result.failure.empty()) text += fmt::format("The run ended early: {}\n\n", result.failure);
  if (result.interrupted) text += "The run was interrupted; what follows is as far as it came.\n\n";
  text += fmt::format("{} and {} moved for {:.6g} s by `{}`{}, in {:.3g} s of computing and {}.",
                      counted(model.bodies.size(), "body", "bodies"), counted(model.joints.size(), "joint", "joints"),
                      result.final.time, settings.integrator,
                      settings.step ? fmt::format(" with steps of {:g} s", *settings.step)
                                    : fmt::format(" with a tolerance of {:g}", settings.tolerance),
                      result.wallSeconds, counted(static_cast<std::size_t>(result.work.steps), "step", "steps"));
  if (!whyIntegrator.empty()) text += fmt::format(" ({}.)", whyIntegrator);
  text += "\n\n";
  if (result.hasBalance())
    text +=
        fmt::format("Energy less the work of forces stays to {} of its largest part", readable(result.balanceError));
  else
    text += fmt::format("The energy ought to be conserved, and drifts by {} of its largest part at most",
                        readable(result.energyDrift));
  if (!model.joints.empty())
    text += fmt::format("; joints open by {} m or rad at most", readable(result.positionViolation));
  text += ".";
  for (const auto& [momentum, drift] : result.conservedMomenta)
    text += fmt::format(" {} ought to be conserved, and drifts by {}.", momentum.name(), readable(drift));
  if (!result.warning.empty()) text += fmt::format("\n\nTo be known: {}.", result.warning);
  return text;
}

Section settingsSection(const Model& model, const SimulationSettings& settings, const RunResult& result) {
  Table table;
  table.title = "Settings and work";
  table.columns = {"what", "value"};
  const auto row = [&](const char* what, std::string value) { table.rows.push_back({what, std::move(value)}); };
  row("model", model.name);
  row("gravity / (m/s^2)", fmt::format("{:g}, {:g}, {:g}", model.gravity.x(), model.gravity.y(), model.gravity.z()));
  row("bodies, joints, forces, actuators", fmt::format("{}, {}, {}, {}", model.bodies.size(), model.joints.size(),
                                                       model.forces.size(), model.actuators.size()));
  row("integrator", settings.integrator);
  row("coordinates, formulation", settings.coordinates + ", " + settings.formulation);
  row("step or tolerance",
      settings.step ? fmt::format("{:g} s", *settings.step) : fmt::format("{:g}", settings.tolerance));
  row("end / s", fmt::format("{:g}", result.final.time));
  row("steps, rejected", fmt::format("{}, {}", result.work.steps, result.work.rejected));
  row("evaluations, factorisations, Newton iterations",
      fmt::format("{}, {}, {}", result.work.rhsEvaluations, result.work.factorisations, result.work.newtonIterations));
  row("computing / s", fmt::format("{:.3g}", result.wallSeconds));
  Section section;
  section.title = "Settings";
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

void requirePagePath(const std::string& path) {
  const std::filesystem::path page(path);
  std::error_code ignored;
  if (page.extension() != ".html")
    throw InputError(path + ": a report is a page for browsers; end its name with .html");
  if (std::filesystem::is_directory(page, ignored))
    throw InputError(path + ": this is a directory; give the name of a file in it");
}

double rowsForPage(const Model& model, const SimulationSettings& settings) {
  const double numbers = 26.0 * static_cast<double>(model.bodies.size()) +
                         10.0 * static_cast<double>(model.joints.size() + model.forces.size()) + 20.0;
  double fastest = 0.0;
  for (const Body& body : model.bodies) fastest = std::max(fastest, body.angularVelocity.norm());
  const double rows = std::max(mostRows, fastest * settings.end);  // a radian each at most
  const double apart = settings.end / std::clamp(rows, 100.0, std::clamp(mostKept / numbers, 100.0, 60'000.0));
  // between the ends of steps of a given length, where the equations hold, a row would tell of interpolation
  return settings.step ? std::max(1.0, std::floor(apart / *settings.step * (1.0 + 1e-9))) * *settings.step : apart;
}

Report runPage(const Model& model, const SimulationSettings& settings, const RunResult& result,
               const std::string& whyIntegrator) {
  const RunCurves curves(result.recording);
  Report page;
  page.title = model.name;
  page.subtitle = fmt::format("A run of {:.6g} s by `{}`", result.final.time, settings.integrator);
  page.summary = findings(model, settings, result, whyIntegrator);
  page.grid = curves.column("time");
  page.motion = motionOf(model, result.recording);
  page.sections.push_back(conservation(curves));
  addParts(page, curves, model, result.final);
  page.sections.push_back(settingsSection(model, settings, result));
  return page;
}

Report modesPage(const Model& model, const Recording& motion, const std::string& words) {
  Report page;
  page.title = model.name;
  page.subtitle = "How it vibrates";
  page.summary = words;
  page.motion = motionOf(model, motion);
  return page;
}

}  // namespace polhode::live
