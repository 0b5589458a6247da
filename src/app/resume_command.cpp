#include "commands.h"
#include "io/run_attributes.h"
#include "model_summary.h"
#include "polhode/error.h"
#include "watched_run.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode::app {

namespace {

struct ResumeFlags {
  std::string path;
  std::optional<double> end;
  bool json = false, eachPart = false;
};

void execute(const ResumeFlags& flags) {
  SavedRun saved = readCheckpoint(flags.path);
  std::optional<ModelFile> file = modelOfRun(saved.attributes, flags.path);
  if (!file) throw InputError(checkpointPath(flags.path) + ": the checkpoint holds no model; begin the run anew");
  SimulationSettings settings = settingsOfRun(saved.attributes, *file);
  if (flags.end) settings.end = *flags.end;
  if (!(std::isfinite(settings.end) && settings.end > saved.checkpoint.time))
    throw InputError(fmt::format("{}: the run is saved at t = {:g} and ends at t = {:g}; give a later end with --end",
                                 flags.path, saved.checkpoint.time, settings.end));
  const double every = saved.every;
  runWatched({std::move(*file), settings, flags.path, flags.json, flags.eachPart, every, std::move(saved)});
}

}  // namespace

void addResume(CLI::App& app) {
  auto flags = std::make_shared<ResumeFlags>();
  CLI::App* resume =
      app.add_subcommand("resume", "Go on with a run from its last checkpoint, as if it had not been stopped.");
  resume->add_option("FILE", flags->path, "What `polhode run MODEL --out FILE --checkpoint SECONDS` wrote")->required();
  resume->add_option("--end", flags->end, "Another end time in seconds");
  resume->add_flag("--json", flags->json, "Print one JSON object on standard output");
  resume->add_flag("--bodies", flags->eachPart, bodiesFlagHelp);
  resume->callback([flags] { execute(*flags); });
}

}  // namespace polhode::app
