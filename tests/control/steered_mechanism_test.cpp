#include "control/steered_mechanism.h"

#include "analysis/engine_registry.h"
#include "control/hand_signal.h"
#include "control/one_step_law.h"
#include "control/receding_horizon.h"
#include "control/servo_law.h"
#include "control/tracking.h"
#include "system/coordinates.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::steered_mechanism_test {
namespace {

Model freeSphere() {
  Model model;
  Body body;
  body.name = "sphere";
  body.inertia = 0.4 * Matrix3::Identity();
  model.bodies.push_back(body);
  return model;
}

/// Rods of 0.2 m that hang from a ball joint at the origin, each on the last.
Model chain(int links) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  for (int i = 0; i < links; ++i) {
    Body body;
    body.name = fmt::format("link{}", i + 1);
    body.mass = 0.5;
    body.inertia = Vector3(1.7e-3, 1.7e-3, 1e-4).asDiagonal();
    body.position = Vector3(0.0, 0.0, -0.1 - 0.2 * i);
    Joint joint;
    joint.name = fmt::format("joint{}", i + 1);
    joint.type = "spherical";
    joint.first = i == 0 ? "ground" : fmt::format("link{}", i);
    joint.second = body.name;
    joint.point = Vector3(0.0, 0.0, -0.2 * i);
    model.bodies.push_back(body);
    model.joints.push_back(joint);
  }
  return model;
}

TEST(SteeredMechanism, IsTheSameAsTrackingForAFreeBody) {
  const SampledPath path = handSignal(7, 1.0);
  Model model = freeSphere();
  model.bodies[0].position = path.position(0);
  const Mechanism mechanism(model);
  SteeredMechanism steered(mechanism, 1e-3);
  RecedingHorizonLaw<Translation> law({}), other({});
  const Grip grip{0, Vector3::Zero(), &law, nullptr};
  Wrench force;
  std::size_t fed = 0;
  for (int k = 0; k < 1000; ++k) {
    for (const std::size_t last = path.indexAt((k + 1) * 1e-3); fed <= last; ++fed)
      law.observe({path.time(fed), path.position(fed)});
    steered.advance({&grip, 1}, {&force, 1});
  }
  TrackingProblem problem;
  problem.end = 1.0;
  problem.position = path.position(0);
  const TrackingResult expected = track(problem, path, other);
  EXPECT_LT((steered.stepper().bodies()[0].at.x - expected.positions.back()).norm(), 1e-12);
  EXPECT_LT((steered.stepper().velocity(0) - expected.velocities.back()).norm(), 1e-10);
}

TEST(SteeredMechanism, HandPullsTheThirdLinkOfAChain) {
  const Mechanism mechanism(chain(5));
  SteeredMechanism steered(mechanism, 1e-3, 0.2);
  RecedingHorizonLaw<Translation> law({.timeConstant = 0.03, .largestForce = 200.0});
  const Grip grip{2, Vector3(0.0, 0.0, -0.1), &law, nullptr};  // the link's lower end
  Wrench force;
  const auto hand = [](double t) { return Vector3(0.25 * std::sin(2.0 * t), 0.1 * (1.0 - std::cos(3.0 * t)), -0.45); };
  double gap = 0.0, error = 0.0;
  law.observe({0.0, Vector3(0.0, 0.0, -0.6)});
  for (int k = 0; k < 3000; ++k) {
    const double t = (k + 1) * 1e-3;
    law.observe({t, hand(t)});
    steered.advance({&grip, 1}, {&force, 1});
    gap = std::max(gap, positionGap(mechanism, steered.stepper().time(), steered.stepper().bodies()).size);
    if (t > 0.5) error = std::max(error, (steered.stepper().bodies()[2].at.point(grip.point) - hand(t)).norm());
  }
  // the point is within reach, so that the hand leads it wherever it goes, but for a few T^2 times the hand's acceleration
  // of 1 m/s^2; joints open by O(h^2)
  EXPECT_LT(error, 8.0 * 0.03 * 0.03);
  EXPECT_LT(gap, 2e-4);
  EXPECT_GT(gap, 1e-9);
}

