#include "integrate/catalogue.h"
#include "integrate/mechanism/mechanism_stepper.h"
#include "polhode/io/load_model.h"
#include "system/null_space_mechanism.h"

#include <cmath>
#include <ctime>
#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

/// Time to accuracy of mechanisms: the same motion by DOP853 in minimal coordinates and by Gauss collocation in directors, both
/// with that tolerance whose run is the cheapest among those whose placements at the end are right to 1e-6, or 1e-9. What counts
/// is `of_dop853`, the ratio of two times of the processor within one run (DOP853 runs first); the tolerance and the error that
/// was reached are told beside it. The steps are timed, not what is prepared before them.
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

struct TimedMotion {
  MechanismMotion end;
  double seconds;
  WorkCounts work;
};

double processorTime() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// All steps to the end, and how long they take.
double secondsOf(Stepper& stepper, double end) {
  const double start = processorTime();
  while (stepper.time() < end) stepper.step();
  return processorTime() - start;
}

TimedMotion byDop853(const std::shared_ptr<const Mechanism>& mechanism, double end, double tolerance) {
  const auto equations = makeNullSpaceMechanism(mechanism, "quaternion");
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = tolerance;
  const auto stepper =
      makeOdeStepper("dop853", *equations, 0.0, equations->stateOf(initialMotion(*mechanism)), end, options);
  const double seconds = secondsOf(*stepper, end);
  return {equations->motionOf(stepper->time(), stepper->state()), seconds, stepper->work()};
}

/// Signals do not make its steps shorter than DOP853's are.
TimedMotion byGauss(const Mechanism& mechanism, double end, double tolerance, int order) {
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

/// The tolerance with which `run` takes the least time among those that reach the error; 0 where none does.
template <class RunWith>
double cheapestTolerance(const RunWith& run, const MechanismMotion& reference, double error) {
  double cheapest = 0.0, least = 1e9;
  for (double tolerance = 1e-3; tolerance > 1e-12; tolerance /= std::sqrt(10.0)) {
    TimedMotion one = run(tolerance);
    for (int again = 0; again < 2; ++again) one.seconds = std::min(one.seconds, run(tolerance).seconds);
    if (!(difference(one.end, reference) <= error) || one.seconds >= least) continue;
    cheapest = tolerance;
    least = one.seconds;
  }
  return cheapest;
}

/// `order` 0 is DOP853.
void timeToAccuracy(benchmark::State& state, const Motion& motion, double error, int order) {
  static std::map<std::pair<std::string, double>, double> ofDop853;  // seconds, the least of several
  const auto mechanism = mechanismOf(motion);
  const MechanismMotion reference = byDop853(mechanism, motion.end, 1e-13).end;
  const auto runWith = [&](double tolerance) {
    return order > 0 ? byGauss(*mechanism, motion.end, tolerance, order) : byDop853(mechanism, motion.end, tolerance);
  };
  const double tolerance = cheapestTolerance(runWith, reference, error);
  if (tolerance == 0.0) return state.SkipWithError("no tolerance reaches this error");
  double least = 1e9;
  TimedMotion run;
  for (auto _ : state) {
    run = runWith(tolerance);
    state.SetIterationTime(run.seconds);
    least = std::min(least, run.seconds);
  }
  double& dop853 = ofDop853[{motion.example, error}];
  if (order == 0) dop853 = least;
  if (dop853 > 0.0) state.counters["of_dop853"] = least / dop853;
  state.counters["tolerance"] = tolerance;
  state.counters["error"] = difference(run.end, reference);
  state.counters["steps"] = static_cast<double>(run.work.steps);
  state.counters["iterations"] = static_cast<double>(run.work.newtonIterations);
}

[[maybe_unused]] const bool registered = [] {
  for (const Motion& motion : motions)
    for (const double error : {1e-6, 1e-9})
      for (const int order : {0, 8, 10, 12, 14})
        benchmark::RegisterBenchmark(
            fmt::format("timeToAccuracy/{}/{:.0e}/{}", motion.example, error,
                        order > 0 ? fmt::format("director-gauss-{}", order) : "dop853")
                .c_str(),
            [&motion, error, order](benchmark::State& state) { timeToAccuracy(state, motion, error, order); })
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
