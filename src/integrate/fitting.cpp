#include "integrate/fitting.h"

#include "integrate/catalogue.h"
#include "polhode/error.h"

#include <Eigen/QR>

#include <fmt/format.h>

namespace polhode {

namespace {

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

}  // namespace

std::vector<Fit> fittingIntegrators(const ConstrainedSystem& system, const VectorX& q) {
  const Obstacles found = obstacles(system, q);
  std::vector<Fit> fits;
  for (const IntegratorInfo& integrator : constrainedIntegrators()) {
    const std::string& reason = !found.forAll.empty() || !integrator.needsRegularMass ? found.forAll : found.forMomenta;
    fits.push_back({integrator.name, reason.empty(), reason});
  }
  return fits;
}

std::string fitObstacle(std::string_view integrator, const ConstrainedSystem& system, const VectorX& q) {
  const std::string& name = parseConstrainedIntegrator(integrator).info.name;
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
  const NamedIntegrator found = parseConstrainedIntegrator(integrator);
  requireFit(found.info.name, system, state.head(std::min<Eigen::Index>(state.size(), system.coordinates())));
  auto stepper = found.info.makeSystem(dynamic_cast<const SmoothSystem&>(system), t0, state, tEnd, h);
  if (found.composed) stepper->compose(found.order);
  return stepper;
}

}  // namespace polhode
