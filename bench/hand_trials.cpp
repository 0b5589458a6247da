// polhode_hand_trials: pulls and turns bodies of the examples by a person's hand (tests/support/hand_trial.h), prints a line for
// each trial and the rows of the table in docs/live.md. Words choose among the trials, several behind a comma; without one, all:
//
//   polhode_hand_trials example=ball-chain,bricard integrator=director-em step=1e-3,5e-3 law=l2 pull=jump turn=no bodies=5
//   polhode_hand_trials threads=16 seconds=540
//
// `bodies` is how many of each example, spread over it; `trials` how many of all, `seconds` after how much time it stops,
// `threads` how many trials at once. Which come first does not depend on the machine: every example, integrator, step and way to take
// hold gets about the same time, and which body, pull and law is drawn at random, the same in every run. So the small
// examples are tried to the end and of the large ones as many as there is time for.
#include "control/control_methods.h"
#include "io/examples.h"
#include "support/hand_trial.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>

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
        Words names;
        for (const auto& [name, values] : all_) names.push_back(name + "=");
        fmt::print(stderr, "'{}' chooses nothing; give {}\n", word, fmt::join(names, ", "));
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
                                       {"turn", {"no", "yes"}},
                                       {"law", controlMethods()},
                                       {"integrator", {"director-em", "linear-implicit-euler"}},
                                       {"step", {"1e-4", "1e-3", "5e-3"}},
                                       {"bodies", {"1000"}},
                                       {"trials", {"1000000"}},
                                       {"threads", {"1"}},
                                       {"seconds", {"1000000"}}};
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

/// In the order in which they are made: a trial's turn comes after those of its group that were drawn before it would have
/// taken their time, which is about as the number of bodies and of steps.
std::vector<HandTrial> chosenTrials(const Choices& choices) {
  std::mt19937 chance(1);
  std::vector<std::pair<double, HandTrial>> due;
  for (const std::string& integrator : choices["integrator"])
    for (const std::string& step : choices["step"])
      for (const std::string& example : choices["example"])
        for (const std::string& turn : choices["turn"]) {
          std::vector<HandTrial> group;
          for (const std::string& body : chosenBodies(choices, example))
            for (const std::string& pull : choices["pull"])
              for (const std::string& law : choices["law"])
                group.push_back({example, body, pull, law, integrator, std::stod(step), turn == "yes"});
          std::shuffle(group.begin(), group.end(), chance);
          const double price = static_cast<double>(test::bodiesOf(example).size()) / std::stod(step);
          for (std::size_t i = 0; i < group.size(); ++i) due.emplace_back(static_cast<double>(i) * price, group[i]);
        }
  std::shuffle(due.begin(), due.end(), chance);
  std::stable_sort(due.begin(), due.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (due.size() > choices.number("trials")) due.resize(choices.number("trials"));
  std::vector<HandTrial> trials;
  for (auto& [when, trial] : due) trials.push_back(std::move(trial));
  return trials;
}

/// What an integrator has shown with a step.
struct Tally {
  int failed = 0;
  std::set<std::string> examples;
  std::vector<double> left, gaps, beyond;

  void add(const HandTrial& trial, const HandOutcome& outcome) {
    examples.insert(trial.example);
    if (!outcome.failure.empty()) {
      ++failed;
      return;
    }
    left.push_back(outcome.left());
    gaps.push_back(outcome.gap);
    beyond.push_back(outcome.afterHold / std::max(outcome.allowed, 1e-300));
  }

  std::string row() {
    const std::size_t count = left.size() + static_cast<std::size_t>(failed);
    for (std::vector<double>* each : {&left, &gaps, &beyond}) std::sort(each->begin(), each->end());
    if (left.empty()) left = gaps = beyond = {0.0};
    const auto restless = std::count_if(left.begin(), left.end(), [](double each) { return !(each < 1e-3); });
    return fmt::format("{} | {} | {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {:.2g}", examples.size(), count, failed,
                       restless, left[left.size() * 99 / 100], left.back(), gaps[gaps.size() * 99 / 100], gaps.back(),
                       beyond.back());
  }
};

/// All that was shown; trials may be told of by several threads.
class Record {
 public:
  void add(const HandTrial& trial, const HandOutcome& outcome) {
    const std::lock_guard lock(mutex_);
    if (outcome.stopped) return;
    ++done_;
    if (!outcome.refused.empty()) {  // a sentence once for all trials that it holds for
      ++refused_;
      if (refusals_.emplace(trial.example, trial.turns).second)
        fmt::print("{} is not {}: {}\n", trial.example, trial.turns ? "turned" : "pulled", outcome.refused);
      std::fflush(stdout);
      return;
    }
    fmt::print("{}\t{}\t{}{}\t{}\t{}\t{:g}\tgiven {:.3g}\tfree {:.3g}\tleft {:.2g}\tgap {:.2g}\tfree {:.2g}\t{}\n",
               trial.example, trial.body, trial.pull, trial.turns ? " turn" : "", trial.law, trial.integrator,
               trial.step, outcome.given, outcome.free, outcome.left(), outcome.gap, outcome.freeGap,
               outcome.freeFails ? "the step is too long without a hand" : outcome.failure);
    std::fflush(stdout);
    if (outcome.freeFails)
      tooLong_.insert(fmt::format("{} {:g}", trial.example, trial.step));
    else
      tallies_[{trial.turns, trial.integrator, trial.step}].add(trial, outcome);
  }

  void print(std::size_t ofAll) {
    fmt::print("\n{} of {} trials done, {} of them where no hand can take hold; too long a step without a hand: {}\n\n",
               done_, ofAll, refused_, fmt::join(tooLong_, ", "));
    fmt::print(
        "| hand | integrator | step | examples | trials | given up | more than 1e-3 left | 99 of 100 below | most left "
        "| "
        "gap of 99 of 100 | largest gap | given of 2 F d |\n");
    for (auto& [of, tally] : tallies_)
      fmt::print("| {} | {} | {:g} s | {} |\n", std::get<0>(of) ? "turns" : "pulls", std::get<1>(of), std::get<2>(of),
                 tally.row());
  }

 private:
  std::mutex mutex_;
  std::map<std::tuple<bool, std::string, double>, Tally> tallies_;
  std::set<std::pair<std::string, bool>> refusals_;
  std::set<std::string> tooLong_;
  int done_ = 0, refused_ = 0;
};

int run(const Choices& choices) {
  const std::vector<HandTrial> trials = chosenTrials(choices);
  const auto until = test::Clock::now() + std::chrono::seconds(choices.number("seconds"));
  Record record;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < trials.size() && test::Clock::now() < until; i = next++)
      record.add(trials[i], test::outcomeOf(trials[i], until));
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < choices.number("threads"); ++i) threads.emplace_back(work);
    work();
  }
  record.print(trials.size());
  return 0;
}

}  // namespace
}  // namespace polhode

int main(int count, char** arguments) {
  return polhode::run(polhode::Choices(count, arguments));
}
