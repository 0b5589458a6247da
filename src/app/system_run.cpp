#include "system_run.h"

#include "polhode/error.h"
#include "polhode/integrate/fitting.h"
#include "polhode/io/json.h"
#include "polhode/io/recording_stream.h"
#include "polhode/math/largest.h"
#include "polhode/system/cyclic_directions.h"
#include "polhode/system/named_system.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode::app {

namespace {

/// How far a number went from where it was first.
struct Drift {
  double first = 0.0, last = 0.0, largest = 0.0;

  explicit Drift(double value) : first(value), last(value) {}
  void see(double value) {
    last = value;
    largest = largestOrNaN(largest, std::abs(value - first));
  }
};

/// A momentum a . p that ought to be conserved.
struct CyclicMomentum {
  VectorX direction;
  Drift drift;
};

/// The extremes of a run. Drifts are relative to the largest value of the quantity's parts.
class Extremes {
 public:
  Extremes(const ConstrainedStepper& stepper, const MatrixX& cyclic)
      : generalised(stepper.generalisedEnergy()), total(stepper.totalEnergy()), balance(stepper.generalisedEnergy()) {
    for (const VectorX direction : cyclic.colwise()) momenta.push_back({direction, Drift(direction.dot(stepper.p()))});
    see(stepper);
  }

  void see(const ConstrainedStepper& stepper) {
    const double potential = stepper.system().potential(stepper.time(), stepper.q());
    largestEnergy_ = largestOrNaN({largestEnergy_, std::abs(potential), std::abs(stepper.totalEnergy() - potential)});
    largestMomentum_ = largestOrNaN(largestMomentum_, stepper.p().norm());
    generalised.see(stepper.generalisedEnergy());
    total.see(stepper.totalEnergy());
    balance.see(stepper.generalisedEnergy() - stepper.appliedWork());
    for (CyclicMomentum& momentum : momenta) momentum.drift.see(momentum.direction.dot(stepper.p()));
    positionGap = largestOrNaN(positionGap, stepper.positionGap());
    velocityGap = largestOrNaN(velocityGap, stepper.velocityGap());
  }

  double relativeEnergy(const Drift& drift) const { return relative(drift, largestEnergy_); }
  double relativeMomentum(const Drift& drift) const { return relative(drift, largestMomentum_); }

  Drift generalised, total, balance;
  std::vector<CyclicMomentum> momenta;
  double positionGap = 0.0, velocityGap = 0.0;

 private:
  static double relative(const Drift& drift, double size) { return size > 0.0 ? drift.largest / size : 0.0; }

