#include "analysis/equilibrium.h"
#include "commands.h"
#include "io/json.h"
#include "io/model_document.h"
#include "math/largest.h"
#include "model_summary.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "run_report.h"
#include "system_run.h"

#include <fmt/format.h>

namespace polhode::app {

namespace {

struct EquilibriumFlags {
  std::string path, out;
  std::vector<std::string> overrides;
  int starts = 1, seed = 1;
  bool json = false, eachPart = false;
};

/// "unstable", "stable", "stable but for 3 neutral motions", "neutral".
std::string stabilityWords(const Equilibrium& found) {
  if (found.isUnstable()) return "unstable";
  if (found.neutral == 0) return "stable";
  const std::string motions = fmt::format("{} neutral motion{}", found.neutral, found.neutral == 1 ? "" : "s");
  return found.isStable() ? "stable but for " + motions : motions + ", and nothing else moves";
}

double largestAcceleration(const Observation& observation) {
  double largest = 0.0;
  for (const BodyAcceleration& body : observation.accelerations) largest = largestOrNaN(largest, body.linear.norm());
  return largest;
}

void writeEquilibrium(JsonWriter& json, const Equilibrium& found, double energyAtStart) {
  const Observation& there = found.observation;
  json.field("at_start", found.atStart).field("stable", found.isStable()).field("stability", stabilityWords(found));
  json.field("degrees_of_freedom", static_cast<int>(found.reduced.freedoms()));
  json.field("neutral_motions", found.neutral).field("rigid_body_motions", found.rigid);
  json.field("singular_position", found.isSingular());
  json.key("stiffness").beginArray();
  for (const double value : found.stiffness) json.value(value);
  json.endArray();
  writeParts(json, there);
  json.key("energy").beginObject().field("initial", energyAtStart).field("final", there.potentialEnergy).endObject();
  json.key("constraints").beginObject().field("max_position", there.positionViolation).endObject();
  json.field("max_acceleration", largestAcceleration(there));
}

std::string equilibriumTable(const Model& model, const Equilibrium& found, bool eachPart) {
  std::string text = fmt::format("  {}{}\n", stabilityWords(found),
                                 found.rigid > 0 ? fmt::format(" ({} of all bodies as one)", found.rigid) : "");
  if (found.flutter) text += "    a motion grows by forces that have no potential; see `polhode modes`\n";
  if (found.isSingular())
    text += "    its loops are in a singular position there, so that this does not tell the truth of all motions\n";
  if (found.isUnstable() && found.atStart)
    text += "    it stays there only if nothing disturbs it; --starts 8 looks for others\n";
  text += fmt::format("  found               {}\n",
                      found.atStart ? "where the model starts" : fmt::format("after {} steps", found.steps));
  text += fmt::format("  degrees of freedom  {}\n", found.reduced.freedoms());
  if (!found.stiffness.empty()) {
    std::string values;
    const std::size_t shown = std::min<std::size_t>(found.stiffness.size(), 6);
    for (std::size_t i = 0; i < shown; ++i) values += fmt::format("{}{:.9g}", i ? ", " : "", found.stiffness[i]);
    text += fmt::format("  stiffness           {}{} 1/s^2 (relative to the mass)\n", values,
                        shown < found.stiffness.size() ? ", ..." : "");
  }
  if (isLarge(model)) text += summaryOfParts(model);
  if (eachPart || !isLarge(model)) text += partsTable(found.observation);
  text += fmt::format("  potential energy    {:.12g}\n", found.observation.potentialEnergy);
  text += fmt::format("  what is left        acceleration {:.2e} m/s^2, gap of joints {:.2e}\n",
                      largestAcceleration(found.observation), found.observation.positionViolation);
  return text;
}

/// As a run does it: the JSON object says that it failed, the sentence and the exit code follow.
std::vector<Equilibrium> foundOrFailed(EquilibriumSearch& search, const EquilibriumFlags& flags) {
  try {
    return search.fromStarts(flags.starts, static_cast<std::uint64_t>(flags.seed));
  } catch (const SimulationError& error) {
    if (flags.json) fmt::print("{}\n", failureJson(search.model().name, error.what()));
    throw;
  }
}

void findEquilibria(const EquilibriumFlags& flags) {
  if (isNamedSystem(flags.path))
    throw InputError(fmt::format("'{}' is a system with equations of its own; equilibria are found of models of bodies",
                                 flags.path));
  if (flags.starts < 1) throw InputError(fmt::format("--starts is {}; give a positive number", flags.starts));
  const ModelFile file = loadModel(flags.path, flags.overrides);
  EquilibriumSearch search(file.model);
  const double before = potentialEnergy(search.mechanism(), initialMotion(search.mechanism()));
  const std::vector<Equilibrium> found = foundOrFailed(search, flags);
  const std::vector<std::string> held = heldWords(file.model);
  if (!flags.out.empty()) writeModelAtRest(flags.out, file, flags.path, found.front().observation.bodies);

  if (flags.json) {
    JsonWriter json;
    json.beginObject().field("status", "finished").field("model", file.model.name).field("time", 0.0);
    json.key("held").beginArray();
    for (const std::string& words : held) json.value(words);
    json.endArray();
    writeEquilibrium(json, found.front(), before);
    if (flags.starts > 1) {
      json.key("equilibria").beginArray();
      for (const Equilibrium& each : found) {
        json.beginObject();
        writeEquilibrium(json, each, before);
        json.endObject();
      }
      json.endArray();
    }
    json.endObject();
    fmt::print("{}\n", json.text());
    return;
  }
  fmt::print("{}\n", file.model.name);
  for (const std::string& words : held) fmt::print("  {}\n", words);
  if (flags.starts > 1)
    fmt::print("  {} different equilibri{} from {} starts\n", found.size(), found.size() == 1 ? "um" : "a",
               flags.starts);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found.size() > 1) fmt::print("equilibrium {}\n", i + 1);
    fmt::print("{}", equilibriumTable(file.model, found[i], flags.eachPart));
  }
  if (!flags.out.empty()) fmt::print("  written to          {}\n", flags.out);
}

}  // namespace

void addEquilibrium(CLI::App& app) {
  auto flags = std::make_shared<EquilibriumFlags>();
  CLI::App* equilibrium = app.add_subcommand(
      "equilibrium",
      "Find where a mechanism rests under gravity, springs and constant loads, and whether it is stable there.");
  equilibrium->add_option("MODEL", flags->path, "Model file (TOML), or the name of an example")->required();
  equilibrium->add_option("--starts", flags->starts,
                          "Look from so many placements, the model's own and random ones, and list what is different");
  equilibrium->add_option("--seed", flags->seed, "Of the random placements");
  equilibrium->add_option("--out", flags->out,
                          "Write a model file that starts there at rest; of several the one of the lowest energy");
  equilibrium->add_option("--set", flags->overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  equilibrium->add_flag("--json", flags->json, "Print one JSON object on standard output");
  equilibrium->add_flag("--bodies", flags->eachPart, bodiesFlagHelp);
  equilibrium->callback([flags] { findEquilibria(*flags); });
}

}  // namespace polhode::app
