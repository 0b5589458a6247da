#include "ensemble/sweep.h"

#include "analysis/chosen_columns.h"
#include "analysis/engine_registry.h"
#include "analysis/recorder.h"
#include "ensemble/measure_gradient.h"
#include "io/model_document.h"
#include "io/override.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode::ensemble {

namespace {

constexpr std::int64_t mostTries = 64;

/// Members all over, whatever the order in which they change: on a grid, even distances would meet the same value of one
/// key again and again.
std::int64_t memberToTry(std::int64_t number, std::int64_t size) {
  constexpr double goldenRatio = 0.6180339887498949;
  if (size <= mostTries) return number;
  const double turns = goldenRatio * static_cast<double>(number);
  return static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(size));
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

Attributes SweepPlan::attributes() const {
  std::vector<std::string> varied;
  for (const Vary& each : vary) varied.push_back(each.words());
  return {{"model_file", text},
          {"model_source", source},
          {"model_command", command},
          {"overrides", joined(overrides)},
          {"vary", joined(varied)},
          {"samples", samples ? std::to_string(*samples) : ""},
          {"sampling", wordOf(sampling)},
          {"seed", std::to_string(seed)},
          {"indices", indices ? "yes" : ""},
          {"measures", joined(measures)},
          {"every", every ? fmt::format("{}", *every) : ""},
          {"columns", columns},
          {"gradient", gradient ? "yes" : ""},
          {"device", onGpu ? "gpu" : "cpu"}};
}

SweepPlan SweepPlan::of(const Attributes& attributes, const std::string& path) {
  const std::map<std::string, std::string> words(attributes.begin(), attributes.end());
  SweepPlan plan;
  try {
    plan.text = words.at("model_file");
    plan.source = words.at("model_source");
    plan.command = words.at("model_command");
    plan.overrides = linesOf(words.at("overrides"));
    for (const std::string& line : linesOf(words.at("vary"))) plan.vary.push_back(parseVary(line));
    if (const std::string& samples = words.at("samples"); !samples.empty()) plan.samples = std::stoll(samples);
    plan.sampling = samplingKind(words.at("sampling"));
    plan.seed = std::stoull(words.at("seed"));
    plan.indices = !words.at("indices").empty();
    plan.measures = linesOf(words.at("measures"));
    if (const std::string& every = words.at("every"); !every.empty()) plan.every = std::strtod(every.c_str(), nullptr);
    plan.columns = words.at("columns");
    plan.gradient = words.contains("gradient") && !words.at("gradient").empty();
    plan.onGpu = words.contains("device") && words.at("device") == "gpu";
  } catch (const std::logic_error&) {
    throw InputError(path + ": the file does not say what its sweep was to do; begin it anew");
  }
  return plan;
}

Sweep::Sweep(SweepPlan plan) : plan_(std::move(plan)) {
  if (plan_.vary.empty()) throw InputError("nothing varies; give for instance --vary body.top.mass=0.5:2:50");
  if (plan_.measures.empty() && !plan_.every)
    throw InputError(
        "nothing is measured; give for instance --measure 'top.position.z:max', or --every for trajectories");
  std::set<std::string> measures;
  for (const std::string& measure : plan_.measures)
    if (!measures.insert(measure).second)
      throw InputError(fmt::format("--measure {} is there twice; leave one out", quoted(measure)));
  makeDimensions();
  makeSampling();
  const bool variesUrdf = std::any_of(plan_.vary.begin(), plan_.vary.end(),
                                      [](const Vary& vary) { return vary.key == "model.urdf" || vary.key == "model"; });
  std::vector<std::string> leftOut;
  if (!variesUrdf) document_ = modelDocument(plan_.text, plan_.source, plan_.overrides, OtherFiles::read, leftOut);
  tryMembers();
}

void Sweep::makeDimensions() {
  std::map<std::string, std::size_t> files;
  std::set<std::string> keys;
  for (const Vary& vary : plan_.vary) {
    if (!keys.insert(vary.key).second)
      throw InputError(fmt::format("--vary {} is there twice; leave one out", vary.key));
    for (const Parameter& parameter : vary.parameters) {
      parameters_.push_back(parameter);
      if (parameter.together.empty()) {
        dimensionOf_.push_back(dimensions_++);
      } else {
        const auto [found, isNew] = files.try_emplace(parameter.together, dimensions_);
        if (isNew) ++dimensions_;
        dimensionOf_.push_back(found->second);
      }
    }
  }
}

void Sweep::makeSampling() {
  if (!plan_.samples) {
    if (plan_.sampling != SamplingKind::grid)
      throw InputError(
          fmt::format("--sampling {} needs a number of members; give --samples N", wordOf(plan_.sampling)));
    if (plan_.indices) throw InputError("--indices needs points all over the ranges; give --samples N");
    std::vector<std::int64_t> counts(dimensions_);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const Parameter& parameter = parameters_[i];
      if (parameter.kind != Parameter::Kind::levels)
        throw InputError(fmt::format(
            "--vary {}: a grid needs a number of values; write LOW:HIGH:COUNT, or give --samples N", parameter.name));
      counts[dimensionOf_[i]] = static_cast<std::int64_t>(parameter.levels.size());
    }
    sampling_ = Sampling::grid(std::move(counts));
    size_ = sampling_->size();
    return;
  }
  if (plan_.sampling == SamplingKind::grid)
    throw InputError("--samples takes members out of ranges, and a grid has all of them; leave one of both out");
  if (*plan_.samples < 1) throw InputError(fmt::format("--samples is {}; give a positive number", *plan_.samples));
  const std::int64_t perSample = plan_.indices ? static_cast<std::int64_t>(dimensions_) + 2 : 1;
  const double size = static_cast<double>(*plan_.samples) * static_cast<double>(perSample);
  if (size > mostMembers)
    throw InputError(fmt::format("--samples {} makes {:.3g} members, and there may be {:g}; take fewer", *plan_.samples,
                                 size, mostMembers));
  sampling_.emplace(plan_.sampling, *plan_.samples, plan_.indices ? 2 * dimensions_ : dimensions_, plan_.seed);
  size_ = *plan_.samples * perSample;
}

