#include "io/examples.h"
#include "lang_cases.h"
#include "math/euler_map.h"
#include "polhode/analysis/run.h"
#include "polhode/io/model_file.h"
#include "support/files.h"

#include <cmath>

#include <gtest/gtest.h>

/// Runs against the independent solutions of tests/data/solutions.json.
namespace polhode::reference_solutions_test {
namespace {

using test::Json;

void expectState(const Body& body, const Json& instant, double tolerance) {
  const Matrix3 R = rotationMatrix(body.orientation);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(R(static_cast<int>(i) / 3, static_cast<int>(i) % 3), instant["R"][i].number(), tolerance)
        << "R entry " << i;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(body.angularVelocity[static_cast<int>(i)], instant["Omega"][i].number(), tolerance) << "Omega " << i;
}

Body endOf(const Model& model, double end, const std::string& integrator = "dop853", double tolerance = 1e-12) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.tolerance = tolerance;
  settings.end = end;
  return simulate(model, settings).final.bodies.at(0);
}

const Json& solutions() {
  static const Json all = test::readData("solutions.json");
  return all["cases"];
}

Model example(const std::string& name) {
  return readModelText(findExample(name)->text, name).model;
}

TEST(ReferenceSolutions, LangA) {
  for (const char* t : {"0.1", "1", "60"})
    expectState(endOf(lang::exampleA(), std::stod(t)), solutions()["lang_a"]["t"][t], 1e-8);
}

TEST(ReferenceSolutions, LangBWithALargeDisturbance) {
  expectState(endOf(lang::exampleB(1e-1), 0.4), solutions()["lang_b_0.1"]["t"]["0.4"], 1e-8);
}

// The motion is unstable: rounding errors grow to 1e-8 ... 1e-7 by t = 1, whatever the method.
TEST(ReferenceSolutions, LangBWithASmallDisturbance) {
  expectState(endOf(lang::exampleB(1e-5), 1.0), solutions()["lang_b_1e-5"]["t"]["1"], 1e-5);
}

TEST(ReferenceSolutions, FreeBody) {
  for (const char* t : {"1", "2"})
    expectState(endOf(example("free-body"), std::stod(t)), solutions()["free_body"]["t"][t], 1e-9);
}

TEST(ReferenceSolutions, HeavyTopInEveryIntegrator) {
  for (const char* integrator : {"dop853", "odex", "radau5", "seulex"})
    expectState(endOf(example("heavy-top-nutating"), 1.0, integrator, 1e-11),
                solutions()["heavy_top_nutating"]["t"]["1"], 1e-6);
}

// Bruls, Cardona & Arnold 2012; the value was computed in quadruple precision and agrees with the published ones.
TEST(ReferenceSolutions, HeavyTopOfTheLieGroupLiterature) {
  const Body top = endOf(example("bruls-top"), 1.0, "dop853", 1e-13);
  EXPECT_NEAR(top.position[0], 0.17334396409838604, 1e-10);
  EXPECT_NEAR(top.position[1], 0.64008859207056878, 1e-10);
  EXPECT_NEAR(top.position[2], -0.74849079113358131, 1e-10);
}

// A body that falls while it turns: the centre of mass moves on a parabola, exactly.
TEST(ReferenceSolutions, FreeFall) {
  Model model = example("free-body");
  model.gravity = Vector3(0.0, 0.0, -9.81);
  model.bodies[0].velocity = Vector3(1.0, 2.0, 3.0);
  const Body body = endOf(model, 2.0);
  const Vector3 expected = model.bodies[0].position + 2.0 * Vector3(1.0, 2.0, 3.0) + 2.0 * model.gravity;
  EXPECT_LT((body.position - expected).norm(), 1e-13);
  expectState(body, solutions()["free_body"]["t"]["2"], 1e-9);
}

// A full inertia tensor is diagonalised once; the same body described in turned axes moves the same way.
TEST(ReferenceSolutions, DoNotDependOnTheBodyAxes) {
  const Model model = lang::exampleA();
  const Quaternion turn = Quaternion(0.7, -0.3, 0.5, 0.2).normalized();
  const Matrix3 P = rotationMatrix(turn);
  Model turned = model;
  Body& body = turned.bodies[0];
  body.inertia = P.transpose() * body.inertia * P;
  body.orientation = multiply(body.orientation, turn);
  body.angularVelocity = P.transpose() * body.angularVelocity;
  const Body a = endOf(model, 5.0), b = endOf(turned, 5.0);
  EXPECT_LT((a.position - b.position).norm(), 1e-9);
  EXPECT_LT((a.angularVelocity - P * b.angularVelocity).norm(), 1e-9);
}

}  // namespace
}  // namespace polhode::reference_solutions_test
