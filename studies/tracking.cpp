#include "tracking.h"

#include "math/largest.h"

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

/// `feed(until, law)` lets the law observe what has come; `target(time)` is what the error is measured against.
template <class Feed, class Target>
TrackingResult trackFed(const TrackingProblem& problem, ControlLaw<Translation>& law, const Feed& feed,
                        const Target& target) {
  const auto steps = static_cast<std::size_t>(std::llround(problem.end / problem.step));
  const double h = problem.step;
  DrivenState<Translation> state;
  state.step = h;
  state.place = problem.position;
  state.velocity = problem.velocity;
  state.mobility = Matrix3::Identity() / problem.mass;
  state.freeAcceleration = problem.gravity;

  TrackingResult result;
  double squares = 0.0;
  const auto keep = [&](const Vector3& force) {
    const double error = (state.place - target(state.time)).norm();
    squares += error * error;
    result.largestError = largestOrNaN(result.largestError, error);
    result.largestSpeed = largestOrNaN(result.largestSpeed, state.velocity.norm());
    result.largestForce = largestOrNaN(result.largestForce, force.norm());
    if (!result.times.empty()) result.velocityVariation += (state.velocity - result.velocities.back()).norm();
    result.times.push_back(state.time);
    result.positions.push_back(state.place);
    result.velocities.push_back(state.velocity);
    result.forces.push_back(force);
  };

  feed(0.0, law);
  keep(Vector3::Zero());
  for (std::size_t k = 0; k < steps; ++k) {
    const double next = static_cast<double>(k + 1) * h;
    feed(next, law);
    const Vector3 force = law.force(state);
    state.place += h * state.velocity;
    state.velocity += h * (state.mobility * force + state.freeAcceleration);
    state.time = next;
    keep(force);
  }
  result.rootMeanSquareError = std::sqrt(squares / static_cast<double>(steps + 1));
  return result;
}

}  // namespace

TrackingResult track(const TrackingProblem& problem, const SampledPath& path, ControlLaw<Translation>& law) {
  std::size_t fed = 0;
  const auto feed = [&](double until, ControlLaw<Translation>& follower) {
    for (const std::size_t last = path.indexAt(until); fed <= last; ++fed)
      follower.observe({path.time(fed), path.position(fed), path.velocity(fed)});
  };
  return trackFed(problem, law, feed, [&](double time) { return path.held(time); });
}

TrackingResult track(const TrackingProblem& problem, const std::function<Sample<Translation>(double)>& signal,
                     ControlLaw<Translation>& law) {
  const auto feed = [&](double until, ControlLaw<Translation>& follower) { follower.observe(signal(until)); };
  return trackFed(problem, law, feed, [&](double time) { return signal(time).place; });
}

}  // namespace polhode
