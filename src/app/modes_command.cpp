#include "analysis/modes.h"
#include "commands.h"
#include "io/json.h"
#include "model/suggestion.h"
#include "model_summary.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "run_report.h"
#include "system_run.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode::app {

namespace {

constexpr std::size_t modesShown = 12, bodiesShown = 4;

struct ModesFlags {
  std::string path;
  std::vector<std::string> overrides;
  bool atStart = false, json = false, eachPart = false;
};

/// One sentence about what becomes of small motions.
std::string modesStability(const Modes& modes) {
  if (modes.eigenvalues.empty()) return "nothing can move";
  const std::string neutral =
      modes.zeroModes == 0 ? ""
                           : fmt::format("; {} neutral motion{}", modes.zeroModes, modes.zeroModes == 1 ? "" : "s");
  if (modes.isUnstable()) return "unstable: a small motion grows" + neutral;
  if (modes.isAsymptoticallyStable()) return "stable: every small motion dies out";
  if (modes.zeroModes == static_cast<int>(modes.modes.size())) return "neutral: nothing resists a motion";
  return "stable: no small motion grows" + neutral;
}

std::string modeHeading(const Mode& mode) {
  const auto [real, imaginary] = std::pair{mode.eigenvalue.real(), mode.eigenvalue.imag()};
  if (mode.eigenvalue == 0.0) return "neutral";
  if (imaginary == 0.0)
    return fmt::format("{} at {:.9g} 1/s, without oscillation", real < 0.0 ? "dies out" : "grows", std::abs(real));
  return fmt::format("{:.9g} Hz, damping {:.6g}, eigenvalues {:.9g} +- {:.9g} i 1/s", mode.frequency, mode.damping,
                     real, imaginary);
}

/// The bodies that move most.
std::string shapeLines(const Model& model, const Mode& mode, double size) {
  std::vector<std::size_t> order(mode.bodies.size());
  for (std::size_t b = 0; b < order.size(); ++b) order[b] = b;
  const auto motion = [&](std::size_t b) {
    return std::max(mode.bodies[b].displacement.norm() / size, mode.bodies[b].rotation.norm());
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return motion(a) > motion(b) * (1.0 + 1e-9); });
  std::string text;
  const auto list = [](const Eigen::Vector3cd& v) {
    const auto number = [](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; };
    return fmt::format("{:.4g}, {:.4g}, {:.4g}", number(v[0].real()), number(v[1].real()), number(v[2].real()));
  };
  for (std::size_t i = 0; i < std::min(order.size(), bodiesShown); ++i) {
    const ModeOfBody& body = mode.bodies[order[i]];
    text += fmt::format("    {:<16}  moves {}; turns {}\n", model.bodies[order[i]].name, list(body.displacement),
                        list(body.rotation));
  }
  if (order.size() > bodiesShown) text += fmt::format("    and {} bodies that move less\n", order.size() - bodiesShown);
  return text;
}

void writeMode(JsonWriter& json, const Model& model, const Mode& mode) {
  json.beginObject().key("eigenvalue").beginArray();
  json.value(mode.eigenvalue.real()).value(mode.eigenvalue.imag()).endArray();
  json.field("frequency", mode.frequency).field("damping", mode.damping);
  json.key("bodies").beginObject();
  for (std::size_t b = 0; b < mode.bodies.size(); ++b) {
    const ModeOfBody& body = mode.bodies[b];
    const auto vector = [&](const char* name, const Vector3& v) { json.field(name, v); };
    json.key(model.bodies[b].name).beginObject();
    vector("displacement", body.displacement.real());
    vector("rotation", body.rotation.real());
    if (!body.displacement.imag().isZero(0.0) || !body.rotation.imag().isZero(0.0)) {
      vector("displacement_imaginary", body.displacement.imag());
      vector("rotation_imaginary", body.rotation.imag());
    }
    json.endObject();
  }
  json.endObject().endObject();
}

