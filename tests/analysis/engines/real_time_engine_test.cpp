#include "analysis/engines/real_time_engine.h"

#include "hand_signal.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "support/files.h"

#include <thread>

#include <gtest/gtest.h>

namespace polhode::real_time_engine_test {
namespace {

/// A sphere of mass 1 that follows something from where it is.
Model sphereThatFollows(const FollowedSignal& signal, const Vector3& position, const ControlSettings& control) {
  Model model;
  Body body;
  body.name = "sphere";
  body.inertia = 0.4 * Matrix3::Identity();
  body.position = position;
  model.bodies.push_back(body);
  model.actuators.push_back({"hand", "sphere", position, signal, control});
  return model;
}

SimulationSettings realTime(double end) {
  SimulationSettings settings;
  settings.integrator = RealTimeEngine::integrator;
  settings.step = 1e-3;
  settings.end = end;
  return settings;
}

TEST(RealTimeEngine, ReproducesTheReferenceOfTheNeumannLaw) {
  const SampledPath path = handSignal(7, 4.0);
  const RunResult result =
      simulate(sphereThatFollows(path, path.position(0), {.method = "h1-neumann"}), realTime(4.0), false);
  const test::Json reference = test::readData("control.json");
  int compared = 0;
  for (const test::Json& run : reference["runs"].items()) {
    if (run["method"].text() != "H1 Neumann rho0=1e-6 rho1=5e-13") continue;
    ++compared;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(result.final.bodies[0].position[static_cast<Eigen::Index>(i)], run["x_final"][i].number(), 1e-9);
      EXPECT_NEAR(result.final.bodies[0].velocity[static_cast<Eigen::Index>(i)], run["v_final"][i].number(), 1e-8);
    }
  }
  EXPECT_EQ(compared, 1);
  EXPECT_EQ(result.work.steps, 4000);
  EXPECT_EQ(result.final.time, 4.0);
}

TEST(RealTimeEngine, TellsTheWorkOfADrive) {
  // I = 0.35 kg m^2 about the hinge, brought to 0.4 rad/s
  const Model model = readModelText(R"toml(
[[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0.5, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = [0, 0, 1]
drive = { angle = { formula = "0.1*t^2" } }
)toml",
                                    "crank.toml")
                          .model;
  double before = 1.0;
  for (const double step : {0.02, 0.01, 0.005}) {
    SimulationSettings settings = realTime(2.0);
    settings.step = step;
    const RunResult result = simulate(model, settings);
    EXPECT_NEAR(result.final.work, 0.5 * 0.35 * 0.16, 0.05 * step);
    EXPECT_LT(result.balanceError, 0.6 * before);  // of first order
    before = result.balanceError;
  }
  EXPECT_LT(before, 5e-3);
}

TEST(RealTimeEngine, FollowsALiveSourceFromAnotherThread) {
  RealTimeEngine run(sphereThatFollows(LiveSource{}, Vector3::Zero(), {}), realTime(2.0));
  run.advanceTo(0.1);
  EXPECT_EQ(run.stepper().state().segment<3>(0), Vector3::Zero());  // nobody holds it
  std::thread([&] { run.hands()[0].push(0.1, Vector3(0.1, 0.0, 0.0)); }).join();
  run.advanceTo(1.0);
  EXPECT_LT((run.stepper().state().segment<3>(0) - Vector3(0.1, 0.0, 0.0)).norm(), 1e-6);
  run.hands()[0].release();
  run.setLoad(0, Vector3::Zero(), Vector3(1.0, 0.0, 0.0), Vector3::Zero());
  run.advanceTo(2.0);
  EXPECT_NEAR(run.stepper().state()[7], 1.0, 1e-6);  // free again: 1 N on 1 kg for 1 s
}

TEST(RealTimeEngine, RefusesWhatDoesNotFit) {
  const Model model = sphereThatFollows(LiveSource{}, Vector3::Zero(), {});
  SimulationSettings settings = realTime(1.0);
  settings.step.reset();
  EXPECT_THROW(makeEngine(model, settings), InputError);
  settings.integrator = "dop853";
  EXPECT_THROW(makeEngine(model, settings), InputError);
}

}  // namespace
}  // namespace polhode::real_time_engine_test
