#include "integrate/catalogue.h"
#include "integrate/mechanism/mechanism_stepper.h"
#include "polhode/io/load_model.h"
#include "system/null_space_mechanism.h"

#include <ctime>
#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

/// Time to accuracy of mechanisms: the same motion by DOP853 in minimal coordinates and by Gauss collocation in directors, both
/// with steps chosen for the tolerances 1e-6 and 1e-9. What counts is `of_dop853`, the ratio of two times of the processor
/// within one run (DOP853 runs first); the error of the placements at the end is told beside it. The steps are timed, not what
/// is prepared before them.
namespace {

using namespace polhode;

struct Motion {
  const char* example;
  double end;
};
constexpr Motion motions[] = {{"spatial-double-pendulum", 1.0},
                              {"ball-chain", 1.0},
                              {"four-bar-loop", 0.5},
                              {"bricard", 1.0},
                              {"jansen-walker", 0.5}};

std::shared_ptr<const Mechanism> mechanismOf(const Motion& motion) {
  return std::make_shared<const Mechanism>(loadModel(motion.example).model);
}

struct Run {
  MechanismMotion end;
  double seconds;
  WorkCounts work;
};

/// All steps to the end, and how long they take.
double secondsOf(Stepper& stepper, double end) {
  const std::clock_t start = std::clock();
  while (stepper.time() < end) stepper.step();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Run byDop853(const std::shared_ptr<const Mechanism>& mechanism, double end, double tolerance) {
  const auto equations = makeNullSpaceMechanism(mechanism, "quaternion");
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = tolerance;
  const auto stepper =
      makeOdeStepper("dop853", *equations, 0.0, equations->stateOf(initialMotion(*mechanism)), end, options);
  const double seconds = secondsOf(*stepper, end);
  return {equations->motionOf(stepper->time(), stepper->state()), seconds, stepper->work()};
}

/// Signals do not make its steps shorter than DOP853's are.
Run byGauss(const Mechanism& mechanism, double end, double tolerance, int order) {
  const auto stepper =
      makeMechanismStepper(fmt::format("director-gauss-{}", order), mechanism, end, std::nullopt, tolerance, end);
  const double seconds = secondsOf(*stepper, end);
  return {MechanismStepper::motionFrom(stepper->state()), seconds, stepper->work()};
}

double difference(const MechanismMotion& a, const MechanismMotion& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max({largest, (a[i].at.x - b[i].at.x).norm(), (a[i].at.D - b[i].at.D).norm()});
  return largest;
}

/// `order` 0 is DOP853.
void timeToAccuracy(benchmark::State& state, const Motion& motion, double tolerance, int order) {
  static std::map<std::pair<std::string, double>, double> ofDop853;  // seconds, the least of several
  const auto mechanism = mechanismOf(motion);
  const MechanismMotion reference = byDop853(mechanism, motion.end, 1e-13).end;
  double least = 1e9;
  Run run;
  for (auto _ : state) {
    run = order > 0 ? byGauss(*mechanism, motion.end, tolerance, order) : byDop853(mechanism, motion.end, tolerance);
    state.SetIterationTime(run.seconds);
    least = std::min(least, run.seconds);
  }
  double& dop853 = ofDop853[{motion.example, tolerance}];
  if (order == 0) dop853 = least;
  if (dop853 > 0.0) state.counters["of_dop853"] = least / dop853;
  state.counters["error"] = difference(run.end, reference);
  state.counters["steps"] = static_cast<double>(run.work.steps);
  state.counters["iterations"] = static_cast<double>(run.work.newtonIterations);
}

[[maybe_unused]] const bool registered = [] {
  for (const Motion& motion : motions)
    for (const double tolerance : {1e-6, 1e-9})
      for (const int order : {0, 8, 12})
        benchmark::RegisterBenchmark(
            fmt::format("timeToAccuracy/{}/{:.0e}/{}", motion.example, tolerance,
                        order > 0 ? fmt::format("director-gauss-{}", order) : "dop853")
                .c_str(),
            [&motion, tolerance, order](benchmark::State& state) { timeToAccuracy(state, motion, tolerance, order); })
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
