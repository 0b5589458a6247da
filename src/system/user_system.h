#pragma once

#include "math/discrete_dual.h"
#include "math/dual.h"
#include "system/smooth_system.h"

/// A mechanical system from three formulas: M(q), V(q) and g(q), written once as templates on their scalar.
///
///     class Pendulum : public UserSystem<Pendulum, 2, 1> {       // two coordinates, one constraint
///      public:
///       std::string name() const override { return "pendulum"; }
///       template <class S> Mass<S> massMatrix(const Position<S>&) const { return Mass<S>::Identity(); }
///       template <class S> S potentialEnergy(const Position<S>& q) const { return 9.81 * q[1]; }
///       template <class S> Gaps<S> constraintValues(const Position<S>& q) const {
///         return Gaps<S>(0.5 * (q.squaredNorm() - 1.0));
///       }
///     };
///
/// Gradients, Hessians, the mass skew term, the constraint Jacobian and g^II follow by forward-mode automatic
/// differentiation (math/dual.h), discrete gradients by the discrete chain rule (math/discrete_dual.h).
/// M may depend on q and may be singular, as long as it is definite on the velocities that g allows.
///
/// Further functions that a system may have:
///
///     S potentialEnergy(double t, q)                  in place of potentialEnergy(q)
///     Position<S> externalForce(double t, q, v)       forces without a potential
///     S kineticEnergy(q, v)                           v^T M v / 2 in the system's invariants, for discrete
///                                                     gradients that keep momentum maps
namespace polhode {

template <class Derived, int Coordinates, int Constraints = 0>
class UserSystem : public SmoothSystem {
 public:
  static constexpr int n = Coordinates;
  static constexpr int m = Constraints;

  template <class S>
  using Position = Vector<S, n>;
  template <class S>
  using Mass = Eigen::Matrix<S, n, n>;
  template <class S>
  using Gaps = Vector<S, m>;

  int coordinates() const final { return n; }
  int constraints() const final { return m; }

  void mass(const VectorX& q, MatrixX& M) const final { M = massAt<double>(q); }

  double potential(double t, const VectorX& q) const final { return potentialAt<double>(t, q); }

  void constraint(const VectorX& q, VectorX& g) const final { g = constraintAt<double>(q); }

  /// -grad V + f + psi_M with psi_M = B^T v / 2 - B v, B = d(M v)/dq.
  void forces(double t, const VectorX& q, const VectorX& v, VectorX& psi) const final {
    const Position<double> velocity = v;
    const Mass<double> B = massDerivativeAt(q, velocity);
    Position<double> sum = 0.5 * (B.transpose() * velocity) - B * velocity - potentialGradientAt(t, q);
    if constexpr (withForce) sum += self().externalForce(t, Position<double>(q), velocity);
    psi = sum;
  }

  void constraintJacobian(const VectorX& q, MatrixX& G) const final {
    const Gaps<First> g = constraintAt<First>(variables(q));
    for (int row = 0; row < m; ++row) G.row(row) = g[row].derivative();
  }

  void constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const final {
    const Gaps<Second> g = constraintAt<Second>(twiceVariables(q));
    for (int row = 0; row < m; ++row) gII[row] = v.dot(curvature(g[row]) * v);
  }

  void massDerivative(const VectorX& q, const VectorX& a, MatrixX& B) const final { B = massDerivativeAt(q, a); }

  void massCurvature(const VectorX& q, const VectorX& a, const VectorX& b, MatrixX& K) const final {
    K = curvature(form<Second>(massAt<Second>(twiceVariables(q)), a, b));
  }

  void potentialGradient(double t, const VectorX& q, VectorX& gradient) const final {
    gradient = potentialGradientAt(t, q);
  }

  void potentialHessian(double t, const VectorX& q, MatrixX& hessian) const final {
    hessian = curvature(potentialAt<Second>(t, twiceVariables(q)));
  }

  void constraintHessian(const VectorX& q, const VectorX& lambda, MatrixX& hessian) const final {
    hessian.setZero();
    const Gaps<Second> g = constraintAt<Second>(twiceVariables(q));
    for (int row = 0; row < m; ++row) hessian += lambda[row] * curvature(g[row]);
  }

