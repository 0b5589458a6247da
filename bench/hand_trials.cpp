// polhode_hand_trials: pulls bodies of the examples by a person's hand (tests/support/hand_trial.h), prints a line for each trial
// and the rows of the table in docs/live.md. Words choose among the trials, several behind a comma; without one, all:
//
//   polhode_hand_trials example=ball-chain,bricard integrator=director-em step=1e-3,5e-3 law=l2 pull=jump bodies=5 trials=200
//
// `bodies` is how many of each example, spread over it; `trials` how many of all, drawn at random, the same in every run.
#include "control/control_methods.h"
#include "io/examples.h"
#include "support/hand_trial.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>

#include <fmt/format.h>

namespace polhode {
namespace {

using test::HandOutcome;
using test::HandTrial;
using Words = std::vector<std::string>;

/// What was chosen, by the name of the choice.
class Choices {
 public:
  Choices(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
      const std::string word = arguments[i];
      const std::size_t is = word.find('=');
      if (is == std::string::npos || !all_.contains(word.substr(0, is))) {
        fmt::print(stderr,
                   "'{}' chooses nothing; give example=, body=, pull=, law=, integrator=, step=, bodies= or trials=\n",
                   word);
        std::exit(1);
      }
      Words& chosen = all_[word.substr(0, is)];
      chosen.clear();
      std::istringstream values(word.substr(is + 1));
      for (std::string value; std::getline(values, value, ',');) chosen.push_back(value);
    }
  }

  const Words& operator[](const std::string& name) const { return all_.at(name); }
  std::size_t number(const std::string& name) const { return std::stoul(all_.at(name).front()); }

 private:
  static Words exampleNames() {
    Words names;
    for (const Example& example : examples()) names.push_back(example.name);
    return names;
  }

  std::map<std::string, Words> all_ = {{"example", exampleNames()},
                                       {"body", {}},
                                       {"pull", {"slow", "fast", "jump"}},
                                       {"law", controlMethods()},
                                       {"integrator", {"director-em", "linear-implicit-euler"}},
                                       {"step", {"1e-4", "1e-3", "5e-3"}},
                                       {"bodies", {"1000"}},
                                       {"trials", {"1000000"}}};
};

/// Those named, or some of an example spread evenly over it.
Words chosenBodies(const Choices& choices, const std::string& example) {
  if (!choices["body"].empty()) return choices["body"];
  const Words all = test::bodiesOf(example);
  const std::size_t count = std::min(choices.number("bodies"), all.size());
  Words some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  return some;
}

std::vector<HandTrial> chosenTrials(const Choices& choices) {
  std::vector<HandTrial> trials;
  for (const std::string& integrator : choices["integrator"])
    for (const std::string& step : choices["step"])
      for (const std::string& example : choices["example"])
        for (const std::string& body : chosenBodies(choices, example))
          for (const std::string& pull : choices["pull"])
            for (const std::string& law : choices["law"])
              trials.push_back({example, body, pull, law, integrator, std::stod(step)});
  if (trials.size() <= choices.number("trials")) return trials;
  std::shuffle(trials.begin(), trials.end(), std::mt19937(1));
  trials.resize(choices.number("trials"));
  return trials;
}

/// What an integrator has shown with a step.
struct Tally {
  int failed = 0, tooLong = 0;
  std::map<std::string, int> examples;
  std::vector<double> left, gaps, beyond;

  std::string row() {
    for (std::vector<double>* each : {&left, &gaps, &beyond}) std::sort(each->begin(), each->end());
    if (left.empty()) left = gaps = beyond = {0.0};
    const auto restless = std::count_if(left.begin(), left.end(), [](double each) { return !(each < 1e-3); });
    return fmt::format("{} | {} | {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {:.2g}", examples.size(),
                       left.size() + static_cast<std::size_t>(failed), failed, restless, left[left.size() * 99 / 100],
                       left.back(), gaps[gaps.size() * 99 / 100], gaps.back(), beyond.back());
  }
};

int run(const Choices& choices) {
  std::map<std::pair<std::string, double>, Tally> tallies;
  for (const HandTrial& trial : chosenTrials(choices)) {
    const HandOutcome outcome = test::outcomeOf(trial);
    Tally& tally = tallies[{trial.integrator, trial.step}];
    const bool failed = !outcome.failure.empty();
    fmt::print("{}\t{}\t{}\t{}\t{}\t{:g}\tgiven {:.3g}\tfree {:.3g}\tleft {:.2g}\tgap {:.2g}\tfree {:.2g}\t{}\n",
               trial.example, trial.body, trial.pull, trial.law, trial.integrator, trial.step, outcome.given,
               outcome.free, outcome.left(), outcome.gap, outcome.freeGap,
               outcome.freeFails ? "the step is too long without a hand" : outcome.failure);
    std::fflush(stdout);
    tally.tooLong += outcome.freeFails;
    if (outcome.freeFails) continue;
    ++tally.examples[trial.example];
    tally.failed += failed;
    if (failed) continue;
    tally.left.push_back(outcome.left());
    tally.gaps.push_back(outcome.gap);
    tally.beyond.push_back(outcome.afterHold / std::max(outcome.allowed, 1e-300));
  }
  fmt::print(
      "| integrator | step | examples | trials | given up | more than 1e-3 left | 99 of 100 below | most left | gap of "
      "99 of "
      "100 | largest gap | given of 2 F d |\n");
  for (auto& [of, tally] : tallies) fmt::print("| {} | {:g} s | {} |\n", of.first, of.second, tally.row());
  return 0;
}

}  // namespace
}  // namespace polhode

int main(int count, char** arguments) {
  return polhode::run(polhode::Choices(count, arguments));
}
