#include "control/passive_law.h"

#include "control/control_methods.h"
#include "io/examples.h"
#include "polhode/io/model_file.h"
#include "support/hand_trial.h"
#include "support/sanitized.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// A hand of a person at examples (support/hand_trial.h): held still, it gives no more than it says and what it pulled comes
/// to rest, whatever the law.
namespace polhode::passive_law_test {
namespace {

using test::HandOutcome;
using test::HandTrial;

constexpr double atRest = 1e-3;  // of the energy of the pull, five seconds later

std::string nameOf(const HandTrial& trial) {
  return fmt::format("{} {}, {}{}, {}, {}, {:g} s", trial.example, trial.body, trial.pull, trial.turns ? " turn" : "",
                     trial.law, trial.integrator, trial.step);
}

/// Joints of linear-implicit-euler open by O(h^2); with a hand at them steps are divided so that they do not open more, but for the
/// step in which a law begins to turn a body with all its torque.
double gapAllowed(const HandTrial& trial, const HandOutcome& outcome) {
  if (trial.integrator == "director-em") return 1e-12;
  return std::max(trial.turns ? 2.0 * outcome.freeGap : outcome.freeGap, 2e-4);
}

void expectCalm(const HandTrial& trial) {
  const HandOutcome outcome = test::outcomeOf(trial);
  EXPECT_EQ(outcome.failure, "") << nameOf(trial);
  EXPECT_LT(outcome.left(), atRest) << nameOf(trial);
  EXPECT_LE(outcome.afterHold, outcome.allowed * (1.0 + 1e-12)) << nameOf(trial);
  EXPECT_LT(outcome.gap, gapAllowed(trial, outcome)) << nameOf(trial);
}

// What was pulled comes to rest: chains that swing on where one rod is held, springs that the hand cannot overcome, loops, a
// bridge whose links whip where the default law was not held to what it may give.
TEST(PersonsHand, CalmsWhatItHolds) {
  for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
    expectCalm({"ball-chain", "rod3", "jump", "receding-horizon", integrator, 5e-3});
    if (test::isSanitized) continue;
    expectCalm({"ball-chain", "rod7", "slow", "critically-damped", integrator, 2e-3});
    expectCalm({"hinge-chain", "rod6", "slow", "l2", integrator, 5e-3});
    expectCalm({"quarter-car", "car", "slow", "receding-horizon", integrator, 1e-3});
    expectCalm({"spring-top", "top", "jump", "receding-horizon", integrator, 1e-3});
    expectCalm({"spatial-double-pendulum", "rod1", "fast", "servo", integrator, 2e-3});
    expectCalm({"bricard", "rod5", "fast", "h1-mixed", integrator, 5e-3});
  }
  expectCalm({"rope-bridge", "rung23", "slow", "receding-horizon", "linear-implicit-euler", 5e-3});
}

// The same of bodies that are turned, by any law: in chains, in loops that let them turn or not, against springs.
TEST(PersonsHand, CalmsWhatItTurns) {
  for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
    expectCalm({"ball-chain", "rod3", "fast", "receding-horizon", integrator, 2e-3, true});
    if (test::isSanitized) continue;
    expectCalm({"heavy-top", "top", "slow", "receding-horizon", integrator, 1e-3, true});
    expectCalm({"hinge-chain", "rod6", "slow", "critically-damped", integrator, 2e-3, true});
    expectCalm({"spring-top", "top", "jump", "receding-horizon", integrator, 1e-3, true});
    expectCalm({"spatial-double-pendulum", "rod1", "fast", "servo", integrator, 2e-3, true});
    expectCalm({"bricard", "rod5", "fast", "h1-mixed", integrator, 2e-3, true});
    expectCalm({"rod-in-sleeve", "rod", "fast", "l2", integrator, 2e-3, true});  // which spins about itself easily
  }
}

// Steps of 5 ms are much too long for chains that whip: they are divided while somebody pulls. Links without inertia about their
// own axis cannot move across the plane of their linkage, and the hand does not pull at what gives way by roundings.
TEST(PersonsHand, TearsNothingWithLongSteps) {
  const char* euler = "linear-implicit-euler";
  expectCalm({"ball-chain", "rod5", "fast", "l2", euler, 5e-3});
  expectCalm({"four-bars", "coupler1", "jump", "servo", euler, 5e-3});
  if (test::isSanitized) return;
  expectCalm({"hinge-chain", "rod3", "fast", "h1-mixed", euler, 5e-3});
  expectCalm({"four-bars", "crank0", "jump", "h1-mixed", euler, 5e-3});
  expectCalm({"heavy-top", "top", "fast", "critically-damped", euler, 5e-3});
}

// What is stretched to its end swings there faster than steps of 5 ms tell, under all the force of the hand; and a rod that an actuator
// holds at its end against a hand must not be spun about its axis. Velocities that joints do not let bodies follow are taken away.
TEST(PersonsHand, CalmsWhatIsStretchedToItsEnd) {
  expectCalm({"gimbal-gyroscope", "rotor", "jump", "servo", "director-em", 5e-3});
  expectCalm({"spatial-slider-crank", "slider", "fast", "h1-mixed", "director-em", 5e-3});
  expectCalm({"steered-chain", "link5", "jump", "receding-horizon", "director-em", 5e-3});
  if (test::isSanitized) return;
  expectCalm({"spatial-slider-crank", "slider", "slow", "receding-horizon", "director-em", 5e-3});
  expectCalm({"steered-chain", "link5", "slow", "l2", "director-em", 5e-3});
}

