#include "server/session.h"

#include "analysis/engine_registry.h"
#include "control/held.h"
#include "io/examples.h"
#include "io/json.h"
#include "io/run_attributes.h"
#include "math/euler_map.h"
#include "polhode/error.h"
#include "server/scene.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

namespace polhode::live {

namespace {

constexpr double longestTurn = 0.02;  // seconds of the clock between two looks at the commands
constexpr std::size_t mostOpened = 12;

News::Text shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

/// What went wrong, for people. What nobody thought of has a text too; a memory that is full has none that they understand.
std::string sentenceOf(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error))
    return "the memory of this machine is full; choose something smaller";
  if (dynamic_cast<const std::runtime_error*>(&error)) return error.what();
  return fmt::format("an internal error: {}", error.what());
}

}  // namespace

Session::Session(SessionOptions options, Clock clock)
    : options_(std::move(options)),
      clock_(std::move(clock)),
      pacer_(clock_()),
      recordings_(options_.recordEvery),
      journal_(options_.out, options_.recordEvery) {}

Session::Session(Scenario scenario, SessionOptions options, Clock clock)
    : Session(std::move(options), std::move(clock)) {
  const bool isExample = findExample(scenario.source) && scenario.file.overrides.empty();
  chosen_ = "example " + scenario.source;
  if (!isExample) keepOpened({0, scenario.file.model.name, scenario, nullptr});
  begin(std::move(scenario));
  playing_ = options_.playing;
}

Session::Session(std::shared_ptr<const FinishedRun> run, SessionOptions options, Clock clock)
    : Session(std::move(options), std::move(clock)) {
  show(std::move(run));
}

void Session::obey(const Command& command) {
  try {
    if (!std::holds_alternative<Drag>(command) && !std::holds_alternative<Lead>(command)) finishPose();
    std::visit([this](const auto& c) { handle(c); }, command);
  } catch (const std::exception& error) {
    notice(sentenceOf(error));
  }
  statusIsNew_ = true;
}

void Session::show(std::shared_ptr<const FinishedRun> run) {
  keepOpened({0, "Run: " + run->name, std::nullopt, run});
  showRun(std::move(run));
}

/// The oldest run makes room; a model is small, and stays.
void Session::keepOpened(Opened opened) {
  const auto isRun = [](const Opened& each) { return each.run != nullptr; };
  if (opened_.size() >= mostOpened)
    if (const auto oldest = std::find_if(opened_.begin(), opened_.end(), isRun); oldest != opened_.end())
      opened_.erase(oldest);
  opened.number = openings_++;
  chosen_ = fmt::format("own {}", opened.number);
  opened_.push_back(std::move(opened));
}

void Session::showRun(std::shared_ptr<const FinishedRun> run) {
  letGo();
  stopRecording("another run was opened");
  try {
    journal_.finish();
  } catch (const std::exception& error) {
    notice(sentenceOf(error));
  }
  simulation_.reset();
  playing_ = false;
  news_.scene = shared(run->scene);
  news_.run = std::move(run);
  statusIsNew_ = true;
}

void Session::begin(Scenario scenario) {
  LiveSimulation next(scenario.file.model, scenario.file.simulation);  // throws before anything has changed
  letGo();
  stopRecording("another model was chosen");
  simulation_ = std::move(next);
  scenario_ = std::move(scenario);
  document_ = documentOf(scenario_.file, scenario_.source);
  overridesAtBeginning_ = scenario_.file.overrides;
  edition_.reset();
  nextEdition({});
  wishes_.clear();
  factors_.clear();
  law_ = lawFor(simulation_->model());
  watched_.clear();
  stopwatch_ = {};
  past_.clear();
  news_.run.reset();
  news_.scene = shared(scene(false));
  restartClock();
  beginJournal();
}

std::string Session::scene(bool isChanged) const {
  const Model& model = simulation_->model();
  return sceneJson(
      {"live", scenario_.source, &model, fittingIntegrators(model, simulation_->settings(), Loads::wanted), isChanged});
}

void Session::beginJournal() {
  journal_.begin(simulation_->observe(shown_), runAttributes(scenario_.file, simulation_->settings().integrator));
}

void Session::advance() {
  if (!simulation_) return;
  const double now = clock_();
  try {
    pose();
  } catch (const std::exception& error) {
    notice(sentenceOf(error));
  }
  if (playing_) {
    const double due = pacer_.due(now, simulation_->reached(), speed_);
    while (playing_ && simulation_->reached() < due && clock_() < now + longestTurn) stepOnce();
    shown_ = std::max(shown_, std::min(due, simulation_->reached()));
  }
  stopwatch_.look({clock_(), shown_, threadProcessorTime()}, playing_);
}

void Session::stepOnce() {
  try {
    leavePast();
    const double start = clock_();
    simulation_->step();
    lookAtPull();
    const double end = clock_();
    stopwatch_.step(end, end - start);
    record();
    past_.keep(*simulation_, momentsApart(), edition_);
  } catch (const std::exception& error) {
    fail(error);
  }
}

