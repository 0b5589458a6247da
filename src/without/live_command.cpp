// In place of src/app/live_command.cpp where polhode is built with -DPOLHODE_PAGES=OFF.
#include "app/commands.h"
#include "polhode/error.h"
#include "server/run_page.h"

namespace polhode::app {

void addLive(CLI::App& app) {
  CLI::App* live = app.add_subcommand("live", "Show a model in the browser; this polhode was built without its pages.");
  live->allow_extras();
  live->callback([] {
    throw InputError("this polhode was built without its pages in the browser; build it with -DPOLHODE_PAGES=ON");
  });
}

}  // namespace polhode::app

namespace polhode::live {

void requirePagePath(const std::string& path) {
  throw InputError(path + ": this polhode was built without its pages; build it with -DPOLHODE_PAGES=ON");
}

double rowsForPage(const Model&, const SimulationSettings&) {
  return 1.0;
}

Report runPage(const Model&, const SimulationSettings&, const RunResult&, const std::string&) {
  return {};
}

Report modesPage(const Model&, const Recording&, const std::string&) {
  return {};
}

}  // namespace polhode::live
