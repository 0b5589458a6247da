#include "integrate/mechanism/director_engine.h"

#include "analysis/engines/conserving_mechanism_engine.h"
#include "math/euler_map.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "support/allocation_count.h"
#include "support/mechanisms.h"
#include "system/mobility.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::director_engine_test {
namespace {

using namespace test;

SimulationSettings settings(const std::string& integrator, double step, double end) {
  SimulationSettings s;
  s.integrator = integrator;
  s.step = step;
  s.end = end;
  return s;
}

Observation endOf(const Model& model, const std::string& integrator, double step, double end) {
  const RunResult result = simulate(model, settings(integrator, step, end));
  EXPECT_EQ(result.failure, "");
  return result.final;
}

void expectNear(const Vector3& a, const Vector3& b, double tolerance) {
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), tolerance) << a.transpose() << " instead of " << b.transpose();
}

/// The end of the last rod of a chain along x.
Vector3 tip(const Body& rod) {
  return rod.position + rotationMatrix(rod.orientation) * Vector3(0.5, 0.0, 0.0);
}

// Values: 113-bit arithmetic, two formulations and two integrators that agree to 1e-19.
TEST(DirectorEngine, PlanarDoublePendulum) {
  const Observation one = endOf(hingedChain(2), "director-em-8", 0.01, 1.0);
  expectNear(tip(one.bodies[1]), Vector3(-1.6621151358161277, 0.0, -1.0414666371932246), 1e-9);
  const Observation two = endOf(hingedChain(2), "director-em-8", 0.01, 2.0);
  expectNear(tip(two.bodies[1]), Vector3(0.31352477645018156, 0.0, -1.9147466175623054), 1e-9);
}

TEST(DirectorEngine, SpatialDoublePendulum) {
  const Observation o = endOf(spatialDoublePendulum(), "director-em-8", 0.01, 1.0);
  expectNear(o.bodies[0].position, Vector3(-0.4181873929196201, -0.23203814306399076, -0.14586844952389896), 1e-9);
  expectNear(o.bodies[1].position, Vector3(-1.250741358958498, -0.47859875788073525, -0.5711817789357524), 1e-9);
  expectNear(o.bodies[1].velocity, Vector3(-0.3698264295035498, -1.8790980807005728, 3.2094727300814587), 1e-9);
  expectNear(o.bodies[1].angularVelocity, Vector3(-3.1899851390419864, -1.4884447001328813, -1.0), 1e-9);
}

TEST(DirectorEngine, ChosenStepReachesTheTolerance) {
  SimulationSettings s = settings("director-em-8", 0.0, 1.0);
  s.step.reset();
  s.tolerance = 1e-10;
  const RunResult result = simulate(spatialDoublePendulum(), s);
  expectNear(result.final.bodies[1].position, Vector3(-1.250741358958498, -0.47859875788073525, -0.5711817789357524),
             1e-8);
  EXPECT_LT(result.work.steps, 60);
}

// IFToMM A02. Computed in quadruple precision; at t of about 0.6 and on all links pass through a common line.
TEST(DirectorEngine, FourBarsPassSingularPositions) {
  const Observation one = endOf(manyFourBars(2), "director-em-8", 0.02, 1.0);
  expectNear(2.0 * one.bodies[0].position, Vector3(-0.1950203019494351, -0.9807992056621738, 0.0), 1e-9);
  const Observation ten = endOf(manyFourBars(2), "director-em-8", 0.05, 10.0);
  expectNear(2.0 * ten.bodies[0].position, Vector3(0.3284581115408154, 0.9445185381786010, 0.0), 1e-10);
}

TEST(DirectorEngine, FortyFourBars) {
  const RunResult result = simulate(manyFourBars(40), settings("director-em", 0.01, 0.8));
  EXPECT_EQ(result.failure, "");
  EXPECT_LT(result.energyDrift, 1e-12);
  EXPECT_LT(result.positionViolation, 1e-11 * 40.0);
}

// IFToMM A04.
TEST(DirectorEngine, Bricard) {
  const Observation o = endOf(bricard(), "director-em-8", 0.02, 0.5);
  const Body& rod = o.bodies[1];
  const Vector3 end = rod.position + rotationMatrix(rod.orientation) * Vector3(0.5, 0.0, 0.0);
  expectNear(end, Vector3(0.774717808039, -0.979815047656, -0.199906158953), 1e-9);
}

TEST(DirectorEngine, BrulsTop) {
  const Model model = brulsTop();
  RunOptions options;
  ConservingMechanismEngine simulation(model, settings("director-em-8", 0.002, 1.0));
  const RunResult result = run(simulation, options);
  expectNear(result.final.bodies[0].position, Vector3(0.17334396409838604, 0.64008859207056878, -0.74849079113358131),
             1e-9);
}

