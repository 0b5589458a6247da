#pragma once

#include <chrono>
#include <string>
#include <vector>

/// Trials of a person's hand: it takes hold of a body of an example, pulls it for two seconds, and then holds still for five.
/// What is pulled goes a third of the mechanism's size, for each body in another direction, reachable or not; what is turned goes
/// one radian.
namespace polhode::test {

struct HandTrial {
  std::string example, body;
  std::string pull = "slow";  // evenly; "fast": in 0.3 s; "jump": at once, at 90 Hz with noise and drop-outs; "none"
  std::string law = "receding-horizon", integrator = "director-em";
  double step = 1e-3;
  bool turns = false;  // the body, by a torque, in place of pulling it by a force
};

struct HandOutcome {
  double given = 0.0;    // the most that the hand had given at any time of the pull, in joules
  double atHold = 0.0;   // the kinetic energy when the hand came to rest
  double kinetic = 0.0;  // five seconds later
  double free = 0.0;  // the largest kinetic energy in the same time where nobody holds; of what the model moves all the
                      // time, that by director-em with 1 ms where this is larger
  double afterHold = 0.0;  // the most that the hand gave since it came to rest
  double allowed = 0.0;    // 2 F d at that moment, which U(d) + F d (control/passive_law.h) never exceeds
  double off = 0.0;        // of the body from the hand at the end, m or rad
  double gap = 0.0;        // the largest of a joint, of the mechanism's size
  double freeGap = 0.0;    // the same where nobody holds
  bool isDriven = false;   // whether the model itself moves it all the time: by drives, motors, loads, actuators
  bool freeFails = false;  // the step is too long for the mechanism alone; then nothing else is told
  std::string refused;     // why no hand can take hold, or the integrator cannot step it; then nothing else is told
  bool stopped = false;    // there was no time to finish it; then nothing else is told
  std::string failure;

  /// The kinetic energy that is left, of the larger of what the pull gave and what moves without a hand; where the model moves
  /// it, only what is beyond that motion.
  double left() const;
};

using Clock = std::chrono::steady_clock;

/// May be called by many threads at once. Stops where it is not done at that time.
HandOutcome outcomeOf(const HandTrial& trial, Clock::time_point until = Clock::time_point::max());

std::vector<std::string> bodiesOf(const std::string& example);

}  // namespace polhode::test
