#include "integrate/catalogue.h"

#include "integrate/bdf.h"
#include "integrate/dop853.h"
#include "integrate/dopri5.h"
#include "integrate/gauss.h"
#include "integrate/hamilton_em.h"
#include "integrate/hamilton_midpoint.h"
#include "integrate/inlined_body.h"
#include "integrate/inlined_gauss.h"
#include "integrate/lagrange_em.h"
#include "integrate/livens_em.h"
#include "integrate/livens_em_ggl.h"
#include "integrate/livens_midpoint.h"
#include "integrate/odex.h"
#include "integrate/one_step.h"
#include "integrate/radau5.h"
#include "integrate/seulex.h"
#include "integrate/variational_midpoint.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace polhode {

namespace {

template <class Method>
std::unique_ptr<Stepper> odeStepper(const OdeSystem& system, double t0, const VectorX& y0, double tEnd,
                                    const IntegratorOptions& options) {
  return std::make_unique<MethodStepper<Method>>(system, t0, y0, tEnd, options);
}

template <int stages>
std::unique_ptr<Stepper> gaussStepper(const OdeSystem& system, double t0, const VectorX& y0, double tEnd,
                                      const IntegratorOptions& options) {
  return std::make_unique<MethodStepper<Gauss<OdeSystem>>>(system, t0, y0, tEnd, options, stages);
}

template <int stages>
std::unique_ptr<Stepper> inlinedGauss(const SingleBodySystem& body, const VectorX& y0, double tEnd,
                                      const IntegratorOptions& options) {
  return makeInlinedGauss(stages, body, y0, tEnd, options);
}

std::unique_ptr<Stepper> bdfStepper(const OdeSystem& system, double t0, const VectorX& y0, double tEnd,
                                    const IntegratorOptions& options) {
  return std::make_unique<Bdf>(system, t0, y0, tEnd, options, Bdf::Projection::everyStep);
}

template <class Scheme, auto... extra>
std::unique_ptr<ConstrainedStepper> systemStepper(const SmoothSystem& system, double t0, const VectorX& state,
                                                  double tEnd, double h) {
  return std::make_unique<Scheme>(system, t0, state, tEnd, h, extra...);
}

IntegratorInfo classicalInfo(std::string name, std::string kind, int order, IntegratorInfo::OdeMaker make,
                             std::string summary, IntegratorInfo::BodyMaker makeInlined = nullptr) {
  return {.name = name,
          .aliases = {},
          .moves = IntegratorKind::classical,
          .kind = kind,
          .order = order,
          .summary = summary,
          .adaptive = true,
          .composes = false,
          .makeOde = make,
          .makeInlined = makeInlined};
}

IntegratorInfo bdfInfo() {
  IntegratorInfo info = classicalInfo(
      "bdf", "implicit multistep", 0, bdfStepper,
      "Backward differentiation of order 1 to 5 (SUNDIALS CVODE, IDA); also solves the index-1, index-2, index-3 and "
      "ggl formulations.");
  info.keepsHistory = info.solvesDaes = true;
  return info;
}

/// Gauss collocation: of any order the steps may be fixed or chosen.
template <int stages>
IntegratorInfo gaussInfo(const char* when) {
  return {.name = fmt::format("gauss-{}", 2 * stages),
          .aliases = {},
          .moves = IntegratorKind::classical,
          .kind = "Gauss collocation",
          .order = 2 * stages,
          .summary = fmt::format("{} stages, order {}; quadratic invariants exact: {}", stages, 2 * stages, when),
          .adaptive = false,
          .composes = false,
          .makeOde = gaussStepper<stages>,
          .makeInlined = inlinedGauss<stages>};
}

/// Gauss collocation of mechanisms in directors.
IntegratorInfo directorGaussInfo(int order, std::string when) {
  return {fmt::format("director-gauss-{}", order),
          {},
          IntegratorKind::directorGauss,
          "conserving",
          order,
          fmt::format("Gauss collocation in directors, {} stages, order {}: {}", order / 2, order, when),
          false,
          false};
}

/// A conserving, midpoint or variational scheme.
IntegratorInfo schemeInfo(std::string name, IntegratorKind moves, std::string kind, std::string summary,
                          std::vector<std::string> aliases = {}) {
  return {name, aliases, moves, kind, 2, summary, false, true};
}

IntegratorInfo systemInfo(std::string name, std::vector<std::string> aliases, IntegratorInfo::SystemMaker make,
                          bool needsRegularMass, std::string summary) {
  return {name,    aliases, IntegratorKind::system, "conserving", 2, summary, false, true,
          nullptr, make,    needsRegularMass};
}

const std::vector<IntegratorInfo>& ofModels() {
  constexpr auto director = IntegratorKind::director, livens = IntegratorKind::livens, body = IntegratorKind::body;
  static const std::vector<IntegratorInfo> all = {
      classicalInfo("dopri5", "explicit Runge-Kutta", 5, odeStepper<Dopri5<OdeSystem>>,
                    "Dormand & Prince's pair of order 5(4); a good first choice at tolerances of 1e-3 to 1e-7.",
                    inlinedDopri5),
      classicalInfo("dop853", "explicit Runge-Kutta", 8, odeStepper<Dop853<OdeSystem>>,
                    "Dormand & Prince's method of order 8; the choice for non-stiff motion at tight tolerances.",
                    inlinedDop853),
      classicalInfo("odex", "explicit extrapolation", 0, odeStepper<Odex<OdeSystem>>,
                    "Gragg, Bulirsch & Stoer's extrapolated midpoint rule, order and step variable; for very tight "
                    "tolerances."),
      classicalInfo("radau5", "implicit Runge-Kutta", 5, odeStepper<Radau5<OdeSystem>>,
                    "Radau IIA of order 5; for stiff motion (hard springs, strong dampers), L-stable."),
      classicalInfo("seulex", "implicit extrapolation", 0, odeStepper<Seulex<OdeSystem>>,
                    "Extrapolated linearly implicit Euler method, order and step variable; stiff motion at tight "
                    "tolerances."),
      bdfInfo(),
      gaussInfo<2>(
          "the energy of one body under gravity and the length of its quaternion, or in coordinates director its "
          "orthonormality, energy and angular momentum."),
      gaussInfo<3>("see gauss-4."),
      gaussInfo<4>("see gauss-4."),
      gaussInfo<5>("see gauss-4."),
      gaussInfo<6>("see gauss-4; a good first choice for errors of 1e-8 to 1e-11."),
      gaussInfo<7>("see gauss-4."),
      gaussInfo<8>("see gauss-4; for errors down to rounding."),
      schemeInfo(
          "director-em", director, "conserving",
          "Energy and angular momentum to round-off, Cayley increments of the directors; the most accurate of its "
          "kind."),
      {"director-gauss",
       {},
       IntegratorKind::directorGauss,
       "conserving",
       0,
       "Gauss collocation in directors of the order, 8 to 14, that costs least as the run goes (with a fixed step: "
       "12); "
       "the choice for accuracy and conservation together. See director-gauss-4.",
       false,
       false},
      directorGaussInfo(
          4,
          "energy (under gravity and springs), momenta, joints and loops to round-off; no step goes backwards, "
          "so dampers and drives go along. Does not move actuators and coupled joints."),
      directorGaussInfo(6, "see director-gauss-4."),
      directorGaussInfo(8, "see director-gauss-4; the one of them for stiff motion."),
      directorGaussInfo(10, "see director-gauss-4."),
      directorGaussInfo(12, "see director-gauss-4; a good first choice of them where the motion is not stiff."),
      directorGaussInfo(14, "see director-gauss-4."),
      directorGaussInfo(16, "see director-gauss-4; for errors down to rounding."),
      schemeInfo("null-eml", body, "conserving",
                 "Livens' principle in quaternions, reduced to three unknowns (Kinon & Betsch)."),
      schemeInfo("reml", body, "conserving", "The same with the multiplier eliminated (101)-(103)."),
      schemeInfo(
          "eml", livens, "conserving",
          "The same as nine equations (86); the generalised energy is exact. Moves mechanisms too, in quaternions."),
      schemeInfo("ggl", body, "conserving",
                 "The same with velocities that satisfy the constraint at the nodes as well."),
      schemeInfo("quaternion-em", body, "conserving",
                 "Betsch & Siebert's energy-momentum scheme (51) in its null-space form; aliases emh and quat-em.",
                 {"emh", "quat-em"}),
      schemeInfo("quaternion-em-nine", body, "conserving", "The same as the nine printed equations."),
      schemeInfo("mpl", livens, "midpoint",
                 "Midpoint rule of Livens' principle (132): momentum exact, energy bounded. Mechanisms too."),
      schemeInfo("mph", body, "midpoint", "Midpoint rule in Hamiltonian form (133) with the polynomial inverse (139)."),
      schemeInfo("mph-inverse", body, "midpoint", "The same with the true inverse of the mass matrix."),
      schemeInfo("quaternion-vi", body, "variational",
                 "Variational integrator in quaternions; needs steps below 1/|Omega|."),
      schemeInfo("simo-wong", body, "conserving",
                 "Simo & Wong's ALGO_C1: momentum exact, energy exact without gravity."),
      {"linear-implicit-euler",
       {},
       IntegratorKind::realTime,
       "real time",
       1,
       "Lipovac's partitioned scheme (3.3), (3.4): one linear solve a step, order 1, joints held by Baumgarte's term; "
       "moves actuators.",
       false,
       false},
  };
  return all;
}

const std::vector<IntegratorInfo>& forSystems() {
  static const std::vector<IntegratorInfo> all = {
      systemInfo("livens-em", {}, systemStepper<LivensEm>, false,
                 "energy-momentum, Kinon & Betsch (72), (129)-(131); generalised energy and constraints exact"),
      systemInfo("livens-em-chain", {"eml"}, systemStepper<LivensEm, DiscreteGradient::chainRule>, false,
                 "livens-em with discrete gradients by the chain rule; momenta of cyclic coordinates exact too"),
      systemInfo("livens-em-ggl", {}, systemStepper<LivensEmGgl>, false,
                 "livens-em-chain, stabilised: the velocity constraint exact at the ends of steps too"),
      systemInfo("lagrange-em", {}, systemStepper<LagrangeEm>, false,
                 "energy-momentum in velocities; total energy and constraints exact"),
      systemInfo("livens-midpoint", {"mpl"}, systemStepper<LivensMidpoint>, false,
                 "midpoint rule, Kinon & Betsch (132); constraints and quadratic momentum maps exact"),
      systemInfo("variational-midpoint", {}, systemStepper<VariationalMidpoint>, false,
                 "symplectic; constraints on both levels and linear momentum maps exact, energy error bounded"),
      systemInfo("hamilton-em", {}, systemStepper<HamiltonEm>, true,
                 "energy-momentum in coordinates and momenta; total energy and constraints exact"),
      systemInfo("hamilton-midpoint", {"mph-inverse"}, systemStepper<HamiltonMidpoint>, true,
                 "midpoint rule, Kinon & Betsch (133); livens-midpoint with velocities from momenta"),
  };
  return all;
}

const IntegratorInfo* findEntry(std::span<const IntegratorInfo> all, std::string_view name) {
  for (const IntegratorInfo& info : all) {
    if (info.name == name) return &info;
    for (const std::string& alias : info.aliases)
      if (alias == name) return &info;
  }
  return nullptr;
}

/// The only place where "-4", "-6" and "-8" are read.
std::optional<NamedIntegrator> parseName(std::span<const IntegratorInfo> all, std::string_view name) {
  if (const IntegratorInfo* info = findEntry(all, name)) return NamedIntegrator{*info, info->order};
  for (const int order : {4, 6, 8})
    if (name.ends_with(fmt::format("-{}", order)))
      if (const IntegratorInfo* info = findEntry(all, name.substr(0, name.size() - 2)); info && info->composes)
        return NamedIntegrator{*info, order, true};
  return std::nullopt;
}

std::vector<std::string> namesOf(std::span<const IntegratorInfo> all) {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : all) names.push_back(info.name);
  return names;
}

}  // namespace

