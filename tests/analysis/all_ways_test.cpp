#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "support/sanitized.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// Every example by every integrator and formulation that takes it: the same motion, and joints that are closed.
namespace polhode::all_ways_test {
namespace {

struct Way {
  std::string integrator, formulation = "null-space", coordinates = "quaternion";
  double tolerance = 1e-9;  // 0: by a fixed step
  double stepShare = 0.0;   // of the step of the example
  double accuracy = 1e-6;   // of positions, relative to 1 + |x|
  double gap = 1e-6;
  bool mayGiveUp = false;  // with a sentence, at the last good state
};

ModelFile example(const std::string& name) {
  return readModelText(findExample(name)->text, name + ".toml");
}

/// Examples that are moved by actuators or have no reference that a classical integrator reaches quickly.
bool isLeftOut(const ModelFile& file) {
  return !file.model.actuators.empty() || file.model.bodies.size() > 60;
}

double endOf(const std::string& name) {
  if (name == "lang-c") return 0.05;
  if (name == "andrews-squeezer") return 0.02;
  return 0.5;
}

/// At most a millisecond. The governor's damper is stiff: the long partial steps of compositions of order six and eight have
/// no solution at 1e-3, and all agree to 1e-12 at 1e-4. The gyroscope's rotor turns with 300 rad/s.
double stepOf(const std::string& name, const SimulationSettings& settings) {
  const double most = name == "flyball-governor" ? 1e-4 : name == "gimbal-gyroscope" ? 3e-4 : 1e-3;
  return std::min(settings.step.value_or(1e-3), most);
}

/// Nothing where the integrator does not take the model.
std::optional<RunResult> runBy(const std::string& name, const Way& way) {
  ModelFile file = example(name);
  const double step = stepOf(name, file.simulation);
  file.simulation.integrator = way.integrator;
  file.simulation.formulation = way.formulation;
  file.simulation.coordinates = way.coordinates;
  file.simulation.end = endOf(name);
  file.simulation.outputEvery.reset();
  file.simulation.step.reset();
  if (way.tolerance > 0.0) file.simulation.tolerance = way.tolerance;
  if (way.stepShare > 0.0) file.simulation.step = step * way.stepShare;
  try {
    return simulate(file.model, file.simulation);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Of positions, relative to 1 + |x|, and of orientations, as the distance of unit quaternions.
double difference(const std::vector<Body>& a, const std::vector<Body>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double moved = (a[i].position - b[i].position).norm() / (1.0 + a[i].position.norm());
    const double turned =
        std::min((a[i].orientation - b[i].orientation).norm(), (a[i].orientation + b[i].orientation).norm());
    if (!(moved <= largest)) largest = moved;
    if (!(turned <= largest)) largest = turned;
  }
  return largest;
}

/// How many of the ways took the example.
int compare(const std::string& name, const std::vector<Way>& ways) {
  const std::optional<RunResult> reference = runBy(name, {"dop853", "null-space", "quaternion", 1e-11});
  if (!reference) return 0;
  EXPECT_EQ(reference->failure, "") << name;
  int taken = 0;
  for (const Way& way : ways) {
    const std::optional<RunResult> result = runBy(name, way);
    if (!result) continue;
    ++taken;
    const std::string what = fmt::format("{} by {}, {}, {}", name, way.integrator, way.formulation, way.coordinates);
    if (way.mayGiveUp && !result->failure.empty()) continue;
    EXPECT_EQ(result->failure, "") << what;
    EXPECT_LT(difference(reference->final.bodies, result->final.bodies), way.accuracy) << what;
    EXPECT_LT(result->positionViolation, way.gap) << what;
  }
  return taken;
}

}  // namespace

TEST(AllWays, OfEveryExampleLeadToTheSameMotion) {
  const std::vector<Way> ways = {{"radau5", "null-space", "quaternion", 1e-9, 0.0, 2e-4, 1e-5},
                                 {"bdf", "null-space", "quaternion", 1e-9, 0.0, 2e-3, 1e-4},
                                 {"director-em-4", "null-space", "quaternion", 0.0, 2.0, 1e-4, 1e-9},
                                 {"director-gauss-8", "null-space", "quaternion", 0.0, 2.0, 1e-4, 1e-9},
                                 {"linear-implicit-euler", "null-space", "quaternion", 0.0, 0.5, 0.1, 0.02}};
  int number = 0;
  for (const Example& each : examples()) {
    if (isLeftOut(example(each.name)) || (test::isSanitized && number++ % 4 != 0)) continue;
    EXPECT_GE(compare(each.name, ways), 3) << each.name;
  }
}

TEST(AllWaysLongRun, OfEveryExampleLeadToTheSameMotion) {
  std::vector<Way> ways;
  for (const char* coordinates : {"quaternion", "director"}) {
    for (const char* formulation : {"null-space", "absolute"}) {
      for (const char* integrator : {"dopri5", "dop853", "odex", "radau5", "seulex"})
        ways.push_back({integrator, formulation, coordinates, 1e-9, 0.0, 1e-4, 1e-4});
      ways.push_back({"bdf", formulation, coordinates, 1e-10, 0.0, 1e-4, 1e-4});
    }
    // Index 3 is the slowest to converge: a rotor with 300 rad/s is off by 0.12, 0.007, 0.001 at 1e-8, 1e-9, 1e-10.
    for (const char* formulation : {"index-2", "index-3", "ggl"})
      ways.push_back({"bdf", formulation, coordinates, 1e-10, 0.0, 1e-2, 1e-4});
  }
  // Index 1 knows joints and directors by their accelerations alone: fast rotors open the ones and shear the others, until the
  // run ends with a sentence. In directors the heavy top is off by 0.012 at 1e-8; tighter, the gyroscope takes millions of steps.
  ways.push_back({"bdf", "index-1", "quaternion", 1e-9, 0.0, 1e-2, 1e-2});
  ways.push_back({"bdf", "index-1", "director", 1e-8, 0.0, 2e-2, 1e-2, true});
  for (const char* coordinates : {"euler313", "cardan"})
    ways.push_back({"dop853", "null-space", coordinates, 1e-9, 0.0, 1e-4, 1e-4});
  // Order two: a top that spins with 150 rad/s is off by 0.07 at h = 1e-3, and by 0.0007 at a tenth of it.
  ways.push_back({"director-em", "null-space", "quaternion", 0.0, 0.1, 1e-3, 1e-8});
  for (const char* scheme : {"director-em-6", "director-em-8", "eml-4", "mpl-4"})
    ways.push_back({scheme, "null-space", "quaternion", 0.0, 1.0, 1e-3, 1e-8});
  for (const Example& each : examples()) {
    if (isLeftOut(example(each.name))) continue;
    EXPECT_GE(compare(each.name, ways), 10) << each.name;
  }
}

}  // namespace polhode::all_ways_test
