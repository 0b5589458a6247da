#include "analysis/observation_changes.h"

#include "analysis/instant_watch.h"
#include "analysis/mechanism_observation.h"
#include "math/differences.h"
#include "polhode/analysis/simulation.h"
#include "polhode/io/load_model.h"
#include "system/linear_motion.h"

#include <gtest/gtest.h>

namespace polhode::observation_changes_test {
namespace {

/// A rod on a hinge and a spring with a damper, with a sensor of every kind.
const char* const withSensors = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "rod"
mass = 1.5
inertia = [0.5, 0.5, 0.01]
position = [1, 0, 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "rod"]
point = [0, 0, 0]
axis = [0, 1, 0]
start = { angle_rate = -1.5 }
[[force]]
name = "strut"
type = "spring"
bodies = ["ground", "rod"]
points = [[0, 0, 3], [2, 0, 0]]
stiffness = 4
damping = 0.3
[[sensor]]
name = "tip"
type = "position"
body = "rod"
point = [2, 0, 0.1]
[[sensor]]
name = "tip speed"
type = "velocity"
body = "rod"
point = [2, 0, 0.1]
[[sensor]]
name = "tip acceleration"
type = "acceleration"
body = "rod"
point = [2, 0, 0.1]
[[sensor]]
name = "bearing"
type = "force"
joint = "pin"
[[sensor]]
name = "moment"
type = "torque"
force = "strut"
[[sensor]]
name = "mixed"
type = "formula"
formula = "w^2*h + sin(f)"
of = { w = "joint.pin.angle_rate", h = "sensor.tip.z", f = "strut.tension" }
)toml";

/// All that can be observed changes beside a motion as differences of observations do.
void expectChangesOfDifferences(const Model& model, const SimulationSettings& settings, double time) {
  Simulation simulation(model, settings);
  simulation.advanceTo(time);
  const auto mechanism = std::make_shared<const Mechanism>(model);
  MotionLineariser lineariser(mechanism);
  const LinearMotion motion = lineariser.about(time, mechanismMotion(*mechanism, simulation.observe().bodies));
  const VectorX u = velocitiesOf(motion.bodies), none = VectorX::Zero(u.size());
  InstantWatch watch(mechanism);
  const auto observed = [&](const MechanismMotion& bodies) {
    Observation there = observeMechanism(*mechanism, time, bodies);
    watch.tell(there, bodies, Detail::forces);
    SensorWatch(model, there).tell(there);
    return there;
  };
  const Observation here = observed(motion.bodies);
  std::vector<Observable> all = observables(here);
  std::erase_if(all, [](const Observable& each) { return each.name.starts_with("constraint."); });
  const auto values = [&](const MechanismMotion& bodies) {
    const Observation there = observed(bodies);
    VectorX y(static_cast<Eigen::Index>(all.size()));
    for (Eigen::Index i = 0; i < y.size(); ++i) y[i] = all[static_cast<std::size_t>(i)].value(there);
    return y;
  };
  const ObservationChanges beside(model, mechanism, time, motion.bodies, here);
  const auto compare = [&](const VectorX& place, const VectorX& velocity) {
    const VectorX differences = centralDerivative(
        2e-3, [&](double x) { return values(movingBy(displaced(motion.bodies, place, x), u + x * velocity)); });
    const Observation changes = beside.along(place, velocity, none);
    const double roundings = 1e-11 * values(motion.bodies).cwiseAbs().maxCoeff();  // in the differences
    const double scale = std::max(1.0, differences.cwiseAbs().maxCoeff());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double difference = differences[static_cast<Eigen::Index>(i)];
      EXPECT_NEAR(all[i].change(here, changes), difference, 1e-9 * scale + 1e-7 * std::abs(difference) + roundings)
          << all[i].name;
    }
  };
  for (Eigen::Index j = 0; j < motion.freedoms(); ++j) {
    compare(motion.basis.col(j), motion.velocities.col(j));
    compare(none, motion.basis.col(j));
  }
}

class ObservationChangesOf : public testing::TestWithParam<const char*> {};

TEST_P(ObservationChangesOf, AnExampleThatMovesAreThoseOfDifferences) {
  ModelFile file = loadModel(GetParam());
  file.simulation.integrator = "dop853";
  file.simulation.tolerance = 1e-12;
  file.simulation.step.reset();
  expectChangesOfDifferences(file.model, file.simulation, 0.15);
}

INSTANTIATE_TEST_SUITE_P(All, ObservationChangesOf,
                         testing::Values("bennett", "bricard", "cardan-shaft", "engine-mounts", "flyball-governor",
                                         "four-bar-loop", "heavy-top", "planetary-gear", "quarter-car", "rod-in-sleeve",
                                         "spatial-slider-crank", "spring-top"));

TEST(ObservationChanges, OfSensorsAreThoseOfDifferences) {
  const ModelFile file = readModelText(withSensors, "with sensors");
  expectChangesOfDifferences(file.model, file.simulation, 0.3);
}

}  // namespace
}  // namespace polhode::observation_changes_test
