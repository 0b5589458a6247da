#include "lipovac_runs.h"

#include <cmath>

namespace polhode::lipovac {

Law servo(SignalVelocity velocity, double epsilon) {
  return std::make_unique<ServoLaw<Translation>>(velocity, epsilon);
}

Law oneStep(GainsOfStep gains, bool compensate) {
  return std::make_unique<OneStepLaw<Translation>>(std::move(gains), compensate);
}

Law l2(double rho0, bool compensate) {
  return oneStep([rho0](double) { return l2Gains(rho0); }, compensate);
}

Law neumann(double rho0, double rho1, bool compensate) {
  return oneStep([rho0, rho1](double h) { return neumannGains(rho0, rho1, h); }, compensate);
}

Law mixed(double rho0, double rho1, bool compensate) {
  return oneStep([rho0, rho1](double h) { return mixedGains(rho0, rho1, h, MixedSpace::fourFunctions); }, compensate);
}

TrackingResult Scene::run(Law law, double step, bool startsAtRest, bool gravity) const {
  TrackingProblem problem;
  problem.step = step;
  problem.end = end;
  problem.position = path.position(0);
  if (!startsAtRest) problem.velocity = path.velocity(0);
  if (gravity) problem.gravity = Vector3(0.0, 0.0, -9.81);
  return track(problem, path, *law);
}

Series component(const std::string& name, const Scene& scene, const TrackingResult& result, Quantity quantity,
                 Eigen::Index axis, const Window& window) {
  Series series{name, {}, {}};
  for (std::size_t k = 0; k < result.times.size(); k += window.stride) {
    const double t = result.times[k];
    if (t < window.begin || t > window.end) continue;
    double y = 0.0;
    switch (quantity) {
      case Quantity::position:
        y = result.positions[k][axis];
        break;
      case Quantity::velocity:
        y = result.velocities[k][axis];
        break;
      case Quantity::positionError:
        y = result.positions[k][axis] - scene.path.held(t)[axis];
        break;
      case Quantity::velocityError:
        y = result.velocities[k][axis] - scene.path.velocity(scene.path.indexAt(t))[axis];
        break;
    }
    series.x.push_back(t);
    series.y.push_back(y);
  }
  return series;
}

namespace {

/// A piecewise constant function as it is drawn: with its jumps.
template <class Value>
Series heldSeries(const std::string& name, const Scene& scene, const Window& window, const Value& value) {
  Series series{name, {}, {}};
  const SampledPath& path = scene.path;
  for (std::size_t j = 0; j < path.size() && path.time(j) <= std::min(window.end, scene.end); ++j) {
    if (path.time(j) < window.begin) continue;
    const double until = j + 1 < path.size() ? path.time(j + 1) : scene.end;
    for (const double t : {path.time(j), std::min(until, scene.end)}) {
      series.x.push_back(t);
      series.y.push_back(value(j));
    }
  }
  return series;
}

}  // namespace

Series signalSeries(const Scene& scene, Eigen::Index axis, const Window& window) {
  return heldSeries("signal", scene, window, [&](std::size_t j) { return scene.path.position(j)[axis]; });
}

Series signalVelocity(const Scene& scene, Eigen::Index axis, const Window& window) {
  return heldSeries("signal", scene, window, [&](std::size_t j) { return scene.path.velocity(j)[axis]; });
}

Series signalVelocityOnGrid(const Scene& scene, double step, Eigen::Index axis, const Window& window) {
  Series series{"signal", {}, {}};
  const auto steps = static_cast<std::size_t>(std::llround(scene.end / step));
  for (std::size_t k = 1; k <= steps; ++k) {
    const double t = static_cast<double>(k) * step, before = static_cast<double>(k - 1) * step;
    if (t < window.begin || t > window.end) continue;
    series.x.push_back(t);
    series.y.push_back((scene.path.held(t) - scene.path.held(before))[axis] / step);
  }
  return series;
}

}  // namespace polhode::lipovac