  void constraintVelocityDerivative(const VectorX& q, const VectorX& v, MatrixX& D) const final {
    const Gaps<Second> g = constraintAt<Second>(twiceVariables(q));
    for (int row = 0; row < m; ++row) D.row(row) = curvature(g[row]) * v;
  }

  void constraintVelocityCurvature(const VectorX& q, const VectorX& v, const VectorX& lambda, MatrixX& K) const final {
    const Position<Second> x = twiceVariables(q);
    Position<Third> along;
    for (int i = 0; i < n; ++i) along[i] = Third(x[i], Vector<Second, 1>(Second(v[i])));
    K.setZero();
    const Gaps<Third> g = constraintAt<Third>(along);
    for (int row = 0; row < m; ++row) K += lambda[row] * curvature(g[row].derivative()[0]);
  }

  bool hasAppliedForce() const final { return withForce; }

  void appliedForce(double t, const VectorX& q, const VectorX& v, VectorX& f, MatrixX& byQ, MatrixX& byV) const final {
    if constexpr (withForce) {
      Position<Both> position, velocity;
      for (int i = 0; i < n; ++i) {
        position[i] = Both::variable(q[i], i);
        velocity[i] = Both::variable(v[i], n + i);
      }
      const Position<Both> force = self().externalForce(t, position, velocity);
      for (int i = 0; i < n; ++i) {
        f[i] = force[i].value();
        byQ.row(i) = force[i].derivative().template head<n>();
        byV.row(i) = force[i].derivative().template tail<n>();
      }
    } else {
      (void)t, (void)q, (void)v;
      f.setZero(), byQ.setZero(), byV.setZero();
    }
  }

  double potentialIncrement(double t, const VectorX& q0, const VectorX& q1) const final {
    return potentialAt<Increment>(t, increments(q0, q1)).gradient[0];
  }

  void massIncrement(const VectorX& q0, const VectorX& q1, MatrixX& dM) const final {
    const Mass<Increment> M = massAt<Increment>(increments(q0, q1));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) dM(i, j) = M(i, j).gradient[0];
  }

  void constraintIncrement(const VectorX& q0, const VectorX& q1, VectorX& dg) const final {
    const Gaps<Increment> g = constraintAt<Increment>(increments(q0, q1));
    for (int row = 0; row < m; ++row) dg[row] = g[row].gradient[0];
  }

  void chainRuleKinetic(const VectorX& q0, const VectorX& v0, const VectorX& q1, const VectorX& v1,
                        DiscreteKinetic& result) const final {
    using D = DiscreteDual<2 * n, Both>;
    Position<D> q, v;
    for (int i = 0; i < n; ++i) {
      q[i] = D(q0[i], Both::variable(q1[i], i), Vector<Both, 2 * n>::Unit(i));
      v[i] = D(v0[i], Both::variable(v1[i], n + i), Vector<Both, 2 * n>::Unit(n + i));
    }
    const D energy = kineticAt<D>(q, v);
    for (int i = 0; i < n; ++i) {
      const Both &position = energy.gradient[i], &velocity = energy.gradient[n + i];
      result.byPosition[i] = position.value();
      result.byVelocity[i] = velocity.value();
      result.positionByQ1.row(i) = position.derivative().template head<n>();
      result.positionByV1.row(i) = position.derivative().template tail<n>();
      result.velocityByQ1.row(i) = velocity.derivative().template head<n>();
      result.velocityByV1.row(i) = velocity.derivative().template tail<n>();
    }
  }

