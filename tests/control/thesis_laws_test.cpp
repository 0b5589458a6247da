#include "control/exact_gains.h"
#include "control/one_step_law.h"
#include "control/servo_law.h"
#include "hand_signal.h"
#include "support/files.h"
#include "tracking.h"

#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// Every run of tests/data/control.json.
namespace polhode::thesis_laws_test {
namespace {

using test::Json;

const Json& reference() {
  static const Json data = test::readData("control.json");
  return data;
}

Vector3 vector(const Json& json) {
  return {json[0].number(), json[1].number(), json[2].number()};
}

constexpr double digits = 1e-9;  // the reference has ten digits

void expectNear(const Vector3& a, const Vector3& b) {
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), digits) << a.transpose() << " instead of " << b.transpose();
}

TEST(HandSignal, IsTheOneOfTheReference) {
  const SampledPath path = handSignal(7, 4.0);
  const Json& signal = reference()["signal"];
  for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(path.position(j), vector(signal["samples_first5"][j])) << j;
  const std::size_t later[] = {90, 117, 180, 189, 270, 359};
  for (std::size_t i = 0; i < 6; ++i)
    expectNear(path.position(later[i]), vector(signal["samples_at_90_117_180_189_270_359"][i]));
  for (std::size_t j = 0; j < 3; ++j) expectNear(path.velocity(j), vector(signal["v_first3"][j]));
}

TEST(HandSignal, HoldsASampleInExactArithmetic) {
  const SampledPath path = handSignal(7, 4.0);
  for (const int divisions : {1, 2, 4})
    for (int k = 0; k <= 4000 * divisions; ++k)
      ASSERT_EQ(path.indexAt(k * (1e-3 / divisions)), static_cast<std::size_t>(9LL * k / (100 * divisions))) << k;
}

TEST(HandSignal, DependsOnItsSeed) {
  const SampledPath seven = handSignal(7, 1.0), eight = handSignal(8, 1.0);
  for (std::size_t j = 0; j < 90; ++j) {
    EXPECT_NE(seven.position(j), eight.position(j));
    EXPECT_LE((seven.position(j) - eight.position(j)).cwiseAbs().maxCoeff(), 1e-3);
  }
}

/// The law of a run, by the words that the reference names it with.
struct ThesisRun {
  std::unique_ptr<ControlLaw<Translation>> law;
  double amplification = 0.0;  // of the one-step laws
  bool startsAtRest = true;
  bool hasGravity = false;
};

ThesisRun thesisRun(const std::string& method, double step) {
  const auto has = [&](const char* words) { return method.find(words) != std::string::npos; };
  ThesisRun run;
  if (has("index1")) {
    const std::size_t eps = method.find("eps=");
    const double epsilon = eps == std::string::npos ? 0.0 : std::stod(method.substr(eps + 4));
    run.law = std::make_unique<ServoLaw<Translation>>(has("Dirac") ? SignalVelocity::onStepGrid : SignalVelocity::given,
                                                      epsilon);
    run.startsAtRest = false;
    return run;
  }
  GainsOfStep gains;
  if (has("L2")) gains = [](double) { return l2Gains(1e-5); };
  if (has("Neumann")) gains = [](double h) { return neumannGains(1e-6, 5e-13, h); };
  if (has("Neumann exact")) gains = [](double h) { return test::exactNeumannGains(1e-6, 5e-13, h); };
  if (has("mu(t_k)")) gains = [](double h) { return neumannGains(1e-6, 5e-13, h, NeumannPlace::begin); };
  if (has("mixed")) gains = [](double h) { return mixedGains(5e-6, 6e-12, h, MixedSpace::fourFunctions); };
  if (has("mixed corrected")) gains = [](double h) { return mixedGains(5e-6, 6e-12, h, MixedSpace::fiveFunctions); };
  if (has("mixed exact")) gains = [](double h) { return test::exactMixedGains(5e-6, 6e-12, h); };
  run.amplification = amplificationFactor(gains(step), 1.0, step);
  run.hasGravity = has("gravity uncompensated");
  run.law = std::make_unique<OneStepLaw<Translation>>(gains, !run.hasGravity);
  return run;
}

