#include "analysis/inverse_dynamics.h"
#include "commands.h"
#include "model/usual_settings.h"
#include "model_summary.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "polhode/io/recording.h"
#include "server/run_page.h"
#include "system/named_system.h"
#include "system_run.h"
#include "watched_run.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace polhode::app {

namespace {

struct RunFlags {
  std::string path;
  std::string integrator, coordinates, formulation, projection, out, report, stopWhen, motors, columns;
  std::optional<double> step, largestStep, tolerance, end, every, checkpoint;
  std::optional<int> threads;
  std::vector<std::string> overrides;
  bool json = false, eachPart = false;
};

/// Flags override the file.
SimulationSettings merged(const ModelFile& file, const RunFlags& flags) {
  SimulationSettings s = file.simulation;
  const auto replace = [](std::string& setting, const std::string& flag) {
    if (!flag.empty()) setting = flag;
  };
  replace(s.integrator, flags.integrator);
  replace(s.coordinates, flags.coordinates);
  replace(s.formulation, flags.formulation);
  replace(s.projection, flags.projection);
  replace(s.stopWhen, flags.stopWhen);
  if (flags.step) s.step = flags.step;
  if (flags.tolerance) {
    s.tolerance = *flags.tolerance;
    s.step.reset();  // a step in the file and a tolerance from the command line: the tolerance is meant
  }
  if (flags.largestStep) s.largestStep = flags.largestStep;
  if (flags.end) s.end = *flags.end;
  if (flags.threads) s.threads = *flags.threads;
  if (flags.every) s.outputEvery = flags.every;
  return s;
}

void requirePositive(const char* flag, const std::optional<double>& value) {
  if (value && !(std::isfinite(*value) && *value > 0.0))
    throw InputError(fmt::format("{} is {}; give a positive number", flag, *value));
}

/// A system that is not made of bodies.
void executeSystem(const RunFlags& flags) {
  for (const auto& [isGiven, flag] : {std::pair{!flags.coordinates.empty(), "--coordinates"},
                                      {!flags.formulation.empty(), "--formulation"},
                                      {!flags.projection.empty(), "--projection"},
                                      {!flags.overrides.empty(), "--set"},
                                      {flags.largestStep.has_value(), "--largest-step"},
                                      {!flags.motors.empty(), "--motors"},
                                      {!flags.columns.empty(), "--columns"},
                                      {!flags.report.empty(), "--report"},
                                      {flags.threads.has_value(), "--threads"},
                                      {flags.checkpoint.has_value(), "--checkpoint"}})
    if (isGiven)
      throw InputError(
          fmt::format("{} is for models of bodies, and '{}' is a system with equations of its own; leave it out", flag,
                      flags.path));
  ModelFile file;
  const UsualIntegrator usual = usualIntegratorOfSystems();
  file.simulation.integrator = usual.name;
  file.simulation.end = namedSystem(flags.path).end;
  runNamedSystem({flags.path, flags.out, merged(file, flags), flags.tolerance.has_value(), flags.json,
                  flags.integrator.empty() ? usual.reason : ""});
}

/// The efforts of a file as motors.
void takeMotors(const RunFlags& flags, Model& model) {
  if (flags.checkpoint)
    throw InputError("--checkpoint does not go with --motors: who resumes the run would not know its motors");
  try {
    model = withEfforts(model, readRecording(flags.motors).recording);
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(what.starts_with(flags.motors) ? what : fmt::format("{}: {}", flags.motors, what));
  }
}

void execute(const RunFlags& flags) {
  requirePositive("--step", flags.step);
  requirePositive("--largest-step", flags.largestStep);
  requirePositive("--tolerance", flags.tolerance);
  requirePositive("--end", flags.end);
  requirePositive("--every", flags.every);
  requirePositive("--checkpoint", flags.checkpoint);
  if (flags.threads && *flags.threads < 1)
    throw InputError(fmt::format("--threads is {}; give how many threads are to work, at least 1", *flags.threads));
  if (isNamedSystem(flags.path)) return executeSystem(flags);
  ModelFile file = loadModel(flags.path, flags.overrides);
  SimulationSettings settings = merged(file, flags);
  if (!flags.report.empty()) {
    live::requirePagePath(flags.report);
    if (!settings.outputEvery) settings.outputEvery = live::rowsForPage(file.model, settings);
  }
  if (!flags.motors.empty()) takeMotors(flags, file.model);
  if (flags.checkpoint && flags.out.empty())
    throw InputError("--checkpoint saves a run beside the file of its motion; give --out FILE.h5 as well");
  if (!flags.columns.empty() && flags.out.empty())
    throw InputError("--columns chooses what goes to the file of the motion; give --out FILE.csv as well");
  const bool isNamed = !flags.integrator.empty() || file.places.contains("integrator");
  runWatched({file, settings, flags.out, flags.json, flags.eachPart, flags.checkpoint, std::nullopt,
              isNamed ? "" : usualIntegrator(file.model).reason, flags.columns, flags.report});
}

}  // namespace

void addRun(CLI::App& app) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* run = app.add_subcommand(
      "run", "Simulate a model and say what came of it. Ctrl-C ends it in order, with its report and its file.");
  run->add_option("MODEL", flags->path,
                  "Model file (TOML, see docs/model-file.md), or the name of an example or system")
      ->required();
  run->add_option("--integrator", flags->integrator, "By name; see `polhode list integrators`");
  run->add_option("--coordinates", flags->coordinates, "quaternion, director, euler313 or cardan");
  run->add_option("--formulation", flags->formulation, "null-space, absolute, index-1, index-2, index-3 or ggl");
  run->add_option("--projection", flags->projection, "After every step: none, explicit or polar");
  auto* step = run->add_option("--step", flags->step, "Step size (first step where the integrator adapts it)");
  run->add_option("--tolerance", flags->tolerance, "Relative and absolute tolerance")->excludes(step);
  run->add_option("--largest-step", flags->largestStep, "Steps that an integrator chooses stay below this");
  run->add_option("--end", flags->end, "End time in seconds");
  run->add_option(
      "--threads", flags->threads,
      "How many threads share each step of director-em where the mechanism is large and branched (thousands of "
      "bodies); 1 if not given, the same result with any number");
  run->add_option("--set", flags->overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  run->add_option("--out", flags->out, "Write the motion to FILE.csv or FILE.h5 as it happens (docs/recordings.md)");
  run->add_option("--report", flags->report,
                  "Write one page to FILE.html with the motion as a player, charts and findings (docs/report.md)");
  run->add_option("--columns", flags->columns,
                  "Only those for --out: 'top.position.*,energy' (* is anything; docs/outputs.md names all)");
  run->add_option("--every", flags->every,
                  "Even output times for --out and --report; every step if not given, and with --report enough to see");
  run->add_option("--checkpoint", flags->checkpoint,
                  "With --out: save the run every so many seconds of its time, for `polhode resume FILE`");
  run->add_option("--motors", flags->motors,
                  "Efforts over time as motors, with the motion that they begin with: FILE.csv of `polhode inverse`");
  run->add_option("--stop-when", flags->stopWhen, "End where a quantity reaches a value: top.position.z=0");
  run->add_flag("--json", flags->json, "Print one JSON object on standard output");
  run->add_flag("--bodies", flags->eachPart, bodiesFlagHelp);
  run->callback([flags] { execute(*flags); });
}

}  // namespace polhode::app
