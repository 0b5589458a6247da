#include "analysis/engine_registry.h"
#include "cost_curve.h"
#include "lang_cases.h"
#include "math/euler_map.h"
#include "study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

/// Lang 2010, example C: two bodies on a ball joint, hung on a spring; quaternions and directors, null space and absolute
/// coordinates. The paper's figure 16 is at T = 4, where no run in double precision has a correct digit; here T = 0.5, 1.
namespace polhode {

namespace {

using namespace schemes;
using lang::Formulation;

/// (61), (60), (59) and (58), with the numbers of unknowns that the paper gives for them.
struct FormulationC {
  Formulation formulation;
  int unknowns;
};

const std::vector<FormulationC> formulations = {
    {{"quaternion, null space (61)", "61", "quaternion", "null-space"}, 23},
    {{"director, null space (60)", "60", "director", "null-space"}, 33},
    {{"quaternion, absolute (59)", "59", "quaternion", "absolute"}, 28},
    {{"director, absolute (58)", "58", "director", "absolute"}, 48},
};

const std::vector<std::string> integrators = {"dopri5", "dop853", "odex", "radau5", "seulex", "bdf"};

bool isImplicit(const std::string& integrator) {
  return integrator == "radau5" || integrator == "seulex" || integrator == "bdf";
}

/// At T = 1 the implicit codes have no correct digit at a tolerance of 1e-8, and are left out.
std::vector<std::string> integratorsFor(double end) {
  std::vector<std::string> some;
  for (const std::string& integrator : integrators)
    if (end < 0.75 || !isImplicit(integrator)) some.push_back(integrator);
  return some;
}

/// The largest difference in an entry of a rotation matrix or a component of an angular velocity.
double difference(const Observation& a, const Observation& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Matrix3 R = rotationMatrix(a.bodies[i].orientation) - rotationMatrix(b.bodies[i].orientation);
    const Vector3 Omega = a.bodies[i].angularVelocity - b.bodies[i].angularVelocity;
    largest = std::max({largest, R.cwiseAbs().maxCoeff(), Omega.cwiseAbs().maxCoeff()});
  }
  return largest;
}

Observation accurateEnd(const Model& model, double end, double tolerance = 1e-14) {
  SimulationSettings settings = lang::settings(formulations.front().formulation, "dop853", tolerance, end);
  settings.projection = "explicit";
  return simulate(model, settings).final;
}

/// Each formulation with each integrator, and the conserving engine.
struct Instant {
  double end;
  double trust;                    // difference of two accurate runs
  std::vector<CostCurve> curves;   // formulation by formulation for each integrator
  std::vector<CostCurve> engines;  // director-em and its compositions, and (61) with dop853

