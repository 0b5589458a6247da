#include "analysis/mechanism_observation.h"
#include "analysis/mode_motion.h"
#include "analysis/small_motions.h"
#include "analysis/state_space.h"
#include "commands.h"
#include "io/json.h"
#include "io/matrices_file.h"
#include "io/run_attributes.h"
#include "model/suggestion.h"
#include "model_summary.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "run_report.h"
#include "server/run_page.h"
#include "system_run.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode::app {

namespace {

constexpr std::size_t modesShown = 12, bodiesShown = 4;

struct ModesFlags {
  std::string path, matrices, out, report;
  std::vector<std::string> overrides, inputs, outputs;
  std::optional<double> at;
  std::optional<std::size_t> only;  // of the modes, the one that is to be seen
  bool atStart = false, json = false, eachPart = false;
};

std::string kindOf(const SmallMotions& small) {
  if (small.about == SmallMotions::About::equilibrium) return "equilibrium";
  return small.about == SmallMotions::About::steadyMotion ? "steady motion" : "instant";
}

/// Lines that say what it is about.
std::vector<std::string> aboutWords(const SmallMotions& small) {
  if (small.equilibrium)
    return {small.isStart ? "where the model starts, which is an equilibrium"
                          : "the equilibrium that was found from its start (see `polhode equilibrium`)"};
  const std::string when = small.isStart ? "in which the model starts" : fmt::format("at t = {:.9g}", small.time);
  if (small.about == SmallMotions::About::equilibrium) return {"the rest " + when};
  if (small.about == SmallMotions::About::instant)
    return {fmt::format("the instant t = {:.9g} of a motion that is not steady: eigenvalues of this instant, frozen,",
                        small.time),
            "which do not tell how a small motion goes on when it is over"};
  std::vector<std::string> words{"the steady motion " + when};
  if (const Vector3& nu = small.motion->turning; !nu.isZero(0.0))
    words.push_back(
        fmt::format("seen from a frame that turns with it at {:.9g}, {:.9g}, {:.9g} rad/s", nu.x(), nu.y(), nu.z()));
  return words;
}

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

std::string modesJson(const Model& model, const SmallMotions& small) {
  const Modes& modes = small.modes;
  JsonWriter json;
  json.beginObject().field("status", "finished").field("model", model.name).field("time", small.time);
  json.field("about", kindOf(small)).field("at_start", small.isStart);
  json.key("held").beginArray();
  for (const std::string& words : small.held) json.value(words);
  json.endArray();
  if (small.about != SmallMotions::About::equilibrium)
    json.field("frame_angular_velocity", small.motion->turning).field("unsteadiness", small.motion->unsteadiness);
  json.field("degrees_of_freedom", static_cast<int>(small.freedoms()));
  json.field("stable", !modes.isUnstable()).field("asymptotically_stable", modes.isAsymptoticallyStable());
  json.field("stability", modesStability(modes));
  json.field("singular_position", small.isSingular());
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
  for (const Mode& mode : modes.modes) writeMode(json, model, mode);
  json.endArray();
  writeParts(json, small.observation);
  json.endObject();
  return json.text();
}

SmallMotions smallMotionsOf(const ModelFile& file, const ModesFlags& flags) {
  try {
    return smallMotions(file.model, file.simulation, {flags.at, flags.atStart});
  } catch (const SimulationError& error) {
    if (flags.json) fmt::print("{}\n", failureJson(file.model.name, error.what()));
    throw;
  }
}

/// A, B, C, D, and what they come from.
std::vector<std::string> writeMatricesOf(const ModelFile& file, const SmallMotions& small, const ModesFlags& flags) {
  const LinearMotion motion = small.linearised();
  const StateSpace system = stateSpace(file.model, small.mechanism, motion, flags.inputs, flags.outputs);
  std::vector<std::string> components;
  for (const Body& body : file.model.bodies)
    for (const char* part : {"x", "y", "z", "turn.x", "turn.y", "turn.z"}) components.push_back(body.name + "." + part);
  const std::vector<std::string> half(system.states.begin(), system.states.begin() + motion.freedoms());
  return writeMatrices(flags.matrices, {{"A", system.A, system.states, system.states},
                                        {"B", system.B, system.states, system.inputs},
                                        {"C", system.C, system.outputs, system.states},
                                        {"D", system.D, system.outputs, system.inputs},
                                        {"mass", motion.mass, half, half},
                                        {"damping", motion.damping, half, half},
                                        {"stiffness", motion.stiffness, half, half},
                                        {"basis", motion.basis, components, half}});
}

/// The modes as a motion that can be looked at: to a file, to a page. Says which.
std::vector<std::string> writeMotion(const ModelFile& file, const SmallMotions& small, const ModesFlags& flags) {
  const std::vector<Mode>& all = small.modes.modes;
  if (flags.only && (*flags.only < 1 || *flags.only > all.size()))
    throw InputError(fmt::format("there is no mode {}; there are {}", *flags.only, all.size()));
  std::vector<Mode> shown;
  std::vector<std::string> numbers;
  std::string words = modesStability(small.modes) + ".";
  for (std::size_t i = 0; i < all.size() && shown.size() < modesShown; ++i)
    if (flags.only ? i + 1 == *flags.only : all[i].eigenvalue != 0.0) {
      const double begin = secondsOfModeMotion * static_cast<double>(shown.size());
      words += fmt::format("\n\nFrom {:g} s to {:g} s: mode {}, {}.", begin, begin + secondsOfModeMotion, i + 1,
                           modeHeading(all[i]));
      shown.push_back(all[i]);
      numbers.push_back(std::to_string(i + 1));
    }
  if (shown.empty()) throw InputError("there is no mode to be seen but neutral ones; choose one of them with --mode 1");
  const MechanismMotion bodies = mechanismMotion(*small.mechanism, small.observation.bodies);
  const Recording motion = modeMotion(small.mechanism, small.reach, bodies, shown);
  const std::string which = fmt::format("mode {}, {:g} seconds each", fmt::join(numbers, ", "), secondsOfModeMotion);
  std::vector<std::string> written;
  if (!flags.out.empty()) {
    writeRecording(flags.out, motion, runAttributes(file, "modes"));
    written.push_back(fmt::format("{}: {}; look at it with `polhode live {}`", flags.out, which, flags.out));
  }
  if (!flags.report.empty()) {
    writeReport(flags.report, live::modesPage(file.model, motion, words));
    written.push_back(fmt::format("{}: {}; open it in a browser", flags.report, which));
  }
  return written;
}

void tellModes(const ModesFlags& flags) {
  if (isNamedSystem(flags.path))
    throw InputError(
        fmt::format("'{}' is a system with equations of its own; modes are those of models of bodies", flags.path));
  if (flags.atStart && flags.at) throw InputError("--at-start and --at do not go together; give one of them");
  if (flags.matrices.empty() && !(flags.inputs.empty() && flags.outputs.empty()))
    throw InputError("--input and --output are those of the matrices; name a file for them with --matrices FILE.json");
  const bool isToBeSeen = !flags.out.empty() || !flags.report.empty();
  if (flags.only && !isToBeSeen)
    throw InputError("--mode is the one to be seen; name a file for it with --out FILE.h5 or --report FILE.html");
  if (!flags.out.empty()) checkOutputPath(flags.out);
  if (!flags.report.empty()) live::requirePagePath(flags.report);
  const ModelFile file = loadModel(flags.path, flags.overrides);
  const SmallMotions small = smallMotionsOf(file, flags);
  const Modes& modes = small.modes;
  std::vector<std::string> written =
      flags.matrices.empty() ? std::vector<std::string>{} : writeMatricesOf(file, small, flags);
  if (isToBeSeen)
    for (std::string& words : writeMotion(file, small, flags)) written.push_back(std::move(words));
  if (flags.json) {
    fmt::print("{}\n", modesJson(file.model, small));
    return;
  }
  fmt::print("{}\n", file.model.name);
  for (const std::string& words : small.held) fmt::print("  {}\n", words);
  const std::vector<std::string> about = aboutWords(small);
  for (std::size_t i = 0; i < about.size(); ++i) fmt::print("  {:<19} {}\n", i == 0 ? "about" : "", about[i]);
  fmt::print("  degrees of freedom  {}\n  {}\n", small.freedoms(), modesStability(modes));
  if (small.isSingular())
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
               shapeLines(file.model, modes.modes[i], small.size));
  }
  for (const std::string& file : written) fmt::print("  written to          {}\n", file);
}

}  // namespace

