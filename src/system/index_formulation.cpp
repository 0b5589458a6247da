#include "system/index_formulation.h"

#include "system/mass_constraint_solver.h"

namespace polhode {

std::string formulationName(ConstraintLevel level) {
  switch (level) {
    case ConstraintLevel::position:
      return "index-3";
    case ConstraintLevel::velocity:
      return "index-2";
    case ConstraintLevel::acceleration:
      return "index-1";
    case ConstraintLevel::stabilised:
      return "ggl";
  }
  return {};
}

IndexFormulation::IndexFormulation(std::shared_ptr<const ConstrainedSystem> system, ConstraintLevel level,
                                   const Baumgarte& baumgarte)
    : system_(std::move(system)),
      level_(level),
      baumgarte_(baumgarte),
      n_(system_->coordinates()),
      m_(system_->constraints()) {}

int IndexFormulation::size() const {
  return 2 * n_ + (level_ == ConstraintLevel::stabilised ? 2 * m_ : m_);
}

int IndexFormulation::index() const {
  switch (level_) {
    case ConstraintLevel::position:
      return 3;
    case ConstraintLevel::velocity:
    case ConstraintLevel::stabilised:
      return 2;
    case ConstraintLevel::acceleration:
      return 1;
  }
  return 0;
}

void IndexFormulation::residual(double t, const VectorX& y, const VectorX& ydot, VectorX& r) const {
  const VectorX q = y.head(n_), v = y.segment(n_, n_);
  const auto lambda = y.segment(2 * n_, m_);
  const auto qdot = ydot.head(n_), vdot = ydot.segment(n_, n_);
  MatrixX M(n_, n_), G(m_, n_);
  VectorX psi(n_), g(m_), gt(m_);
  system_->mass(q, M);
  system_->constraintJacobianAt(t, q, G);
  system_->constraintRateAt(t, q, gt);
  system_->forces(t, q, v, psi);

  r.head(n_) = qdot - v;
  r.segment(n_, n_) = M * vdot + G.transpose() * lambda - psi;
  switch (level_) {
    case ConstraintLevel::position:
      system_->constraintAt(t, q, g);
      r.tail(m_) = g;
      break;
    case ConstraintLevel::velocity:
      r.tail(m_) = G * v + gt;
      break;
    case ConstraintLevel::acceleration:
      system_->constraintAccelerationAt(t, q, v, g);
      r.tail(m_) = G * vdot + g + 2.0 * baumgarte_.alpha * (G * v + gt);
      if (baumgarte_.beta != 0.0) {
        system_->constraintAt(t, q, g);
        r.tail(m_) += baumgarte_.beta * baumgarte_.beta * g;
      }
      break;
    case ConstraintLevel::stabilised:
      system_->constraintAt(t, q, g);
      r.head(n_) += G.transpose() * y.tail(m_);
      r.segment(2 * n_, m_) = G * v + gt;
      r.tail(m_) = g;
      break;
  }
}

std::vector<bool> IndexFormulation::differential() const {
  std::vector<bool> flags(size(), false);
  std::fill_n(flags.begin(), 2 * n_, true);
  return flags;
}

std::vector<int> IndexFormulation::componentIndex() const {
  std::vector<int> indices(size(), index());
  std::fill_n(indices.begin(), n_, 1);
  std::fill_n(indices.begin() + n_, n_, level_ == ConstraintLevel::position ? 2 : 1);
  return indices;
}

void IndexFormulation::complete(double t, VectorX& y, VectorX& ydot) const {
  const VectorX q = y.head(n_), v = y.segment(n_, n_);
  MassConstraintSolver solver(n_, m_);
  system_->mass(q, solver.M);
  system_->constraintJacobianAt(t, q, solver.G);
  solver.factorise(t);

  VectorX psi(n_), gII(m_), vdot, lambda;
  system_->forces(t, q, v, psi);
  system_->constraintAccelerationAt(t, q, v, gII);
  solver.solve(psi, -gII, vdot, lambda);

  y.tail(size() - 2 * n_).setZero();
  y.segment(2 * n_, m_) = lambda;
  ydot.setZero();
  ydot.head(n_) = v;
  ydot.segment(n_, n_) = vdot;
}

VectorX IndexFormulation::initialValue(double t, const VectorX& q, const VectorX& v) const {
  VectorX y = VectorX::Zero(size()), ydot(size());
  y.head(n_) = q;
  y.segment(n_, n_) = v;
  complete(t, y, ydot);
  return y;
}

}  // namespace polhode