// IFToMM A01: a body without rotational inertia, on a rod (where it may turn as it likes) and on a hinge.
TEST(DirectorEngine, PointMass) {
  for (const bool hinged : {false, true}) {
    const Observation o = endOf(pointMassPendulum(hinged), "director-em-8", 0.02, 1.0);
    expectNear(o.bodies[0].position, Vector3(0.9862917511318753, -0.1650108531255412, 0.0), 1e-9);
  }
}

TEST(DirectorEngine, Orders) {
  const Model model = mixedChain();
  const Observation exact = endOf(model, "director-em-8", 0.0025, 0.5);
  const auto error = [&](const std::string& name, double h) {
    const Observation o = endOf(model, name, h, 0.5);
    return (o.bodies[2].position - exact.bodies[2].position).norm();
  };
  EXPECT_NEAR(std::log2(error("director-em", 0.02) / error("director-em", 0.01)), 2.0, 0.2);
  EXPECT_NEAR(std::log2(error("director-em-4", 0.05) / error("director-em-4", 0.025)), 4.0, 0.4);
  EXPECT_NEAR(std::log2(error("director-em-6", 0.1) / error("director-em-6", 0.05)), 6.0, 0.8);
  EXPECT_NEAR(std::log2(error("director-em-8", 0.125) / error("director-em-8", 0.0625)), 8.0, 1.2);
}

struct Kept {
  const char* name;
  Model model;
  double step;
  bool allMomentum;  // or only that about the vertical
  int vertical;
};

std::vector<Kept> keptMechanisms() {
  return {{"loop", spinningLoop(), 0.1, true, 2},
          {"mixed", mixedChain(), 0.01, false, 2},
          {"spatial", spatialDoublePendulum(), 0.01, false, 2},
          {"bricard", bricard(), 0.01, false, -1},
          {"four bars", manyFourBars(2), 0.01, false, -1},
          {"rings", rings(21), 0.002, false, 2},
          {"chain", ballChain(5), 0.01, false, 2}};
}

void expectKept(const Kept& m, int steps) {
  ConservingMechanismEngine simulation(m.model, settings("director-em", m.step, 1e9));
  RunOptions options;
  options.end = steps * m.step;
  const RunResult result = run(simulation, options);
  EXPECT_EQ(result.failure, "") << m.name;
  const double size = mechanismSize(Mechanism(m.model));
  EXPECT_LT(result.positionViolation, 1e-11 * size) << m.name;
  EXPECT_LT(result.energyDrift, 1e-11) << m.name;
  if (m.allMomentum) {
    EXPECT_LT(result.angularMomentumDrift.maxCoeff(), 1e-11) << m.name;
  }
  if (m.vertical >= 0) {
    EXPECT_LT(result.angularMomentumDrift[m.vertical], 1e-11) << m.name;
  }
  for (const Body& body : result.final.bodies) EXPECT_NEAR(body.orientation.norm(), 1.0, 1e-15);
}

TEST(DirectorEngine, KeepsEverything) {
  for (const Kept& m : keptMechanisms()) expectKept(m, 1000);
}

TEST(DirectorEngine, LongRunKeepsEverythingFor100000Steps) {
  for (const Kept& m : keptMechanisms()) expectKept(m, 100000);
}

// Both engines solve the same equations.
TEST(DirectorEngine, TreeAndGeneralAgree) {
  for (const Model& model : {mixedChain(), spatialDoublePendulum(), ballChain(6)}) {
    const Mechanism mechanism(model);
    ASSERT_TRUE(HingeTree::fits(mechanism));
    HingeTree tree(mechanism, 1);
    GeneralEngine general(mechanism, 1);
    MechanismState a = DirectorEngine(mechanism).start(), b = a;
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(tree.step(a, 0.01, 0).converged);
      ASSERT_TRUE(general.step(b, 0.01, 0).converged);
    }
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
      expectNear(a.bodies[i].at.x, b.bodies[i].at.x, 1e-12);
      EXPECT_LT((a.bodies[i].rate.W - b.bodies[i].rate.W).cwiseAbs().maxCoeff(), 1e-9);
    }
    EXPECT_LT((a.multipliers - b.multipliers).cwiseAbs().maxCoeff(), 1e-7 * b.multipliers.cwiseAbs().maxCoeff());
  }
}

// A load that carries the weight of a body exactly: it stays where it is, and that is a step like any other.
TEST(DirectorEngine, WhatIsCarriedRests) {
  for (const bool hinged : {false, true}) {
    const Mechanism mechanism(pointMassPendulum(hinged));
    DirectorEngine engine(mechanism);
    MechanismState state = engine.start();
    for (MovingPlacement& body : state.bodies) body.rate = {};
    for (std::size_t b = 0; b < state.bodies.size(); ++b) {
      const Vector3 weight = mechanism.bodies()[b].mass * mechanism.gravity();
      engine.setLoad(b, BodyLoad(mechanism.bodies()[b], Vector3::Zero(), -weight, Vector3::Zero()));
    }
    const Vector3 before = state.bodies[0].at.x;
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(engine.step(state, 1e-3).converged) << hinged;
    EXPECT_LT((state.bodies[0].at.x - before).norm(), 1e-15);
  }
}

