#include "system_run.h"

#include "integrate/fitting.h"
#include "system/named_system.h"
#include "watched_run.h"

#include <algorithm>

namespace polhode::app {

bool isNamedSystem(const std::string& name) {
  return std::any_of(namedSystems().begin(), namedSystems().end(),
                     [&](const NamedSystem& s) { return s.name == name; });
}

void runNamedSystem(const SystemRequest& asked) {
  const NamedSystem& named = namedSystem(asked.system);
  const auto system = named.make();
  RunRequest run;
  run.file.model.name = asked.system;
  run.settings = asked.settings;
  run.out = asked.out;
  run.json = asked.json;
  run.whyIntegrator = asked.whyIntegrator;
  auto stepper = makeConstrainedStepper(run.settings.integrator, *system, 0.0, named.initialState(), run.settings.end,
                                        run.settings.step.value_or(named.step));
  if (asked.choosesSteps) stepper->control(run.settings.tolerance);
  run.system = std::make_shared<SystemEngine>(std::move(stepper));
  runWatched(run);
}

}  // namespace polhode::app
