#include "integrate/catalogue.h"
#include "polhode/error.h"
#include "system/single_body.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

/// Time to accuracy of one body: the same motion by DOP853 and by Gauss collocation, both inlined, each with the setting that
/// takes the fewest evaluations among those whose error at the end is at most 1e-6, 1e-9 or 1e-12: DOP853 with a tolerance,
/// Gauss collocation of each order with a fixed step, and the fastest of these orders. What counts is `of_dop853`, the ratio of
/// the least times of the processor of both, whose runs alternate; what is timed are the steps. The error is that of the axis for
/// the heavy top, whose motion is known, and of all three axes elsewhere. Of the heavy top, the nutating one and the free body
/// Gauss collocation knows part of the motion (ball_of_top.h, free_rotation.h), of the body that leans nothing.
namespace {

using namespace polhode;

struct Motion {
  const char* name;
  double end;
  RigidBodyData data;
  Vector3 gravity;
  BodyMotion start;
  bool isSteady = false;
};

constexpr double tilt = std::numbers::pi / 3.0, precession = 10.0;

/// The cone of Betsch & Siebert 2009, 5.2, on its apex.
Motion top(const char* name, double end) {
  constexpr double height = 0.1, radius = 0.05, arm = 0.75 * height;
  Motion m{name, end, {}, Vector3(0.0, 0.0, -9.81), {}};
  m.data.mass = 2700.0 * std::numbers::pi * radius * radius * height / 3.0;
  const double across = m.data.mass * (3.0 / 80.0 * (4.0 * radius * radius + height * height) + arm * arm);
  m.data.inertia = Vector3(across, across, 0.3 * m.data.mass * radius * radius);
  m.data.centre = Vector3(0.0, 0.0, arm);
  m.start.orientation = Quaternion(std::cos(0.5 * tilt), std::sin(0.5 * tilt), 0.0, 0.0);
  return m;
}

std::vector<Motion> motions() {
  Motion steady = top("heavy-top", 1.0);
  const double across = steady.data.inertia[0], along = steady.data.inertia[2];
  const double spin = steady.data.mass * 9.81 * steady.data.centre[2] / (along * precession) +
                      (across - along) / along * precession * std::cos(tilt);
  steady.start.angularVelocity = Vector3(0.0, precession * std::sin(tilt), precession * std::cos(tilt) + spin);
  steady.isSteady = true;

  Motion free{"free-body", 1.0, {}, Vector3::Zero(), {}};
  free.data.inertia = Vector3(6.0, 8.0, 3.0);
  free.start.angularVelocity = Vector3(10.0, 20.0, 20.0);

  Motion nutating = top("nutating-top", 2.0);
  nutating.start.angularVelocity = Vector3(0.0, 0.0, 50.0);

  Motion leaning{"leaning-body", 5.0, {}, Vector3(1.0, -2.0, -9.0), {}};
  leaning.data.inertia = Vector3(2.0, 1.5, 1.0);
  leaning.data.centre = Vector3(0.3, -0.2, 0.5);
  leaning.start.orientation = Quaternion(0.5, 0.1, -0.7, 0.5).normalized();
  leaning.start.angularVelocity = Vector3(2.0, -1.0, 4.0);
  return {steady, free, nutating, leaning};
}

/// How a run steps: a tolerance, or a number of equal steps.
struct Setting {
  std::string integrator;
  double tolerance = 0.0;
  int steps = 0;
};

class Runs {
 public:
  Runs(const Motion& motion, const char* coordinates)
      : motion_(motion),
        body_(makeSingleBody(coordinates, "null-space", motion.data, UniformGravity(motion.data, motion.gravity),
                             nullptr)),
        start_(body_->stateOf(motion.start)) {}

  std::unique_ptr<Stepper> make(const Setting& setting, double times = 1.0) const {
    return findIntegrator(setting.integrator).makeInlined(*body_, start_, times * motion_.end, options(setting));
  }

  /// The orientation at the end by the equations as they stand.
  Matrix3 reference() const {
    const auto stepper = makeOdeStepper("gauss-16", *body_, 0.0, start_, motion_.end, options({"", 0.0, 1500}));
    while (stepper->time() < motion_.end) stepper->step();
    return body_->motionOf(stepper->state()).directors;
  }

  double error(const VectorX& y, const Matrix3& reference) const {
    const Matrix3 difference = body_->motionOf(y).directors - reference;
    return motion_.isSteady ? difference.col(2).norm() : difference.norm();
  }