void Session::fail(const std::exception& error) {
  playing_ = false;
  const std::string sentence = sentenceOf(error);
  statusIsNew_ = statusIsNew_ || sentence != failure_;
  failure_ = sentence;
}

/// Also where something is held already: anew, by the present law and with the present steps.
void Session::takeHold(const Grab& grab) {
  if (hand_) simulation_->release(*hand_);
  hand_ = &simulation_->grab(grab.body, grab.point, law_);
  hand_->push(simulation_->reached(), grab.target);
  held_ = grab;
}

void Session::takeHold(const Turned& turned) {
  if (hand_) simulation_->release(*hand_);
  hand_ = nullptr;
  hand_ = &simulation_->grabOrientation(turned.turn.body, turned.from, law_);
  hand_->push(simulation_->reached(), turned.target);
  held_ = turned;
}

void Session::takeHold(const Lead& lead) {
  if (hand_) simulation_->release(*hand_);
  hand_ = nullptr;
  hand_ = &simulation_->grabCoordinate(lead.joint, lead.coordinate, law_);
  hand_->push(simulation_->reached(), {lead.target, 0.0, 0.0});
  held_ = lead;
}

/// What was held is held again, where it can be.
void Session::holdAgain() {
  if (!simulation_->isPullable()) return letGo();
  const auto held = held_;
  std::visit([this](const auto& each) { takeHold(each); }, held);
}

void Session::letGo() {
  if (hand_) simulation_->release(*hand_);
  hand_ = nullptr;
  held_ = {};
  pulled_.reset();
  poseIsDue_ = false;
}

/// As of letGo, and the model's own signals lead what somebody has led.
void Session::letAllGo() {
  letGo();
  wishes_.clear();
  factors_.clear();
  simulation_->letForcesGo();
}

/// What was taken while time stood still is held on now that it goes.
void Session::holdOn() {
  if (hand_ || std::holds_alternative<std::monostate>(held_)) return;
  if (simulation_->isPullable())
    holdAgain();
  else
    becomePullable();
}

/// While time stands still the bodies go where the hand wants them (LiveSimulation::pose). A pull from the first such step until it is
/// let go is one change, which can be undone.
void Session::pose() {
  if (!std::exchange(poseIsDue_, false)) return;
  try {
    std::optional<Moment> before;
    if (!isPosing_ && past_.why().empty()) before = simulation_->moment();
    const Mechanism& mechanism = simulation_->mechanism();
    const double time = instant();
    pulled_.reset();
    if (const Grab* grab = std::get_if<Grab>(&held_)) {
      simulation_->pose(time, heldPoint(mechanism, grab->body, grab->point), grab->target);
      pulled_ = Pulled{.body = grab->body};
    } else if (const Turned* turned = std::get_if<Turned>(&held_)) {
      simulation_->pose(time, heldOrientation(mechanism, turned->turn.body, turned->from), turned->target);
      pulled_ = Pulled{.body = turned->turn.body};
    } else if (const Lead* lead = std::get_if<Lead>(&held_)) {
      simulation_->pose(time, heldCoordinate(mechanism, lead->joint, lead->coordinate), {lead->target, 0.0, 0.0});
    }
    hand_ = nullptr;  // it has gone with what was simulated before
    leadOn();
    leavePast();
    shown_ = simulation_->reached();
    failure_.clear();
    if (std::exchange(isPosing_, true)) return;
    if (before) {
      std::vector<Edition::Before> earlier = edition_->earlier;
      earlier.push_back(std::make_shared<const Moment>(std::move(*before)));
      nextEdition(std::move(earlier));
    }
    stopRecording("the bodies were posed");
    statusIsNew_ = true;
  } catch (const std::exception&) {
    letGo();
    throw;
  }
}

void Session::finishPose() {
  pose();
  if (!std::exchange(isPosing_, false)) return;
  restartClock();
  beginJournal();
}

/// Actuators that were led by somebody are so in what is simulated now.
void Session::leadOn() {
  for (const auto& [actuator, wish] : wishes_) simulation_->takeOver(actuator, wish, true);
}

/// What the hand has pulled a body with in the last step.
void Session::lookAtPull() {
  if (!hand_) return;
  if (const Grab* grab = std::get_if<Grab>(&held_))
    pulled_ = Pulled{.body = grab->body, .force = hand_->pull.force};
  else if (const Turned* turned = std::get_if<Turned>(&held_))
    pulled_ = Pulled{.body = turned->turn.body, .torque = hand_->pull.torque};
}