  double largestEnergy_ = 0.0, largestMomentum_ = 0.0;
};

std::vector<std::string> columnsOf(const ConstrainedStepper& stepper) {
  std::vector<std::string> columns{"time"};
  for (const char* part : {"q", "v", "p"})
    for (int i = 0; i < stepper.q().size(); ++i) columns.push_back(fmt::format("{}.{}", part, i + 1));
  for (const char* name : {"generalised_energy", "total_energy", "constraint.position", "constraint.velocity"})
    columns.push_back(name);
  return columns;
}

void append(RowSink& rows, const ConstrainedStepper& stepper) {
  std::vector<double> row{stepper.time()};
  row.insert(row.end(), stepper.state().begin(), stepper.state().end());
  for (const double value :
       {stepper.generalisedEnergy(), stepper.totalEnergy(), stepper.positionGap(), stepper.velocityGap()})
    row.push_back(value);
  rows.append(row);
}

std::string asJson(const SystemRequest& run, const ConstrainedStepper& stepper, const Extremes& extremes,
                   double seconds, const std::string& failure) {
  JsonWriter json;
  json.beginObject().field("status", failure.empty() ? "finished" : "failed");
  if (!failure.empty()) json.field("failure", failure);
  json.field("model", run.system).field("integrator", run.integrator).field("time", stepper.time());
  json.field("q", VectorX(stepper.q())).field("v", VectorX(stepper.v())).field("p", VectorX(stepper.p()));
  const auto energy = [&](const char* name, const Drift& d) {
    json.key(name).beginObject().field("initial", d.first).field("final", d.last);
    json.field("max_drift", extremes.relativeEnergy(d)).endObject();
  };
  energy("generalised_energy", extremes.generalised);
  energy("total_energy", extremes.total);
  const bool forced = stepper.system().hasAppliedForce();
  if (forced) {
    json.key("balance").beginObject().field("work", stepper.appliedWork());
    json.field("max_error", extremes.relativeEnergy(extremes.balance)).endObject();
  }
  json.key("conserved").beginObject().field("energy", !forced).key("momenta").beginArray();
  for (const auto& [direction, d] : extremes.momenta) {
    json.beginObject().field("direction", direction).field("initial", d.first).field("final", d.last);
    json.field("max_drift", extremes.relativeMomentum(d)).endObject();
  }
  json.endArray().endObject();
  json.key("constraints").beginObject().field("max_position", extremes.positionGap);
  json.field("max_velocity", extremes.velocityGap).endObject();
  json.key("work").beginObject().field("steps", stepper.work().steps);
  json.field("newton_iterations", stepper.work().newtonIterations).endObject();
  json.field("wall_seconds", seconds);
  return json.endObject().text();
}

std::string asText(const SystemRequest& run, const ConstrainedStepper& stepper, const Extremes& extremes) {
  const auto list = [](const VectorX& v) {
    std::string text;
    for (const double x : v) text += fmt::format("{}{:.12g}", text.empty() ? "" : ", ", x);
    return text;
  };
  std::string text = fmt::format("{} by {}\n  t = {:.9g}\n", run.system, run.integrator, stepper.time());
  text += fmt::format("  q                   {}\n  v                   {}\n", list(stepper.q()), list(stepper.v()));
  const auto drift = [&](const char* name, const Drift& d, double relative) {
    text += fmt::format("  {:<18}  {:.12g} -> {:.12g}, largest drift {:.2e}\n", name, d.first, d.last, relative);
  };
  drift("generalised energy", extremes.generalised, extremes.relativeEnergy(extremes.generalised));
  drift("total energy", extremes.total, extremes.relativeEnergy(extremes.total));
  if (stepper.system().hasAppliedForce())
    text += fmt::format("  work of forces      {:.12g}, largest error of the balance {:.2e}\n", stepper.appliedWork(),
                        extremes.relativeEnergy(extremes.balance));
  for (const auto& [direction, d] : extremes.momenta)
    drift(fmt::format("p . ({:.4g})", fmt::join(direction, ", ")).c_str(), d, extremes.relativeMomentum(d));
  text += fmt::format("  constraints         position {:.2e}, velocity {:.2e}\n", extremes.positionGap,
                      extremes.velocityGap);
  text += fmt::format("  work                {} steps, {} Newton iterations\n", stepper.work().steps,
                      stepper.work().newtonIterations);
  return text;
}

}  // namespace

bool isNamedSystem(const std::string& name) {
  return std::any_of(namedSystems().begin(), namedSystems().end(),
                     [&](const NamedSystem& s) { return s.name == name; });
}

void runNamedSystem(const SystemRequest& asked) {
  SystemRequest run = asked;
  if (run.integrator.empty()) run.integrator = "livens-em";
  const NamedSystem& named = namedSystem(run.system);
  const auto system = named.make();
  const double end = run.end.value_or(named.end);
  const auto stepper =
      makeConstrainedStepper(run.integrator, *system, 0.0, named.initialState(), end, run.step.value_or(named.step));
  if (run.tolerance) stepper->control(*run.tolerance);
  std::unique_ptr<RecordingStream> rows;
  if (!run.out.empty())
    rows =
        std::make_unique<RecordingStream>(run.out, Attributes{{"model", run.system}, {"integrator", run.integrator}});

  Extremes extremes(*stepper, cyclicDirections(*system, stepper->q()));
  std::string failure;
  const auto start = std::chrono::steady_clock::now();
  try {
    if (rows) rows->begin(columnsOf(*stepper));
    if (rows) append(*rows, *stepper);
    while (stepper->time() < end) {
      stepper->step();
      extremes.see(*stepper);
      if (rows) append(*rows, *stepper);
    }
    if (rows) rows->finish();
  } catch (const SimulationError& error) {
    failure = error.what();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{}",
             run.json ? asJson(run, *stepper, extremes, seconds, failure) + "\n" : asText(run, *stepper, extremes));
  if (!failure.empty()) throw SimulationError(stepper->time(), failure);
}

}  // namespace polhode::app
