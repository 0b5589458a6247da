#include "support/hand_trial.h"

#include "analysis/engine_registry.h"
#include "control/hand_rack.h"
#include "io/examples.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "system/mechanism_extent.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <random>
#include <tuple>

namespace polhode::test {
namespace {

constexpr double pulled = 2.0, held = 5.0;  // seconds

struct Sight {
  double kinetic = 0.0, gap = 0.0;
  bool fails = false, stopped = false;
};

struct Bench {
  ModelFile file;
  SimulationSettings settings;
  double size;

  explicit Bench(const HandTrial& trial)
      : file(readModelText(findExample(trial.example)->text, trial.example + ".toml")),
        settings(file.simulation),
        size(extentOf(Mechanism(file.model)).size) {
    settings.integrator = trial.integrator;
    settings.step = trial.step;
    settings.end = 1e3;
    if (!file.model.actuators.empty() && trial.integrator == "director-em")
      for (Actuator& actuator : file.model.actuators) actuator.control.method = "receding-horizon";
  }

  std::unique_ptr<Engine> make() const { return makeEngine(file.model, settings, Loads::wanted); }
};

bool isDriven(const Model& model) {
  return Mechanism(model).isDriven() || !model.actuators.empty() ||
         std::any_of(model.forces.begin(), model.forces.end(), [](const Force& force) {
           return force.type == "joint-motor" || force.type == "load" || force.type == "torque";
         });
}

Observation seen(Engine& engine) {
  return engine.observe(engine.stepper().time(), engine.stepper().state(), Detail::motion);
}

Sight freely(const Bench& bench, Clock::time_point until) {
  const auto engine = bench.make();
  Sight sight{.kinetic = seen(*engine).kineticEnergy};
  try {
    for (int i = 1; i <= 70 && !sight.stopped; ++i) {
      engine->advanceTo(0.1 * i);
      sight.kinetic = std::max(sight.kinetic, seen(*engine).kineticEnergy);
      sight.gap = std::max(sight.gap, seen(*engine).positionViolation / bench.size);
      sight.stopped = Clock::now() > until;
    }
  } catch (const SimulationError&) {
    sight.fails = true;
  }
  return sight;
}

/// What the mechanism does where nobody holds it: computed once, while others who ask for the same wait.
Sight freeSight(const Bench& bench, const HandTrial& trial, Clock::time_point until) {
  struct Known {
    std::once_flag once;
    Sight sight;
  };
  static std::map<std::tuple<std::string, std::string, double>, Known> all;
  static std::mutex mutex;
  Known* known = nullptr;
  {
    const std::lock_guard lock(mutex);
    known = &all[std::tuple(trial.example, trial.integrator, trial.step)];
  }
  std::call_once(known->once, [&] { known->sight = freely(bench, until); });
  return known->sight;
}

}  // namespace

HandOutcome outcomeOf(const HandTrial& trial, Clock::time_point until) {
  HandOutcome outcome;
  const Bench bench(trial);
  const Model& model = bench.file.model;
  std::size_t body = 0;
  while (model.bodies.at(body).name != trial.body) ++body;
  const Body& taken = model.bodies[body];
  const Vector3 start = trial.turns ? Vector3(Vector3::Zero()) : taken.position;
  const double unit = trial.turns ? 1.0 : bench.size;  // in which the hand moves

  // a third of the mechanism's size, or one radian, for each body in another direction
  std::mt19937 chance(static_cast<unsigned>(7 + body));
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const auto anyVector = [&] { return Vector3(any(chance), any(chance), any(chance)); };
  const Vector3 way = (trial.pull == "none" ? 0.0 : trial.turns ? 1.0 : 0.3) * unit * anyVector().normalized();
  const double lasts = trial.pull == "fast" ? 0.3 : 2.0, rate = trial.pull == "jump" ? 90.0 : 60.0;
  const bool jumps = trial.pull == "jump";

  HandLaw law = lawFor(model);
  law.method = trial.law;
  std::unique_ptr<Engine> engine;
  Hand* taking = nullptr;
  try {
    engine = bench.make();
    HandRack& hands = engine->hands();
    taking =
        trial.turns ? &hands.grabOrientation(body, taken.orientation, law) : &hands.grab(body, Vector3::Zero(), law);
  } catch (const InputError& error) {
    outcome.refused = error.what();
    return outcome;
  }
  Hand& hand = *taking;
  hand.push(0.0, start);

  const Sight free = freeSight(bench, trial, until);
  outcome.free = free.kinetic;
  if (isDriven(model)) {  // which linear-implicit-euler damps where its steps are long
    HandTrial finely = trial;
    finely.integrator = "director-em";
    finely.step = 1e-3;
    const Sight fine = freeSight(Bench(finely), finely, until);
    outcome.free = std::max(outcome.free, fine.kinetic);
    outcome.stopped = fine.stopped;
  }
  outcome.stopped = outcome.stopped || free.stopped;
  outcome.freeGap = free.gap;
  outcome.freeFails = free.fails;
  outcome.isDriven = isDriven(model);
  if (free.fails || outcome.stopped) return outcome;
  Vector3 target = start;
  double next = 0.0, workAtHold = 0.0;
  bool holds = false;
  const auto off = [&](const Body& now) {
    return trial.turns ? Rotation::difference(Rotation::moved(taken.orientation, target), now.orientation).norm()
                       : (now.position - target).norm();
  };
  const auto look = [&] {
    const Observation o = seen(*engine);
    outcome.kinetic = o.kineticEnergy;
    outcome.off = off(o.bodies[body]);
    outcome.gap = std::max(outcome.gap, o.positionViolation / bench.size);
  };
  try {
    while (engine->stepper().time() < pulled + held) {
      if (Clock::now() > until) {
        outcome.stopped = true;
        return outcome;
      }
      engine->stepper().step();
      const double t = engine->stepper().time();
      if (holds)
        outcome.afterHold = std::max(outcome.afterHold, hand.work - workAtHold);
      else
        outcome.given = std::max(outcome.given, hand.work);
      if (t < next) continue;
      next += 1.0 / rate;
      look();
      if (t < pulled) {
        target = start + (jumps ? (t < 0.5 ? 0.0 : 1.0) : std::min(1.0, t / lasts)) * way;
        if (!jumps)
          hand.push(t, target);
        else if (any(chance) < 0.6)
          hand.push(t, target + 5e-4 * unit * anyVector());
      } else if (!holds) {
        holds = true;
        hand.push(t, target = start + way);
        workAtHold = hand.work;
        outcome.atHold = outcome.kinetic;
        outcome.allowed = 2.0 * law.largestForce * (trial.turns ? bench.size : 1.0) * off(seen(*engine).bodies[body]);
      } else if (jumps) {
        hand.push(t, target + 2e-4 * unit * anyVector());
      }
    }
    look();
  } catch (const std::exception& error) {
    outcome.failure = error.what();
  }
  return outcome;
}

double HandOutcome::left() const {
  return (kinetic - (isDriven ? free : 0.0)) / std::max({given, free, 1e-12});
}

std::vector<std::string> bodiesOf(const std::string& example) {
  std::vector<std::string> names;
  for (const Body& body : readModelText(findExample(example)->text, example + ".toml").model.bodies)
    names.push_back(body.name);
  return names;
}

}  // namespace polhode::test