std::span<const IntegratorInfo> integrators() {
  return ofModels();
}

std::span<const IntegratorInfo> constrainedIntegrators() {
  return forSystems();
}

NamedIntegrator parseIntegrator(std::string_view name) {
  if (const auto found = parseName(ofModels(), name)) return *found;
  const std::string written(name);
  throw InputError(
      fmt::format("there is no integrator {}; {}", quoted(written), suggestion(written, namesOf(ofModels()))));
}

NamedIntegrator parseConstrainedIntegrator(std::string_view name) {
  if (const auto found = parseName(forSystems(), name)) return *found;
  throw InputError(fmt::format("there is no integrator '{}' for constrained systems; there are {}", name,
                               fmt::join(namesOf(forSystems()), ", ")));
}

std::unique_ptr<Stepper> makeOdeStepper(const std::string& name, const OdeSystem& ode, double t0, const VectorX& y0,
                                        double tEnd, const IntegratorOptions& options) {
  const auto found = parseName(ofModels(), name);
  if (found && found->info.makeOde) return found->info.makeOde(ode, t0, y0, tEnd, options);
  throw InputError(
      fmt::format("integrator '{}' does not solve ordinary differential equations; choose dopri5, dop853, "
                  "odex, radau5, seulex, bdf or gauss-4 to gauss-16",
                  name));
}

}  // namespace polhode