  void chainRuleMass(const VectorX& q0, const VectorX& q1, const VectorX& a, const VectorX& b,
                     DiscreteMass& result) const final {
    const Mass<Discrete> M = massAt<Discrete>(discreteVariables(q0, q1));
    result.gradient.setZero(), result.byQ1.setZero();
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) {
        First column(0.0);
        for (int i = 0; i < n; ++i) column += 0.5 * a[i] * M(i, j).gradient[k];
        result.gradient[k] += column.value() * b[j];
        result.byQ1.row(k) += column.derivative() * b[j];
        result.byB(k, j) = column.value();
      }
  }

  void chainRulePotential(double t, const VectorX& q0, const VectorX& q1, DiscretePotential& result) const final {
    const Discrete energy = potentialAt<Discrete>(t, discreteVariables(q0, q1));
    for (int i = 0; i < n; ++i) {
      result.gradient[i] = energy.gradient[i].value();
      result.byQ1.row(i) = energy.gradient[i].derivative();
    }
  }

  void chainRuleConstraint(const VectorX& q0, const VectorX& q1, const VectorX& lambda,
                           DiscreteConstraint& result) const final {
    const Gaps<Discrete> g = constraintAt<Discrete>(discreteVariables(q0, q1));
    result.forceByQ1.setZero();
    for (int row = 0; row < m; ++row)
      for (int i = 0; i < n; ++i) {
        result.jacobian(row, i) = g[row].gradient[i].value();
        result.forceByQ1.row(i) += lambda[row] * g[row].gradient[i].derivative();
      }
  }

 private:
  using First = Dual<n>;                      // first derivatives by q
  using Second = Dual<n, First>;              // second derivatives by q
  using Third = Dual<1, Second>;              // and one along a velocity
  using Both = Dual<2 * n>;                   // first derivatives by q and v
  using Increment = DiscreteDual<1>;          // increments over a step
  using Discrete = DiscreteDual<n, Dual<n>>;  // discrete gradients and their derivatives by q1

  static constexpr bool withForce = requires(const Derived& s, Position<double> x) { s.externalForce(0.0, x, x); };

  const Derived& self() const { return static_cast<const Derived&>(*this); }

  // the user's functions, with what is not written filled in
  template <class S>
  Mass<S> massAt(const Position<S>& q) const {
    return self().massMatrix(q);
  }
  template <class S>
  S potentialAt(double t, const Position<S>& q) const {
    if constexpr (requires { self().potentialEnergy(t, q); })
      return self().potentialEnergy(t, q);
    else
      return self().potentialEnergy(q);
  }
  template <class S>
  Gaps<S> constraintAt(const Position<S>& q) const {
    if constexpr (m > 0)
      return self().constraintValues(q);
    else
      return Gaps<S>();
  }
  template <class S>
  S kineticAt(const Position<S>& q, const Position<S>& v) const {
    if constexpr (requires { self().kineticEnergy(q, v); }) {
      return self().kineticEnergy(q, v);
    } else {
      // the velocities first: their means then belong to the partition of Kinon & Betsch (129)
      const Mass<S> M = massAt<S>(q);
      S sum(0.0);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) sum += 0.5 * (v[i] * v[j]) * M(i, j);
      return sum;
    }
  }

  Mass<double> massDerivativeAt(const Position<double>& q, const Position<double>& a) const {
    const Mass<First> M = massAt<First>(variables(q));
    Mass<double> B = Mass<double>::Zero();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) B.row(i) += M(i, j).derivative() * a[j];
    return B;
  }
  Position<double> potentialGradientAt(double t, const Position<double>& q) const {
    return potentialAt<First>(t, variables(q)).derivative();
  }

  template <class S>
  static S form(const Mass<S>& M, const VectorX& a, const VectorX& b) {
    S sum(0.0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) sum += (a[i] * b[j]) * M(i, j);
    return sum;
  }

  static Mass<double> curvature(const Second& f) {
    Mass<double> hessian;
    for (int i = 0; i < n; ++i) hessian.row(i) = f.derivative()[i].derivative();
    return hessian;
  }

  // coordinates as variables of each kind of differentiation
  static Position<First> variables(const Position<double>& q) {
    Position<First> x;
    for (int i = 0; i < n; ++i) x[i] = First::variable(q[i], i);
    return x;
  }
  static Position<Second> twiceVariables(const Position<double>& q) {
    Position<Second> x;
    for (int i = 0; i < n; ++i) x[i] = Second::variable(First::variable(q[i], i), i);
    return x;
  }
  static Position<Increment> increments(const VectorX& q0, const VectorX& q1) {
    Position<Increment> x;
    for (int i = 0; i < n; ++i) x[i] = Increment(q0[i], q1[i], Vector<double, 1>(q1[i] - q0[i]));
    return x;
  }
  static Position<Discrete> discreteVariables(const VectorX& q0, const VectorX& q1) {
    Position<Discrete> x;
    for (int i = 0; i < n; ++i) x[i] = Discrete(q0[i], First::variable(q1[i], i), Vector<First, n>::Unit(i));
    return x;
  }
};

}  // namespace polhode