std::string modesJson(const ModelFile& file, const Equilibrium& about, const Modes& modes) {
  JsonWriter json;
  json.beginObject().field("status", "finished").field("model", file.model.name).field("time", 0.0);
  json.field("at_start", about.atStart);
  json.key("held").beginArray();
  for (const std::string& words : heldWords(file.model)) json.value(words);
  json.endArray();
  json.field("degrees_of_freedom", static_cast<int>(about.reduced.freedoms()));
  json.field("stable", !modes.isUnstable()).field("asymptotically_stable", modes.isAsymptoticallyStable());
  json.field("stability", modesStability(modes));
  json.field("singular_position", about.isSingular());
  json.field("zero_modes", modes.zeroModes).field("rigid_body_modes", modes.rigidBodyModes);
  json.key("eigenvalues").beginArray();
  for (const std::complex<double>& mu : modes.eigenvalues)
    json.beginArray().value(mu.real()).value(mu.imag()).endArray();
  json.endArray();
  const auto numbers = [&](const char* name, double Mode::*number) {
    json.key(name).beginArray();
    for (const Mode& mode : modes.modes) json.value(mode.*number);
    json.endArray();
  };
  numbers("frequencies", &Mode::frequency);
  numbers("damping", &Mode::damping);
  json.key("modes").beginArray();
  for (const Mode& mode : modes.modes) writeMode(json, file.model, mode);
  json.endArray();
  writeParts(json, about.observation);
  json.endObject();
  return json.text();
}

Equilibrium aboutWhich(EquilibriumSearch& search, const ModesFlags& flags) {
  try {
    return flags.atStart ? search.atStart() : search.fromStart();
  } catch (const SimulationError& error) {
    if (flags.json) fmt::print("{}\n", failureJson(search.model().name, error.what()));
    throw;
  }
}

void tellModes(const ModesFlags& flags) {
  if (isNamedSystem(flags.path))
    throw InputError(
        fmt::format("'{}' is a system with equations of its own; modes are those of models of bodies", flags.path));
  const ModelFile file = loadModel(flags.path, flags.overrides);
  EquilibriumSearch search(file.model);
  const Equilibrium about = aboutWhich(search, flags);
  const Modes modes = modesAbout(about, search.size());
  if (flags.json) {
    fmt::print("{}\n", modesJson(file, about, modes));
    return;
  }
  fmt::print("{}\n", file.model.name);
  for (const std::string& words : heldWords(file.model)) fmt::print("  {}\n", words);
  fmt::print("  about               {}\n", about.atStart
                                               ? "where the model starts, which is an equilibrium"
                                               : "the equilibrium that was found from its start (see `polhode "
                                                 "equilibrium`)");
  fmt::print("  degrees of freedom  {}\n  {}\n", about.reduced.freedoms(), modesStability(modes));
  if (about.isSingular())
    fmt::print("  its loops are in a singular position there, so that this does not tell the truth of all motions\n");
  if (modes.zeroModes > 0)
    fmt::print("  neutral             {}, of these {} of all bodies as one\n", modes.zeroModes, modes.rigidBodyModes);
  std::size_t shown = 0;
  for (std::size_t i = 0; i < modes.modes.size(); ++i) {
    if (modes.modes[i].eigenvalue == 0.0 && !flags.eachPart) continue;
    if (shown++ == modesShown && !flags.eachPart) {
      fmt::print("  and {} more, up to {:.6g} Hz; --all tells them\n", modes.modes.size() - i,
                 modes.modes.back().frequency);
      break;
    }
    fmt::print("  mode {:<3}            {}\n{}", i + 1, modeHeading(modes.modes[i]),
               shapeLines(file.model, modes.modes[i], search.size()));
  }
}

}  // namespace

void addModes(CLI::App& app) {
  auto flags = std::make_shared<ModesFlags>();
  CLI::App* modes = app.add_subcommand(
      "modes", "Say how a mechanism vibrates about its equilibrium: eigenvalues, frequencies, damping, shapes.");
  modes->add_option("MODEL", flags->path, "Model file (TOML), or the name of an example")->required();
  modes->add_flag("--at-start", flags->atStart, "About the model's start itself, which must be an equilibrium");
  modes->add_option("--set", flags->overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  modes->add_flag("--json", flags->json, "Print one JSON object on standard output");
  modes->add_flag("--all", flags->eachPart, "Tell every mode, neutral ones too");
  modes->callback([flags] { tellModes(*flags); });
}

}  // namespace polhode::app