// Laws that are springs without a damper swing on, with what is beside the point, until a hand that is still adds one; in the chain an
// actuator of the model moves what they hold all the time.
TEST(PersonsHand, CalmsByLawsWithoutADamper) {
  expectCalm({"bricard", "rod5", "slow", "l2", "director-em", 5e-3});
  expectCalm({"steered-chain", "link4", "jump", "h1-mixed", "director-em", 5e-3});
  if (test::isSanitized) return;
  expectCalm({"bricard", "rod5", "slow", "h1-neumann", "director-em", 1e-3});
  expectCalm({"rope-bridge", "rung15", "jump", "h1-mixed", "director-em", 5e-3, true});
}

// A piston can be turned about two axes and, as its joints give way to roundings, by a billionth about the third. A torque about that one
// achieves nothing and leaves too little for the others: the platform slips.
TEST(PersonsHand, TurnsNothingAgainstItsJoints) {
  expectCalm({"hexapod", "piston6", "fast", "critically-damped", "director-em", 5e-3, true});
  if (test::isSanitized) return;
  expectCalm({"hexapod", "piston6", "jump", "servo", "director-em", 5e-3, true});
  expectCalm({"hexapod", "piston6", "slow", "l2", "director-em", 5e-3, true});
}

// What is fetched moves slowly where much has to move with it: here the ropes of a bridge.
TEST(PersonsHand, FetchesCalmlyWhatIsStretched) {
  if (test::isSanitized) return;
  const HandTrial trial{"rope-bridge", "left24", "jump", "receding-horizon", "director-em", 5e-3};
  EXPECT_LT(test::outcomeOf(trial).left(), 3e-4) << nameOf(trial);  // it is fetched with a tenth of that
}

// Where a stiff and strongly damped mechanism comes to rest, what its dampers make of the last digits of placements is all that is left of
// the balance of a step.
TEST(PersonsHand, BringsAStiffMechanismToRest) {
  expectCalm({"flyball-governor", "slider", "jump", "servo", "director-em", 1e-3});
  expectCalm({"flyball-governor", "right rod", "fast", "servo", "director-em", 1e-3});
  if (test::isSanitized) return;
  expectCalm({"flyball-governor", "shaft", "fast", "receding-horizon", "director-em", 1e-3, true});
}

// Where a hand bears exactly the weight of a point mass nothing is left for the joint, and no rounding may be taken for a force.
TEST(PersonsHand, BearsThePreciseWeightOfAPoint) {
  for (const char* integrator : {"director-em", "linear-implicit-euler"})
    for (const char* law : {"l2", "servo", "receding-horizon", "critically-damped"})
      expectCalm({"simple-pendulum", "bob", "slow", law, integrator, 5e-3});
}

// A hand that takes hold where a body is and stays there gives nothing but rounding.
TEST(PersonsHand, GivesNothingWhereItStaysWhereItTookHold) {
  for (const char* integrator : {"director-em", "linear-implicit-euler"})
    for (const auto& [example, body] : {std::pair("ball-chain", "rod3"), {"bricard", "rod3"}, {"heavy-top", "top"}})
      for (const char* law : {"receding-horizon", "l2"}) {
        if (test::isSanitized && law != std::string("l2")) continue;
        for (const bool turns : {false, true}) {
          const HandTrial trial{example, body, "none", law, integrator, 2e-3, turns};
          const HandOutcome outcome = test::outcomeOf(trial);
          EXPECT_EQ(outcome.failure, "") << nameOf(trial);
          EXPECT_LE(outcome.given, 1e-13 * outcome.free) << nameOf(trial);
          EXPECT_LT(outcome.left(), atRest) << nameOf(trial);
        }
      }
}

/// What a law has shown in many trials.
struct Tally {
  int trials = 0, restless = 0, beyond = 0, failed = 0;
  double left = 0.0, gap = 0.0;
};

// Every example, up to five of its bodies, every pull and law. Prints the table of docs/live.md; what fails is named.
TEST(PersonsHand, LongRunCalmsEveryExample) {
  std::map<std::pair<std::string, std::string>, Tally> tallies;
  for (const Example& example : examples())
    for (const double step : {1e-3, 5e-3, 1e-4})
      for (const char* integrator : {"director-em", "linear-implicit-euler"}) {
        const std::vector<std::string> bodies = test::bodiesOf(example.name);
        const std::size_t count = step < 1e-3 ? 1 : 5;
        const std::size_t every = std::max<std::size_t>(1, bodies.size() / count);
        for (std::size_t b = every / 2; b < bodies.size(); b += every)
          for (const char* pull : {"slow", "fast", "jump"})
            for (const std::string& law : controlMethods()) {
              const HandTrial trial{example.name, bodies[b], pull, law, integrator, step};
              const HandOutcome outcome = test::outcomeOf(trial);
              if (outcome.freeFails) continue;
              Tally& tally = tallies[{law, integrator}];
              ++tally.trials;
              const bool failed = !outcome.failure.empty(), restless = !failed && outcome.left() > atRest;
              const bool beyond = outcome.afterHold > outcome.allowed * (1.0 + 1e-12);
              tally.failed += failed;
              tally.restless += restless;
              tally.beyond += beyond;
              EXPECT_FALSE(beyond) << nameOf(trial);
              if (failed || restless)
                fmt::print("{}: {} left {:.2g}\n", nameOf(trial), outcome.failure, outcome.left());
              if (failed) continue;
              tally.left = std::max(tally.left, outcome.left());
              tally.gap = std::max(tally.gap, outcome.gap);
            }
      }
  for (const auto& [of, tally] : tallies) {
    fmt::print("| {} | {} | {} | {} | {} | {:.1e} | {:.1e} |\n", of.first, of.second, tally.trials, tally.failed,
               tally.restless, tally.left, tally.gap);
    EXPECT_LE(tally.failed + tally.restless, tally.trials / 20) << of.first << ' ' << of.second;
  }
}

}  // namespace
}  // namespace polhode::passive_law_test
