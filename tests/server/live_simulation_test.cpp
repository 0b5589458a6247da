#include "polhode/server/live_simulation.h"

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
  model.userForces.push_back(std::make_shared<Wind>());
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

}  // namespace
}  // namespace polhode::live::live_simulation_test
