#include "commands.h"
#include "io/examples.h"
#include "model/suggestion.h"
#include "model/usual_settings.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "system_run.h"
#include "watched_sweep.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode::app {

namespace {

struct SweepFlags {
  std::string path, out, report, sampling, seed = "1", columns, integrator, stopWhen, device = "cpu";
  std::vector<std::string> vary, measures, overrides;
  std::optional<std::int64_t> samples;
  std::optional<double> step, tolerance, end, every;
  unsigned threads = 0;
  bool indices = false, gradient = false, json = false;
};

/// What `--set` would say in place of the other flags, so that one way tells all members.
std::vector<std::string> settingsOf(const SweepFlags& flags) {
  std::vector<std::string> overrides = flags.overrides;
  for (const std::string& override : overrides)
    if (override.find_first_of("\r\n") != std::string::npos)
      throw InputError(fmt::format("--set {}: it has several lines; write it in one", quoted(override)));
  const auto set = [&](const char* flag, const char* key, const std::optional<double>& value) {
    if (!value) return;
    if (!(std::isfinite(*value) && *value > 0.0))
      throw InputError(fmt::format("{} is {}; give a positive number", flag, *value));
    overrides.push_back(fmt::format("simulation.{}={}", key, *value));
  };
  if (!flags.integrator.empty()) overrides.push_back(fmt::format("simulation.integrator=\"{}\"", flags.integrator));
  if (!flags.stopWhen.empty()) overrides.push_back(fmt::format("simulation.stop_when=\"{}\"", flags.stopWhen));
  set("--step", "step", flags.step);
  set("--tolerance", "tolerance", flags.tolerance);
  set("--end", "end", flags.end);
  return overrides;
}

std::uint64_t seedOf(const std::string& word) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seed);
  if (error != std::errc() || end != word.data() + word.size())
    throw InputError(fmt::format("--seed is {}; give a whole number from 0 to {}", quoted(word),
                                 std::numeric_limits<std::uint64_t>::max()));
  return seed;
}

/// Trajectories have the columns of which something is measured, if nothing else is asked for.
std::string columnsOf(const SweepFlags& flags) {
  if (!flags.columns.empty() && !flags.every)
    throw InputError("--columns chooses what trajectories have; give their times with --every as well");
  if (!flags.columns.empty() || !flags.every) return flags.columns;
  std::vector<std::string> names;
  for (const std::string& measure : flags.measures) names.push_back(measure.substr(0, measure.find_first_of(":=")));
  if (names.empty())
    throw InputError("--every writes trajectories; give their columns with --columns 'top.position.*'");
  return fmt::format("{}", fmt::join(names, ","));
}

void execute(const SweepFlags& flags) {
  const std::unique_ptr<ensemble::Ranks> ranks = ensemble::joinRanks();
  if (ranks && !ranks->isFirst()) return ranks->help();
  if (isNamedSystem(flags.path))
    throw InputError(
        fmt::format("'{}' is a system with equations of its own, and a sweep varies models of bodies", flags.path));
  if (std::filesystem::path(flags.out).extension() != ".h5")
    throw InputError(fmt::format("{}: the file of a sweep is HDF5; end its name with .h5", flags.out));
  ensemble::SweepPlan plan;
  plan.overrides = settingsOf(flags);
  const ModelFile file = loadModel(flags.path, plan.overrides);
  plan.text = file.text;
  plan.command = flags.path;
  std::error_code ignored;
  const bool isExample = !std::filesystem::exists(flags.path, ignored);
  plan.source = isExample ? flags.path + ".toml" : flags.path;
  for (const std::string& text : flags.vary) plan.vary.push_back(ensemble::parseVary(text));
  plan.samples = flags.samples;
  if (!flags.sampling.empty())
    plan.sampling = ensemble::samplingKind(flags.sampling);
  else if (flags.samples)
    plan.sampling = ensemble::SamplingKind::sobol;
  plan.seed = seedOf(flags.seed);
  plan.indices = flags.indices;
  plan.gradient = flags.gradient;
  plan.measures = flags.measures;
  plan.every = flags.every;
  plan.columns = columnsOf(flags);
  if (flags.device != "cpu" && flags.device != "gpu")
    throw InputError(fmt::format("--device is '{}'; give cpu or gpu", flags.device));
  plan.onGpu = flags.device == "gpu";
  const bool isNamed = file.places.contains("integrator") ||
                       std::any_of(plan.vary.begin(), plan.vary.end(),
                                   [](const ensemble::Vary& each) { return each.key == "simulation.integrator"; });
  runWatchedSweep({std::move(plan), flags.out, flags.threads, flags.report, flags.json, -1, ranks.get(),
                   isNamed ? "" : usualIntegrator(file.model).reason});
}

}  // namespace