TEST(SteeredMechanism, GuidesAChainThatTheConservingEngineSteps) {
  const Model model = chain(5);
  SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = 1e-3;
  settings.end = 1.5;
  const std::unique_ptr<Engine> engine = makeEngine(model, settings);
  const Mechanism mechanism(model);
  SteeredMechanism hands(mechanism, 1e-3);
  RecedingHorizonLaw<Translation> law({.timeConstant = 0.03, .largestForce = 200.0, .shareOfStep = 0.5});
  const Vector3 point(0.0, 0.0, -0.1);
  const Grip grip{2, mechanism.bodies()[2].axes.transpose() * point, &law, nullptr};
  const auto hand = [](double t) { return Vector3(0.25 * std::sin(2.0 * t), 0.1 * (1.0 - std::cos(3.0 * t)), -0.45); };
  double gap = 0.0, error = 0.0;
  law.observe({0.0, Vector3(0.0, 0.0, -0.6)});
  Observation now = engine->observe(0.0, engine->stepper().state());
  while (now.time < 1.5 - 1e-9) {
    law.observe({now.time + 1e-3, hand(now.time + 1e-3)});
    const Wrench pull = hands.guide(now.time, now.bodies, grip);
    engine->setLoad(2, point, pull.force, pull.torque);
    engine->stepper().step();
    now = engine->observe(engine->stepper().time(), engine->stepper().state());
    gap = std::max(gap, now.positionViolation);
    const Vector3 held = now.bodies[2].position + rotationMatrix(now.bodies[2].orientation) * point;
    if (now.time > 0.5) error = std::max(error, (held - hand(now.time)).norm());
  }
  EXPECT_LT(gap, 1e-9);
  EXPECT_LT(error, 8.0 * 0.03 * 0.03);
}

/// A body that is to turn by 1 rad about an axis that is none of its own.
template <class Law>
Vector3 turnedTowards(Law& law, const Quaternion& target, double seconds) {
  Model model = freeSphere();
  model.bodies[0].inertia = Vector3(0.2, 0.4, 0.5).asDiagonal();
  const Mechanism mechanism(model);
  SteeredMechanism steered(mechanism, 1e-3);
  const Grip grip{0, Vector3::Zero(), nullptr, &law};
  Wrench force;
  law.observe({0.0, target});
  for (int k = 0; k < static_cast<int>(seconds * 1e3); ++k) {
    law.observe({(k + 1) * 1e-3, target});
    steered.advance({&grip, 1}, {&force, 1});
  }
  return Rotation::difference(steered.stepper().orientation(0), target);
}

TEST(SteeredMechanism, LawsTurnABodyAsWell) {
  const Quaternion target = expS3<double>(Vector3(0.6, -0.64, 0.48));
  RecedingHorizonLaw<Rotation> horizon({});
  EXPECT_LT(turnedTowards(horizon, target, 1.0).norm(), 1e-9);
  ServoLaw<Rotation> servo(SignalVelocity::given, 0.5);
  EXPECT_LT(turnedTowards(servo, target, 0.1).norm(), 1e-9);
  // an undamped spring goes through the target and as far beyond it: 1 rad, after half a period
  const double frequency = std::sqrt(1e-3 / 1e-5);  // for a mobility of one
  OneStepLaw<Rotation> l2([](double) { return l2Gains(1e-5); }, true);
  Model model = freeSphere();
  model.bodies[0].inertia = Matrix3::Identity();
  const Mechanism mechanism(model);
  SteeredMechanism steered(mechanism, 1e-3);
  const Grip grip{0, Vector3::Zero(), nullptr, &l2};
  Wrench force;
  for (int k = 0; k < static_cast<int>(std::lround(M_PI / frequency * 1e3)); ++k) {
    l2.observe({(k + 1) * 1e-3, target});
    steered.advance({&grip, 1}, {&force, 1});
  }
  EXPECT_NEAR(Rotation::difference(steered.stepper().orientation(0), target).norm(), 1.0, 0.02);
}

}  // namespace
}  // namespace polhode::steered_mechanism_test