  /// Error and evaluations of a run. An infinite error where it cannot go on, or not with these steps: those of Gauss collocation
  /// must last twenty times as long, without Newton's method.
  std::pair<double, long> outcome(const Setting& setting, const Matrix3& reference) const {
    try {
      const auto stepper = make(setting);
      while (stepper->time() < motion_.end) stepper->step();
      const auto longer = make(setting, 20.0);
      for (int i = 0; i < 20 * setting.steps; ++i) longer->step();
      if (longer->warning().empty()) return {error(stepper->state(), reference), stepper->work().rhsEvaluations};
    } catch (const SimulationError&) {
    }
    return {std::numeric_limits<double>::infinity(), 0};
  }

  /// The setting of an integrator that reaches the error with the fewest evaluations.
  std::optional<Setting> cheapest(const std::string& integrator, double wanted, const Matrix3& reference) const {
    std::vector<Setting> all;
    if (integrator == "dop853")
      for (double digits = 3.0; digits < 15.0; digits += 0.05) all.push_back({integrator, std::pow(10.0, -digits), 0});
    else
      for (double steps = 3.0; steps < 1000.0; steps = std::max(steps + 1.0, 1.03 * steps))
        all.push_back({integrator, 0.0, static_cast<int>(steps)});
    std::optional<Setting> best;
    long least = std::numeric_limits<long>::max();
    for (const Setting& setting : all) {
      const auto [error, evaluations] = outcome(setting, reference);
      if (error > wanted || evaluations >= least) continue;
      best = setting;
      least = evaluations;
    }
    return best;
  }

  /// Seconds of the processor for all steps of a run, one of several in turn.
  double seconds(const Setting& setting) const {
    constexpr int runs = 20;
    std::vector<std::unique_ptr<Stepper>> steppers;
    for (int i = 0; i < runs; ++i) steppers.push_back(make(setting));
    const double begin = processorTime();
    for (const auto& stepper : steppers)
      while (stepper->time() < motion_.end) stepper->step();
    return (processorTime() - begin) / runs;
  }

 private:
  IntegratorOptions options(const Setting& setting) const {
    IntegratorOptions options;
    if (setting.steps > 0) options.fixedStep = motion_.end / setting.steps;
    if (setting.tolerance > 0.0) options.relativeTolerance = options.absoluteTolerance = setting.tolerance;
    return options;
  }

  static double processorTime() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  Motion motion_;
  std::unique_ptr<SingleBodySystem> body_;
  VectorX start_;
};

void bodyToAccuracy(benchmark::State& state, const Motion& motion, double wanted, const char* coordinates) {
  const Runs plain(motion, "quaternion"), conserving(motion, coordinates);
  const Matrix3 reference = plain.reference();
  const auto classical = plain.cheapest("dop853", wanted, reference);
  std::optional<Setting> best;
  double least = std::numeric_limits<double>::infinity();
  for (int order = 4; order <= 16; order += 2) {
    const auto setting = conserving.cheapest(fmt::format("gauss-{}", order), wanted, reference);
    if (!setting) continue;
    double seconds = conserving.seconds(*setting);
    for (int again = 0; again < 5; ++again) seconds = std::min(seconds, conserving.seconds(*setting));
    if (seconds >= least) continue;
    least = seconds;
    best = setting;
  }
  if (!classical || !best) return state.SkipWithError("not reached");
  double ofDop853 = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    ofDop853 = std::min(ofDop853, plain.seconds(*classical));
    const double seconds = conserving.seconds(*best);
    least = std::min(least, seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["of_dop853"] = least / ofDop853;
  state.counters["dop853_us"] = 1e6 * ofDop853;
  state.counters["us"] = 1e6 * least;
  state.counters["steps"] = best->steps;
  state.counters["error"] = conserving.outcome(*best, reference).first;
  state.SetLabel(best->integrator);
}

[[maybe_unused]] const bool registered = [] {
  for (const Motion& motion : motions())
    for (const double error : {1e-6, 1e-9, 1e-12})
      for (const char* coordinates : {"quaternion", "director"})
        benchmark::RegisterBenchmark(
            fmt::format("bodyToAccuracy/{}/{:.0e}/{}", motion.name, error, coordinates).c_str(),
            [=](benchmark::State& state) { bodyToAccuracy(state, motion, error, coordinates); })
            ->UseManualTime()
            ->Iterations(100)
            ->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