  const CostCurve& of(const std::string& label, const std::string& integrator) const {
    return *std::find_if(curves.begin(), curves.end(),
                         [&](const CostCurve& c) { return c.label == label && c.integrator == integrator; });
  }
};

Instant measured(const Model& model, double end, const StudyProgress& progress) {
  const Observation reference = accurateEnd(model, end);
  const EndError error = [&](const Observation& o) { return difference(o, reference); };
  Instant instant{end, difference(reference, accurateEnd(model, end, 1e-13)), {}, {}};
  for (const std::string& integrator : integratorsFor(end))
    for (const FormulationC& f : formulations) {
      progress(fmt::format("T = {:g}: {}, {}", end, integrator, f.formulation.label));
      CostCurve curve{f.formulation.label, integrator, {}};
      for (int digits = 3; digits <= (isImplicit(integrator) ? 8 : 12); ++digits)
        curve.points.push_back(
            measureCost(model, lang::settings(f.formulation, integrator, std::pow(10.0, -digits), end), error));
      instant.curves.push_back(std::move(curve));
    }
  for (const auto& [integrator, coarsest] :
       std::vector<std::pair<std::string, int>>{{"director-em", 800}, {"director-em-4", 100}, {"director-em-8", 40}}) {
    progress(fmt::format("T = {:g}: {}", end, integrator));
    CostCurve curve{integrator, integrator, {}};
    for (int i = 0; i < 5; ++i)
      curve.points.push_back(
          measureCost(model, fixedStep(integrator, end / ((coarsest << i) * 2.0 * end), end), error));
    instant.engines.push_back(std::move(curve));
  }
  CostCurve classical = instant.of(formulations.front().formulation.label, "dop853");
  classical.label = "dop853, quaternion null space";
  instant.engines.push_back(std::move(classical));
  return instant;
}

/// How much larger a small disturbance of the first body's angular velocity is, over time.
Series growth(const Model& model, double end) {
  constexpr double disturbance = 1e-9;
  Model disturbed = model;
  disturbed.bodies[0].angularVelocity[0] += disturbance;
  // the second body's velocity follows from the joint
  const Vector3 arm = model.joints[0].point - model.bodies[0].position;
  const Vector3 turn = rotationMatrix(model.bodies[0].orientation) * Vector3(disturbance, 0.0, 0.0);
  disturbed.bodies[1].velocity += turn.cross(arm);

  Series series{"growth", {}, {}, true, false};
  for (int i = 1; i <= 20; ++i) {
    const double t = end * i / 20.0;
    const Observation a = accurateEnd(model, t), b = accurateEnd(disturbed, t);
    series.x.push_back(t);
    series.y.push_back(difference(a, b) / disturbance);
  }
  return series;
}

/// How many evaluations the second formulation takes beside the first with an integrator: the geometric mean over errors
/// from `largest` down by tens, as far as both get; NaN where they do not.
double ratioOfEvaluations(const CostCurve& first, const CostCurve& second, double largestError) {
  double sum = 0.0;
  int count = 0;
  for (double error = largestError; error > 1e-9; error *= 0.1) {
    const double ratio = second.costFor(error, &Cost::evaluations) / first.costFor(error, &Cost::evaluations);
    if (!std::isfinite(ratio) || ratio == 0.0) break;
    sum += std::log(ratio);
    ++count;
  }
  return count > 0 ? std::exp(sum / count) : NAN;
}

/// A formulation is better with an integrator if it saves at least two evaluations of a hundred.
Claim superiority(const std::string& statement, const Instant& instant, std::size_t first, std::size_t second) {
  std::string ratios;
  int better = 0, all = 0;
  for (const std::string& integrator : integratorsFor(instant.end)) {
    const double ratio = ratioOfEvaluations(instant.of(formulations[first].formulation.label, integrator),
                                            instant.of(formulations[second].formulation.label, integrator), 0.1);
    if (std::isnan(ratio)) continue;
    ++all;
    better += ratio > 1.02;
    ratios += fmt::format("{}{} {:.2f}", ratios.empty() ? "" : ", ", integrator, ratio);
  }
  return {fmt::format("{}, T = {:g}", statement, instant.end),
          fmt::format("with {} of {} integrators; evaluations, ratio: {}", better, all, ratios),
          better == all && all > 0};
}

/// What figure 16 shows: DOPRI5 alone.
Claim figure16(const Instant& instant) {
  std::string ratios;
  bool best = true;
  for (std::size_t other = 1; other < formulations.size(); ++other) {
    const double ratio = ratioOfEvaluations(instant.of(formulations.front().formulation.label, "dopri5"),
                                            instant.of(formulations[other].formulation.label, "dopri5"), 0.1);
    best = best && ratio > 1.0;
    ratios += fmt::format("{}({}) {:.2f}", other > 1 ? ", " : "", formulations[other].formulation.equation, ratio);
  }
  return {fmt::format("With DOPRI5 (figure 16) the quaternion null space (61) is the best of the four, T = {:g}",
                      instant.end),
          "evaluations, ratio: " + ratios, best};
}

Claim unknownsClaim(const Model& model) {
  std::string found;
  bool same = true;
  for (const FormulationC& f : formulations) {
    const auto simulation = makeEngine(model, lang::settings(f.formulation, "dopri5", 1e-6, 0.5));
    const auto unknowns = simulation->stepper().state().size();
    found += fmt::format("{}{}", found.empty() ? "" : ", ", unknowns);
    same = same && unknowns == f.unknowns;
  }
  return {"The systems (61), (60), (59), (58) have 23, 33, 28 and 48 unknowns", found, same};
}

std::vector<Claim> claims(const Model& model, const Instant& half, const Instant& one, const Series& grown) {
  std::vector<Claim> all = {unknownsClaim(model)};
  for (const Instant* instant : {&half, &one}) {
    all.push_back(figure16(*instant));
    all.push_back(superiority("Quaternion null space (61) is better than quaternion absolute (59)", *instant, 0, 2));
    all.push_back(superiority("Director null space (60) is better than director absolute (58)", *instant, 1, 3));
    all.push_back(superiority("Quaternion null space (61) is better than director null space (60)", *instant, 0, 1));
    all.push_back(superiority("Quaternion absolute (59) is better than director absolute (58)", *instant, 2, 3));
  }
  const double atFour =
      1e-16 * std::pow(grown.y.back(), 4.0);  // rounding, if it goes on growing as it does until t = 1
  all.push_back(
      {"Figure 16 shows errors at T = 4",
       fmt::format("a disturbance grows by {:.1e} until t = 1: two accurate runs differ by {:.0e} at t = 0.5, by "
                   "{:.0e} at t = 1, and no digit is left from t = 2 on",
                   grown.y.back(), half.trust, one.trust),
       atFour < 1e-3});
  return all;
}

void addInstant(StudyResult& result, const Instant& instant) {
  result.section(
      fmt::format("Accuracy at T = {:g} s", instant.end),
      fmt::format("In place of figure 16, which has DOPRI5 alone. Two runs at the limit of double precision "
                  "(DOP853 at 1e-13 and 1e-14) differ by {:.1e}; errors below that mean nothing.{}",
                  instant.trust,
                  integratorsFor(instant.end).size() < integrators.size()
                      ? " The implicit codes have no correct digit here at a tolerance of 1e-8, and are left "
                        "out."
                      : ""));
  for (const std::string& integrator : integratorsFor(instant.end)) {
    std::vector<CostCurve> curves;
    for (const CostCurve& curve : instant.curves)
      if (curve.integrator == integrator) curves.push_back(curve);
    result.add(fmt::format("t{:g}-{}.csv", instant.end, integrator),
               costChart(fmt::format("{}, T = {:g} s", integrator, instant.end), "right-hand side evaluations", curves,
                         &Cost::evaluations, &Cost::error, "largest error in R and Omega"));
  }
  Chart engines = costChart(fmt::format("The conserving engine, T = {:g} s", instant.end), "evaluations",
                            instant.engines, &Cost::evaluations, &Cost::error, "largest error in R and Omega");
  engines.note = "An evaluation of director-em is an iteration of Newton's method with its linear system.";
  result.add(fmt::format("t{:g}-director-em.csv", instant.end), std::move(engines));
}

}  // namespace

