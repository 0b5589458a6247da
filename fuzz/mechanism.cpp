// Random mechanisms with random rounding, steps and loads: every step that is accepted leaves bodies that are finite, of
// unit quaternions, and joints that are closed, by an independent residual.
#include "analysis/engine_registry.h"
#include "input.h"
#include "polhode/io/model_file.h"
#include "random_mechanism.h"
#include "support/joint_residual.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace {

using namespace polhode;

constexpr int mostSteps = 20;

/// What was asked for: round-off of those that conserve, the tolerance of those that choose their steps by it.
double accuracyOf(const SimulationSettings& settings) {
  return 1e-8 + (settings.integrator.starts_with("director-em") ? 0.0 : 100.0 * settings.tolerance);
}

/// What a joint may be open by, relative to the size (the tolerance is one of metres): besides, what rounding leaves of a
/// linkage that closes only when it is exact.
double allowedGap(const SimulationSettings& settings, double size, int digits) {
  return accuracyOf(settings) / std::min(size, 1.0) + 1e3 * std::pow(10.0, -digits);
}

void simulate(const fuzz::RandomMechanism& mechanism) {
  const ModelFile file = readModelText(mechanism.text, "fuzz.toml");
  const auto simulation = makeEngine(file.model, file.simulation);
  const Stepper& stepper = simulation->stepper();
  const double size = test::sizeOf(file.model);
  const bool keepsJoints = file.simulation.integrator != "linear-implicit-euler";  // that one holds them by springs
  for (int i = 0; i < mostSteps && stepper.time() < file.simulation.end; ++i) {
    simulation->stepper().step();
    simulation->projectState();
    const Observation row = simulation->observe(stepper.time(), stepper.state());
    const test::Residual found = test::residualOf(file.model, row.bodies, row.time, size);
    const bool isGood = std::isfinite(found.gap) && found.unitLength < accuracyOf(file.simulation) &&
                        (!keepsJoints || found.gap < allowedGap(file.simulation, size, mechanism.digits));
    if (!isGood)
      fuzz::fault(fmt::format("a torn row at t = {}: joint {} is open by {} of the size, a quaternion is off by {}\n{}",
                              row.time, found.joint, found.gap, found.unitLength, mechanism.text));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::attempt([&] { simulate(fuzz::makeMechanism(data, size)); });
  return 0;
}
