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
#include <map>
#include <memory>
#include <optional>

namespace polhode {

namespace {

/// What is to be seen, in the order of time.
class Sightings {
 public:
  Sightings(const std::vector<Sighting>& all, const Observation& sample) : count_(all.size()) {
    const std::vector<Observable> known = observables(sample);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Observable& observable = known[numberOf(known, all[i].observable, "there is no measure")];
      if (observable.detail == Detail::forces) detail_ = Detail::forces;
      at_[all[i].time].push_back({static_cast<Eigen::Index>(i), observable});
    }
  }

  Eigen::Index size() const { return static_cast<Eigen::Index>(count_); }

  /// What their observations must tell.
  Detail detail() const { return detail_; }

  struct Seen {
    Eigen::Index place;  // among all
    Observable observable;
  };
  const std::map<double, std::vector<Seen>>& inTime() const { return at_; }

  /// The values of those of one instant.
  static VectorX of(const std::vector<Seen>& seen, const Observation& observation) {
    VectorX values(static_cast<Eigen::Index>(seen.size()));
    for (std::size_t i = 0; i < seen.size(); ++i)
      values[static_cast<Eigen::Index>(i)] = seen[i].observable.value(observation);
    return values;
  }

  static std::vector<Eigen::Index> placesOf(const std::vector<Seen>& seen) {
    std::vector<Eigen::Index> places;
    for (const Seen& each : seen) places.push_back(each.place);
    return places;
  }

