#include "analysis/inverse_dynamics.h"
#include "commands.h"
#include "io/json.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "polhode/io/recording.h"
#include "run_report.h"
#include "system_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

namespace polhode::app {

namespace {

struct InverseFlags {
  std::string path, out;
  std::vector<std::string> follow, motors, overrides;
  std::optional<double> end, every;
  bool json = false;
};

/// What --follow says: quantities over time, or a recorded run.
struct AskedMotion {
  std::vector<FollowedQuantity> quantities;
  std::vector<double> times;  // of a table
  std::optional<Recording> run;
};

std::vector<std::string> splitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != separator || depth > 0)) continue;
    std::string part = text.substr(begin, i - begin);
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t") + 1);
    parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

/// "joint.crank.angle=6*t", "hand.position=[0.3*cos(t), 0.3*sin(t), 0]".
void addFormula(const std::string& text, AskedMotion& motion) {
  const auto equals = text.find('=');
  const std::string name = splitAt(text.substr(0, equals), '\0').front();
  std::string formula = splitAt(text.substr(equals + 1), '\0').front();
  const auto signal = [&](const std::string& words) {
    try {
      return Signal::formula(words);
    } catch (const InputError& error) {
      throw InputError(fmt::format("--follow {}: {}", polhode::quoted(text), error.what()));
    }
  };
  if (formula.empty() || formula.front() != '[') {
    motion.quantities.push_back({name, signal(formula)});
    return;
  }
  const std::vector<std::string> parts = splitAt(formula.substr(1, formula.rfind(']') - 1), ',');
  if (parts.size() != 3 || formula.back() != ']')
    throw InputError(fmt::format("--follow {} has not three components; write {}=[0.1*cos(t), 0.1*sin(t), 0]",
                                 polhode::quoted(text), name));
  for (std::size_t k = 0; k < 3; ++k) motion.quantities.push_back({name + "." + "xyz"[k], signal(parts[k])});
}

