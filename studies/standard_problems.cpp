#include "standard_problems.h"

#include "math/euler_map.h"
#include "scheme_runs.h"
#include "system/mobility.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace polhode::standard {

namespace {

using schemes::exampleModel, schemes::fixedStep;

const Body& bodyNamed(const Observation& o, const std::string& name) {
  return *std::find_if(o.bodies.begin(), o.bodies.end(), [&](const Body& b) { return b.name == name; });
}

/// Components of a body-fixed point, given from the centre of mass in body axes.
auto point(const std::string& name, const Vector3& inBody, const std::vector<int>& components) {
  return [=](const Observation& o) {
    const Body& body = bodyNamed(o, name);
    const Vector3 at = body.position + rotationMatrix(body.orientation) * inBody;
    std::vector<Observed> values;
    for (const int i : components) values.push_back({at[i]});
    return values;
  };
}

/// How far a body has turned about the x axis (0) or the z axis (2), if it turns about that alone.
double turnAbout(int axis, const Observation& o, const std::string& name) {
  const Matrix3 R = rotationMatrix(bodyNamed(o, name).orientation);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  return std::atan2(R(v, u), R(u, u));
}

/// Hairer & Wanner II, VII.7: q = (beta, Theta, gamma, Phi, delta, Omega, epsilon) from the turns of K1 to K7.
std::vector<Observed> andrewsAngles(const Observation& o) {
  const auto turn = [&](const char* name) { return turnAbout(2, o, name); };
  std::vector<Observed> angles;
  for (const double q : {turn("K1"), turn("K2") - turn("K1"), turn("K3"), turn("K4") - turn("K5"), turn("K5"),
                         turn("K6") - turn("K7"), turn("K7")})
    angles.push_back({q, true});
  return angles;
}

std::vector<Claim> topInvariants() {
  const RunResult run = simulate(exampleModel("bruls-top"), Way{"director-em-8", 0.0, 0.005}.settings(1.0));
  const double energy = std::abs(run.final.energy() - 5435.69679086554687);
  const double spin = std::abs(run.final.bodies.front().angularVelocity[1] - 150.0);
  return {{"Heavy top: the energy is 5435.69679086554687 J at the end (relative to 1e-12)",
           fmt::format("off by {:.1e} by director-em-8", energy / 5435.7), energy < 1e-12 * 5435.7},
          {"Heavy top: Omega_y is 150 at the end (to 1e-9)", fmt::format("off by {:.1e} by director-em-8", spin),
           spin < 1e-9}};
}

/// What the benchmark's library asks of a solution.
std::vector<Claim> pendulumEnergy() {
  std::vector<Claim> claims;
  for (const Way& way : {Way{"director-em", 0.0, 0.01}, Way{"dop853", 1e-9}}) {
    const RunResult run = simulate(exampleModel("simple-pendulum"), way.settings(10.0));
    const double drift = run.energyDrift * run.final.bodies.front().mass * 9.81;  // its largest part is m g l
    claims.push_back({fmt::format("A01: |E - E0| < 5e-5 J until t = 10 s, {}", way.name()),
                      fmt::format("at most {:.1e} J", drift), drift < 5e-5});
  }
  return claims;
}

/// The largest angle between a crank and the first one; in the regular motion all are parallel.
double cranksApart(const Observation& o) {
  double apart = 0.0;
  for (const Body& body : o.bodies)
    if (body.name.rfind("crank", 0) == 0)
      apart = std::max(apart, std::abs(std::remainder(turnAbout(2, o, body.name) - turnAbout(2, o, "crank0"),
                                                      2.0 * std::numbers::pi)));
  return apart;
}

std::vector<Claim> manyFourBars() {
  std::vector<Claim> claims;
  const auto passes = [&](const char* example, int n, double step) {
    const RunResult run = simulate(exampleModel(example), fixedStep("director-em", step, 10.0));
    const double apart = cranksApart(run.final), drift = std::abs(run.final.energy() - run.initial.energy());
    claims.push_back(
        {fmt::format("A02, N = {}: passes its singular positions until t = 10 s, cranks parallel "
                     "(to 1e-9), director-em, step {:g}",
                     n, step),
         run.failure.empty() ? fmt::format("{:.1e} rad apart, energy off by {:.1e} J", apart, drift) : run.failure,
         run.failure.empty() && apart < 1e-9});
    return drift;
  };
  const double drift = passes("four-bars", 2, 0.01);
  claims.push_back({"A02, N = 2: energy error below that of Exudyn with the step 0.01 (0.11 J)",
                    fmt::format("{:.1e} J", drift), drift < 0.11});
  passes("four-bars-40", 40, 0.01);
  return claims;
}

std::vector<Claim> bricardMobility() {
  const Mobility found = mobilityOf(Mechanism(exampleModel("bricard")));
  return {{"A04: one degree of freedom and one redundant constraint are found",
           fmt::format("{} and {}", found.freedoms, found.redundant()), found.freedoms == 1 && found.redundant() == 1}};
}

}  // namespace

std::string Way::name() const {
  return tolerance > 0.0 ? fmt::format("{}, tolerance {:g}", integrator, tolerance)
                         : fmt::format("{}, step {:.3g}", integrator, step);
}

SimulationSettings Way::settings(double end) const {
  SimulationSettings settings = fixedStep(integrator, step, end);
  if (tolerance > 0.0) {
    settings.tolerance = tolerance;
    settings.step.reset();
  }
  return settings;
}

double Problem::error(const Observation& observation) const {
  const auto instant = std::find_if(instants.begin(), instants.end(),
                                    [&](const Instant& i) { return std::abs(i.time - observation.time) < 1e-12; });
  const std::vector<Observed> found = observe(observation);
  double largest = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = found[i].value - instant->values[i];
    const double off = std::abs(found[i].isAngle ? std::remainder(difference, 2.0 * std::numbers::pi) : difference);
    if (std::isnan(off)) return off;
    largest = std::max(largest, off);
  }
  return largest;
}

