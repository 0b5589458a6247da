#include "polhode/error.h"
#include "server/session.h"

#include <fmt/format.h>

/// How a session goes back in time and on in another way, with the edition of the model that belongs to it (kept_past.h).
namespace polhode::live {

namespace {

constexpr std::size_t mostUndone = 100;  // changes, one after the other

}  // namespace

/// After a jump of the simulated time, or another way to simulate.
void Session::restartClock() {
  shown_ = simulation_->reached();
  failure_.clear();
  pacer_.restart(clock_(), shown_);
  stopwatch_.restart();
  record();
  if (!past_.isLookedAt()) past_.keep(*simulation_, momentsApart(), edition_);
}

/// About one for each picture.
double Session::momentsApart() const {
  return speed_ / 60.0;
}

/// What is seen, where a motion can go on from there.
double Session::instant() const {
  return simulation_->capabilities().denseOutput ? shown_ : simulation_->reached();
}

/// Is at a moment of the past, where it waits. Nothing is lost until it goes on from there.
void Session::lookBack(const Moment& moment) {
  letAllGo();
  playing_ = false;
  const std::shared_ptr<const Edition> then = moment.edition;
  if (then == edition_) {
    simulation_->goBackTo(moment);
  } else {
    const std::string before = scene(true);
    simulation_->goBackTo(moment, &then->file->model);
    returnTo(*then);
    edition_ = then;
    tellScene(before);
  }
  restartClock();
}

/// The model file is as it was then.
void Session::returnTo(const Edition& edition) {
  scenario_.file = *edition.file;
  document_ = documentOf(scenario_.file, scenario_.source);
  watched_.choose(watched_.parts(), simulation_->model(), simulation_->observe(simulation_->reached(), Detail::forces),
                  document_);
  statusIsNew_ = true;
}

/// From now on the model is the scenario's, and these changes can be undone.
void Session::nextEdition(std::vector<Edition::Before> earlier) {
  if (earlier.size() > mostUndone) earlier.erase(earlier.begin());
  const bool isSame =
      edition_ && edition_->file->text == scenario_.file.text && edition_->file->overrides == scenario_.file.overrides;
  auto file = isSame ? edition_->file : std::make_shared<const ModelFile>(scenario_.file);
  edition_ = std::make_shared<const Edition>(Edition{std::move(file), std::move(earlier)});
}

/// Where pages draw something else now than with the scene before.
void Session::tellScene(const std::string& before) {
  if (std::string now = scene(true); now != before) news_.scene = std::make_shared<const std::string>(std::move(now));
}

/// What came after the moment that is looked at is no more.
void Session::leavePast() {
  if (!past_.isLookedAt()) return;
  tellWhatIsDiscarded();
  past_.forgetLater();
  stopRecording("the simulation went back in time");
  beginJournal();
  statusIsNew_ = true;
}

void Session::tellWhatIsDiscarded() {
  notice(
      fmt::format("goes on from t = {:.6g} s; what came after, up to t = {:.6g} s, is discarded", shown_, past_.to()));
}

void Session::goOnWith(const SimulationSettings& settings) {
  if (shown_ == 0.0)
    simulation_->reset(settings);
  else
    simulation_->goOnFrom(instant(), settings);
  wentAnotherWay();
}

void Session::wentAnotherWay() {
  hand_ = nullptr;  // it has gone with what was simulated before
  leadOn();
  stopwatch_ = {};
  leavePast();
  restartClock();
  holdAgain();
}

void Session::undoPose(const Moment& before) {
  letAllGo();
  playing_ = false;
  simulation_->goBackTo(before);
  shown_ = simulation_->reached();
  if (past_.to() > shown_) tellWhatIsDiscarded();
  stopRecording("a pose was undone");
  if (past_.isLookedAt()) past_.lookAt(past_.to());  // where it stands again is kept as the last moment
  restartClock();
  beginJournal();
}

}  // namespace polhode::live