/// "run.h5", or some columns of it: "run.h5:joint.crank.angle,arm.position.x".
void addFile(const std::string& text, const Model& model, AskedMotion& motion) {
  std::string path = text;
  std::vector<std::string> names;
  if (!std::filesystem::exists(path))
    if (const auto colon = text.find(':', text.rfind('/') == std::string::npos ? 0 : text.rfind('/'));
        colon != std::string::npos) {
      path = text.substr(0, colon);
      names = splitAt(text.substr(colon + 1), ',');
    }
  Recording table = readRecording(path).recording;
  try {
    if (names.empty() && tellsWholeMotion(table, model)) {
      motion.run = std::move(table);
      return;
    }
    for (FollowedQuantity& quantity : motionOfTable(table, model, names))
      motion.quantities.push_back(std::move(quantity));
    motion.times = table.column("time");
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
}

AskedMotion askedMotion(const InverseFlags& flags, const Model& model) {
  AskedMotion motion;
  for (const std::string& text : flags.follow) {
    if (text.find('=') != std::string::npos)
      addFormula(text, motion);
    else
      addFile(text, model, motion);
  }
  if (motion.run && !motion.quantities.empty())
    throw InputError("--follow of a whole run goes with no other motion; name columns of it, run.h5:joint.crank.angle");
  return motion;
}

std::vector<InverseMotor> askedMotors(const InverseFlags& flags, const Model& model, const AskedMotion& motion) {
  std::vector<InverseMotor> motors;
  for (const std::string& words : flags.motors)
    for (const std::string& name : splitAt(words, ','))
      for (InverseMotor& motor : motorsNamed(model, name)) {
        const bool isThere = std::any_of(motors.begin(), motors.end(),
                                         [&](const InverseMotor& other) { return other.name == motor.name; });
        if (isThere)
          throw InputError(fmt::format("--motors names {} twice; leave one out", polhode::quoted(motor.name)));
        motors.push_back(std::move(motor));
      }
  if (!flags.motors.empty()) return motors;
  motors = usualMotors(model, motion.quantities);
  if (motors.empty())
    throw InputError(
        fmt::format("{} has no motors; name some, as in --motors joint.crank.angle", polhode::quoted(model.name)));
  return motors;
}

std::vector<double> outputTimes(const InverseFlags& flags, const ModelFile& file, const AskedMotion& motion) {
  for (const auto& [flag, value] : {std::pair{"--end", flags.end}, {"--every", flags.every}})
    if (value && !(std::isfinite(*value) && *value > 0.0))
      throw InputError(fmt::format("{} is {}; give a positive number", flag, *value));
  const double end = flags.end.value_or(motion.times.empty() ? file.simulation.end : motion.times.back());
  if (!motion.times.empty() && !flags.every) {
    std::vector<double> times;
    for (const double t : motion.times)
      if (t <= end) times.push_back(t);
    return times;
  }
  const double begin = motion.times.empty() ? 0.0 : motion.times.front();
  const double every = flags.every.value_or(file.simulation.outputEvery.value_or(end / 100.0));
  std::vector<double> times;
  for (int i = 0; begin + i * every < end - 1e-9 * every; ++i) times.push_back(begin + i * every);
  times.push_back(end);
  return times;
}

/// The extremes of one motor.
struct MotorSummary {
  double peak = 0.0, peakTime = 0.0, rms = 0.0, peakPower = 0.0, work = 0.0;
};

MotorSummary summaryOf(const InverseResult& result, Eigen::Index k) {
  MotorSummary summary;
  double squares = 0.0;
  const InverseRow* before = nullptr;
  for (const InverseRow& row : result.rows) {
    const double effort = row.efforts[k], power = effort * row.speeds[k];
    if (std::abs(effort) > std::abs(summary.peak)) summary.peak = effort, summary.peakTime = row.time;
    if (std::abs(power) > std::abs(summary.peakPower)) summary.peakPower = power;
    if (before) {
      const double half = 0.5 * (row.time - before->time);
      squares += half * (effort * effort + before->efforts[k] * before->efforts[k]);
      summary.work += half * (power + before->efforts[k] * before->speeds[k]);
    }
    before = &row;
  }
  const double span = result.rows.back().time - result.rows.front().time;
  summary.rms = span > 0.0 ? std::sqrt(squares / span) : std::abs(summary.peak);
  return summary;
}

double mostMissing(const InverseResult& result) {
  double most = 0.0;
  for (const InverseRow& row : result.rows) most = std::max(most, row.missing);
  return most;
}

std::string inverseJson(const Model& model, const InverseResult& result) {
  JsonWriter json;
  json.beginObject().field("status", "finished").field("model", model.name);
  json.field("time", result.rows.back().time).field("rows", static_cast<int>(result.rows.size()));
  json.field("degrees_of_freedom", result.freedoms).field("following_the_dynamics", result.freedomsLeft);
  json.field("max_missing", mostMissing(result));
  json.key("motors").beginObject();
  for (std::size_t k = 0; k < result.motors.size(); ++k) {
    const MotorSummary summary = summaryOf(result, static_cast<Eigen::Index>(k));
    json.key(result.motors[k].name).beginObject().field("unit", result.motors[k].unit);
    json.field("peak", summary.peak).field("peak_time", summary.peakTime).field("rms", summary.rms);
    json.field("peak_power", summary.peakPower).field("work", summary.work);
    const auto numbers = [&](const char* name, const VectorX InverseRow::*vector) {
      json.key(name).beginArray();
      for (const InverseRow& row : result.rows) json.value((row.*vector)[static_cast<Eigen::Index>(k)]);
      json.endArray();
    };
    numbers("efforts", &InverseRow::efforts);
    numbers("speeds", &InverseRow::speeds);
    json.endObject();
  }
  json.endObject().key("times").beginArray();
  for (const InverseRow& row : result.rows) json.value(row.time);
  json.endArray();
  writeParts(json, result.rows.back().observation);
  json.endObject();
  return json.text();
}

void tellEfforts(const Model& model, const InverseResult& result) {
  fmt::print("{}\n  {} times from t = {:g} to {:g}, {} degree{} of freedom, {} motor{}\n", model.name,
             result.rows.size(), result.rows.front().time, result.rows.back().time, result.freedoms,
             result.freedoms == 1 ? "" : "s", result.motors.size(), result.motors.size() == 1 ? "" : "s");
  if (result.freedomsLeft > 0)
    fmt::print("  {} of the freedoms follow the dynamics, since the motion says nothing of them\n",
               result.freedomsLeft);
  if (static_cast<int>(result.motors.size()) > result.freedoms)
    fmt::print("  more motors than freedoms: the smallest efforts, in the sense of least squares\n");
  std::size_t width = 5;
  for (const InverseMotor& motor : result.motors) width = std::max(width, motor.name.size());
  fmt::print("  {:<{}}  {:>14} {:>10} {:>14} {:>14} {:>14}\n", "motor", width, "peak effort", "at t", "rms",
             "peak power", "work");
  for (std::size_t k = 0; k < result.motors.size(); ++k) {
    const MotorSummary summary = summaryOf(result, static_cast<Eigen::Index>(k));
    fmt::print("  {:<{}}  {:>14} {:>10.4g} {:>14} {:>12.6g} W {:>12.6g} J\n", result.motors[k].name, width,
               fmt::format("{:.6g} {}", summary.peak, result.motors[k].unit), summary.peakTime,
               fmt::format("{:.6g} {}", summary.rms, result.motors[k].unit), summary.peakPower, summary.work);
  }
  fmt::print("  what the motors miss  {:.2e} of all that acts\n", mostMissing(result));
}

void findEfforts(const InverseFlags& flags) {
  if (isNamedSystem(flags.path))
    throw InputError(
        fmt::format("'{}' is a system with equations of its own; efforts are found of models of bodies", flags.path));
  if (!flags.out.empty()) checkOutputPath(flags.out);
  const ModelFile file = loadModel(flags.path, flags.overrides);
  AskedMotion motion = askedMotion(flags, file.model);
  ledModel(file.model, motion.quantities);  // whether all names are known, before motors are sought along them
  const std::vector<InverseMotor> motors = askedMotors(flags, file.model, motion);
  if (!motion.run && motion.quantities.empty()) motion.quantities = motionOfModel(file.model, motors);
  if (!motion.run && motion.quantities.empty())
    throw InputError(fmt::format("{} asks for no motion by itself; give one, as in --follow 'joint.crank.angle=6*t'",
                                 polhode::quoted(file.model.name)));
  InverseDynamics inverse(file.model, motors);
  const auto result = [&] {
    try {
      return motion.run ? inverse.along(*motion.run)
                        : inverse.along(motion.quantities, outputTimes(flags, file, motion));
    } catch (const SimulationError& error) {
      if (flags.json) fmt::print("{}\n", failureJson(file.model.name, error.what()));
      throw;
    }
  }();
  if (!flags.out.empty()) writeRecording(flags.out, result.recording(), {{"model", file.model.name}});
  if (flags.json)
    fmt::print("{}\n", inverseJson(file.model, result));
  else
    tellEfforts(file.model, result);
}

}  // namespace

