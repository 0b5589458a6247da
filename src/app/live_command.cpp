#include "commands.h"
#include "io/sweep_file.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "polhode/io/recording.h"
#include "server/live_server.h"
#include "server/run_file.h"
#include "server/runner.h"
#include "server/sweep_members.h"

#include <cstdio>

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

namespace polhode::app {

namespace {

struct LiveFlags {
  std::string path;
  std::string model, integrator, out;
  std::optional<double> step, every;
  std::vector<std::string> overrides;
  std::string address = "127.0.0.1";
  std::optional<unsigned short> port;
  bool open = false, paused = false;
};

std::unique_ptr<live::Session> makeSession(const LiveFlags& flags) {
  live::SessionOptions options;
  options.out = flags.out;
  options.playing = !flags.paused;
  if (flags.every) options.recordEvery = *flags.every;

  if (isSweepFile(flags.path)) {
    options.members = live::openSweepFile(flags.path);
    live::Scenario first = options.members->member(options.members->firstToShow());
    return std::make_unique<live::Session>(std::move(first), options, live::Runner::now);
  }
  if (live::isRunPath(flags.path)) {
    std::optional<Model> model;
    if (!flags.model.empty()) model = loadModel(flags.model, flags.overrides).model;
    return std::make_unique<live::Session>(live::openRunFile(flags.path, model), options, live::Runner::now);
  }
  ModelFile file = loadModel(flags.path, flags.overrides);
  if (!flags.integrator.empty()) file.simulation.integrator = flags.integrator;
  if (flags.step) file.simulation.step = flags.step;
  return std::make_unique<live::Session>(live::Scenario{flags.path, std::move(file)}, options, live::Runner::now);
}

void openBrowser(const std::string& url) {
  std::string program = "xdg-open", address = url;
  char* arguments[] = {program.data(), address.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0)
    fmt::print(stderr, "no browser could be opened; open {} yourself\n", url);
}

void execute(const LiveFlags& flags) {
  if (!flags.out.empty()) checkOutputPath(flags.out);
  const auto server = live::listenToSomePort([&flags] { return makeSession(flags); }, flags.address, flags.port);
  server->stopOnSignals();
  fmt::print("{} (Ctrl-C ends it)\n", server->url());
  if (const std::string others = server->urlForOthers(); !others.empty())
    fmt::print("{} on other machines; whoever has this address may watch and steer\n", others);
  std::fflush(stdout);
  if (flags.open) openBrowser(server->url());
  server->run();
  if (!flags.out.empty()) fmt::print("what happened is in {}\n", flags.out);
}

}  // namespace

void addLive(CLI::App& app) {
  auto flags = std::make_shared<LiveFlags>();
  CLI::App* live = app.add_subcommand("live", "Show and steer a simulation in the browser, or look at a finished run.");
  live->add_option("MODEL", flags->path,
                   "Model file, name of an example, a run (FILE.h5, FILE.csv) or a sweep (FILE.h5)")
      ->required();
  live->add_option("--integrator", flags->integrator, "By name; see `polhode list integrators`");
  live->add_option("--step", flags->step, "Step size")->check(CLI::PositiveNumber);
  live->add_option("--set", flags->overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  live->add_option("--model", flags->model, "Model file of a run that does not carry its own, such as a CSV file");
  live->add_option("--out", flags->out, "Record everything that happens to FILE.csv or FILE.h5");
  live->add_option("--every", flags->every, "Seconds between two rows of recordings; 0.01 if not given")
      ->check(CLI::PositiveNumber);
  live->add_option("--port", flags->port,
                   fmt::format("Port to listen to; 0 for any, {} if not given", live::usualPort));
  live->add_option(
      "--bind", flags->address,
      "Address to listen to; 127.0.0.1 if not given, 0.0.0.0 lets others watch and steer who are given the "
      "address with its token that is printed");
  live->add_flag("--open", flags->open, "Open the browser");
  live->add_flag("--paused", flags->paused, "Wait for the play button");
  live->callback([flags] { execute(*flags); });
}

}  // namespace polhode::app