double largestComponent(const std::vector<Vector3>& vectors) {
  double largest = 0.0;
  for (const Vector3& v : vectors) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  return largest;
}

TEST(ThesisLaws, ReproduceEveryRunOfTheReference) {
  const SampledPath path = handSignal(7, 4.0);
  EXPECT_EQ(reference()["runs"].items().size(), 18u);
  for (const Json& expected : reference()["runs"].items()) {
    SCOPED_TRACE(expected["method"].text());
    TrackingProblem problem;
    problem.step = expected["h"].number();
    problem.end = expected["T"].number();
    problem.position = path.position(0);
    const ThesisRun run = thesisRun(expected["method"].text(), problem.step);
    if (!run.startsAtRest) problem.velocity = path.velocity(0);
    if (run.hasGravity) problem.gravity = Vector3(0.0, 0.0, -9.81);
    const TrackingResult result = track(problem, path, *run.law);

    EXPECT_NEAR(result.rootMeanSquareError, expected["rms_err_signal"].number(), digits);
    EXPECT_NEAR(result.velocityVariation / expected["vel_TV_euclid"].number(), 1.0, digits);
    EXPECT_NEAR(largestComponent(result.velocities) / expected["vmax"].number(), 1.0, digits);
    std::vector<Vector3> errors;
    for (std::size_t k = 0; k < result.times.size(); ++k)
      errors.push_back(result.positions[k] - path.held(result.times[k]));
    EXPECT_NEAR(largestComponent(errors), expected["max_err"].number(), digits);
    expectNear(result.positions.back(), vector(expected["x_final"]));
    expectNear(result.velocities.back(), vector(expected["v_final"]));
    expectNear(result.positions[static_cast<std::size_t>(std::lround(1.0 / problem.step))],
               vector(expected["x_at_1s"]));
    if (run.amplification > 0.0) {
      EXPECT_NEAR(run.amplification, expected["spectral_radius"].number(), 1e-12);
    }
  }
}

TEST(ThesisLaws, FollowASmoothCircle) {
  const double w = std::numbers::pi / 4.0;
  const auto circle = [w](double t) {
    return Sample<Translation>{
        t, {std::cos(w * t), std::sin(w * t), 1.0}, {-w * std::sin(w * t), w * std::cos(w * t), 0}};
  };
  const auto& cases = reference()["smooth_circular"].items();
  EXPECT_EQ(cases.size(), 16u);
  for (const Json& expected : cases) {
    SCOPED_TRACE(fmt::format("epsilon {} h {}", expected["eps"].number(), expected["h"].number()));
    TrackingProblem problem;
    problem.step = expected["h"].number();
    problem.end = expected["T"].number();
    problem.position = circle(0.0).place;
    problem.velocity = circle(0.0).velocity;
    ServoLaw<Translation> law(SignalVelocity::given, expected["eps"].number());
    const TrackingResult result = track(problem, circle, law);
    std::vector<Vector3> errors, velocityErrors;
    for (std::size_t k = 0; k < result.times.size(); ++k) {
      errors.push_back(result.positions[k] - circle(result.times[k]).place);
      velocityErrors.push_back(result.velocities[k] - circle(result.times[k]).velocity);
    }
    // errors of 1e-8 are differences of numbers near 1, summed over up to 64000 steps
    EXPECT_NEAR(largestComponent(errors), expected["max_pos_err"].number(), 1e-12);
    EXPECT_NEAR(largestComponent(velocityErrors), expected["max_vel_err"].number(), 1e-10);
    expectNear(result.positions.back(), vector(expected["final_x"]));
    expectNear(result.velocities.back(), vector(expected["final_v"]));
  }
}

}  // namespace
}  // namespace polhode::thesis_laws_test
