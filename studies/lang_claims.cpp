#include "lang_claims.h"

#include "math/projection.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode::lang {

namespace {

const WorkPrecisionCurve& curve(const std::vector<WorkPrecisionCurve>& curves, const std::string& equation,
                                const std::string& integrator) {
  return *std::find_if(curves.begin(), curves.end(), [&](const WorkPrecisionCurve& c) {
    return c.formulation.equation == equation && c.integrator == integrator;
  });
}

std::vector<std::string> integratorsOf(const std::vector<WorkPrecisionCurve>& curves) {
  std::vector<std::string> names;
  for (const WorkPrecisionCurve& c : curves)
    if (std::find(names.begin(), names.end(), c.integrator) == names.end()) names.push_back(c.integrator);
  return names;
}

/// "A needs fewer evaluations than B for this error", with every integrator.
Claim cheaper(const std::string& statement, const std::vector<WorkPrecisionCurve>& curves, const std::string& better,
              const std::string& worse, double error) {
  Claim claim{statement, "", true};
  for (const std::string& integrator : integratorsOf(curves)) {
    const double a = curve(curves, better, integrator).evaluationsFor(error);
    const double b = curve(curves, worse, integrator).evaluationsFor(error);
    claim.holds = claim.holds && a < b;
    const std::string ratio = !std::isfinite(a)  ? "(not reached)"
                              : std::isfinite(b) ? fmt::format("{:.2f}", a / b)
                                                 : "(not reached by the other)";
    claim.measured += fmt::format("{}{} {}", claim.measured.empty() ? "" : ", ", integrator, ratio);
  }
  claim.measured =
      fmt::format("evaluations ({}) / ({}) for an error of {:.0e}: {}", better, worse, error, claim.measured);
  return claim;
}

Claim operations(const Findings& findings) {
  Claim claim{"Table 1: operations of the right-hand sides", "", true};
  for (const RightHandSideCost& cost : findings.costs) {
    claim.holds = claim.holds && static_cast<double>(cost.measured.total()) <= cost.printedTotal();
    claim.measured += fmt::format("{}{} {} ({} fused) of {:.0f}", claim.measured.empty() ? "" : ", ",
                                  cost.label.substr(cost.label.find('(')), cost.measured.total(),
                                  cost.measured.fusedTotal(), cost.printedTotal());
  }
  return claim;
}

Claim driftGrowth(const DriftCurve& drift, double expected) {
  return {fmt::format("{}: position drifts like t^{:.0f}", drift.label, expected),
          fmt::format("t^{:.2f}, {:.1e} at the end{}", drift.positionExponent, drift.position.back(),
                      drift.velocity.back() > 0.0 ? fmt::format("; velocity t^{:.2f}", drift.velocityExponent) : ""),
          std::abs(drift.positionExponent - expected) < 0.25};
}

Claim smallDisturbance(const Findings& findings, const std::string& equation, const std::string& label) {
  const WorkPrecisionCurve& failing = curve(findings.exampleBSmall, equation, "dopri5");
  const WorkPrecisionCurve& reference = curve(findings.exampleBSmall, "42", "dopri5");
  const double evaluations = failing.evaluationsFor(1e-2);
  // It "completely fails" if no tolerance helps; it may also just need a far tighter one.
  return {fmt::format("{} fails completely on example B with a disturbance of 1e-5", label),
          fmt::format(
              "an error of 1e-2 needs a tolerance of {:.0e} and {:.0f} times the evaluations of (42), which needs "
              "{:.0e}",
              failing.toleranceFor(1e-2), evaluations / reference.evaluationsFor(1e-2), reference.toleranceFor(1e-2)),
          !std::isfinite(evaluations)};
}

}  // namespace

double projectionDifference() {
  const Matrix3 R = rotationMatrix(Quaternion(Quaternion(0.4, 0.5, -0.6, 0.3).normalized()));
  const double drift = 1e-6;
  Matrix3 S;
  S << 1.0, 0.5, -0.3, 0.5, -0.7, 0.2, -0.3, 0.2, 0.4;  // symmetric: the nearest rotation stays R
  const Matrix3 drifted = R * (Matrix3::Identity() + drift * S);
  return (projectFrameExplicitly(drifted) - projectFrameToNearest(drifted)).norm() / drift;
}

std::vector<Claim> claims(const Findings& f) {
  std::vector<Claim> all;
  all.push_back(cheaper("Example A: null space beats absolute coordinates, quaternions", f.exampleA, "42", "40", 1e-3));
  all.push_back(cheaper("Example A: null space beats absolute coordinates, directors", f.exampleA, "25", "23", 1e-3));
  all.push_back(cheaper("Example A: quaternions beat directors in null space", f.exampleA, "42", "25", 1e-3));
  all.push_back(cheaper("Example A: quaternions beat directors in absolute coordinates", f.exampleA, "40", "23", 1e-3));
  all.push_back(cheaper("Example B: quaternion null space beats Euler angles", f.exampleBLarge, "42", "66", 1e-5));
  all.push_back(smallDisturbance(f, "40", "Quaternion absolute (40)"));
  all.push_back(smallDisturbance(f, "23", "Director absolute (23)"));
  for (const DriftCurve& drift : f.drift)
    all.push_back(driftGrowth(drift, drift.label.find("null space") != std::string::npos ? 1.0 : 2.0));

  const auto energy = [&](const char* equation) { return f.energyErrorAt500.at(equation); };
  all.push_back({"Omega_3 = 500: null space keeps the energy better",
                 fmt::format("largest relative error (42) {:.1e}, (25) {:.1e}, (40) {:.1e}, (23) {:.1e}", energy("42"),
                             energy("25"), energy("40"), energy("23")),
                 energy("42") < energy("40") && energy("25") < energy("23")});
  all.push_back(operations(f));
  all.push_back({"Lemma 6.2: the explicit projection is the orthogonal one",
                 fmt::format("they differ by {:.2f} times the drift", f.projectionDifference),
                 f.projectionDifference < 1e-3});
  return all;
}

}  // namespace polhode::lang
