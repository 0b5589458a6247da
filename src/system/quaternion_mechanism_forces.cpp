#include "math/euler_map.h"
#include "quaternion_coordinates.h"

#include <algorithm>
#include <cmath>

namespace polhode {

using namespace quaternion_coordinates;

namespace {

/// The placement with the rotation that belongs to p, whatever its length.
MovingPlacement movingPlacementAt(const VectorX& q, const VectorX& v, int body) {
  if (body == groundIndex) return {};
  const double length = pOf(q, body).norm();
  const Quaternion p = pOf(q, body) / length, rateOfP = pOf(v, body) / length;
  return {{xOf(q, body), rotationMatrix(p)}, {xOf(v, body), QuaternionChart::directorsRate(p, rateOfP)}};
}

/// Adds a wrench: a torque acts as 2 E(p)^T torque (128), divided by `scale`.
void addWrench(const VectorX& q, int body, const Wrench& wrench, double scale, VectorX& f) {
  if (body == groundIndex) return;
  f.segment<3>(atX(body)) += wrench.force;
  f.segment<4>(atP(body)) += (2.0 / scale) * spaceMatrix(pOf(q, body)).transpose() * wrench.torque;
}

void addAppliedForce(const ForceElement& force, double t, const VectorX& q, const VectorX& v, VectorX& f) {
  const ElementWrenches wrenches =
      force.wrenches(t, movingPlacementAt(q, v, force.first()), movingPlacementAt(q, v, force.second()));
  addWrench(q, force.first(), wrenches.first, 1.0, f);
  addWrench(q, force.second(), wrenches.second, 1.0, f);
}

/// Minus the gradient of V(x, phi(p/|p|)).
void addSpringForce(const ForceElement& force, const VectorX& q, VectorX& f) {
  const VectorX still = VectorX::Zero(q.size());
  const ElementWrenches wrenches =
      force.wrenches(0.0, movingPlacementAt(q, still, force.first()), movingPlacementAt(q, still, force.second()));
  const auto add = [&](int body, const Wrench& wrench) {
    if (body != groundIndex) addWrench(q, body, wrench, pOf(q, body).squaredNorm(), f);
  };
  add(force.first(), wrenches.first);
  add(force.second(), wrenches.second);
}

/// The force of a spring over a step. With D1 - D0 = c^ Dm the torque's work is torque . c, and c = 2 E(pm) (p1 - p0) /
/// (p0 . p1).
void addSpringForceOfStep(const ForceElement& force, const VectorX& q0, const VectorX& q1, VectorX& f) {
  const VectorX middle = 0.5 * (q0 + q1);
  const ElementStep step{0.0,
                         1.0,
                         placement(q0, force.first()),
                         placement(q1, force.first()),
                         placement(q0, force.second()),
                         placement(q1, force.second())};
  const ElementWrenches wrenches = force.meanWrenches(step);
  const auto add = [&](int body, const Wrench& wrench) {
    if (body != groundIndex) addWrench(middle, body, wrench, pOf(q0, body).dot(pOf(q1, body)), f);
  };
  add(force.first(), wrenches.first);
  add(force.second(), wrenches.second);
}

/// Adds the derivative of `add(x, f)` by those coordinates in x that belong to an element's bodies, by differences.
template <class Add>
void addDifferences(const ForceElement& force, const VectorX& x, double factor, const Add& add, MatrixX& jacobian) {
  VectorX moved = x, ahead(x.size()), behind(x.size());
  for (const int body : {force.first(), force.second()}) {
    if (body == groundIndex) continue;
    for (int k = atX(body); k < atX(body) + perBody; ++k) {
      const double distance = 1e-6 * std::max(1.0, std::abs(x[k]));
      ahead.setZero();
      behind.setZero();
      moved[k] = x[k] + distance;
      add(moved, ahead);
      moved[k] = x[k] - distance;
      add(moved, behind);
      moved[k] = x[k];
      jacobian.col(k) += (0.5 * factor / distance) * (ahead - behind);
    }
  }
}

}  // namespace

VectorX QuaternionMechanism::weight() const {
  VectorX force = VectorX::Zero(coordinates());
  for (int i = 0; i < bodies_; ++i) force.segment<3>(atX(i)) = body(i).mass * mechanism_->gravity();
  return force;
}

double QuaternionMechanism::potential(double, const VectorX& q) const {
  double energy = 0.0;
  for (int i = 0; i < bodies_; ++i) energy -= body(i).mass * mechanism_->gravity().dot(xOf(q, i));
  const VectorX still = VectorX::Zero(q.size());
  for (const ForceElement* force : springs_)
    energy += force->potential(movingPlacementAt(q, still, force->first()).at,
                               movingPlacementAt(q, still, force->second()).at);
  return energy;
}

void QuaternionMechanism::potentialGradient(double, const VectorX& q, VectorX& gradient) const {
  VectorX force = weight();
  for (const ForceElement* spring : springs_) addSpringForce(*spring, q, force);
  gradient = -force;
}

void QuaternionMechanism::potentialHessian(double, const VectorX& q, MatrixX& hessian) const {
  hessian.setZero();
  for (const ForceElement* spring : springs_)
    addDifferences(
        *spring, q, -1.0, [&](const VectorX& x, VectorX& f) { addSpringForce(*spring, x, f); }, hessian);
}

void QuaternionMechanism::chainRulePotential(double, const VectorX& q0, const VectorX& q1,
                                             DiscretePotential& result) const {
  VectorX force = weight();
  result.byQ1.setZero();
  for (const ForceElement* spring : springs_) {
    addSpringForceOfStep(*spring, q0, q1, force);
    addDifferences(
        *spring, q1, -1.0, [&](const VectorX& x, VectorX& f) { addSpringForceOfStep(*spring, q0, x, f); }, result.byQ1);
  }
  result.gradient = -force;
}

double QuaternionMechanism::potentialIncrement(double t, const VectorX& q0, const VectorX& q1) const {
  DiscretePotential discrete(coordinates());
  chainRulePotential(t, q0, q1, discrete);
  return discrete.gradient.dot(q1 - q0);
}

void QuaternionMechanism::appliedForce(double t, const VectorX& q, const VectorX& v, VectorX& f, MatrixX& byQ,
                                       MatrixX& byV) const {
  f.setZero();
  byQ.setZero();
  byV.setZero();
  for (const ForceElement* force : applied_) {
    addAppliedForce(*force, t, q, v, f);
    addDifferences(
        *force, q, 1.0, [&](const VectorX& x, VectorX& at) { addAppliedForce(*force, t, x, v, at); }, byQ);
    addDifferences(
        *force, v, 1.0, [&](const VectorX& x, VectorX& at) { addAppliedForce(*force, t, q, x, at); }, byV);
  }
}

/// -grad V + f + psi_M with psi_M = B^T v / 2 - B v, B = d(M v)/dq.
void QuaternionMechanism::forces(double t, const VectorX& q, const VectorX& v, VectorX& psi) const {
  VectorX gradient(coordinates()), applied = VectorX::Zero(coordinates());
  MatrixX B(coordinates(), coordinates());
  potentialGradient(t, q, gradient);
  massDerivative(q, v, B);
  for (const ForceElement* force : applied_) addAppliedForce(*force, t, q, v, applied);
  psi = 0.5 * (B.transpose() * v) - B * v - gradient + applied;
}

}  // namespace polhode
