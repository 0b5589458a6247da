#include "analysis/engines/classical_mechanism_engine.h"

#include "io/examples.h"
#include "math/euler_map.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "support/files.h"
#include "support/mechanisms.h"

#include <cmath>

#include <gtest/gtest.h>

/// Mechanisms by classical integrators: against independent solutions, and all formulations against each other.
namespace polhode::classical_mechanism_engine_test {
namespace {

SimulationSettings settingsOf(const std::string& formulation, const std::string& coordinates,
                              const std::string& integrator, double tolerance, double end) {
  SimulationSettings settings;
  settings.formulation = formulation;
  settings.coordinates = coordinates;
  settings.integrator = integrator;
  settings.tolerance = tolerance;
  settings.end = end;
  return settings;
}

/// The end of a run; fails the test where the run did.
Observation endOf(const Model& model, const SimulationSettings& settings) {
  const auto run = makeClassicalMechanismEngine(model, settings);
  run->advanceTo(settings.end);
  return run->observe(settings.end, run->stepper().state());
}

Observation accurateEnd(const Model& model, double end) {
  return endOf(model, settingsOf("null-space", "quaternion", "dop853", 1e-13, end));
}

const Body& bodyNamed(const Observation& o, const std::string& name) {
  for (const Body& body : o.bodies)
    if (body.name == name) return body;
  throw std::out_of_range(name);
}

/// A point of a body, given from its centre in body axes.
Vector3 pointOf(const Body& body, const Vector3& inBody) {
  return body.position + rotationMatrix(body.orientation) * inBody;
}

void expectVector(const Vector3& value, const Vector3& expected, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(value[i], expected[i], tolerance) << "component " << i;
}

// ---- values: tests/data/solutions.json, 113-bit arithmetic -----------------------------------------------------------

const test::Json& solution(const char* name, const char* t) {
  static const test::Json all = test::readData("solutions.json");
  return all["cases"][name]["t"][t];
}

TEST(ClassicalMechanismEngine, PlanarDoublePendulum) {
  for (const char* t : {"1", "2"}) {
    const Observation end = accurateEnd(test::hingedPendulum(), std::stod(t));
    const test::Json& tip = solution("planar_double_pendulum", t)["tip"];
    expectVector(pointOf(bodyNamed(end, "lower"), {0.5, 0, 0}), {tip[0].number(), tip[1].number(), 0.0}, 1e-9);
    const test::Json& angles = solution("planar_double_pendulum", t)["theta,thetadot"];
    EXPECT_NEAR(end.joints[0].coordinates[0].value, angles[0].number(), 1e-9);
    EXPECT_NEAR(end.joints[0].coordinates[0].rate, angles[2].number(), 1e-9);
  }
}

TEST(ClassicalMechanismEngine, SpatialDoublePendulum) {
  const Observation end = accurateEnd(test::spatialDoublePendulum(), 1.0);
  const char* const keys[] = {"x1,p1,v1,W1", "x2,p2,v2,W2"};
  const char* const rotations[] = {"R1", "R2"};
  for (std::size_t b = 0; b < 2; ++b) {
    const test::Json& at = solution("spatial_double_pendulum", "1")[keys[b]];
    const test::Json& R = solution("spatial_double_pendulum", "1")[rotations[b]];
    const Body& body = end.bodies[b];
    expectVector(body.position, {at[0].number(), at[1].number(), at[2].number()}, 1e-9);
    expectVector(body.velocity, {at[7].number(), at[8].number(), at[9].number()}, 1e-9);
    expectVector(body.angularVelocity, {at[10].number(), at[11].number(), at[12].number()}, 1e-9);
    for (std::size_t i = 0; i < 9; ++i)
      EXPECT_NEAR(rotationMatrix(body.orientation)(static_cast<int>(i) / 3, static_cast<int>(i) % 3), R[i].number(),
                  1e-9);
  }
}

// ---- values: standard problems, computed in extended precision, all digits shown -------------------------------------

TEST(ClassicalMechanismEngine, TopOfBruls) {
  const Observation at02 = accurateEnd(test::brulsTop(), 0.2);
  expectVector(at02.bodies[0].position, {0.60555056137711977, 0.59895768179491916, -0.52398302743000318}, 1e-9);
  const Observation at1 = accurateEnd(test::brulsTop(), 1.0);
  expectVector(at1.bodies[0].position, {0.17334396409838604, 0.64008859207056878, -0.74849079113358131}, 1e-9);
  EXPECT_NEAR(at1.energy(), 5435.69679086554687, 1e-7);
}

TEST(ClassicalMechanismEngine, FourBarsPassSingularPositions) {
  const auto B0 = [](const Observation& o) { return pointOf(bodyNamed(o, "crank0"), {0.5, 0, 0}); };
  expectVector(B0(accurateEnd(test::manyFourBars(2), 1.0)), {-0.1950203019494351, -0.9807992056621738, 0.0}, 1e-9);
  // Six passages on: each adds what the position is off the manifold divided by how near to the singular one a step
  // came; without the projection 8e-7 is reached, with other tolerances a step may come too near and take the branch.
  SimulationSettings settings = settingsOf("null-space", "quaternion", "dop853", 1e-11, 10.0);
  settings.projection = "explicit";
  expectVector(B0(endOf(test::manyFourBars(2), settings)), {0.3284581115408154, 0.9445185381786010, 0.0}, 1e-8);
}

TEST(ClassicalMechanismEngine, Bricard) {
  const auto endOfRod2 = [](const Observation& o) { return pointOf(bodyNamed(o, "rod2"), {0.5, 0, 0}); };
  expectVector(endOfRod2(accurateEnd(test::bricard(), 0.5)), {0.774717808039, -0.979815047656, -0.199906158953}, 1e-9);
  expectVector(endOfRod2(accurateEnd(test::bricard(), 1.0)), {0.274481319265, -0.886707938735, -0.462330002687}, 1e-9);
}

// The crank angle of the tables is counted from the z axis, as the joint's is here; turns count on.
TEST(ClassicalMechanismEngine, SpatialSliderCrank) {
  const double expected[][3] = {{0.5, 0.184952629778, 5.583762553307},
                                {1.0, 0.211721661393, 10.913590729865},
                                {2.0, 0.289085197067, 21.072744522775}};
  const auto run = makeClassicalMechanismEngine(test::spatialSliderCrank(),
                                                settingsOf("null-space", "quaternion", "dop853", 1e-13, 2.0));
  Stepper& stepper = run->stepper();
  std::size_t next = 0;
  double previousAngle = 0.0;
  VectorX y;
  while (stepper.time() < 2.0) {
    stepper.step();
    for (; next < 3 && expected[next][0] <= stepper.time(); ++next) {
      y = stepper.state();
      stepper.interpolate(expected[next][0], y);
      const Observation o = run->observe(expected[next][0], y);
      // Dense output of order 7 with the steps of tolerance 1e-13.
      EXPECT_NEAR(bodyNamed(o, "slider").position[0], expected[next][1], 1e-8);
      EXPECT_NEAR(o.joints[0].coordinates[0].value, expected[next][2], 1e-8);
    }
    const double angle = run->observe(stepper.time(), stepper.state()).joints[0].coordinates[0].value;
    EXPECT_LT(std::abs(angle - previousAngle), 3.0);
    previousAngle = angle;
  }
  EXPECT_EQ(next, 3u);
}

// ---- all formulations agree -------------------------------------------------------------------------------------------

struct Way {
  const char *formulation, *coordinates, *integrator;
  double tolerance, agreement;
};

// The agreement that BdfDae reaches at these tolerances is in its own header.
const Way ways[] = {
    {"null-space", "director", "dop853", 1e-12, 1e-9},  {"null-space", "quaternion", "dopri5", 1e-10, 1e-7},
    {"null-space", "quaternion", "odex", 1e-12, 1e-9},  {"null-space", "quaternion", "radau5", 1e-9, 1e-7},
    {"null-space", "quaternion", "seulex", 1e-9, 1e-6}, {"null-space", "director", "bdf", 1e-10, 1e-6},
    {"absolute", "quaternion", "dop853", 1e-12, 1e-9},  {"absolute", "director", "dop853", 1e-12, 1e-9},
    {"absolute", "quaternion", "bdf", 1e-10, 1e-6},     {"index-1", "quaternion", "bdf", 1e-9, 1e-5},
    {"index-1", "director", "bdf", 1e-9, 1e-5},         {"index-2", "quaternion", "bdf", 1e-9, 1e-5},
    {"index-2", "director", "bdf", 1e-9, 1e-5},         {"index-3", "quaternion", "bdf", 1e-8, 1e-3},
    {"ggl", "quaternion", "bdf", 1e-9, 1e-5},           {"ggl", "director", "bdf", 1e-9, 1e-5},
};

class AllWays : public ::testing::TestWithParam<Way> {
 protected:
  static void expectAgreement(const Model& model, double end) {
    const Way& way = GetParam();
    const Observation expected = accurateEnd(model, end);
    const Observation found =
        endOf(model, settingsOf(way.formulation, way.coordinates, way.integrator, way.tolerance, end));
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      expectVector(found.bodies[b].position, expected.bodies[b].position, way.agreement);
      EXPECT_LT((rotationMatrix(found.bodies[b].orientation) - rotationMatrix(expected.bodies[b].orientation)).norm(),
                way.agreement);
    }
  }
};

TEST_P(AllWays, AgreeOnASpatialDoublePendulum) {
  expectAgreement(test::spatialDoublePendulum(), 0.3);
}

TEST_P(AllWays, AgreeOnALoopWithARedundantJoint) {
  expectAgreement(test::bricard(), 0.2);
}

INSTANTIATE_TEST_SUITE_P(Ways, AllWays, ::testing::ValuesIn(ways), [](const auto& way) {
  std::string name = std::string(way.param.formulation) + "_" + way.param.coordinates + "_" + way.param.integrator;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

// Angles have no constraint of their own; they serve where no body comes near their singularity.
TEST(ClassicalMechanismEngine, AnglesAgreeAwayFromGimbalLock) {
  const Observation expected = accurateEnd(test::jointZoo(), 0.5);
  for (const char* angles : {"cardan", "euler313"}) {
    const Observation found = endOf(test::jointZoo(), settingsOf("null-space", angles, "dop853", 1e-12, 0.5));
    for (std::size_t b = 0; b < expected.bodies.size(); ++b)
      expectVector(found.bodies[b].position, expected.bodies[b].position, 1e-9);
  }
}

// The crane's motors set in at t = 0, and with them the multipliers of its joints begin to change.
TEST(ClassicalMechanismEngine, MultipliersMayChangeFromTheFirstInstantOn) {
  const ModelFile crane = readModelText(findExample("crane")->text, "crane.toml");
  for (const double tolerance : {1e-7, 1e-9}) {
    const Observation expected = endOf(crane.model, settingsOf("null-space", "quaternion", "dop853", 1e-10, 0.5));
    const RunResult found = simulate(crane.model, settingsOf("index-1", "quaternion", "bdf", tolerance, 0.5));
    EXPECT_EQ(found.failure, "");
    for (std::size_t b = 0; b < expected.bodies.size(); ++b)
      expectVector(found.final.bodies[b].position, expected.bodies[b].position, 1e4 * tolerance);
  }
}

// ---- drift, projection, stabilisation --------------------------------------------------------------------------------

TEST(ClassicalMechanismEngine, ProjectionAndBaumgarteHoldTheLoopTogether) {
  const auto violation = [](const std::string& formulation, const std::string& projection,
                            std::optional<Baumgarte> baumgarte) {
    SimulationSettings settings = settingsOf(formulation, "quaternion", "dopri5", 1e-5, 2.0);
    settings.projection = projection;
    settings.baumgarte = baumgarte;
    const RunResult result = simulate(test::bricard(), settings);
    EXPECT_EQ(result.failure, "");
    return result.final.positionViolation;
  };
  const double drift = violation("absolute", "none", {});
  EXPECT_GT(drift, 1e-6);
  EXPECT_LT(violation("absolute", "none", Baumgarte{10.0, 10.0}), 0.5 * drift);
  EXPECT_LT(violation("absolute", "explicit", {}), 1e-13);
  EXPECT_LT(violation("null-space", "explicit", {}), 1e-13);
}

TEST(ClassicalMechanismEngine, SaysWhatDoesNotFit) {
  SimulationSettings settings = settingsOf("null-space", "quaternion", "dop853", 1e-9, 1.0);
  settings.baumgarte = Baumgarte{1.0, 1.0};
  EXPECT_THROW(makeEngine(test::bricard(), settings), InputError);
  EXPECT_THROW(makeEngine(test::bricard(), settingsOf("ggl", "quaternion", "dop853", 1e-9, 1.0)), InputError);
  EXPECT_THROW(makeEngine(test::bricard(), settingsOf("absolute", "cardan", "dop853", 1e-9, 1.0)), InputError);
  EXPECT_THROW(makeEngine(test::bricard(), settingsOf("nullspace", "cardan", "dop853", 1e-9, 1.0)), InputError);
}

}  // namespace
}  // namespace polhode::classical_mechanism_engine_test