// So many loops that they are eliminated where they close, beside the classical null-space formulation.
TEST(DirectorEngine, ManyLoops) {
  SimulationSettings classical;
  classical.integrator = "dop853";
  classical.coordinates = "quaternion";
  classical.formulation = "null-space";
  classical.tolerance = 1e-10;
  classical.end = 0.05;
  Model swinging = ladder(21);
  swinging.gravity = Vector3(5.0, 3.0, -8.0);
  for (const Model& model : {rings(21), swinging}) {
    const RunResult expected = simulate(model, classical);
    ASSERT_EQ(expected.failure, "");
    const Observation end = endOf(model, "director-em-4", 0.0025, 0.05);
    for (std::size_t b = 0; b < end.bodies.size(); ++b)
      expectNear(end.bodies[b].position, expected.final.bodies[b].position, 1e-8);
  }
}

TEST(DirectorEngine, StepsDoNotAllocate) {
  for (const Model& model : {mixedChain(), spinningLoop(), bricard(), manyFourBars(20), rings(21), ladder(21)}) {
    const Mechanism mechanism(model);
    DirectorEngine engine(mechanism);
    MechanismState state = engine.start();
    for (int i = 0; i < 3; ++i) engine.step(state, 0.01);
    const long before = allocationCount();
    for (int i = 0; i < 20; ++i) engine.step(state, 0.01);
    EXPECT_EQ(allocationCount(), before);
  }
}

TEST(DirectorEngine, WorkOfALoadBalancesTheEnergy) {
  for (const Model& model : {mixedChain(), spinningLoop()}) {
    ConservingMechanismEngine simulation(model, settings("director-em", 0.01, 10.0));
    const auto now = [&] { return simulation.observe(simulation.stepper().time(), simulation.stepper().state()); };
    const Observation first = now();
    simulation.setLoad(1, Vector3(0.3, 0.1, -0.2), Vector3(5.0, -3.0, 2.0), Vector3(0.5, 0.4, 1.0));
    for (int i = 0; i < 100; ++i) simulation.stepper().step();
    const Observation last = now();
    EXPECT_GT(std::abs(last.work), 1e-2);
    EXPECT_NEAR(last.energy() - last.work, first.energy(), 1e-12 * std::max(1.0, last.kineticEnergy));
    // and it can be taken away again
    simulation.setLoad(1, Vector3::Zero(), Vector3::Zero(), Vector3::Zero());
    for (int i = 0; i < 10; ++i) simulation.stepper().step();
    EXPECT_NEAR(now().energy(), last.energy(), 1e-12 * std::max(1.0, last.kineticEnergy));
  }
}

// A rod that is let go from the horizontal weighs a quarter of itself on its hinge.
TEST(DirectorEngine, ReactionOfAHinge) {
  ConservingMechanismEngine simulation(hingedChain(1), settings("director-em", 1e-3, 1.0));
  const JointObservation hinge = simulation.observe(0.0, simulation.stepper().state()).joints.front();
  expectNear(hinge.force, Vector3(0.0, 0.0, 9.81 / 4.0), 1e-12);
  expectNear(hinge.torque, Vector3::Zero(), 1e-12);
}

TEST(DirectorEngine, NamesABodyThatNoInertiaResists) {
  ConservingMechanismEngine simulation(pointMassPendulum(false), settings("director-em", 0.01, 1.0));
  simulation.setLoad(0, Vector3::Zero(), Vector3::Zero(), Vector3(0.0, 0.0, 1.0));
  try {
    simulation.stepper().step();
    FAIL() << "a torque on a point mass was accepted";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("body 'mass'"), std::string::npos) << error.what();
  }
}

TEST(Mobility, RedundantRowsAreFound) {
  const auto of = [](const Model& model) { return mobilityOf(Mechanism(model)); };
  EXPECT_EQ(of(bricard()).freedoms, 1);
  EXPECT_EQ(of(bricard()).redundant(), 1);
  EXPECT_EQ(of(manyFourBars(2)).freedoms, 1);
  EXPECT_EQ(of(manyFourBars(2)).redundant(), 6);
  // so many rows that they are eliminated as a sparse matrix
  EXPECT_EQ(of(manyFourBars(150)).freedoms, 1);
  EXPECT_EQ(of(manyFourBars(150)).redundant(), 450);
  EXPECT_EQ(of(ladder(200)).freedoms, 6 * 200);
  EXPECT_EQ(of(spinningLoop()).freedoms, 24 - 12);
  EXPECT_EQ(of(spinningLoop()).redundant(), 0);
  EXPECT_EQ(of(mixedChain()).freedoms, 7);
}

}  // namespace
}  // namespace polhode::director_engine_test
