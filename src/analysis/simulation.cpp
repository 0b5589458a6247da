#include "polhode/analysis/simulation.h"

#include "polhode/analysis/classical_mechanism_run.h"
#include "polhode/analysis/guided_run.h"
#include "polhode/analysis/index_body_run.h"
#include "polhode/analysis/mechanism_run.h"
#include "polhode/analysis/quaternion_mechanism_run.h"
#include "polhode/analysis/real_time_run.h"
#include "polhode/analysis/scheme_run.h"
#include "polhode/analysis/single_body_run.h"
#include "polhode/integrate/catalogue.h"
#include "polhode/model/suggestion.h"
#include "polhode/system/principal_body.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

void Simulation::projectState() {
  VectorX y = stepper().state();
  if (project(stepper().time(), y)) stepper().replaceState(y);
}

void Simulation::advanceTo(double end) {
  while (stepper().time() < end) {
    stepper().step();
    projectState();
  }
}

namespace {

/// Tolerances that say nothing, or that rounding does not let any integrator meet.
void requireSoundTolerance(double tolerance) {
  constexpr double least = 1e-14, most = 1.0;
  if (!(tolerance >= least && tolerance < most))
    throw InputError(
        fmt::format("the tolerance is {:g}; give one from {:g}, which rounding still allows, to below {:g}", tolerance,
                    least, most));
}

/// A coordinate that jumps would need an infinite force.
void refuseJumps(const Model& model, double end) {
  const auto refuse = [end](const Joint& joint, const std::string& what, const Signal& signal) {
    for (const SignalBreak& each : signal.breaks(0.0, end))
      if (each.order == 0)
        throw InputError(
            fmt::format("joint {} drives its {} along a signal that jumps at t = {:.9g}, from {:.6g} to "
                        "{:.6g}, which no force can follow; lead it there in a finite time",
                        quoted(joint.name), what, each.time, signal.value(std::nextafter(each.time, 0.0)),
                        signal.value(each.time)));
  };
  for (const Joint& joint : model.joints) {
    if (joint.length) refuse(joint, "length", *joint.length);
    for (const CoordinateDrive& drive : joint.drives) refuse(joint, drive.coordinate, drive.follow);
  }
}

}  // namespace

std::unique_ptr<Simulation> makeSimulation(const Model& model, const SimulationSettings& settings) {
  findIntegrator(settings.integrator);
  requireSoundTolerance(settings.tolerance);
  refuseJumps(model, settings.end);
  if (settings.integrator == RealTimeRun::integrator) return std::make_unique<RealTimeRun>(model, settings);
  if (GuidedRun::handles(model, settings)) return std::make_unique<GuidedRun>(model, settings);
  if (!model.actuators.empty())
    throw InputError(
        fmt::format("integrator '{}' does not move actuators, and the model has '{}'; choose '{}', or director-em",
                    settings.integrator, model.actuators.front().name, RealTimeRun::integrator));
  if (MechanismRun::handles(model, settings)) return std::make_unique<MechanismRun>(model, settings);
  if (QuaternionMechanismRun::handles(model, settings))
    return std::make_unique<QuaternionMechanismRun>(model, settings);
  const bool isScheme = SchemeRun::handles(settings.integrator);
  if (isScheme && !PrincipalBody::fits(model))
    throw InputError(
        fmt::format("integrator '{}' moves one body under gravity, and the model is a mechanism; choose 'director-em', "
                    "'eml', 'mpl' or one of the classical integrators, such as 'dop853'",
                    settings.integrator));
  if (!PrincipalBody::fits(model)) return makeClassicalMechanismRun(model, settings);
  if (isScheme) return std::make_unique<SchemeRun>(model, settings);
  if (IndexBodyRun::handles(settings.formulation)) return std::make_unique<IndexBodyRun>(model, settings);
  return std::make_unique<SingleBodyRun>(model, settings);
}

}  // namespace polhode
