#include "system_run.h"

#include "polhode/analysis/recording.h"
#include "polhode/error.h"
#include "polhode/integrate/fitting.h"
#include "polhode/io/json.h"
#include "polhode/io/recording.h"
#include "polhode/system/named_system.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace polhode::app {

namespace {

/// The extremes of a run.
struct Extremes {
  double firstGeneralised = 0.0, firstTotal = 0.0;
  double generalisedDrift = 0.0, totalDrift = 0.0, positionGap = 0.0, velocityGap = 0.0;

  void see(const ConstrainedStepper& stepper) {
    generalisedDrift = std::max(generalisedDrift, std::abs(stepper.generalisedEnergy() - firstGeneralised));
    totalDrift = std::max(totalDrift, std::abs(stepper.totalEnergy() - firstTotal));
    positionGap = std::max(positionGap, stepper.positionGap());
    velocityGap = std::max(velocityGap, stepper.velocityGap());
  }
};

Recording emptyRecording(const ConstrainedStepper& stepper) {
  Recording recording;
  recording.columns.push_back("time");
  for (const char* part : {"q", "v", "p"})
    for (int i = 0; i < stepper.q().size(); ++i) recording.columns.push_back(fmt::format("{}.{}", part, i + 1));
  for (const char* name : {"generalised_energy", "total_energy", "constraint.position", "constraint.velocity"})
    recording.columns.push_back(name);
  return recording;
}

void append(Recording& recording, const ConstrainedStepper& stepper) {
  std::vector<double> row{stepper.time()};
  row.insert(row.end(), stepper.state().begin(), stepper.state().end());
  for (const double value :
       {stepper.generalisedEnergy(), stepper.totalEnergy(), stepper.positionGap(), stepper.velocityGap()})
    row.push_back(value);
  recording.append(row);
}

std::string asJson(const SystemRun& run, const ConstrainedStepper& stepper, const Extremes& extremes, double seconds,
                   const std::string& failure) {
  JsonWriter json;
  json.beginObject().field("model", run.system).field("integrator", run.integrator).field("time", stepper.time());
  json.field("q", VectorX(stepper.q())).field("v", VectorX(stepper.v())).field("p", VectorX(stepper.p()));
  json.key("generalised_energy").beginObject().field("initial", extremes.firstGeneralised);
  json.field("final", stepper.generalisedEnergy()).field("max_drift", extremes.generalisedDrift).endObject();
  json.key("total_energy").beginObject().field("initial", extremes.firstTotal);
  json.field("final", stepper.totalEnergy()).field("max_drift", extremes.totalDrift).endObject();
  json.key("constraints").beginObject().field("max_position", extremes.positionGap);
  json.field("max_velocity", extremes.velocityGap).endObject();
  json.key("work").beginObject().field("steps", stepper.work().steps);
  json.field("newton_iterations", stepper.work().newtonIterations).endObject();
  json.field("wall_seconds", seconds);
  if (!failure.empty()) json.field("failure", failure);
  return json.endObject().text();
}

std::string asText(const SystemRun& run, const ConstrainedStepper& stepper, const Extremes& extremes) {
  const auto list = [](const VectorX& v) {
    std::string text;
    for (const double x : v) text += fmt::format("{}{:.12g}", text.empty() ? "" : ", ", x);
    return text;
  };
  std::string text = fmt::format("{} by {}\n  t = {:.9g}\n", run.system, run.integrator, stepper.time());
  text += fmt::format("  q                   {}\n  v                   {}\n", list(stepper.q()), list(stepper.v()));
  text += fmt::format("  generalised energy  {:.12g} -> {:.12g}, largest drift {:.2e}\n", extremes.firstGeneralised,
                      stepper.generalisedEnergy(), extremes.generalisedDrift);
  text += fmt::format("  total energy        {:.12g} -> {:.12g}, largest drift {:.2e}\n", extremes.firstTotal,
                      stepper.totalEnergy(), extremes.totalDrift);
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

void runNamedSystem(const SystemRun& asked) {
  SystemRun run = asked;
  if (run.integrator.empty()) run.integrator = "livens-em";
  const NamedSystem& named = namedSystem(run.system);
  const auto system = named.make();
  const double end = run.end.value_or(named.end);
  const auto stepper =
      makeConstrainedStepper(run.integrator, *system, 0.0, named.initialState(), end, run.step.value_or(named.step));
  if (!run.out.empty()) checkOutputPath(run.out);

  Extremes extremes{stepper->generalisedEnergy(), stepper->totalEnergy()};
  Recording recording = emptyRecording(*stepper);
  append(recording, *stepper);
  std::string failure;
  const auto start = std::chrono::steady_clock::now();
  try {
    while (stepper->time() < end) {
      stepper->step();
      extremes.see(*stepper);
      if (!run.out.empty()) append(recording, *stepper);
    }
  } catch (const SimulationError& error) {
    failure = error.what();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!run.out.empty()) writeRecording(run.out, recording, {{"model", run.system}, {"integrator", run.integrator}});
  fmt::print("{}",
             run.json ? asJson(run, *stepper, extremes, seconds, failure) + "\n" : asText(run, *stepper, extremes));
  if (!failure.empty()) throw SimulationError(stepper->time(), failure);
}

}  // namespace polhode::app