/// Where the point is that the hand holds, and where it is to go.
void Session::placePull(const Observation& seen) {
  const Body& body = seen.bodies[pulled_->body];
  const auto pointOf = [&](const Vector3& inBody, const Quaternion& orientation) -> Vector3 {
    return body.position + rotationMatrix(orientation) * inBody;
  };
  if (const Grab* grab = std::get_if<Grab>(&held_)) {
    pulled_->point = pointOf(grab->point, body.orientation);
    pulled_->target = grab->target;
  } else if (const Turned* turned = std::get_if<Turned>(&held_)) {
    pulled_->point = pointOf(turned->turn.point, body.orientation);
    pulled_->target = pointOf(turned->turn.point, Rotation::moved(turned->from, turned->target));
  }
}

void Session::record() {
  for (Recorder* recorder : {&recordings_.recorder(), &journal_.recorder()})
    while (recorder->isOn() && recorder->nextTime() <= simulation_->reached()) {
      recorder->keep(simulation_->observe(recorder->nextTime()), pulled_);
      if (recordings_.isFull()) stopRecording("it is as long as recordings may be");
    }
  if (std::string why = journal_.takeFailure(); !why.empty()) notice(std::move(why));
}

/// `why` is told where nobody asked for it.
void Session::stopRecording(const std::string& why) {
  statusIsNew_ = statusIsNew_ || recordings_.isOn();
  for (std::string& sentence : recordings_.stop(why)) notice(std::move(sentence));
}

News Session::takeNews() {
  News news;
  news.run = news_.run;
  news.recordings = recordings_.all();
  news.scene = std::exchange(news_.scene, nullptr);
  news.notices = std::exchange(news_.notices, {});
  if (simulation_) news.frame = frame();
  if (std::exchange(statusIsNew_, false) || news.scene) news.status = shared(statusJson());
  return news;
}

/// What pages are to draw; nothing where the state cannot be told, which is a failure like any other.
News::Text Session::frame() {
  try {
    const bool needsForces = !scenario_.file.model.sensors.empty() || !watched_.empty();
    const Detail detail = needsForces ? Detail::forces : Detail::motion;
    const Observation seen = simulation_->observe(shown_, detail);
    if (pulled_) placePull(seen);
    std::string bytes = packFrame(sequence_++, seen, stopwatch_.timing(clock_()), pulled_);
    if (!watched_.empty())
      watched_.append(seen, simulation_->isPullable() ? simulation_->hands() : Hands{}, factors_, bytes);
    return shared(std::move(bytes));
  } catch (const std::exception& error) {
    fail(error);
    return nullptr;
  }
}

void Session::finish() {
  letGo();
  stopRecording();
  journal_.finish();
}

std::string Session::statusJson() const {
  JsonWriter json;
  json.beginObject().field("type", "status").field("playing", playing_).field("speed", speed_);
  if (simulation_) {
    json.key("past").beginObject().field("from", past_.from()).field("to", past_.to());
    json.field("isLookedAt", past_.isLookedAt()).field("why", past_.why()).endObject();
    const SimulationSettings& s = simulation_->settings();
    json.field("integrator", s.integrator).field("tolerance", s.tolerance).key("step");
    s.step ? json.value(*s.step) : json.null();
  }
  json.field("pullable", simulation_ && simulation_->isPullable()).field("failure", failure_);
  json.field("law", law_.method).field("timeConstant", law_.timeConstant).field("largestForce", law_.largestForce);
  if (const Lead* lead = std::get_if<Lead>(&held_)) {
    json.key("lead").beginObject().field("joint", static_cast<std::uint64_t>(lead->joint));
    json.field("coordinate", static_cast<std::uint64_t>(lead->coordinate)).field("target", lead->target).endObject();
  }
  json.key("wishes").beginArray();
  for (const auto& [actuator, wish] : wishes_)
    json.beginObject()
        .field("actuator", static_cast<std::uint64_t>(actuator))
        .field("target", VectorX(wish))
        .endObject();
  json.endArray().key("strengths").beginArray();
  for (const auto& [force, factor] : factors_)
    json.beginObject().field("force", static_cast<std::uint64_t>(force)).field("factor", factor).endObject();
  json.endArray();
  json.field("chosen", chosen_).key("own").beginArray();
  for (const Opened& each : opened_)
    json.beginObject().field("number", static_cast<std::uint64_t>(each.number)).field("title", each.title).endObject();
  json.endArray().field("recording", recordings_.isOn()).key("recordings");
  recordings_.write(json);
  watched_.write(json);
  json.key("changes").beginArray();  // the last one can be undone
  std::uint64_t poses = 0;
  if (simulation_) {
    for (const Edition::Before& each : edition_->earlier) poses += !std::holds_alternative<Edition::Overrides>(each);
    const Edition::Overrides& first = overridesAtBeginning_;
    for (const std::string& each : scenario_.file.overrides)
      if (std::find(first.begin(), first.end(), each) == first.end()) json.value(each);
  }
  json.endArray().field("poses", poses).field("undoable", simulation_ && !edition_->earlier.empty());
  json.endObject();
  return json.text();
}

}  // namespace polhode::live