double Sweep::share(std::int64_t member, std::size_t parameter) const {
  const std::size_t dimension = dimensionOf_[parameter];
  if (!plan_.indices) return sampling_->share(member, dimension);
  // A, B, and A with one dimension of B
  const auto perSample = static_cast<std::int64_t>(dimensions_) + 2;
  const std::int64_t kind = member % perSample;
  const bool isOfB = kind == 1 || kind == static_cast<std::int64_t>(dimension) + 2;
  return sampling_->share(member / perSample, isOfB ? dimensions_ + dimension : dimension);
}

std::vector<double> Sweep::numbers(std::int64_t member) const {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < parameters_.size(); ++i) numbers.push_back(parameters_[i].number(share(member, i)));
  return numbers;
}

std::vector<std::string> Sweep::overrides(std::int64_t member) const {
  std::vector<std::string> texts = plan_.overrides;
  for (std::string& text : varied(member)) texts.push_back(std::move(text));
  return texts;
}

std::vector<std::string> Sweep::varied(std::int64_t member, const std::optional<Elsewhere>& elsewhere) const {
  std::vector<std::string> texts;
  std::size_t parameter = 0;
  for (const Vary& vary : plan_.vary) {
    std::string text = vary.key + "=" + vary.pieces[0];
    for (std::size_t i = 0; i < vary.parameters.size(); ++i, ++parameter)
      text += (elsewhere && elsewhere->parameter == parameter ? fmt::format("{}", elsewhere->value)
                                                              : parameters_[parameter].text(share(member, parameter))) +
              vary.pieces[i + 1];
    texts.push_back(std::move(text));
  }
  return texts;
}

Member Sweep::load(std::int64_t member) const {
  return loadAt(member, std::nullopt);
}

ModelFile Sweep::file(std::int64_t member) const {
  return readModelText(plan_.text, plan_.source, overrides(member));
}

Member Sweep::loadAt(std::int64_t member, const std::optional<Elsewhere>& elsewhere) const {
  ModelFile file;
  const std::vector<std::string> own = varied(member, elsewhere);
  if (document_) {
    Value document = *document_;
    for (const std::string& text : own) applyOverride(document, text);
    file = readModelDocument(document, plan_.source, OtherFiles::read);
  } else {
    std::vector<std::string> all = plan_.overrides;
    all.insert(all.end(), own.begin(), own.end());
    file = readModelText(plan_.text, plan_.source, all);
  }
  file.simulation.threads = 1;  // members are shared, not their steps
  return {member, std::move(file.model), std::move(file.simulation)};
}

/// A key that is wrong is wrong in all members; a value that is impossible is so in some.
void Sweep::tryMembers() {
  std::optional<InputError> first;
  const std::int64_t tries = std::min(size_, mostTries);
  for (std::int64_t k = 0; k < tries; ++k) {
    std::optional<Member> member;
    try {
      member = load(memberToTry(k, size_));
      requireFit(member->model, member->settings);
    } catch (const InputError& error) {
      if (!first) first = error;
      continue;
    }
    return want(*member);
  }
  throw *first;
}

