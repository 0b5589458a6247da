#include "control/steered_mechanism.h"

#include "analysis/engine_registry.h"
#include "control/hand_rack.h"
#include "control/one_step_law.h"
#include "control/receding_horizon.h"
#include "control/servo_law.h"
#include "hand_signal.h"
#include "system/coordinates.h"
#include "system/joint_gaps.h"
#include "tracking.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace polhode::steered_mechanism_test {
namespace {

/// A hand that follows what it is told, by this law.
template <template <class> class Law, class Motion, class... Settings>
std::unique_ptr<Hand> handAt(const Held& held, const Settings&... settings) {
  return std::make_unique<Hand>(held, LiveSource{}, [=] {
    HandLaws laws;
    if constexpr (std::is_same_v<Motion, Translation>)
      laws.translation = std::make_unique<Law<Motion>>(settings...);
    else
      laws.rotation = std::make_unique<Law<Motion>>(settings...);
    return laws;
  });
}

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
  RecedingHorizonLaw<Translation> law({});
  const auto hand = std::make_unique<Hand>(Held{}, path, [] {
    return HandLaws{std::make_unique<RecedingHorizonLaw<Translation>>(RecedingHorizonSettings{}), nullptr};
  });
  for (int k = 0; k < 1000; ++k) {
    hand->observeUntil((k + 1) * 1e-3);
    steered.advance({&hand, 1});
  }
  TrackingProblem problem;
  problem.end = 1.0;
  problem.position = path.position(0);
  const TrackingResult expected = track(problem, path, law);
  EXPECT_LT((steered.stepper().bodies()[0].at.x - expected.positions.back()).norm(), 1e-12);
  EXPECT_LT((steered.stepper().velocity(0) - expected.velocities.back()).norm(), 1e-10);
}

TEST(SteeredMechanism, HandPullsTheThirdLinkOfAChain) {
  const Mechanism mechanism(chain(5));
  SteeredMechanism steered(mechanism, 1e-3, 0.2);
  const Vector3 point(0.0, 0.0, -0.1);  // the link's lower end
  const std::unique_ptr<Hand> hand = handAt<RecedingHorizonLaw, Translation>(
      Held{.body = 2, .point = point}, RecedingHorizonSettings{.timeConstant = 0.03, .largestForce = 200.0});
  const auto way = [](double t) { return Vector3(0.25 * std::sin(2.0 * t), 0.1 * (1.0 - std::cos(3.0 * t)), -0.45); };
  double gap = 0.0, error = 0.0;
  hand->observe({0.0, Vector3(0.0, 0.0, -0.6)});
  for (int k = 0; k < 3000; ++k) {
    const double t = (k + 1) * 1e-3;
    hand->observe({t, way(t)});
    steered.advance({&hand, 1});
    gap = std::max(gap, JointGaps(mechanism).at(steered.stepper().time(), steered.stepper().bodies())[0].size);
    if (t > 0.5) error = std::max(error, (steered.stepper().bodies()[2].at.point(point) - way(t)).norm());
  }
  // the point is within reach, so that the hand leads it wherever it goes, but for a few T^2 times the hand's acceleration
  // of 1 m/s^2; joints open by O(h^2)
  EXPECT_LT(error, 8.0 * 0.03 * 0.03);
  EXPECT_LT(gap, 2e-4);
  EXPECT_GT(gap, 1e-9);
}

TEST(SteeredMechanism, GuidesAChainThatTheConservingEngineSteps) {
  Model model = chain(5);
  model.actuators = {{"hand", "link3", Vector3(0.0, 0.0, -0.6), LiveSource{}, {.largestForce = 200.0}}};
  SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = 1e-3;
  settings.end = 1.5;
  const std::unique_ptr<Engine> engine = makeEngine(model, settings);
  const auto hand = [](double t) { return Vector3(0.25 * std::sin(2.0 * t), 0.1 * (1.0 - std::cos(3.0 * t)), -0.45); };
  double gap = 0.0, error = 0.0;
  engine->hands()[0].observe({0.0, Vector3(0.0, 0.0, -0.6)});
  Observation now = engine->observe(0.0, engine->stepper().state());
  while (now.time < 1.5 - 1e-9) {
    engine->hands()[0].push(now.time + 1e-3, hand(now.time + 1e-3));
    engine->stepper().step();
    now = engine->observe(engine->stepper().time(), engine->stepper().state());
    gap = std::max(gap, now.positionViolation);
    const Vector3 held = now.bodies[2].position + rotationMatrix(now.bodies[2].orientation) * Vector3(0.0, 0.0, -0.1);
    if (now.time > 0.5) error = std::max(error, (held - hand(now.time)).norm());
  }
  EXPECT_LT(gap, 1e-9);
  EXPECT_LT(error, 8.0 * 0.03 * 0.03);
}

/// What is left after a hand has turned a body by 1 rad about an axis that is none of its own.
template <template <class> class Law, class... Settings>
Vector3 leftOfTurn(const Vector3& inertia, double seconds, const Settings&... settings) {
  const Vector3 turn(0.6, -0.64, 0.48);
  Model model = freeSphere();
  model.bodies[0].inertia = inertia.asDiagonal();
  const Mechanism mechanism(model);
  SteeredMechanism steered(mechanism, 1e-3);
  const std::unique_ptr<Hand> hand = handAt<Law, Rotation>(Held{.quantity = LedQuantity::orientation}, settings...);
  for (long k = 0; k < std::lround(seconds * 1e3); ++k) {
    hand->observe({static_cast<double>(k + 1) * 1e-3, turn});
    steered.advance({&hand, 1});
  }
  return Rotation::difference(steered.stepper().orientation(0), expS3<double>(turn));
}

TEST(SteeredMechanism, LawsTurnABodyAsWell) {
  const Vector3 inertia(0.2, 0.4, 0.5);
  EXPECT_LT(leftOfTurn<RecedingHorizonLaw>(inertia, 1.0, RecedingHorizonSettings{}).norm(), 1e-9);
  EXPECT_LT(leftOfTurn<ServoLaw>(inertia, 0.1, SignalVelocity::given, 0.5).norm(), 1e-9);
  // an undamped spring goes through the target and as far beyond it: 1 rad, after half a period
  const double frequency = std::sqrt(1e-3 / 1e-5);  // for a mobility of one
  const GainsOfStep gains = [](double) { return l2Gains(1e-5); };
  EXPECT_NEAR(leftOfTurn<OneStepLaw>(Vector3::Ones(), M_PI / frequency, gains, true).norm(), 1.0, 0.02);
}

}  // namespace
}  // namespace polhode::steered_mechanism_test
