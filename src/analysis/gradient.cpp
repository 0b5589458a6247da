#include "analysis/gradient.h"

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "analysis/observable.h"
#include "integrate/mechanism/tree_gradient.h"
#include "integrate/step_breaks.h"
#include "math/differences.h"
#include "math/rotation_maps.h"
#include "model/number_of.h"
#include "system/free_motions.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace polhode {

namespace {

/// The observables of these names, in their order.
class Measures {
 public:
  Measures(const std::vector<std::string>& names, const Observation& sample) {
    const std::vector<Observable> all = observables(sample);
    for (const std::string& name : names) chosen_.push_back(all[numberOf(all, name, "there is no measure")]);
  }

  VectorX of(const Observation& observation) const {
    VectorX values(static_cast<Eigen::Index>(chosen_.size()));
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      values[static_cast<Eigen::Index>(i)] = chosen_[i].value(observation);
    return values;
  }

 private:
  std::vector<Observable> chosen_;
};

/// The derivative at zero of what has these values at the eight offsets.
template <class At>
VectorX derivativeOf(const VariedModels& varied, const At& at) {
  return centralDerivative(varied.step, [&](double x) {
    const auto* const offset =
        std::find(std::begin(VariedModels::offsets), std::end(VariedModels::offsets), std::lround(x / varied.step));
    return VectorX(at(static_cast<std::size_t>(offset - std::begin(VariedModels::offsets)), x));
  });
}

VectorX endOfRun(const Model& model, const SimulationSettings& settings, const std::vector<std::string>& measures) {
  const auto engine = makeEngine(model, settings);
  engine->advanceTo(settings.end);
  const Observation end = engine->observe(engine->stepper().time(), engine->stepper().state());
  return Measures(measures, end).of(end);
}

std::vector<double> toStd(const VectorX& v) {
  return {v.data(), v.data() + v.size()};
}

Gradient byRuns(const Model& model, const std::vector<VariedModels>& parameters, const SimulationSettings& settings,
                const std::vector<std::string>& measures) {
  Gradient gradient;
  gradient.values = toStd(endOfRun(model, settings, measures));
  gradient.derivatives.resize(static_cast<Eigen::Index>(measures.size()), static_cast<Eigen::Index>(parameters.size()));
  for (std::size_t p = 0; p < parameters.size(); ++p)
    gradient.derivatives.col(static_cast<Eigen::Index>(p)) = derivativeOf(
        parameters[p], [&](std::size_t i, double) { return endOfRun(parameters[p].models[i], settings, measures); });
  return gradient;
}

/// The numbers of a tree by a parameter; nothing where they do not follow it smoothly (principal axes that change places) or
/// the structure changes.
std::optional<std::vector<double>> tangentOf(const TreeParts<double>& parts, const VariedModels& varied) {
  const std::vector<double> numbers = numbersOf(parts);
  const Eigen::Map<const VectorX> here(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  std::vector<VectorX> there;
  for (const Model& model : varied.models) {
    const Mechanism mechanism(model);
    if (!isTreeOfBallsAndHinges(mechanism)) return std::nullopt;
    const std::vector<double> own = numbersOf(treeParts(mechanism));
    if (own.size() != numbers.size()) return std::nullopt;
    there.emplace_back(Eigen::Map<const VectorX>(own.data(), here.size()));
  }
  const VectorX tangent = derivativeOf(varied, [&](std::size_t i, double) { return there[i]; });
  for (std::size_t i = 0; i < there.size(); ++i) {
    const double x = VariedModels::offsets[i] * varied.step;
    const VectorX off = there[i] - here - x * tangent;
    if (!((off.array().abs() <= 0.01 * (here.array().abs() + (x * tangent).array().abs() + 1e-6)).all()))
      return std::nullopt;
  }
  return toStd(tangent);
}

/// The motion a little away along a derivative of it, with rotations that are rotations.
MechanismMotion away(const MechanismMotion& motion, const MechanismMotion& derivative, double by) {
  MechanismMotion there = motion;
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const Matrix3 spin = derivative[b].at.D * motion[b].at.D.transpose();
    const Vector3 turn = 0.5 * Vector3(spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1));
    there[b].at.x += by * derivative[b].at.x;
    there[b].at.D = expSO3(Vector3(by * turn)) * motion[b].at.D;
    there[b].rate.v += by * derivative[b].rate.v;
    there[b].rate.W += by * derivative[b].rate.W;
  }
  return there;
}

Observation observedAt(const Model& model, double t, const MechanismMotion& motion) {
  return observeInstant(std::make_shared<const Mechanism>(model), t, motion, Detail::forces);
}

std::optional<Gradient> alongTheRun(const Model& model, const std::vector<VariedModels>& parameters,
                                    const SimulationSettings& settings, const std::vector<std::string>& measures) {
  if (settings.integrator != "director-em" || !settings.step || !model.sensors.empty()) return std::nullopt;
  const Mechanism mechanism(model);
  if (!isTreeOfBallsAndHinges(mechanism)) return std::nullopt;
  const TreeParts<double> parts = treeParts(mechanism);
  std::vector<std::vector<double>> tangents;
  for (const VariedModels& varied : parameters) {
    auto tangent = tangentOf(parts, varied);
    if (!tangent) return std::nullopt;
    tangents.push_back(std::move(*tangent));
  }

  TreeGradient tree(parts, tangents);
  StepGrid grid(*settings.step, settings.end);
  for (double time = 0.0; time < settings.end;) {
    const StepGrid::Step step = grid.from(time);
    tree.step(step.length);
    grid.take(step);
    time = step.end;
  }

  Gradient gradient;
  gradient.alongTheRun = true;
  const MechanismMotion motion = tree.motion();
  const Observation end = observedAt(model, settings.end, motion);
  const Measures measure(measures, end);
  gradient.values = toStd(measure.of(end));
  gradient.derivatives.resize(static_cast<Eigen::Index>(measures.size()), static_cast<Eigen::Index>(parameters.size()));
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const MechanismMotion derivative = tree.derivative(p);
    // a motion may depend on a parameter much more than the model does: a step of its own keeps it near
    double largest = 1.0;
    for (const MovingPlacement& body : derivative) largest = std::max(largest, body.at.D.norm());
    const double shorter = std::min(1.0, 0.01 / (4.0 * parameters[p].step * largest));
    const VectorX byMotion = centralDerivative(shorter * parameters[p].step, [&](double x) {
      return measure.of(observedAt(model, settings.end, away(motion, derivative, x)));
    });
    const VectorX byModel = derivativeOf(parameters[p], [&](std::size_t i, double) {
      return measure.of(observedAt(parameters[p].models[i], settings.end, motion));
    });
    gradient.derivatives.col(static_cast<Eigen::Index>(p)) = byMotion + byModel;
  }
  return gradient;
}

}  // namespace

Gradient gradientOf(const Model& model, const std::vector<VariedModels>& parameters, const SimulationSettings& settings,
                    const std::vector<std::string>& measures) {
  requireFit(model, settings);
  if (auto gradient = alongTheRun(model, parameters, settings, measures)) return std::move(*gradient);
  return byRuns(model, parameters, settings, measures);
}

}  // namespace polhode
