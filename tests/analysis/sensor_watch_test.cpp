#include "analysis/sensor_watch.h"

#include "analysis/engine_registry.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::sensor_watch_test {
namespace {

/// A pendulum of length 2 that is pulled by a spring, with sensors.
const std::string pendulum = R"TOML(
[parameters]
half_mass = 0.75

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

[[sensor]]
name = "tip"
type = "position"
body = "rod"
point = [2, 0, 0]

[[sensor]]
name = "tip speed"
type = "velocity"
body = "rod"
point = [2, 0, 0]

[[sensor]]
name = "tip acceleration"
type = "acceleration"
body = "rod"
point = [2, 0, 0]

[[sensor]]
name = "bearing"
type = "force"
joint = "pin"

[[sensor]]
name = "pull"
type = "force"
force = "strut"

[[sensor]]
name = "fall"
type = "formula"
formula = "half_mass*(u^2 + w^2) + 0*t"
of = { u = "rod.velocity.x", w = "rod.velocity.z" }

[[sensor]]
name = "twice the height"
type = "formula"
formula = "2*z"
of = { z = "sensor.tip.z" }

[[sensor]]
name = "tension"
type = "formula"
formula = "f"
of = { f = "strut.tension" }

[simulation]
integrator = "dop853"
tolerance = 1e-12
end = 0.5
output = { every = 0.01 }
)TOML";

std::string with(const std::string& old, const std::string& by) {
  std::string text = pendulum;
  return text.replace(text.find(old), old.size(), by);
}

