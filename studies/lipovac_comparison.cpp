#include "control/receding_horizon.h"
#include "control/spring_damper_law.h"
#include "lipovac_runs.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

namespace polhode::lipovac {
namespace {

struct Contestant {
  std::string name;
  std::string family;  // of the chart
  std::function<Law()> make;
  std::optional<double> amplification;
  bool startsAtRest = true;
};

Law springDamper(double timeConstant) {
  return std::make_unique<SpringDamperLaw<Translation>>(timeConstant);
}

Law recedingHorizon(double timeConstant, double largestForce = std::numeric_limits<double>::infinity()) {
  return std::make_unique<RecedingHorizonLaw<Translation>>(
      RecedingHorizonSettings{.timeConstant = timeConstant, .largestForce = largestForce});
}

Contestant oneStepContestant(const std::string& name, const std::string& family, GainsOfStep gains) {
  return {name, family, [gains] { return oneStep(gains); }, amplificationFactor(gains(usualStep), 1.0, usualStep)};
}

std::vector<Contestant> contestants() {
  std::vector<Contestant> all;
  for (const double epsilon : {0.0, 0.2, 0.8})
    all.push_back({fmt::format("servo constraint, signal's grid, ε = {}", epsilon),
                   "servo constraint",
                   [epsilon] { return servo(SignalVelocity::given, epsilon); },
                   {},
                   false});
  for (const double epsilon : {0.0, 0.8})
    all.push_back({fmt::format("servo constraint, solver's grid, ε = {}", epsilon),
                   "servo constraint",
                   [epsilon] { return servo(SignalVelocity::onStepGrid, epsilon); },
                   {},
                   false});
  for (const double rho0 : {1e-5, 1e-6})
    all.push_back(
        oneStepContestant(fmt::format("L2, ρ0 = {:g}", rho0), "L2", [rho0](double) { return l2Gains(rho0); }));
  for (const double rho1 : {5e-13, 1e-13})
    all.push_back(oneStepContestant(fmt::format("H1 Neumann, ρ0 = 1e-6, ρ1 = {:g}", rho1), "H1 Neumann",
                                    [rho1](double h) { return neumannGains(1e-6, rho1, h); }));
  all.push_back(oneStepContestant("H1 mixed, ρ0 = 5e-6, ρ1 = 6e-12", "H1 mixed",
                                  [](double h) { return mixedGains(5e-6, 6e-12, h, MixedSpace::fourFunctions); }));
  all.push_back(oneStepContestant("H1 mixed, five functions", "H1 mixed",
                                  [](double h) { return mixedGains(5e-6, 6e-12, h, MixedSpace::fiveFunctions); }));
  for (const double T : {0.05, 0.025, 0.0125})
    all.push_back(
        {fmt::format("spring and damper, T = {:g} s", T), "spring and damper", [T] { return springDamper(T); }, {}});
  for (const double T : {0.05, 0.03, 0.02})
    all.push_back({fmt::format("receding horizon, T = {:g} s", T), "receding horizon",
                   [T] { return recedingHorizon(T); },
                   amplificationFactor(recedingHorizonGains(usualStep / T, 0.0), usualStep / T, 0.0)});
  all.push_back({"receding horizon, T = 0.03 s, 20 N", "receding horizon", [] { return recedingHorizon(0.03, 20.0); },
                 amplificationFactor(recedingHorizonGains(usualStep / 0.03, 0.0), usualStep / 0.03, 0.0)});
  return all;
}

/// What one force of a law takes, in nanoseconds: the best of a few runs.
double costOfStep(const std::function<Law()>& make) {
  double best = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 5; ++repetition) {
    const Law law = make();
    law->observe({0.0, Vector3::Zero()});
    DrivenState<Translation> state;
    state.step = usualStep;
    state.place = Vector3(0.01, 0.0, 0.0);
    law->force(state);  // gains are computed once
    constexpr int calls = 20000;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
      state.place += 1e-12 * law->force(state);
      state.time += 1e-9;
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count() / calls);
  }
  return best;
}

/// Error against velocity variation while the time constant changes.
Series sweep(const std::string& name, const Scene& scene, const std::function<Law(double)>& make) {
  Series series{name, {}, {}, true, true};
  for (double T = 0.1; T > 0.008; T /= 1.15) {
    const TrackingResult run = scene.run(make(T), usualStep);
    series.x.push_back(run.velocityVariation);
    series.y.push_back(run.rootMeanSquareError);
  }
  return series;
}

