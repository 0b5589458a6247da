#include "analysis/gradient.h"

#include "../support/mechanisms.h"
#include "polhode/error.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace polhode::gradient_test {
namespace {

SimulationSettings stepped(double step, double end) {
  SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = step;
  settings.end = end;
  return settings;
}

VariedModels varied(const std::function<Model(double)>& model, double at, double step) {
  VariedModels all{step, {}};
  for (const int offset : VariedModels::offsets) all.models.push_back(model(at + offset * step));
  return all;
}

/// A spatial double pendulum whose second body is heavier and whose first turns faster as wished.
Model pendulum(double mass, double spin, double gravity) {
  Model model = test::spatialDoublePendulum();
  model.bodies[1].mass *= mass;
  model.bodies[1].inertia *= mass;
  model.bodies[0].angularVelocity *= spin;
  model.gravity *= gravity;
  return model;
}

// By dual numbers along the steps, and by differences of whole runs of the same steps: a model with a sensor goes that way.
TEST(Gradient, DualsAgreeWithDifferencesOfRuns) {
  const std::vector<VariedModels> parameters = {varied([](double m) { return pendulum(m, 1.0, 1.0); }, 1.0, 2e-3),
                                                varied([](double g) { return pendulum(1.0, 1.0, g); }, 1.0, 2e-3)};
  const Model model = pendulum(1.0, 1.0, 1.0);
  const std::string last = model.bodies[1].name;
  const std::vector<std::string> measures = {last + ".position.x", last + ".velocity.z", last + ".angular_velocity.y",
                                             "energy"};
  const Gradient along = gradientOf(model, parameters, stepped(2e-3, 1.0), measures);
  EXPECT_TRUE(along.alongTheRun);

  auto watched = parameters;
  Model other = model;
  const auto addSensor = [&](Model& each) {
    Sensor sensor;
    sensor.name = "s";
    sensor.body = last;
    each.sensors.push_back(sensor);
  };
  addSensor(other);
  for (VariedModels& each : watched)
    for (Model& one : each.models) addSensor(one);
  const Gradient byRuns = gradientOf(other, watched, stepped(2e-3, 1.0), measures);
  EXPECT_FALSE(byRuns.alongTheRun);
  for (std::size_t i = 0; i < measures.size(); ++i) {
    EXPECT_NEAR(along.values[i], byRuns.values[i], 1e-10) << measures[i];
    for (int p = 0; p < 2; ++p) {
      const double expected = byRuns.derivatives(static_cast<int>(i), p);
      EXPECT_NEAR(along.derivatives(static_cast<int>(i), p), expected, 1e-8 * (1.0 + std::abs(expected)))
          << measures[i] << " parameter " << p;
    }
  }
}

// A pendulum that is let go near the bottom: its mass does not matter, and where it is after a time follows gravity and
// length as t sqrt(g/l) says.
TEST(Gradient, OfASmallPendulum) {
  constexpr double small = 1e-4, end = 1.3;
  const auto rod = [](double length, double gravity, double mass) {
    Model model;
    model.gravity = Vector3(0.0, 0.0, -gravity);
    Body body;
    body.name = "bob";
    body.mass = mass;
    body.inertia = mass * length * length * Matrix3(Vector3(1e-6, 1e-6, 1e-6).asDiagonal());
    body.position = length * Vector3(std::sin(small), 0.0, -std::cos(small));
    model.bodies = {body};
    Joint joint;
    joint.name = "hinge";
    joint.type = "revolute";
    joint.first = "ground";
    joint.second = "bob";
    joint.axis = Vector3::UnitY();
    model.joints = {joint};
    return model;
  };
  const std::vector<VariedModels> parameters = {varied([&](double l) { return rod(l, 9.81, 1.0); }, 0.7, 1e-3),
                                                varied([&](double g) { return rod(0.7, g, 1.0); }, 9.81, 1e-2),
                                                varied([&](double m) { return rod(0.7, 9.81, m); }, 1.0, 2e-3)};
  const Gradient found = gradientOf(rod(0.7, 9.81, 1.0), parameters, stepped(1e-3, end), {"bob.position.x"});
  ASSERT_TRUE(found.alongTheRun);
  const double omega = std::sqrt(9.81 / 0.7), x = 0.7 * small * std::cos(omega * end);
  const double byOmega = -0.7 * small * end * std::sin(omega * end);
  EXPECT_NEAR(found.values[0], x, 1e-3 * small);
  EXPECT_NEAR(found.derivatives(0, 0), x / 0.7 - byOmega * 0.5 * omega / 0.7, 1e-3 * small);
  EXPECT_NEAR(found.derivatives(0, 1), byOmega * 0.5 * omega / 9.81, 1e-3 * small);
  EXPECT_NEAR(found.derivatives(0, 2), 0.0, 1e-9 * small);
}

TEST(Gradient, SaysWhichMeasuresThereAre) {
  const Model model = pendulum(1.0, 1.0, 1.0);
  try {
    gradientOf(model, {}, stepped(1e-2, 0.1), {"energi"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "there is no measure 'energi'; did you mean 'energy'?");
  }
}

}  // namespace
}  // namespace polhode::gradient_test
