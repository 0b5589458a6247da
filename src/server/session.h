#pragma once

#include "control/hand_rack.h"
#include "polhode/io/model_file.h"
#include "server/command.h"
#include "server/finished_run.h"
#include "server/journal.h"
#include "server/kept_past.h"
#include "server/kept_recordings.h"
#include "server/live_simulation.h"
#include "server/stopwatch.h"

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polhode::live {

/// What is simulated.
struct Scenario {
  std::string source;  // the name of the file or example
  ModelFile file;
};

/// Something that was opened here, a model of somebody's own or a finished run, so that it can be chosen again, by a number
/// that stays its own.
struct Opened {
  std::size_t number = 0;
  std::string title;
  std::optional<Scenario> scenario;  // or
  std::shared_ptr<const FinishedRun> run;
};

/// The members of a sweep: a page with all of them, and what is simulated of each. Threads may ask at once.
class SweepMembers {
 public:
  virtual ~SweepMembers() = default;
  virtual std::string page() const = 0;                    // HTML
  virtual Scenario member(std::int64_t number) const = 0;  // throws InputError
  virtual std::int64_t firstToShow() const = 0;            // one that has run
};

struct SessionOptions {
  std::string out;                                // file of everything that happens; empty for none
  double recordEvery = 0.01;                      // seconds between the rows of a recording
  bool playing = true;                            // from the beginning
  std::shared_ptr<const SweepMembers> members{};  // that pages may choose among; null where no sweep was opened
};

/// What pages are to be told. Texts and frames are shared, since every page gets the same.
struct News {
  using Text = std::shared_ptr<const std::string>;
  Text frame, scene, status;               // null where nothing is new
  std::vector<std::string> notices;        // sentences for people
  std::shared_ptr<const FinishedRun> run;  // the run that is shown, if one is
  KeptRecordings::All recordings;
};

/// Everything behind the pages, without threads and sockets: obeys commands and simulates as the clock goes. Times are
/// seconds of any steady clock.
class Session {
 public:
  using Clock = std::function<double()>;

  /// Throws InputError where the scenario cannot be simulated.
  Session(Scenario scenario, SessionOptions options, Clock clock);

  /// Shows a run that is over; an example may be chosen on the page later.
  Session(std::shared_ptr<const FinishedRun> run, SessionOptions options, Clock clock);

  const std::shared_ptr<const SweepMembers>& members() const { return options_.members; }

  // None of these throws because of what is simulated: what goes wrong in a command is a notice, and what goes wrong in a
  // step stops the simulation and is told as its failure. The recording goes on with whatever is simulated next.
  void obey(const Command& command);
  void show(std::shared_ptr<const FinishedRun> run);

  /// Simulates up to the time that is due, or as far as it comes in a 50th of a second.
  void advance();

  /// What is new since the last call; always a frame, unless a finished run is shown or the state cannot be told.
  News takeNews();

  /// Stops the simulation and tells pages why.
  void fail(const std::exception& error);

  /// Writes the recording of everything, if there is one. Throws InputError where that fails.
  void finish();

 private:
  void handle(const Play&);
  void handle(const Pause&);
  void handle(const StepOnce&);
  void handle(const StepBack&);
  void handle(const Seek&);
  void handle(const Reset&);
  void handle(const ChooseSpeed&);
  void handle(const ChooseIntegrator&);
  void handle(const ChooseStep&);
  void handle(const ChooseTolerance&);
  void handle(const ChooseExample&);
  void handle(const ChooseOwn&);
  void handle(const ChooseMember&);
  void handle(const Grab&);
  void handle(const Turn&);
  void handle(const Drag&);
  void handle(const Lead&);
  void handle(const Wish&);
  void handle(const Strengthen&);
  void handle(const Release&);
  void handle(const ChooseLaw&);
  void handle(const Record&);
  void handle(const Replay&);
  void handle(const NameRecording&);
  void handle(const Watch&);
  void handle(const ChangeSetting&);
  void handle(const Undo&);
  void handle(const Steer&) {}  // a matter of the pages

  Session(SessionOptions options, Clock clock);
  void begin(Scenario scenario);
  void showRun(std::shared_ptr<const FinishedRun> run);
  void keepOpened(Opened opened);
  void beginJournal();
  void restartClock();
  double momentsApart() const;
  double instant() const;
  void lookBack(const Moment& moment);
  void leavePast();
  void tellWhatIsDiscarded();
  void goOnWith(const SimulationSettings& settings);
  void wentAnotherWay();
  void changeModel(const Edition::Overrides& overrides, std::vector<Edition::Before> earlier);
  void returnTo(const Edition& edition);
  void nextEdition(std::vector<Edition::Before> earlier);
  void tellScene(const std::string& before);
  std::string scene(bool isChanged) const;
  void becomePullable();
  void stepOnce();
  struct Turned;
  void takeHold(const std::monostate&) {}
  void takeHold(const Grab& grab);
  void takeHold(const Turned& turned);
  void takeHold(const Lead& lead);
  void requireBody(std::size_t body) const;
  void holdAgain();
  void holdOn();
  void pose();
  void finishPose();
  void leadOn();
  void undoPose(const Moment& before);
  void lookAtPull();
  void placePull(const Observation& seen);
  void letGo();
  void letAllGo();
  void record();
  void stopRecording(const std::string& why = {});
  News::Text frame();
  void notice(std::string sentence) { news_.notices.push_back(std::move(sentence)); }
  std::string statusJson() const;

  SessionOptions options_;
  Clock clock_;
  Scenario scenario_;
  Value document_;                           // the file of the scenario
  Edition::Overrides overridesAtBeginning_;  // of the scenario, before anything was changed here
  std::shared_ptr<const Edition> edition_;   // of the scenario, that is simulated now
  std::vector<Opened> opened_;
  std::size_t openings_ = 0;                 // so far
  std::optional<std::size_t> openedMember_;  // of a sweep, by its number among what was opened
  std::string chosen_;  // the command by which what is shown is chosen again: "example heavy-top", "own 0"
  std::optional<LiveSimulation> simulation_;  // none while a finished run is shown
  bool playing_ = false;
  double speed_ = 1.0;
  double shown_ = 0.0;   // the simulated time that pages see
  std::string failure_;  // why the simulation cannot go on

  HandLaw law_;
  struct Turned {
    Turn turn;
    Quaternion from;                   // of the body, when it was taken
    Vector3 target = Vector3::Zero();  // a rotation vector in space, away from that
  };
  std::variant<std::monostate, Grab, Turned, Lead> held_;  // with where it is to go now
  Hand* hand_ = nullptr;                                   // of the simulation, that does it
  std::optional<Pulled> pulled_;
  std::map<std::size_t, Vector3> wishes_;  // to which actuators are led in place of their signals
  Watched::Factors factors_;               // of forces that are led in place of their scales over time
  bool poseIsDue_ = false;                 // the hand has moved while time stands still
  bool isPosing_ = false;                  // the bodies have been posed by what is held

  Pacer pacer_;
  Stopwatch stopwatch_;
  KeptRecordings recordings_;  // of the page
  Journal journal_;
  KeptPast past_;

  Watched watched_;

  double sequence_ = 0.0;
  bool statusIsNew_ = true;
  News news_;
};

}  // namespace polhode::live
