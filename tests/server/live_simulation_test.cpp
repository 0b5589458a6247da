#include "server/live_simulation.h"

#include "polhode/model/joint_type.h"
#include "polhode/system/forces/user_force.h"

#include <gtest/gtest.h>

namespace polhode::live::live_simulation_test {
namespace {

struct Wind final : UserForce {
  Wind() : UserForce("wind", groundIndex, 0) {}
  ElementWrenches wrenches(double, const MovingPlacement&, const MovingPlacement&) const override {
    return {{}, {Vector3(2.0, 0, 0), Vector3::Zero()}};
  }
};

// x = F t^2 / (2 m), whatever integrator the page chooses on the way.
TEST(LiveSimulation, AUsersForceBlowsOnThePageToo) {
  Model model;
  model.bodies.resize(1);
  model.bodies[0].name = "ball";
  model.forces.push_back(userForce(std::make_shared<Wind>()));
  SimulationSettings settings;
  settings.step = 0.01;
  settings.integrator = "director-em";
  LiveSimulation simulation(model, settings);
  EXPECT_TRUE(simulation.isPullable());
  const auto advanceTo = [&](double time) {
    while (simulation.reached() < time - 1e-9) simulation.step();
  };
  advanceTo(0.5);
  for (const char* integrator : {"dop853", "linear-implicit-euler", "director-em"}) {
    settings.integrator = integrator;
    simulation.goOnFrom(simulation.reached(), settings);
    advanceTo(simulation.reached() + 0.25);
    const double t = simulation.reached();
    EXPECT_NEAR(simulation.observe(t).bodies[0].position.x(), t * t, 0.01) << integrator;
    EXPECT_NEAR(simulation.observe(t).bodies[0].velocity.x(), 2.0 * t, 1e-9) << integrator;
  }
}

/// A point of the second body stays on the axis of the first.
const JointType pinInSlot{"pin in slot",
                          "",
                          JointNeeds::pointAndAxis,
                          [](const JointGeometry& g) {
                            std::vector<JointEquation> equations;
                            for (const Vector3& across : {g.first.x(), g.first.y()})
                              equations.push_back({axisPointForm(across, g.first.point, g.second.point)});
                            return equations;
                          },
                          {},
                          false,
                          {}};

// A ball on a frictionless rod that slopes by 45 degrees: z = -g t^2 / 4, whatever integrator the page chooses on the way.
TEST(LiveSimulation, AUsersJointHoldsOnThePageToo) {
  Model model;
  model.gravity = {0, 0, -8.0};
  model.bodies.resize(1);
  model.bodies[0].name = "ball";
  Joint pin{"pin", "", "ground", "ball"};
  pin.axis = {1, 0, -1};
  pin.own = std::make_shared<const JointType>(pinInSlot);
  model.joints = {pin};
  SimulationSettings settings;
  settings.step = 0.01;
  settings.integrator = "director-em";
  LiveSimulation simulation(model, settings);
  EXPECT_TRUE(simulation.isPullable());
  for (const char* integrator : {"dop853", "linear-implicit-euler", "director-em"}) {
    const double until = simulation.reached() + 0.25 - 1e-9;
    while (simulation.reached() < until) simulation.step();
    settings.integrator = integrator;
    simulation.goOnFrom(simulation.reached(), settings);
    simulation.step();
    const double t = simulation.reached();
    const Body ball = simulation.observe(t).bodies[0];
    EXPECT_NEAR(ball.position.z(), -2.0 * t * t, 0.03) << integrator;
    EXPECT_NEAR(ball.velocity.z(), -4.0 * t, 1e-6) << integrator;
    EXPECT_NEAR(ball.position.x() + ball.position.z(), 0.0, 1e-9) << integrator;
  }
}

}  // namespace
}  // namespace polhode::live::live_simulation_test
