#include "control/held.h"
#include "integrate/catalogue.h"
#include "io/examples.h"
#include "io/run_attributes.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "server/session.h"

#include <algorithm>

#include <fmt/format.h>

/// What pages ask a session for (command.h).
namespace polhode::live {

namespace {

constexpr double usualStep = 1e-3;  // where the integrator chooses its own

}  // namespace

void Session::handle(const Play&) {
  if (!simulation_ || !failure_.empty()) return;
  playing_ = true;
  restartClock();
  holdOn();
}

void Session::handle(const Pause&) {
  playing_ = false;
}

void Session::handle(const StepOnce&) {
  if (!simulation_) return;
  if (past_.isLookedAt()) return lookBack(past_.lookBy(1));
  if (!failure_.empty()) return;
  playing_ = false;
  holdOn();
  stepOnce();
  shown_ = simulation_->reached();
}

void Session::handle(const StepBack&) {
  if (simulation_) lookBack(past_.lookBy(-1));
}

/// Between the ends of steps where the integrator is as accurate there.
void Session::handle(const Seek& seek) {
  if (!simulation_) return;
  lookBack(past_.lookAt(seek.time));
  if (simulation_->capabilities().denseOutput) shown_ = std::clamp(seek.time, simulation_->previous(), shown_);
}

void Session::handle(const Reset&) {
  if (!simulation_) return;
  letAllGo();
  stopRecording("the simulation went back to its beginning");
  simulation_->reset(simulation_->settings());
  std::vector<Edition::Before> earlier = edition_->earlier;
  std::erase_if(earlier, [](const auto& each) { return !std::holds_alternative<Edition::Overrides>(each); });
  nextEdition(std::move(earlier));
  past_.clear();
  restartClock();
  beginJournal();
}

void Session::handle(const ChooseSpeed& choice) {
  speed_ = choice.factor;
  if (simulation_) pacer_.restart(clock_(), shown_);
}

void Session::handle(const ChooseIntegrator& choice) {
  if (!simulation_) return;
  SimulationSettings settings = simulation_->settings();
  settings.integrator = choice.name;
  goOnWith(settings);
}

void Session::handle(const ChooseStep& choice) {
  if (!simulation_) return;
  SimulationSettings settings = simulation_->settings();
  settings.step = choice.seconds > 0.0 ? std::optional(std::max(choice.seconds, 1e-6)) : std::nullopt;
  goOnWith(settings);
}

void Session::handle(const ChooseTolerance& choice) {
  if (!simulation_) return;
  SimulationSettings settings = simulation_->settings();
  settings.tolerance = choice.tolerance;
  goOnWith(settings);
}

void Session::handle(const ChooseExample& choice) {
  const Example* example = findExample(choice.name);
  if (!example) throw InputError(fmt::format("there is no example {}", quoted(choice.name)));
  const ModelFile file = readModelText(example->text, example->name + ".toml");
  begin({example->name, file});
  chosen_ = "example " + example->name;
  playing_ = true;
}

void Session::handle(const ChooseOwn& choice) {
  const auto found =
      std::find_if(opened_.begin(), opened_.end(), [&](const Opened& each) { return each.number == choice.number; });
  if (found == opened_.end()) throw InputError("this is not open any more; open its file again");
  const Opened opened = *found;
  if (opened.run) {
    showRun(opened.run);
  } else {
    begin(*opened.scenario);
    playing_ = true;
  }
  chosen_ = fmt::format("own {}", choice.number);
}

/// Of the members that were looked at the last one stays in the list of what is open.
void Session::handle(const ChooseMember& choice) {
  if (!options_.members) throw InputError("no sweep is open here; open one with `polhode live FILE.h5`");
  Scenario scenario = options_.members->member(static_cast<std::int64_t>(choice.number));
  begin(scenario);
  std::erase_if(opened_, [this](const Opened& each) { return each.number == openedMember_; });
  keepOpened({0, fmt::format("{}, member {}", scenario.file.model.name, choice.number), std::move(scenario), nullptr});
  openedMember_ = opened_.back().number;
  playing_ = true;
}

void Session::handle(const Grab& grab) {
  if (!simulation_) return;
  requireBody(grab.body);
  letGo();
  held_ = grab;
  if (playing_) holdOn();
}

void Session::handle(const Turn& turn) {
  if (!simulation_) return;
  requireBody(turn.body);
  letGo();
  const Observation now = simulation_->observe(playing_ ? simulation_->reached() : instant(), Detail::motion);
  const Quaternion& from = now.bodies[turn.body].orientation;
  heldOrientation(simulation_->mechanism(), turn.body, from);  // throws where nothing turns it
  held_ = Turned{turn, from};
  if (playing_) holdOn();
}

void Session::requireBody(std::size_t body) const {
  if (body >= simulation_->model().bodies.size()) throw InputError("there is no such body to be pulled");
}

/// Goes on with an integrator that knows a hand.
void Session::becomePullable() {
  SimulationSettings settings = simulation_->settings();
  const std::string before = std::exchange(settings.integrator, "director-em");
  settings.projection = "none";
  settings.formulation = SimulationSettings().formulation;
  settings.baumgarte.reset();
  if (findIntegrator(before).adaptive || !settings.step) settings.step = usualStep;
  goOnWith(settings);
  if (!simulation_->isPullable())
    throw InputError(fmt::format("the bodies of this model cannot be pulled with '{}'", before));
  notice(
      fmt::format("{} cannot be pulled; {} goes on with steps of {:g} s", before, settings.integrator, *settings.step));
}

/// The same coordinate is led on, another one taken hold of.
void Session::handle(const Lead& lead) {
  if (!simulation_) return;
  Lead* led = std::get_if<Lead>(&held_);
  if (led && led->joint == lead.joint && led->coordinate == lead.coordinate) {
    led->target = lead.target;
  } else {
    finishPose();
    letGo();
    heldCoordinate(simulation_->mechanism(), lead.joint, lead.coordinate);  // throws where there is none
    held_ = lead;
  }
  if (!playing_)
    poseIsDue_ = true;
  else if (hand_)
    hand_->push(simulation_->reached(), {lead.target, 0.0, 0.0});
  else
    holdOn();
}

void Session::handle(const Wish& wish) {
  if (!simulation_) return;
  simulation_->takeOver(wish.actuator, wish.target, false);
  if (wish.target)
    wishes_[wish.actuator] = *wish.target;
  else
    wishes_.erase(wish.actuator);
}

void Session::handle(const Strengthen& strengthen) {
  if (!simulation_) return;
  const bool isAnotherWay = simulation_->leadForce(strengthen.force, strengthen.factor, instant());
  if (strengthen.factor)
    factors_[strengthen.force] = *strengthen.factor;
  else
    factors_.erase(strengthen.force);
  if (isAnotherWay) wentAnotherWay();
}

void Session::handle(const Drag& drag) {
  if (Grab* grab = std::get_if<Grab>(&held_))
    grab->target = drag.target;
  else if (Turned* turned = std::get_if<Turned>(&held_))
    turned->target = drag.target;
  else
    return;
  if (!playing_)
    poseIsDue_ = true;
  else if (hand_)
    hand_->push(simulation_->reached(), drag.target);
}

void Session::handle(const Release&) {
  letGo();
}

void Session::handle(const ChooseLaw& choice) {
  const HandLaw chosen{choice.method, choice.timeConstant, choice.largestForce};
  lawsOf(chosen, Vector3::Ones(), 1.0, 0.0);  // throws for a method that is unknown
  law_ = chosen;
  if (hand_) holdAgain();
}

void Session::handle(const Record& choice) {
  if (!choice.on) return stopRecording();
  if (!simulation_ || recordings_.isOn()) return;
  recordings_.begin(scenario_.source, runAttributes(scenario_.file, simulation_->settings().integrator),
                    simulation_->model(), simulation_->observe(shown_));
}

void Session::handle(const NameRecording& named) {
  recordings_.rename(named.number, named.name);
}

void Session::handle(const Watch& watch) {
  if (!simulation_) return;
  watched_.choose(watch.parts, simulation_->model(), simulation_->observe(shown_, Detail::forces), document_);
  statusIsNew_ = true;
}

void Session::handle(const ChangeSetting& change) {
  if (!simulation_) return;
  const Edition::Overrides& now = scenario_.file.overrides;
  const std::vector<Setting> settings = settingsOf(change.part, simulation_->model(), document_);
  std::vector<Edition::Before> earlier = edition_->earlier;
  earlier.emplace_back(now);
  changeModel(overridesWith(now, settings, change.key, change.value), std::move(earlier));
}

void Session::handle(const Undo&) {
  if (!simulation_ || edition_->earlier.empty()) return;
  std::vector<Edition::Before> earlier = edition_->earlier;
  const Edition::Before last = std::move(earlier.back());
  earlier.pop_back();
  if (const auto* overrides = std::get_if<Edition::Overrides>(&last)) {
    changeModel(*overrides, std::move(earlier));
  } else {
    nextEdition(std::move(earlier));
    undoPose(*std::get<std::shared_ptr<const Moment>>(last));
  }
}

/// The same model file with other values. The motion goes on from where it is, unless it begins otherwise now. Throws InputError
/// where the values do not fit the model or the integrator cannot go on; everything is as it was then.
void Session::changeModel(const Edition::Overrides& overrides, std::vector<Edition::Before> earlier) {
  ModelFile next = readModelText(scenario_.file.text, scenario_.source, overrides);
  next.simulation = scenario_.file.simulation;
  const std::string before = scene(true);
  const bool goesOn = shown_ != 0.0 && beginsAlike(next.model, simulation_->model());
  const SimulationSettings settings = simulation_->settings();
  if (goesOn)
    simulation_->goOnFrom(instant(), settings, &next.model);
  else
    simulation_->reset(settings, &next.model);
  hand_ = nullptr;  // it has gone with what was simulated before
  if (past_.isLookedAt()) {
    tellWhatIsDiscarded();
    past_.forgetLater();
  }
  stopRecording("the model was changed");
  if (!goesOn) past_.clear();
  scenario_.file = std::move(next);
  document_ = documentOf(scenario_.file, scenario_.source);
  nextEdition(std::move(earlier));
  tellScene(before);
  restartClock();
  beginJournal();
  if (!goesOn) letAllGo();
  leadOn();
  holdAgain();
  watched_.choose(watched_.parts(), simulation_->model(), simulation_->observe(shown_, Detail::forces), document_);
}

void Session::handle(const Replay& choice) {
  const std::shared_ptr<const KeptRecording> kept = recordings_.at(choice.number);
  show(makeFinishedRun(kept->name, {kept, &kept->recording}, kept->model));
}

}  // namespace polhode::live
