#pragma once

#include "control/control_law.h"
#include "polhode/model/sampled_path.h"

#include <functional>
#include <vector>

/// A free body that a law drives along a signal, by the partitioned Euler scheme of Lipovac 2020, (3.3) and (3.4), and
/// how well it follows: what the laws are compared by.
namespace polhode {

struct TrackingProblem {
  double mass = 1.0;
  Vector3 gravity = Vector3::Zero();
  Vector3 position = Vector3::Zero();  // at t = 0
  Vector3 velocity = Vector3::Zero();
  double step = 1e-3;
  double end = 4.0;
};

struct TrackingResult {
  std::vector<double> times;
  std::vector<Vector3> positions, velocities;
  std::vector<Vector3> forces;  // of the law, in the step that ends at the time; zero at the first

  double rootMeanSquareError = 0.0;  // of the position against the signal, over all times
  double largestError = 0.0;
  double velocityVariation = 0.0;  // the sum of |v_k+1 - v_k|
  double largestSpeed = 0.0;
  double largestForce = 0.0;
};

/// Follows samples as they come.
TrackingResult track(const TrackingProblem& problem, const SampledPath& path, ControlLaw<Translation>& law);

/// Follows a signal that can be asked at any time.
TrackingResult track(const TrackingProblem& problem, const std::function<Sample<Translation>(double)>& signal,
                     ControlLaw<Translation>& law);

}  // namespace polhode
