// Forces that a user writes travel in the model: every engine for mechanisms moves it with them.
#include "analysis/present_model.h"
#include "polhode/analysis/run.h"
#include "polhode/analysis/simulation.h"
#include "polhode/error.h"
#include "polhode/io/load_model.h"
#include "polhode/system/forces/user_force.h"
#include "support/settings.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::user_forces_test {
namespace {

using test::by;

/// Drag of a ball in a fluid.
struct Drag final : UserForce {
  Drag(int body, double c) : UserForce("drag", groundIndex, body), coefficient(c) {}
  ElementWrenches wrenches(double, const MovingPlacement&, const MovingPlacement& body) const override {
    return {{}, {-coefficient * body.rate.v.norm() * body.rate.v, Vector3::Zero()}};
  }
  double coefficient;
};

/// A push that comes and goes; smooth, since a user's force does not tell an integrator of its kinks.
struct Push final : UserForce {
  Push() : UserForce("push", groundIndex, 0) {}
  ElementWrenches wrenches(double t, const MovingPlacement&, const MovingPlacement&) const override {
    return {{}, {Vector3(std::cos(t), 0, 0), Vector3::Zero()}};
  }
};

/// Motor of constant torque on a shaft about z.
struct Torque final : UserForce {
  explicit Torque(double torque) : UserForce("starter", groundIndex, 0), about(0, 0, torque) {}
  ElementWrenches wrenches(double, const MovingPlacement&, const MovingPlacement&) const override {
    return {{}, {Vector3::Zero(), about}};
  }
  Vector3 about;
};

Model ball() {
  Model model;
  model.name = "ball";
  model.gravity = {0, 0, -9.81};
  model.bodies.resize(1);
  model.bodies[0].name = "ball";
  model.bodies[0].mass = 2.0;
  return model;
}

// v = sqrt(m g/c) tanh(t sqrt(g c/m))
TEST(UserForces, ABallFallsThroughAFluid) {
  Model model = ball();
  model.forces.push_back(userForce(std::make_shared<Drag>(0, 0.5)));
  const double speed = std::sqrt(2.0 * 9.81 / 0.5) * std::tanh(std::sqrt(9.81 * 0.5 / 2.0));
  // order 8 to its tolerance, order 2, 4 and 1 with steps of 1 ms
  const std::pair<const char*, double> ways[] = {{"dop853", 1e-7},
                                                 {"radau5", 1e-7},
                                                 {"bdf", 1e-6},
                                                 {"director-em", 1e-6},
                                                 {"director-em-4", 1e-7},
                                                 {"eml", 1e-6},
                                                 {"linear-implicit-euler", 1e-2}};
  for (const auto& [integrator, accuracy] : ways) {
    Simulation simulation(model, by(integrator, 1e-3, 1.0));
    const double before = simulation.energy();
    simulation.advanceTo(1.0);
    EXPECT_NEAR(simulation.body("ball").velocity().z(), -speed, accuracy) << integrator;
    EXPECT_NEAR(simulation.energy() - simulation.work(), before, 100 * accuracy) << integrator;
    EXPECT_LT(simulation.work(), -10.0) << integrator;
    ASSERT_EQ(simulation.observe().forces.size(), 1u);
    EXPECT_EQ(simulation.observe().forces[0].name, "drag");
    EXPECT_NEAR(simulation.observe().forces[0].force.z(), 0.5 * speed * speed, 100 * accuracy) << integrator;
  }
}

TEST(UserForces, MoveTheWalkerTheSameByDirectorsAndByDop853) {
  Model model = loadModel("jansen-walker").model;
  const Model alone = model;
  model.forces.push_back(userForce(std::make_shared<Torque>(5.0)));
  Simulation conserving(model, by("director-em-4", 2e-3, 0.1)), classical(model, by("dop853", 1e-3, 0.1));
  Simulation without(alone, by("director-em-4", 2e-3, 0.1));
  for (Simulation* simulation : {&conserving, &classical, &without}) simulation->advanceTo(0.1);
  const double speed = conserving.body("shaft").angularVelocity().z();
  EXPECT_NEAR(classical.body("shaft").angularVelocity().z(), speed, 1e-6);
  EXPECT_GT(speed, without.body("shaft").angularVelocity().z() + 0.01);
  EXPECT_NEAR(conserving.work(), classical.work(), 1e-6);
}

// What a run watches: energy is balanced by work, no momentum is promised.
TEST(UserForces, NothingIsPromisedOfWhatIsUnknown) {
  Model model = ball();
  EXPECT_TRUE(conservationOf(model).energy);
  model.forces.push_back(userForce(std::make_shared<Drag>(0, 0.5)));
  EXPECT_FALSE(conservationOf(model).energy);
  EXPECT_TRUE(conservationOf(model).all.empty());
  EXPECT_LT(simulate(model, by("director-em", 1e-3, 0.5)).balanceError, 1e-12);
}

TEST(UserForces, TheirTimeGoesOnWhereAModelIsTakenOver) {
  Model model = ball();
  model.gravity.setZero();
  model.forces.push_back(userForce(std::make_shared<Push>()));
  Simulation first(model, by("dop853", 1e-3, 2.0));
  first.advanceTo(0.5);
  Simulation second(presentModel(model, 0.5, first.observe().bodies), by("dop853", 1e-3, 1.5));
  first.advanceTo(2.0);
  second.advanceTo(1.5);
  const double speed = std::sin(2.0) / 2.0;  // the integral of cos t, over 2 kg
  EXPECT_NEAR(first.body("ball").velocity().x(), speed, 1e-8);
  EXPECT_NEAR(second.body("ball").velocity().x(), speed, 1e-8);
}

}  // namespace
}  // namespace polhode::user_forces_test