 private:
  std::size_t count_;
  Detail detail_ = Detail::motion;
  std::map<double, std::vector<Seen>> at_;
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

VectorX seenOfRun(const Model& model, const SimulationSettings& settings, const std::vector<Sighting>& asked) {
  const auto engine = makeEngine(model, settings);
  const Stepper& stepper = engine->stepper();
  const Sightings sightings(asked, engine->observe(stepper.time(), stepper.state()));
  VectorX values(sightings.size());
  for (const auto& [time, seen] : sightings.inTime()) {
    engine->advanceTo(time);
    values(Sightings::placesOf(seen)) = Sightings::of(seen, observeWithin(*engine, time, sightings.detail()));
  }
  return values;
}

std::vector<double> toStd(const VectorX& v) {
  return {v.data(), v.data() + v.size()};
}

Gradient byRuns(const Model& model, const std::vector<VariedModels>& parameters, const SimulationSettings& settings,
                const std::vector<Sighting>& sightings) {
  Gradient gradient;
  gradient.values = toStd(seenOfRun(model, settings, sightings));
  gradient.derivatives.resize(static_cast<Eigen::Index>(sightings.size()),
                              static_cast<Eigen::Index>(parameters.size()));
  for (std::size_t p = 0; p < parameters.size(); ++p)
    gradient.derivatives.col(static_cast<Eigen::Index>(p)) = derivativeOf(
        parameters[p], [&](std::size_t i, double) { return seenOfRun(parameters[p].models[i], settings, sightings); });
  return gradient;
}

/// The numbers of a tree by a parameter; nothing where they do not follow it smoothly (principal axes that change places) or
/// the structure changes.
std::optional<std::vector<double>> tangentOf(const TreeParts<double>& parts, const VariedModels& varied,
                                             const std::vector<std::shared_ptr<const Mechanism>>& neighbours) {
  const std::vector<double> numbers = numbersOf(parts);
  const Eigen::Map<const VectorX> here(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  std::vector<VectorX> there;
  for (const auto& mechanism : neighbours) {
    if (!isTreeOfBallsAndHinges(*mechanism)) return std::nullopt;
    const std::vector<double> own = numbersOf(treeParts(*mechanism));
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

/// A tree beside its neighbours.
struct VariedTree {
  std::shared_ptr<const Mechanism> mechanism;
  std::vector<std::vector<std::shared_ptr<const Mechanism>>> neighbours;  // of each parameter
};

/// What is seen at one instant, by each parameter: by how the motion depends on it, and what is read off the motion.
void seeAt(double t, const TreeGradient& run, const VariedTree& tree, const std::vector<VariedModels>& parameters,
           const std::vector<Sightings::Seen>& seen, Detail detail, Gradient& gradient) {
  const MechanismMotion motion = run.motion();
  const std::vector<Eigen::Index> places = Sightings::placesOf(seen);
  const auto valuesOf = [&](const std::shared_ptr<const Mechanism>& mechanism, const MechanismMotion& bodies) {
    return Sightings::of(seen, observeInstant(mechanism, t, bodies, detail));
  };
  const VectorX values = valuesOf(tree.mechanism, motion);
  for (std::size_t i = 0; i < places.size(); ++i)
    gradient.values[static_cast<std::size_t>(places[i])] = values[static_cast<Eigen::Index>(i)];
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const MechanismMotion derivative = run.derivative(p);
    // a motion may depend on a parameter much more than the model does: a step of its own keeps it near
    double largest = 1.0;
    for (const MovingPlacement& body : derivative) largest = std::max(largest, body.at.D.norm());
    const double shorter = std::min(1.0, 0.01 / (4.0 * parameters[p].step * largest));
    const VectorX byMotion = centralDerivative(
        shorter * parameters[p].step, [&](double x) { return valuesOf(tree.mechanism, away(motion, derivative, x)); });
    const VectorX byModel =
        derivativeOf(parameters[p], [&](std::size_t i, double) { return valuesOf(tree.neighbours[p][i], motion); });
    gradient.derivatives(places, static_cast<Eigen::Index>(p)) = byMotion + byModel;
  }
}

std::optional<Gradient> alongTheRun(const Model& model, const std::vector<VariedModels>& parameters,
                                    const SimulationSettings& settings, const std::vector<Sighting>& asked) {
  if (settings.integrator != "director-em" || !settings.step || !model.sensors.empty()) return std::nullopt;
  VariedTree tree{std::make_shared<const Mechanism>(model), {}};
  if (!isTreeOfBallsAndHinges(*tree.mechanism)) return std::nullopt;
  const TreeParts<double> parts = treeParts(*tree.mechanism);
  std::vector<std::vector<double>> tangents;
  for (const VariedModels& varied : parameters) {
    auto& neighbours = tree.neighbours.emplace_back();
    for (const Model& each : varied.models) neighbours.push_back(std::make_shared<const Mechanism>(each));
    auto tangent = tangentOf(parts, varied, neighbours);
    if (!tangent) return std::nullopt;
    tangents.push_back(std::move(*tangent));
  }

  TreeGradient run(parts, tangents);
  const Sightings sightings(asked, observeInstant(tree.mechanism, 0.0, run.motion(), Detail::forces));
  Gradient gradient;
  gradient.alongTheRun = true;
  gradient.values.resize(asked.size());
  gradient.derivatives.resize(sightings.size(), static_cast<Eigen::Index>(parameters.size()));
  StepGrid grid(*settings.step, settings.end);
  double time = 0.0;
  for (const auto& [wanted, seen] : sightings.inTime()) {
    while (time < wanted) {
      const StepGrid::Step step = grid.from(time);
      run.step(step.length);
      grid.take(step);
      time = step.end;
    }
    if (time != wanted) return std::nullopt;  // within a step
    seeAt(time, run, tree, parameters, seen, sightings.detail(), gradient);
  }
  return gradient;
}

}  // namespace

Gradient gradientOf(const Model& model, const std::vector<VariedModels>& parameters, const SimulationSettings& settings,
                    const std::vector<Sighting>& sightings) {
  requireFit(model, settings);
  if (auto gradient = alongTheRun(model, parameters, settings, sightings)) return std::move(*gradient);
  return byRuns(model, parameters, settings, sightings);
}

Gradient gradientOf(const Model& model, const std::vector<VariedModels>& parameters, const SimulationSettings& settings,
                    const std::vector<std::string>& measures) {
  std::vector<Sighting> atEnd;
  for (const std::string& name : measures) atEnd.push_back({name, settings.end});
  return gradientOf(model, parameters, settings, atEnd);
}

}  // namespace polhode