void Sweep::want(const Member& member) {
  modelName_ = member.model.name;
  const std::unique_ptr<Engine> engine = makeEngine(member.model, member.settings);
  const Stepper& stepper = engine->stepper();
  const Observation sample = engine->observe(stepper.time(), stepper.state());
  wanted_.emplace(Wanted{MeasureSet(plan_.measures, sample), plan_.every});
  if (plan_.every) {
    if (!(std::isfinite(*plan_.every) && *plan_.every > 0.0))
      throw InputError(fmt::format("--every is {}; give a positive number", *plan_.every));
    const double rows = std::floor(member.settings.end / *plan_.every * (1.0 + 1e-12)) + 1.0;
    std::vector<std::string> names{"time"};
    for (const Observable& each : observables(sample)) names.push_back(each.name);
    for (const std::size_t column : chosenColumns(plan_.columns, names))
      if (column > 0) wanted_->columns.push_back(names[column]);
    const double numbers = rows * static_cast<double>(wanted_->columns.size());
    if (numbers * static_cast<double>(size_) > Recorder::mostRows)
      throw InputError(
          fmt::format("trajectories of {:g} rows, {} columns and {} members are more than {:g} numbers; take "
                      "fewer rows with --every, or fewer columns with --columns",
                      rows, wanted_->columns.size(), size_, Recorder::mostRows));
    wanted_->rows = static_cast<std::size_t>(rows);
  }
  if (plan_.gradient) requireGradient(member.settings);
  wanted_->onGpu = plan_.onGpu;
  wanted_->typical = std::make_shared<const Member>(member);
  if (plan_.laneWidth) wanted_->laneWidth = *plan_.laneWidth;
  for (const MoverType* type : moverTypes())
    if (!mover_ && type->obstacle(member, *wanted_).empty()) mover_ = type;
  if (plan_.onGpu && mover_ != &onGpu)
    throw InputError(fmt::format("the GPU cannot take this sweep: {}; without --device gpu it goes {}",
                                 onGpu.obstacle(member, *wanted_), mover_->name));
}

std::vector<std::string> Sweep::dimensionNames() const {
  std::vector<std::string> names(dimensions_);
  for (std::size_t i = parameters_.size(); i-- > 0;) names[dimensionOf_[i]] = parameters_[i].name;
  return names;
}

void Sweep::requireGradient(const SimulationSettings& settings) const {
  for (std::size_t k = 0; k < plan_.measures.size(); ++k)
    if (!wanted_->measures.isSmooth(k))
      throw InputError(
          fmt::format("--gradient is of what changes smoothly with what varies, and {} counts or is told of a run as a "
                      "whole; leave it out, or measure a quantity such as top.position.z:max",
                      quoted(plan_.measures[k])));
  if (!settings.stopWhen.empty())
    throw InputError(
        fmt::format("--gradient is of runs of one length, and these stop when {}; leave out "
                    "--stop-when and measure {}:time",
                    quoted(settings.stopWhen), settings.stopWhen));
  for (const Parameter& parameter : parameters_)
    if (parameter.areWords)
      throw InputError(fmt::format("--gradient is by numbers, and {} varies by words", quoted(parameter.name)));
  for (const Parameter& parameter : parameters_)
    if (parameter.name.starts_with("simulation."))
      throw InputError(fmt::format("--gradient is by what the model says, and {} is a setting of its simulation",
                                   quoted(parameter.name)));
}

std::vector<double> Sweep::gradient(const Member& member) const {
  try {
    std::vector<VariedModels> varied;
    const std::vector<double> values = numbers(member.number);
    for (std::size_t p = 0; p < values.size(); ++p) {
      VariedModels& own = varied.emplace_back();
      own.step = VariedModels::usualStep(values[p]);
      for (const int offset : VariedModels::offsets)
        own.models.push_back(loadAt(member.number, Elsewhere{p, values[p] + offset * own.step}).model);
    }
    const MatrixX derivatives = measureGradient(member, wanted_->measures, varied).transpose();
    return {derivatives.data(), derivatives.data() + derivatives.size()};
  } catch (const InputError&) {
  } catch (const SimulationError&) {
  }
  return std::vector<double>(plan_.measures.size() * parameters_.size(), std::numeric_limits<double>::quiet_NaN());
}

SweepLayout Sweep::layout() const {
  SweepLayout layout{size_, {}};
  for (const Parameter& parameter : parameters_)
    layout.columns.push_back({"parameters/" + parameter.name, 1, parameter.areWords ? joined(parameter.levels) : ""});
  for (const std::string& measure : plan_.measures) layout.columns.push_back({"measures/" + measure, 1, ""});
  for (const std::string& measure : plan_.measures)
    if (plan_.gradient) layout.columns.push_back({"gradients/" + measure, parameters_.size(), ""});
  for (const std::string& column : wanted_->columns)
    layout.columns.push_back({"trajectories/" + column, wanted_->rows, ""});
  return layout;
}

}  // namespace polhode::ensemble