std::string errorOf(const std::string& text) {
  try {
    readModelText(text, "p.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(SensorWatch, MeasuresPointsForcesAndFormulas) {
  const ModelFile file = readModelText(pendulum, "p.toml");
  const RunResult result = simulate(file.model, file.simulation, true);
  ASSERT_EQ(result.failure, "");
  const Recording& recorded = result.recording;
  const auto column = [&](const std::string& name) {
    const auto found = std::find(recorded.columns.begin(), recorded.columns.end(), name);
    EXPECT_NE(found, recorded.columns.end()) << name;
    return static_cast<std::size_t>(found - recorded.columns.begin());
  };
  const auto at = [&](std::size_t row, const std::string& name) {
    return recorded.values[row * recorded.columns.size() + column(name)];
  };
  for (std::size_t row = 1; row + 1 < recorded.rows(); row += 7) {
    const double angle = at(row, "joint.pin.angle");
    EXPECT_NEAR(at(row, "sensor.tip.x"), 2 * std::cos(angle), 1e-9);
    EXPECT_NEAR(at(row, "sensor.tip.z"), -2 * std::sin(angle), 1e-9);
    // the speed of a point is the derivative of its place, and so on; differences over 0.02 s err by some 1e-4
    for (const char* axis : {"x", "z"}) {
      const auto slope = [&](const std::string& name) { return (at(row + 1, name) - at(row - 1, name)) / 0.02; };
      EXPECT_NEAR(at(row, std::string("sensor.tip speed.") + axis), slope(std::string("sensor.tip.") + axis), 5e-3);
      EXPECT_NEAR(at(row, std::string("sensor.tip acceleration.") + axis),
                  slope(std::string("sensor.tip speed.") + axis), 2e-2);
    }
    // twice the velocity and acceleration of the middle
    EXPECT_NEAR(at(row, "sensor.tip speed.z"), 2 * at(row, "rod.velocity.z"), 1e-8);
    EXPECT_NEAR(at(row, "sensor.tip acceleration.x"), 2 * at(row, "rod.acceleration.x"), 1e-8);
    EXPECT_EQ(at(row, "sensor.bearing.z"), at(row, "joint.pin.force.z"));
    EXPECT_EQ(at(row, "sensor.pull.x"), at(row, "strut.force.x"));
    EXPECT_EQ(at(row, "sensor.tension"), at(row, "strut.tension"));
    EXPECT_EQ(at(row, "sensor.twice the height"), 2 * at(row, "sensor.tip.z"));
    const double u = at(row, "rod.velocity.x"), w = at(row, "rod.velocity.z");
    EXPECT_DOUBLE_EQ(at(row, "sensor.fall"), 0.75 * (u * u + w * w));
  }
  // Newton's law for the whole rod
  const std::size_t last = recorded.rows() - 1;
  EXPECT_NEAR(at(last, "sensor.bearing.z") + at(last, "sensor.pull.z") - 1.5 * 9.81,
              1.5 * at(last, "rod.acceleration.z"), 1e-9);
}

TEST(SensorWatch, LetsARunStopWhereASensorSays) {
  for (const char* integrator : {"dop853", "director-em"}) {
    const ModelFile file = readModelText(pendulum, "p.toml",
                                         {"simulation.stop_when=\"sensor.twice the height=1\"",
                                          std::string("simulation.integrator=") + integrator, "simulation.step=0.001"});
    const RunResult result = simulate(file.model, file.simulation);
    EXPECT_TRUE(result.stoppedByEvent) << integrator;
    EXPECT_NEAR(result.final.sensors[0].values[2], 0.5, 1e-6) << integrator;
  }
}

TEST(SensorWatch, TellsNoForcesWhereOnlyTheMotionIsAskedFor) {
  const ModelFile file = readModelText(pendulum, "p.toml");
  const auto engine = makeEngine(file.model, file.simulation);
  const Observation motion = engine->observe(0.0, engine->stepper().state(), Detail::motion);
  EXPECT_EQ(motion.sensors[0].values, std::vector<double>({2, 0, 0}));
  EXPECT_TRUE(std::isnan(motion.sensors[2].values[0]));
  EXPECT_TRUE(std::isnan(motion.sensors[3].values[0]));
  EXPECT_TRUE(std::isnan(motion.sensors[7].values[0]));
}

TEST(SensorWatch, IsOfOneBodyAsOfMany) {
  const ModelFile file = readModelText(
      "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 2, 2.5]\nvelocity = [1, 0, 0]\n"
      "angular_velocity = { body = [0, 0, 3] }\n[[sensor]]\nname = \"nose\"\ntype = \"velocity\"\nbody = \"top\"\n"
      "point = [0, 1, 0]\n",
      "top.toml");
  const RunResult result = simulate(file.model, file.simulation);
  EXPECT_NEAR(result.initial.sensors[0].values[0], 1 - 3, 1e-15);
}

TEST(SensorWatch, IsRefusedWithTheNearestNameAndThePlace) {
  const std::string unknown = errorOf(with("\"strut.tension\"", "\"strut.tensoin\""));
  EXPECT_NE(unknown.find("p.toml:"), std::string::npos);
  EXPECT_NE(unknown.find("sensor 'tension' measures 'strut.tensoin', which cannot be observed; did you mean "
                         "'strut.tension'?"),
            std::string::npos)
      << unknown;
  // one that comes later is not known yet
  EXPECT_NE(errorOf(with("\"rod.velocity.x\"", "\"sensor.tension\"")).find("cannot be observed"), std::string::npos);
  EXPECT_NE(errorOf(with("type = \"velocity\"", "type = \"velocty\"")).find("did you mean 'velocity'?"),
            std::string::npos);
  EXPECT_NE(errorOf(with("joint = \"pin\"", "joint = \"pim\"")).find("is the unknown joint 'pim'; did you mean 'pin'?"),
            std::string::npos);
  EXPECT_NE(errorOf(with("name = \"pull\"", "name = \"tip\"")).find("has the name of an earlier one"),
            std::string::npos);
  EXPECT_NE(errorOf(with("formula = \"2*z\"", "formula = \"2*y\"")).find("'y' is unknown"), std::string::npos);
  EXPECT_NE(errorOf(with("{ z = \"sensor", "{ t = \"sensor")).find("'t', which means something else in its formula"),
            std::string::npos);
  EXPECT_NE(errorOf(with("joint = \"pin\"\n\n[[sensor]]", "joint = \"pin\"\nbody = \"rod\"\n\n[[sensor]]"))
                .find("has the key 'body', which a sensor of type 'force' does not have"),
            std::string::npos);
}

}  // namespace polhode::sensor_watch_test