void addInverse(CLI::App& app) {
  auto flags = std::make_shared<InverseFlags>();
  CLI::App* inverse = app.add_subcommand(
      "inverse", "Find the efforts of motors that make a mechanism move as it is asked to (inverse dynamics).");
  inverse->add_option("MODEL", flags->path, "Model file (TOML), or the name of an example")->required();
  inverse
      ->add_option(
          "--follow", flags->follow,
          "The motion: 'joint.crank.angle=6*t', 'arm.position=[0.3*cos(t), 0.3*sin(t), 1]', a table or a run "
          "(FILE.csv, FILE.h5, or columns of it FILE:NAME,NAME); may be repeated. By default that of the model's "
          "drives and actuators")
      ->allow_extra_args(false);
  inverse
      ->add_option("--motors", flags->motors,
                   "What makes it, by commas: joint.crank.angle, a motor, load or actuator of the model, arm.force, "
                   "arm.torque.z. By default the model's motors and actuators, or those along what is followed")
      ->allow_extra_args(false);
  inverse->add_option("--end", flags->end, "Last time in seconds; by default that of the table or of the model");
  inverse->add_option("--every", flags->every, "Even times; by default those of the table, or the model's output");
  inverse->add_option("--set", flags->overrides, "Replace a value of the file: body.top.mass=2 (may be repeated)")
      ->allow_extra_args(false);
  inverse->add_option("--out", flags->out,
                      "Write efforts and motion to FILE.csv, which `polhode run MODEL --motors FILE.csv` takes");
  inverse->add_flag("--json", flags->json, "Print one JSON object on standard output");
  inverse->callback([flags] { findEfforts(*flags); });
}

}  // namespace polhode::app
