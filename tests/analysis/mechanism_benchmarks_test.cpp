#include "analysis/engines/classical_mechanism_engine.h"
#include "io/examples.h"
#include "math/euler_map.h"
#include "polhode/io/model_file.h"
#include "support/files.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

/// The examples with forces, by classical integrators, against independent solutions: tests/data/solutions.json (113-bit
/// arithmetic), and the standard problems of the multibody community as published or computed in extended precision.
namespace polhode::mechanism_benchmarks_test {
namespace {

Model example(const std::string& name) {
  return readModelText(findExample(name)->text, name).model;
}

Observation endOf(const std::string& name, const std::string& integrator, double tolerance, double end) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.tolerance = tolerance;
  settings.end = end;
  const auto run = makeClassicalMechanismEngine(example(name), settings);
  run->advanceTo(end);
  return run->observe(end, run->stepper().state());
}

/// x, v and W of a body against "x p v W" of the reference.
void expectState(const Body& body, const test::Json& at, double tolerance) {
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_NEAR(body.position[i], at[k].number(), tolerance) << body.name << " position " << i;
    EXPECT_NEAR(body.velocity[i], at[7 + k].number(), tolerance) << body.name << " velocity " << i;
    EXPECT_NEAR(body.angularVelocity[i], at[10 + k].number(), tolerance) << body.name << " angular velocity " << i;
  }
}

const test::Json& solution(const char* name, const char* t) {
  static const test::Json all = test::readData("solutions.json");
  return all["cases"][name]["t"][t];
}

// Velocities are of the order of 100 and an error grows a thousandfold until t = 0.5.
TEST(MechanismBenchmarks, LangC) {
  const Observation at01 = endOf("lang-c", "dop853", 1e-13, 0.1);
  expectState(at01.bodies[0], solution("lang_c", "0.1")["x1,p1,v1,W1"], 1e-9);
  expectState(at01.bodies[1], solution("lang_c", "0.1")["x2,p2,v2,W2"], 1e-9);
  const Observation at05 = endOf("lang-c", "dop853", 1e-14, 0.5);
  expectState(at05.bodies[0], solution("lang_c", "0.5")["x1,p1,v1,W1"], 1e-8);
  expectState(at05.bodies[1], solution("lang_c", "0.5")["x2,p2,v2,W2"], 1e-8);
}

// The load is a table with corners at t = 0.5 and 1, which a step should not straddle.
TEST(MechanismBenchmarks, FourBarLoop) {
  const char* const keys[] = {"x1,p1,v1,W1", "x2,p2,v2,W2", "x3,p3,v3,W3", "x4,p4,v4,W4"};
  for (const char* t : {"1", "2"}) {
    const Observation end = endOf("four-bar-loop", "dop853", 1e-13, std::stod(t));
    for (std::size_t b = 0; b < 4; ++b) expectState(end.bodies[b], solution("four_bar_loop", t)[keys[b]], 1e-9);
  }
}

// IFToMM A01, a point mass.
TEST(MechanismBenchmarks, SimplePendulum) {
  const Observation end = endOf("simple-pendulum", "dop853", 1e-13, 10.0);
  EXPECT_NEAR(end.bodies[0].position[0], -0.2750874625761169, 1e-9);
  EXPECT_NEAR(end.bodies[0].position[1], -0.9614192050991251, 1e-9);
}

// IFToMM A03; the published values are good to 1e-9.
TEST(MechanismBenchmarks, AndrewsSqueezer) {
  const Observation end = endOf("andrews-squeezer", "dop853", 1e-12, 0.03);
  const auto angle = [&](const std::string& name) {
    for (const Body& body : end.bodies)
      if (body.name == name) {
        const Matrix3 R = rotationMatrix(body.orientation);
        return std::atan2(R(1, 0), R(0, 0));
      }
    throw std::out_of_range(name);
  };
  // K1 turns by beta, K3 by gamma, K5 by delta, K7 by epsilon, as the initial values do.
  EXPECT_NEAR(std::remainder(angle("K1") - 15.81077119629904, 2.0 * std::numbers::pi), 0.0, 1e-8);
  EXPECT_NEAR(angle("K3"), 0.04082224013073101, 1e-8);
  EXPECT_NEAR(angle("K5"), 0.5244099658805304, 1e-8);
  EXPECT_NEAR(angle("K7"), 1.048080741042263, 1e-8);
}

// IFToMM A05, stiff.
TEST(MechanismBenchmarks, FlyballGovernor) {
  const Observation end = endOf("flyball-governor", "radau5", 1e-8, 1.0);
  const auto slider =
      std::find_if(end.bodies.begin(), end.bodies.end(), [](const Body& body) { return body.name == "slider"; });
  ASSERT_NE(slider, end.bodies.end());
  EXPECT_NEAR(slider->position[2], 0.501420922380, 1e-6);
  EXPECT_NEAR(slider->angularVelocity[2], 6.271125741877, 1e-6);
}

}  // namespace
}  // namespace polhode::mechanism_benchmarks_test