void addModes(CLI::App& app) {
  auto flags = std::make_shared<ModesFlags>();
  CLI::App* modes = app.add_subcommand("modes",
                                       "Say how a mechanism vibrates about its equilibrium or a steady motion: "
                                       "eigenvalues, frequencies, damping, shapes.");
  modes->add_option("MODEL", flags->path, "Model file (TOML), or the name of an example")->required();
  modes->add_flag("--at-start", flags->atStart, "About the model's start itself, which must be an equilibrium");
  modes->add_option("--at", flags->at,
                    "About the motion that a run reaches at this time, with its velocities; 0 is the start");
  modes->add_option("--matrices", flags->matrices,
                    "Write A, B, C, D of x' = A x + B u, y = C x + D u to FILE.json, or to FILE.A.csv, ...");
  modes
      ->add_option(
          "--input", flags->inputs,
          "An input u: the name of a motor, load or actuator, motor:JOINT, load:BODY.force.x (may be repeated)")
      ->allow_extra_args(false);
  modes
      ->add_option("--output", flags->outputs,
                   "An output y: any observable, such as tip.position.z or joint.hip.angle (may be repeated)")
      ->allow_extra_args(false);
  modes->add_option(
      "--out", flags->out,
      "Write the shapes, one after the other, as a motion to FILE.h5 or FILE.csv, for `polhode live FILE`");
  modes->add_option("--report", flags->report, "Write the shapes as one page with a player to FILE.html");
  modes->add_option("--mode", flags->only, "Of the shapes only this one, by its number");
  modes->add_option("--set", flags->overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  modes->add_flag("--json", flags->json, "Print one JSON object on standard output");
  modes->add_flag("--all", flags->eachPart, "Tell every mode, neutral ones too");
  modes->callback([flags] { tellModes(*flags); });
}

}  // namespace polhode::app