void allLaws(StudyResult& result, const Scene& scene) {
  Table table{
      "All laws",
      {"law", "RMS error [m]", "variation [m/s]", "force [N]", "amplification", "ns a step"},
      {},
      "Mass 1 kg, h = 1e-3, no gravity. The error is against the signal as it is held; `variation` is that of the "
      "velocity, the sum of |v_k+1 - v_k|; `force` is the largest. An amplification factor above 1 is unstable. A "
      "servo "
      "constraint needs the signal's velocity: on the signal's own grid it must know the next sample."};
  Chart scatter{"Error against smoothness", "velocity variation [m/s]", "RMS error [m]", true, true, {}, ""};
  scatter.note = "Down and to the left is better. Lines: the time constant from 0.1 s to 0.008 s.";
  for (const Contestant& contestant : contestants()) {
    const TrackingResult run = scene.run(contestant.make(), usualStep, contestant.startsAtRest);
    table.rows.push_back({contestant.name, fmt::format("{:.5f}", run.rootMeanSquareError),
                          fmt::format("{:.2f}", run.velocityVariation), fmt::format("{:.1f}", run.largestForce),
                          contestant.amplification ? fmt::format("{:.7f}", *contestant.amplification) : "",
                          fmt::format("{:.0f}", costOfStep(contestant.make))});
    if (contestant.family == "receding horizon" || contestant.family == "spring and damper") continue;
    if (scatter.series.empty() || scatter.series.back().name != contestant.family)
      scatter.series.push_back({contestant.family, {}, {}, false, true});
    scatter.series.back().x.push_back(run.velocityVariation);
    scatter.series.back().y.push_back(run.rootMeanSquareError);
  }
  scatter.series.push_back(sweep("spring and damper", scene, springDamper));
  scatter.series.push_back(sweep("receding horizon", scene, [](double T) { return recedingHorizon(T); }));
  result.add("laws.csv", table);
  result.add("error-against-smoothness.csv", scatter);
}

void stepSizes(StudyResult& result, const Scene& scene) {
  Table table{"The receding-horizon law, T = 0.03 s, at all step sizes",
              {"h [s]", "RMS error [m]", "velocity variation [m/s]", "largest force [N]", "amplification factor"},
              {},
              ""};
  for (const double h : {1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2}) {
    const TrackingResult run = scene.run(recedingHorizon(0.03), h);
    table.rows.push_back(
        {fmt::format("{:g}", h), fmt::format("{:.5f}", run.rootMeanSquareError),
         fmt::format("{:.2f}", run.velocityVariation), fmt::format("{:.1f}", run.largestForce),
         fmt::format("{:.5f}", amplificationFactor(recedingHorizonGains(h / 0.03, 0.0), h / 0.03, 0.0))});
  }
  result.add("step-sizes.csv", table);
}

void motions(StudyResult& result, const Scene& scene) {
  const struct {
    std::string name;
    TrackingResult run;
  } runs[] = {{"H1 Neumann", scene.run(neumann(1e-6, 5e-13), usualStep)},
              {"spring and damper, T = 0.025 s", scene.run(springDamper(0.025), usualStep)},
              {"receding horizon, T = 0.03 s", scene.run(recedingHorizon(0.03), usualStep)}};
  for (const Eigen::Index axis : {Eigen::Index{0}, Eigen::Index{1}, Eigen::Index{2}}) {
    const std::string letter(1, "xyz"[axis]);
    Chart position{"Position, " + letter, "t [s]", letter + " [m]", false, false, {signalSeries(scene, axis)}, ""};
    for (const auto& [name, run] : runs)
      position.series.push_back(component(name, scene, run, Quantity::position, axis));
    result.add("position-" + letter + ".csv", position);
  }
  Chart velocity{"Velocity, x", "t [s]", "velocity [m/s]", false, false, {}, ""};
  Chart force{"Force", "t [s]", "|force| [N]", false, false, {}, ""};
  for (const auto& [name, run] : runs) {
    velocity.series.push_back(component(name, scene, run, Quantity::velocity, 0));
    Series size{name, {}, {}};
    for (std::size_t k = 1; k < run.times.size(); k += 2) {
      size.x.push_back(run.times[k]);
      size.y.push_back(run.forces[k].norm());
    }
    force.series.push_back(std::move(size));
  }
  result.add("velocity-x.csv", velocity);
  result.add("force.csv", force);
}

}  // namespace

void comparison(StudyResult& result, const Scene& scene) {
  result.section(
      "All laws compared",
      "The receding-horizon law minimises the deviation from the hand, the velocity relative to it, and the "
      "force with its derivative over the next steps; the hand's velocity is estimated from the samples that "
      "have come. Its parameters are a time constant and a largest force.");
  allLaws(result, scene);
  stepSizes(result, scene);
  motions(result, scene);
}

}  // namespace polhode::lipovac
