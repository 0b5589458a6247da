#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/recording_stream.h"
#include "polhode/io/run_attributes.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "commands.h"
#include "interruption.h"
#include "model_source.h"
#include "run_report.h"
#include "system_run.h"
#include <fmt/format.h>
#include <unistd.h>

namespace polhode::app {

namespace {

struct RunFlags {
  std::string path;
  std::string integrator, coordinates, formulation, projection, out, stopWhen;
  std::optional<double> step, largestStep, tolerance, end, every;
  std::vector<std::string> overrides;
  bool json = false;
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
  if (flags.every) s.outputEvery = flags.every;
  return s;
}

void requirePositive(const char* flag, const std::optional<double>& value) {
  if (value && !(std::isfinite(*value) && *value > 0.0))
    throw InputError(fmt::format("{} is {}; give a positive number", flag, *value));
}

/// A line on standard error that follows the run, only where a person is watching.
class ProgressLine {
 public:
  explicit ProgressLine(double end) : end_(end), shown_(isatty(STDERR_FILENO)) {}
  ~ProgressLine() {
    if (percent_ >= 0) fmt::print(stderr, "\r\033[K");
  }
  void operator()(double time) {
    const int percent = static_cast<int>(100.0 * time / end_);
    if (!shown_ || percent == percent_) return;
    percent_ = percent;
    fmt::print(stderr, "\rt = {:.4g} of {:.4g} ({} %)\033[K", time, end_, percent);
    std::fflush(stderr);
  }

 private:
  double end_;
  bool shown_;
  int percent_ = -1;
};

/// What of a URDF file was not simulated belongs to what users should know.
void addLeftOut(const ModelFile& file, std::string& warning) {
  if (file.leftOut.empty()) return;
  warning += fmt::format("{}left out of the URDF file: {}", warning.empty() ? "" : "; ", fmt::join(file.leftOut, ", "));
}

void execute(const RunFlags& flags) {
  requirePositive("--step", flags.step);
  requirePositive("--largest-step", flags.largestStep);
  requirePositive("--tolerance", flags.tolerance);
  requirePositive("--end", flags.end);
  requirePositive("--every", flags.every);
  if (isNamedSystem(flags.path))
    return runNamedSystem(
        {flags.path, flags.integrator, flags.out, flags.step, flags.tolerance, flags.end, flags.json});
  const ModelFile file = loadModel(flags.path, flags.overrides);
  const SimulationSettings settings = merged(file, flags);
  std::unique_ptr<RecordingStream> stream;
  if (!flags.out.empty())
    stream = std::make_unique<RecordingStream>(flags.out, runAttributes(file, settings.integrator));

  RunResult result;
  {
    ProgressLine progress(settings.end);
    RunOptions options = runOptions(file.model, settings);
    options.rows = stream.get();
    options.progress = [&](double t) { progress(t); };
    const Interruption interruption;
    options.interrupted = [] { return Interruption::signal() != 0; };
    result = run(*makeSimulation(file.model, settings), options);
  }
  addLeftOut(file, result.warning);

  if (flags.json) {
    fmt::print("{}\n", runJson(file.model, settings, result));
  } else {
    fmt::print("{}", runTable(file.model, settings, result));
    if (!flags.out.empty()) fmt::print("{} rows are in {}\n", stream->rows(), stream->path());
  }
  if (!result.failure.empty()) throw SimulationError(result.final.time, result.failure);
  if (result.interrupted) throw CLI::RuntimeError("interrupted", 128 + Interruption::signal());
}

}  // namespace

void addRun(CLI::App& app) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* run = app.add_subcommand("run", "Simulate a model and say what came of it.");
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
  run->add_option("--set", flags->overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  run->add_option("--out", flags->out, "Write the motion to FILE.csv or FILE.h5");
  run->add_option("--every", flags->every, "Even output times for --out; every step if not given");
  run->add_option("--stop-when", flags->stopWhen, "End where a quantity reaches a value: top.position.z=0");
  run->add_flag("--json", flags->json, "Print one JSON object on standard output");
  run->callback([flags] { execute(*flags); });
}

}  // namespace polhode::app