Claim required(const Problem& problem, const Instant& instant) {
  const RunResult run = simulate(exampleModel(problem.example), problem.accurate.settings(instant.time));
  const double error = run.failure.empty() ? problem.error(run.final) : INFINITY;
  return {fmt::format("{}: error of {} at t = {:g} s at most {:.0e}", problem.title, problem.quantity, instant.time,
                      problem.required),
          fmt::format("{:.1e} by {}", error, problem.accurate.name()), error <= problem.required};
}

const std::vector<Problem>& problems() {
  static const std::vector<Problem> all = {
      {.title = "Heavy top of Brüls, Cardona & Arnold",
       .label = "top",
       .example = "bruls-top",
       .quantity = "the centre of mass",
       .observe = point("top", {0, 0, 0}, {0, 1, 2}),
       .instants = {{0.2, {0.60555056137711977, 0.59895768179491916, -0.52398302743000318}},
                    {1.0, {0.17334396409838604, 0.64008859207056878, -0.74849079113358131}}},
       .required = 1e-9,
       .accurate = {"dop853", 1e-13},
       .compared = 1.0,
       .coarsest = 250,
       .others = topInvariants},
      {.title = "A01 simple pendulum, a point mass",
       .label = "A01",
       .example = "simple-pendulum",
       .quantity = "the position",
       .observe = [](const Observation& o) -> std::vector<Observed> {
         return {{o.bodies[0].position[0]}, {o.bodies[0].position[1]}};
       },
       .instants = {{1.0, {0.9862917511318753, -0.1650108531255412}},
                    {10.0, {-0.2750874625761169, -0.9614192050991251}}},
       .required = 1e-9,
       .accurate = {"dop853", 1e-13},
       .compared = 10.0,
       .coarsest = 250,
       .others = pendulumEnergy},
      {.title = "A02 two four-bar linkages",
       .label = "A02",
       .example = "four-bars",
       .quantity = "the end B0 of the first crank",
       .observe = point("crank0", {0, 0.5, 0}, {0, 1}),
       .instants = {{1.0, {-0.1950203019494351, -0.9807992056621738}},
                    {10.0, {0.3284581115408154, 0.9445185381786010}}},
       .required = 1e-9,
       .accurate = {"director-em-8", 0.0, 0.02},
       .compared = 1.0,
       .coarsest = 100,
       .others = manyFourBars},
      {.title = "A03 Andrews' squeezer",
       .label = "A03",
       .example = "andrews-squeezer",
       .quantity = "the seven angles",
       .observe = andrewsAngles,
       .instants = {{0.03,
                     {15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                      0.5244099658805304, 0.5347301163226948, 1.048080741042263}}},
       .required = 1e-8,
       .accurate = {"dop853", 1e-12},
       .compared = 0.03,
       .coarsest = 250},
      {.title = "A04 Bricard's mechanism",
       .label = "A04",
       .example = "bricard",
       .quantity = "the end of the second rod",
       .observe = point("rod2", {0.5, 0, 0}, {0, 1, 2}),
       .instants = {{0.5, {0.774717808039, -0.979815047656, -0.199906158953}},
                    {1.0, {0.274481319265, -0.886707938735, -0.462330002687}}},
       .required = 1e-9,
       .accurate = {"dop853", 1e-13},
       .compared = 1.0,
       .coarsest = 20,
       .others = bricardMobility},
      {.title = "A05 stiff flyball governor",
       .label = "A05",
       .example = "flyball-governor",
       .quantity = "the height of the slider and the speed of the shaft",
       .observe = [](const Observation& o) -> std::vector<Observed> {
         const Body& slider = bodyNamed(o, "slider");
         return {{slider.position[2]}, {slider.angularVelocity[2]}};
       },
       .instants = {{0.5, {0.743249424786, 5.103415421971}},
                    {1.0, {0.501420922380, 6.271125741877}},
                    {2.0, {0.505909294297, 6.236223614436}}},
       .required = 1e-6,
       .accurate = {"radau5", 1e-9},
       .compared = 2.0,
       .coarsest = 250,
       .stiff = true},
      {.title = "Spatial slider-crank",
       .label = "slider-crank",
       .example = "spatial-slider-crank",
       .quantity = "the position of the slider and the angle of the crank",
       .observe = [](const Observation& o) -> std::vector<Observed> {
         return {{bodyNamed(o, "slider").position[0]}, {turnAbout(0, o, "crank"), true}};
       },
       .instants = {{0.5, {0.184952629778, 5.583762553307}},
                    {1.0, {0.211721661393, 10.913590729865}},
                    {2.0, {0.289085197067, 21.072744522775}}},
       .required = 1e-9,
       .accurate = {"dop853", 1e-13},
       .compared = 1.0,
       .coarsest = 200},
      {.title = "Car axis, a joint that follows the road",
       .label = "car axis",
       .example = "car-axis",
       .quantity = "both ends of the chassis",
       .observe = [](const Observation& o) -> std::vector<Observed> {
         const Vector3 left = bodyNamed(o, "left").position, right = bodyNamed(o, "right").position;
         return {{left[0]}, {left[1]}, {right[0]}, {right[1]}};
       },
       .instants = {{3.0, {0.04934557842755629, 0.4969894602303324, 1.041742524885400, 0.3739110272652214}}},
       .required = 1e-9,
       .accurate = {"dop853", 1e-13},
       .compared = 3.0,
       .coarsest = 600},
  };
  return all;
}

}  // namespace polhode::standard