void addSweep(CLI::App& app) {
  auto flags = std::make_shared<SweepFlags>();
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Simulate many members of a model that differ in some values, by all cores, and keep what is measured.");
  sweep->add_option("MODEL", flags->path, "Model file (TOML, see docs/model-file.md), or the name of an example")
      ->required();
  sweep
      ->add_option(
          "--vary", flags->vary,
          "What differs, by a key of --set: body.top.mass=0.5:2, =0.5:2:50, =normal(1,0.1), =[1,2,5], =@FILE.csv:m "
          "(may be repeated; docs/sweeps.md)")
      ->allow_extra_args(false)
      ->required();
  sweep
      ->add_option(
          "--measure", flags->measures,
          "What is kept of each: 'top.position.z:max', also :end, :min, :mean, :drift, 'joint.hip.angle=0:time' "
          "(may be repeated)")
      ->allow_extra_args(false);
  sweep->add_option("--out", flags->out, "Write the members to FILE.h5 as they end")->required();
  sweep->add_option("--samples", flags->samples,
                    "So many members out of the ranges; without it the grid of all values");
  sweep->add_option("--sampling", flags->sampling,
                    "Which ones: sobol (if not given), latin or random; grid without --samples");
  sweep->add_option("--seed", flags->seed, "Other samples for another number; 1 if not given");
  sweep->add_flag(
      "--indices", flags->indices,
      "Sobol' indices: how much of the variance comes from each key (keys + 2 members for each of --samples)");
  sweep->add_flag("--gradient", flags->gradient, "Derivatives of what is measured by all keys that vary");
  sweep->add_option("--every", flags->every, "Keep whole trajectories as well, at these even times");
  sweep->add_option("--columns", flags->columns,
                    "Of trajectories: 'top.position.*,energy'; those measured if not given");
  sweep->add_option("--integrator", flags->integrator, "By name; see `polhode list integrators`");
  auto* step = sweep->add_option("--step", flags->step, "Step size (first step where the integrator adapts it)");
  sweep->add_option("--tolerance", flags->tolerance, "Relative and absolute tolerance")->excludes(step);
  sweep->add_option("--end", flags->end, "End time in seconds");
  sweep->add_option("--stop-when", flags->stopWhen, "End each where a quantity reaches a value: top.position.z=0");
  sweep
      ->add_option("--set", flags->overrides,
                   "Replace a value of the file in all members: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  sweep->add_option("--threads", flags->threads,
                    "How many work at once; all cores if not given, one under mpirun. The file is the same");
  sweep->add_option("--device", flags->device,
                    "Where members move: cpu (if not given), or gpu for trees with springs, motors and loads by "
                    "director-em with a fixed step (docs/sweeps.md says which)");
  sweep->add_option("--report", flags->report,
                    "Write one page to FILE.html with distributions, scatter plots and indices (docs/sweeps.md)");
  sweep->add_flag("--json", flags->json, "Print one JSON object on standard output");
  sweep->callback([flags] { execute(*flags); });
}

}  // namespace polhode::app
