#include "polhode/integrate/fitting.h"

#include "polhode/error.h"
#include "polhode/integrate/hamilton_em.h"
#include "polhode/integrate/hamilton_midpoint.h"
#include "polhode/integrate/lagrange_em.h"
#include "polhode/integrate/livens_em.h"
#include "polhode/integrate/livens_em_ggl.h"
#include "polhode/integrate/livens_midpoint.h"
#include "polhode/integrate/variational_midpoint.h"

#include <Eigen/QR>

#include <fmt/format.h>

namespace polhode {

namespace {

template <class Scheme, auto... extra>
std::unique_ptr<ConstrainedStepper> make(const SmoothSystem& system, double t0, const VectorX& state, double tEnd,
                                         double h) {
  return std::make_unique<Scheme>(system, t0, state, tEnd, h, extra...);
}

constexpr ConstrainedIntegrator ofConstrainedSystems[] = {
    {"livens-em", "eml", "energy-momentum, Kinon & Betsch (72), (129)-(131); generalised energy and constraints exact",
     false, make<LivensEm>},
    {"livens-em-chain", "",
     "livens-em with discrete gradients by the chain rule; momenta of cyclic coordinates exact too", false,
     make<LivensEm, DiscreteGradient::chainRule>},
    {"livens-em-ggl", "", "livens-em-chain, stabilised: the velocity constraint exact at the ends of steps too", false,
     make<LivensEmGgl>},
    {"lagrange-em", "", "energy-momentum in velocities; total energy and constraints exact", false, make<LagrangeEm>},
    {"livens-midpoint", "mpl", "midpoint rule, Kinon & Betsch (132); constraints and quadratic momentum maps exact",
     false, make<LivensMidpoint>},
    {"variational-midpoint", "",
     "symplectic; constraints on both levels and linear momentum maps exact, energy error bounded", false,
     make<VariationalMidpoint>},
    {"hamilton-em", "", "energy-momentum in coordinates and momenta; total energy and constraints exact", true,
     make<HamiltonEm>},
    {"hamilton-midpoint", "mph", "midpoint rule, Kinon & Betsch (133); livens-midpoint with velocities from momenta",
     true, make<HamiltonMidpoint>},
};

/// Pivots below this part of the largest count as zero.
constexpr double rankThreshold = 1e-11;

/// How many rows of a matrix depend on the others.
int rankDefect(const MatrixX& matrix) {
  Eigen::ColPivHouseholderQR<MatrixX> factors(matrix);
  factors.setThreshold(rankThreshold);
  return static_cast<int>(matrix.rows() - factors.rank());
}

/// What is wrong with a system for each kind of integrator, as half a sentence; empty if nothing is.
struct Obstacles {
  std::string forAll, forMomenta;
};

Obstacles obstacles(const ConstrainedSystem& system, const VectorX& q) {
  const int n = system.coordinates(), m = system.constraints();
  if (!dynamic_cast<const SmoothSystem*>(&system))
    return {"it does not give the derivatives of its mass matrix; derive it from UserSystem", ""};

  MatrixX M(n, n), G(m, n);
  system.mass(q, M);
  system.constraintJacobian(q, G);
  if (!M.allFinite() || !G.allFinite())
    return {"its mass matrix or its constraints are not finite at these coordinates", ""};
  if (m > 0)
    if (const int redundant = rankDefect(G); redundant > 0)
      return {fmt::format("{} of its {} constraints depend on the others; leave them out", redundant, m), ""};

  // give G^T G the size of M
  const double scale = m > 0 && M.norm() > 0 ? M.norm() / G.squaredNorm() : 1.0;
  const MatrixX onTangent = M + scale * G.transpose() * G;
  if (const int free = rankDefect(onTangent); free > 0)
    return {fmt::format("in {} direction{} that its constraints allow it has no mass", free, free > 1 ? "s" : ""), ""};
  if (const int defect = rankDefect(M); defect > 0)
    return {"", fmt::format("its mass matrix is singular (rank {} of {}) and the integrator needs the inverse",
                            n - defect, n)};
  return {};
}

struct ComposedName {
  std::string_view scheme;
  int order;  // 2 for the scheme itself
};

/// "livens-em-8" is the composition of order 8 of livens-em.
ComposedName parseComposed(std::string_view name) {
  for (const int order : {4, 6, 8})
    if (name.ends_with(fmt::format("-{}", order))) return {name.substr(0, name.size() - 2), order};
  return {name, 2};
}

}  // namespace

std::span<const ConstrainedIntegrator> constrainedIntegrators() {
  return ofConstrainedSystems;
}

const ConstrainedIntegrator& constrainedIntegrator(std::string_view name) {
  std::string known;
  for (const ConstrainedIntegrator& integrator : ofConstrainedSystems) {
    if (name == integrator.name || (!name.empty() && name == integrator.alias)) return integrator;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", integrator.name);
  }
  throw InputError(fmt::format("there is no integrator '{}' for constrained systems; there are {}", name, known));
}

std::vector<Fit> fittingIntegrators(const ConstrainedSystem& system, const VectorX& q) {
  const Obstacles found = obstacles(system, q);
  std::vector<Fit> fits;
  for (const ConstrainedIntegrator& integrator : ofConstrainedSystems) {
    const std::string& reason = !found.forAll.empty() || !integrator.needsRegularMass ? found.forAll : found.forMomenta;
    fits.push_back({integrator.name, reason.empty(), reason});
  }
  return fits;
}

std::string fitObstacle(std::string_view integrator, const ConstrainedSystem& system, const VectorX& q) {
  const std::string_view name = constrainedIntegrator(integrator).name;
  std::string reason, others;
  for (const Fit& fit : fittingIntegrators(system, q)) {
    if (fit.integrator == name) reason = fit.reason;
    if (fit.fits) others += fmt::format("{}{}", others.empty() ? "" : ", ", fit.integrator);
  }
  if (reason.empty()) return "";
  return fmt::format("{} does not fit '{}': {}; {}", name, system.name(), reason,
                     others.empty() ? "no integrator here does" : "these do: " + others);
}

void requireFit(std::string_view integrator, const ConstrainedSystem& system, const VectorX& q) {
  if (const std::string obstacle = fitObstacle(integrator, system, q); !obstacle.empty()) throw InputError(obstacle);
}

void requireVelocityConstraint(std::string_view integrator, const ConstrainedSystem& system, const VectorX& q,
                               const VectorX& v) {
  const int n = system.coordinates(), m = system.constraints();
  if (m == 0) return;
  MatrixX G(m, n);
  system.constraintJacobian(q, G);
  const double gap = (G * v).lpNorm<Eigen::Infinity>();
  if (gap <= 1e-8 * (1 + G.norm() * v.norm())) return;
  throw InputError(fmt::format(
      "{}: the initial velocities of '{}' violate a constraint by {:.3g}; start from velocities with G v = 0",
      integrator, system.name(), gap));
}

std::unique_ptr<ConstrainedStepper> makeConstrainedStepper(std::string_view integrator, const ConstrainedSystem& system,
                                                           double t0, const VectorX& state, double tEnd, double h) {
  const auto [scheme, order] = parseComposed(integrator);
  const ConstrainedIntegrator& found = constrainedIntegrator(scheme);
  requireFit(found.name, system, state.head(std::min<Eigen::Index>(state.size(), system.coordinates())));
  auto stepper = found.make(dynamic_cast<const SmoothSystem&>(system), t0, state, tEnd, h);
  if (order > 2) stepper->compose(order);
  return stepper;
}

}  // namespace polhode
