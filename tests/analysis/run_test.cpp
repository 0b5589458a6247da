#include "polhode/analysis/run.h"

#include "analysis/engine.h"
#include "polhode/io/load_model.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::run_test {
namespace {

/// A stepper that goes by even steps and leaves its state alone.
class Clock final : public Stepper {
 public:
  void step() override { previous_ = time_, time_ += 0.25; }
  double time() const override { return time_; }
  double previousTime() const override { return previous_; }
  const VectorX& state() const override { return state_; }
  void interpolate(double, VectorX& y) const override { y = state_; }
  void replaceState(const VectorX&) override {}
  const WorkCounts& work() const override { return work_; }

 private:
  double time_ = 0.0, previous_ = 0.0;
  VectorX state_ = VectorX::Zero(1);
  WorkCounts work_;
};

/// A body that a motor speeds up: E = 1 + t, W = t + gap t^2.
class Driven final : public Engine {
 public:
  explicit Driven(double gap) : gap_(gap) {}
  Stepper& stepper() override { return clock_; }

 private:
  Observation observed(double t, const VectorX&, Detail) const override {
    Observation o;
    o.time = t;
    o.kineticEnergy = 1.0 + t;
    o.work = t + gap_ * t * t;
    o.linearMomentum = {3.0, 4.0 - t, 0.0};
    return o;
  }

  double gap_;
  Clock clock_;
};

TEST(Run, BalancesEnergyAndWork) {
  Driven exact(0.0), wrong(1e-3);
  RunOptions options;
  options.end = 1.0;
  const RunResult balanced = run(exact, options), open = run(wrong, options);
  EXPECT_TRUE(balanced.hasBalance());
  EXPECT_EQ(balanced.final.work, 1.0);
  EXPECT_LT(balanced.balanceError, 1e-15);
  EXPECT_NEAR(balanced.energyDrift, 0.5, 1e-15);  // relative to the largest energy, 2
  EXPECT_NEAR(open.balanceError, 0.5e-3, 1e-12);
}

TEST(Run, FollowsTheMomentumThatOughtToStay) {
  Driven simulation(0.0);
  RunOptions options;
  options.end = 1.0;
  options.conserved.all = {{MomentumKind::linear, Vector3::UnitX()}, {MomentumKind::linear, Vector3::UnitY()}};
  const RunResult result = run(simulation, options);
  ASSERT_EQ(result.conservedMomenta.size(), 2u);
  EXPECT_EQ(result.conservedMomenta[0].drift, 0.0);
  EXPECT_NEAR(result.conservedMomenta[1].drift, 1.0 / 5.0, 1e-15);  // of 5, the largest |P|
  EXPECT_EQ(result.linearMomentumDrift[0], 0.0);
  EXPECT_NEAR(result.linearMomentumDrift[1], 0.2, 1e-15);
}

// Index 1 knows joints by their accelerations alone.
TEST(Run, WarnsOfJointsThatHaveOpened) {
  ModelFile file = loadModel("bruls-top");
  file.simulation.end = 0.3;
  EXPECT_EQ(simulate(file.model, file.simulation).warning, "");
  file.simulation.integrator = "bdf";
  file.simulation.formulation = "index-1";
  file.simulation.coordinates = "director";
  file.simulation.tolerance = 1e-7;
  const RunResult opened = simulate(file.model, file.simulation);
  EXPECT_GT(opened.positionViolation, 1e-4);
  EXPECT_NE(opened.warning.find("joints were open by up to"), std::string::npos) << opened.warning;
}

}  // namespace
}  // namespace polhode::run_test
