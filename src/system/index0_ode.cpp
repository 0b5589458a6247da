#include "system/index0_ode.h"

#include "polhode/error.h"

#include <limits>

#include <fmt/format.h>

namespace polhode {

Index0Ode::Index0Ode(std::shared_ptr<const ConstrainedSystem> system, const Baumgarte& baumgarte)
    : system_(std::move(system)),
      baumgarte_(baumgarte),
      n_(system_->coordinates()),
      m_(system_->constraints()),
      solver_(n_, m_),
      q_(n_),
      v_(n_),
      psi_(n_),
      gII_(m_),
      g_(m_),
      acceleration_(n_),
      lambda_(m_) {}

void Index0Ode::factoriseAt(double t, const VectorX& q) const {
  system_->mass(q, solver_.M);
  system_->constraintJacobianAt(t, q, solver_.G);
  solver_.factorise(t);
}

void Index0Ode::solveAcceleration(double t, const VectorX& y) const {
  q_ = y.head(n_);
  v_ = y.tail(n_);
  factoriseAt(t, q_);
  system_->forces(t, q_, v_, psi_);
  system_->constraintAccelerationAt(t, q_, v_, gII_);
  gII_ = -gII_;
  if (baumgarte_.alpha != 0.0) {
    system_->constraintRateAt(t, q_, g_);
    gII_ -= 2.0 * baumgarte_.alpha * (solver_.G * v_ + g_);
  }
  if (baumgarte_.beta != 0.0) {
    system_->constraintAt(t, q_, g_);
    gII_ -= baumgarte_.beta * baumgarte_.beta * g_;
  }
  solver_.solve(psi_, gII_, acceleration_, lambda_);
}

void Index0Ode::derivative(double t, const VectorX& y, VectorX& dydt) const {
  solveAcceleration(t, y);
  dydt.head(n_) = v_;
  dydt.tail(n_) = acceleration_;
}

VectorX Index0Ode::multipliers(double t, const VectorX& y) const {
  solveAcceleration(t, y);
  return lambda_;
}

bool Index0Ode::project(double t, VectorX& y) const {
  if (m_ == 0) return false;
  VectorX q = y.head(n_), v = y.tail(n_);
  projectPosition(t, q);
  factoriseAt(t, q);
  projectVelocity(t, q, v);
  y << q, v;
  return true;
}

void Index0Ode::projectPosition(double t, VectorX& q) const {
  const int mostIterations = 50;
  const double roundOff = 4.0 * std::numeric_limits<double>::epsilon();
  const VectorX start = q;
  MatrixX M(n_, n_), G(m_, n_);
  VectorX g(m_), dq(n_), dchi(m_), chi = VectorX::Zero(m_);

  factoriseAt(t, q);
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < mostIterations; ++iteration) {
    system_->mass(q, M);
    system_->constraintJacobianAt(t, q, G);
    system_->constraintAt(t, q, g);
    solver_.solve(-(M * (q - start) + G.transpose() * chi), -g, dq, dchi);
    q += dq;
    chi += dchi;

    const double change = dq.norm();
    if (!std::isfinite(change)) break;
    // Done at round-off, or when changes that small have stopped to shrink.
    if (change <= roundOff * q.norm() || (change <= 1e-12 * q.norm() && change >= 0.5 * previous)) return;
    // The kept matrix gains less than a digit an iteration: take the one of the present position.
    if (change > 0.1 * previous) factoriseAt(t, q);
    previous = change;
  }
  system_->constraintAt(t, start, g);
  throw SimulationError(
      t,
      fmt::format("at t = {} the position cannot be projected onto its constraints: Newton's method did not converge "
                  "from a violation of {:.3g}; project more often, tighten the tolerance, or check the initial "
                  "position",
                  t, g.lpNorm<Eigen::Infinity>()));
}

void Index0Ode::projectVelocity(double t, const VectorX& q, VectorX& v) const {
  VectorX dv(n_), eta(m_), gt(m_);
  system_->constraintRateAt(t, q, gt);
  solver_.solve(VectorX::Zero(n_), -(solver_.G * v + gt), dv, eta);
  v += dv;
}

VectorX Index0Ode::initialValue(const VectorX& q, const VectorX& v) const {
  VectorX y(2 * n_);
  y << q, v;
  return y;
}

}  // namespace polhode
