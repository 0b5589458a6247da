#pragma once

#include "control/one_step_law.h"
#include "control/servo_law.h"
#include "study.h"
#include "tracking.h"

#include <memory>
#include <string>
#include <vector>

/// The runs behind the figures of Lipovac 2020: a sphere of mass 1 driven along a signal.
namespace polhode::lipovac {

using Law = std::unique_ptr<ControlLaw<Translation>>;

Law servo(SignalVelocity velocity, double epsilon);
Law oneStep(GainsOfStep gains, bool compensate = true);
Law l2(double rho0, bool compensate = true);
Law neumann(double rho0, double rho1, bool compensate = true);
Law mixed(double rho0, double rho1, bool compensate = true);

inline constexpr double usualStep = 1e-3;  // seconds, of the laws and of the figures

/// The signal and how long it is followed.
struct Scene {
  SampledPath path;
  double end;

  /// Starts at the signal's first sample, at rest or with the signal's velocity.
  TrackingResult run(Law law, double step, bool startsAtRest = true, bool gravity = false) const;
};

/// A component of what a run gave, every `stride`-th step between two times.
struct Window {
  double begin = 0.0, end = 4.0;
  std::size_t stride = 4;
};
enum class Quantity { position, velocity, positionError, velocityError };
Series component(const std::string& name, const Scene& scene, const TrackingResult& result, Quantity quantity,
                 Eigen::Index axis, const Window& window = {});

/// The signal itself: positions, central differences on its own grid, or differences on a step grid.
Series signalSeries(const Scene& scene, Eigen::Index axis, const Window& window = {});
Series signalVelocity(const Scene& scene, Eigen::Index axis, const Window& window = {});
Series signalVelocityOnGrid(const Scene& scene, double step, Eigen::Index axis, const Window& window);

/// The chapters of the thesis, each as a section with its figures.
void smoothActuation(StudyResult& result);
void servoFigures(StudyResult& result, const Scene& scene);
void l2Figures(StudyResult& result, const Scene& scene);
void h1Figures(StudyResult& result, const Scene& scene);

/// All laws beside each other, and the receding-horizon law at all step sizes.
void comparison(StudyResult& result, const Scene& scene);

}  // namespace polhode::lipovac