StudyResult langCStudy(const StudyProgress& progress) {
  const Model model = exampleModel("lang-c");
  const Instant half = measured(model, 0.5, progress), one = measured(model, 1.0, progress);
  progress("growth of a disturbance");
  const Series grown = growth(model, 1.0);

  StudyResult result;
  result.report.title = "Two bodies on a ball joint, four ways";
  result.report.subtitle = "Lang 2010, example C: quaternions and directors, null-space and absolute coordinates";
  result.report.summary =
      "The equations of motion of two bodies on a ball joint and a spring, in four formulations, integrated by six "
      "classical codes at tolerances from 1e-3 down. Errors are the largest in an entry of a rotation matrix or a "
      "component of an angular velocity at the end.\n\n"
      "Drag in a chart to zoom, double-click to go back; click a name in the legend to hide its curve.";
  result.section(
      "Claims",
      "Each statement of the paper, and what was measured here. Ratios are geometric means over errors from 0.1 down "
      "by tens; above 1 the first needs fewer evaluations. A statement holds only if it does with every integrator.");
  result.add("claims.csv", claimTable(claims(model, half, one, grown)));
  addInstant(result, half);
  addInstant(result, one);
  result.section("Chaos",
                 "How much larger a disturbance of 1e-9 rad/s in the first body's angular velocity has become.");
  result.add("growth.csv", Chart{"Growth of a disturbance", "t [s]", "growth", false, true, {grown}, ""});
  return result;
}

}  // namespace polhode
