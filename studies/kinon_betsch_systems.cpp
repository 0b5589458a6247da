#include "kinon_betsch_systems.h"

#include "integrate/fitting.h"
#include "integrate/single_body/all_schemes.h"
#include "system/named_system.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace polhode::kinon {

Recording systemRun(const std::string& name, const std::string& integrator) {
  const NamedSystem& named = namedSystem(name);
  const auto system = named.make();
  const auto stepper = makeConstrainedStepper(integrator, *system, 0.0, named.initialState(), named.end, named.step);
  Recording recording;
  recording.columns = {"time", "kinetic", "potential", "total_energy", "generalised_energy", "constraint"};
  for (int i = 0; i < stepper->p().size(); ++i) recording.columns.push_back(fmt::format("p.{}", i + 1));

  const auto record = [&] {
    const double potential = system->potential(stepper->time(), stepper->q());
    std::vector<double> row = {stepper->time(),        stepper->totalEnergy() - potential, potential,
                               stepper->totalEnergy(), stepper->generalisedEnergy(),       stepper->positionGap()};
    row.insert(row.end(), stepper->p().begin(), stepper->p().end());
    recording.append(row);
  };
  record();
  while (stepper->time() < named.end) {
    stepper->step();
    record();
  }
  return recording;
}

namespace {

/// Seconds for the free body over ten seconds by a scheme itself, without anything around it.
template <class Scheme>
double timedRun(double h) {
  const single_body::TopData top{{6.0, 8.0, 3.0}, Vector3::Zero(), Vector3::Zero()};
  const Scheme scheme(top);
  auto state = scheme.start({Quaternion(1.0, 0.0, 0.0, 0.0), Vector3(10.0, 20.0, 20.0)});
  const long steps = std::lround(10.0 / h);
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 0; i < steps; ++i)
    if (!scheme.step(state, h).converged) return std::numeric_limits<double>::quiet_NaN();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::vector<SchemeCost> reductionCosts() {
  using namespace single_body;
  std::vector<SchemeCost> costs = {{"EML", 9, {}, {}}, {"REML", 5, {}, {}}, {"Null-EML", 3, {}, {}}};
  for (const double h : {0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001}) {
    double least[3] = {1e9, 1e9, 1e9};
    for (int repeat = 0; repeat < 7; ++repeat) {
      least[0] = std::min(least[0], timedRun<Eml>(h));
      least[1] = std::min(least[1], timedRun<Reml>(h));
      least[2] = std::min(least[2], timedRun<NullEml>(h));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      costs[i].steps.push_back(h);
      costs[i].seconds.push_back(least[i]);
    }
  }
  return costs;
}

double costRatio(const SchemeCost& cost, const SchemeCost& reference) {
  double logarithms = 0.0;
  for (std::size_t i = 0; i < cost.seconds.size(); ++i) logarithms += std::log(cost.seconds[i] / reference.seconds[i]);
  return std::exp(logarithms / static_cast<double>(cost.seconds.size()));
}

}  // namespace polhode::kinon
