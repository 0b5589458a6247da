#include "commands.h"
#include "io/run_attributes.h"
#include "io/sweep_file.h"
#include "model_summary.h"
#include "polhode/error.h"
#include "watched_run.h"
#include "watched_sweep.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode::app {

namespace {

struct ResumeFlags {
  std::string path;
  std::string report;
  std::optional<double> end;
  unsigned threads = 0;
  bool json = false, eachPart = false;
};

/// A sweep goes on where its file ends.
void resumeSweep(const ResumeFlags& flags) {
  if (flags.end) throw InputError("--end is for runs; the members of a sweep end where its model says");
  const std::unique_ptr<ensemble::Ranks> ranks = ensemble::joinRanks();
  if (ranks && !ranks->isFirst()) return ranks->help();
  const SweepPlanFile file = readSweepPlan(flags.path);
  runWatchedSweep({file.plan, flags.path, flags.threads, flags.report, flags.json, file.done, ranks.get()});
}

void execute(const ResumeFlags& flags) {
  if (isSweepFile(flags.path)) return resumeSweep(flags);
  if (!flags.report.empty()) throw InputError("--report is for sweeps, and " + flags.path + " is none; leave it out");
  SavedRun saved = readCheckpoint(flags.path);
  std::optional<ModelFile> file = modelOfRun(saved.attributes, flags.path);
  if (!file) throw InputError(checkpointPath(flags.path) + ": the checkpoint holds no model; begin the run anew");
  SimulationSettings settings = settingsOfRun(saved.attributes, *file);
  if (flags.end) settings.end = *flags.end;
  if (flags.threads > 0) settings.threads = static_cast<int>(flags.threads);
  if (!(std::isfinite(settings.end) && settings.end > saved.checkpoint.time))
    throw InputError(fmt::format("{}: the run is saved at t = {:g} and ends at t = {:g}; give a later end with --end",
                                 flags.path, saved.checkpoint.time, settings.end));
  const double every = saved.every;
  runWatched({std::move(*file), settings, flags.path, flags.json, flags.eachPart, every, std::move(saved)});
}

}  // namespace

void addResume(CLI::App& app) {
  auto flags = std::make_shared<ResumeFlags>();
  CLI::App* resume = app.add_subcommand(
      "resume", "Go on with a run from its last checkpoint, or with a sweep, as if it had not been stopped.");
  resume
      ->add_option("FILE", flags->path,
                   "What `polhode run MODEL --out FILE --checkpoint SECONDS` or `polhode sweep` wrote")
      ->required();
  resume->add_option("--end", flags->end, "Another end time in seconds");
  resume->add_option("--threads", flags->threads,
                     "How many work at once: at a sweep, all cores if not given; at a run, as many as it had");
  resume->add_option("--report", flags->report, "Of a sweep: write its page to FILE.html");
  resume->add_flag("--json", flags->json, "Print one JSON object on standard output");
  resume->add_flag("--bodies", flags->eachPart, bodiesFlagHelp);
  resume->callback([flags] { execute(*flags); });
}

}  // namespace polhode::app
