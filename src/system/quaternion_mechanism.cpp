#include "polhode/system/quaternion_mechanism.h"

#include "polhode/math/euler_map.h"
#include "polhode/system/body_chart.h"
#include "polhode/system/idle_turns.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace polhode {

namespace {

constexpr int perBody = 7;

int at(int body) {
  return perBody * body;
}

Quaternion quaternion(const VectorX& q, int body) {
  return q.segment<4>(at(body) + 3);
}

/// z = (x, phi(p)), stretched off the unit sphere.
Placement placement(const VectorX& q, int body) {
  if (body == groundIndex) return {};
  return {q.segment<3>(at(body)), rotationMatrix(quaternion(q, body))};
}

/// Dz(q) v = (x', Dphi(p) p'); without the translation where only the part that changes with q is meant, D2z[q, v].
PlacementRate rate(const VectorX& q, const VectorX& v, int body, bool moving = true) {
  if (body == groundIndex) return {};
  return {moving ? Vector3(v.segment<3>(at(body))) : Vector3(Vector3::Zero()),
          QuaternionChart::directorsRate(quaternion(q, body), quaternion(v, body))};
}

/// A linear form on rates of a placement: x . v + D : W.
struct DirectorForce {
  Vector3 x = Vector3::Zero();
  Matrix3 D = Matrix3::Zero();

  void add(double factor, const EndGradient& gradient) {
    x += factor * gradient.onPosition;
    D += factor * gradient.onDirectors * gradient.arm.transpose();
  }
  double along(const PlacementRate& r) const { return x.dot(r.v) + D.cwiseProduct(r.W).sum(); }
};

struct DirectorForces {
  DirectorForce first, second;

  void add(double factor, const FormGradient& gradient) {
    first.add(factor, gradient.first);
    second.add(factor, gradient.second);
  }
};

DirectorForces gradientOf(const Form& form, const Placement& first, const Placement& second) {
  DirectorForces forces;
  forces.add(1.0, form.gradient(first, second));
  return forces;
}

/// d2s/dz2 times rates: the gradient is affine in z.
void addCurvature(double factor, const Form& form, const PlacementRate& first, const PlacementRate& second,
                  DirectorForces& forces) {
  const Placement nowhere{Vector3::Zero(), Matrix3::Zero()};
  forces.add(factor, form.gradient({first.v, first.W}, {second.v, second.W}));
  forces.add(-factor, form.gradient(nowhere, nowhere));
}

/// Adds Dz(q)^T f to what belongs to a body's coordinates.
template <class Target>
void pullBack(const VectorX& q, int body, const DirectorForce& f, double factor, Target&& target, bool moving = true) {
  if (body == groundIndex) return;
  if (moving) target.template segment<3>(at(body)) += factor * f.x;
  target.template segment<4>(at(body) + 3) += factor * QuaternionChart::pullBack(quaternion(q, body), f.D);
}

/// Adds D2z[., .]^T f, the part of a Hessian that the curvature of phi brings.
void addMapCurvature(int body, const DirectorForce& f, double factor, MatrixX& K) {
  if (body == groundIndex) return;
  for (int k = 0; k < 4; ++k)
    K.block<4, 1>(at(body) + 3, at(body) + 3 + k) += factor * QuaternionChart::pullBack(Quaternion::Unit(k), f.D);
}

/// The placement with the rotation that belongs to p, whatever its length.
MovingPlacement moving(const VectorX& q, const VectorX& v, int body) {
  if (body == groundIndex) return {};
  const double length = quaternion(q, body).norm();
  const Quaternion p = quaternion(q, body) / length, rateOfP = quaternion(v, body) / length;
  return {{q.segment<3>(at(body)), rotationMatrix(p)},
          {v.segment<3>(at(body)), QuaternionChart::directorsRate(p, rateOfP)}};
}

/// Adds a wrench: a torque acts as 2 E(p)^T torque (128), divided by `scale`.
void addWrench(const VectorX& q, int body, const Wrench& wrench, double scale, VectorX& f) {
  if (body == groundIndex) return;
  f.segment<3>(at(body)) += wrench.force;
  f.segment<4>(at(body) + 3) += (2.0 / scale) * spaceMatrix(quaternion(q, body)).transpose() * wrench.torque;
}

void addAppliedForce(const ForceElement& force, double t, const VectorX& q, const VectorX& v, VectorX& f) {
  const ElementWrenches wrenches = force.wrenches(t, moving(q, v, force.first()), moving(q, v, force.second()));
  addWrench(q, force.first(), wrenches.first, 1.0, f);
  addWrench(q, force.second(), wrenches.second, 1.0, f);
}

/// Minus the gradient of V(x, phi(p/|p|)).
void addSpringForce(const ForceElement& force, const VectorX& q, VectorX& f) {
  const VectorX still = VectorX::Zero(q.size());
  const ElementWrenches wrenches =
      force.wrenches(0.0, moving(q, still, force.first()), moving(q, still, force.second()));
  const auto add = [&](int body, const Wrench& wrench) {
    if (body != groundIndex) addWrench(q, body, wrench, quaternion(q, body).squaredNorm(), f);
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
    if (body != groundIndex) addWrench(middle, body, wrench, quaternion(q0, body).dot(quaternion(q1, body)), f);
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
    for (int k = at(body); k < at(body) + perBody; ++k) {
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

QuaternionMechanism::QuaternionMechanism(std::shared_ptr<const Mechanism> mechanism,
                                         const std::vector<int>& redundantRows)
    : mechanism_(std::move(mechanism)),
      bodies_(static_cast<int>(mechanism_->bodies().size())),
      inertia_(idleTurnInertia(*mechanism_)) {
  for (int i = 0; i < bodies_; ++i) inertia_[static_cast<std::size_t>(i)] += Matrix3(body(i).inertia.asDiagonal());
  for (const MechanismJoint& joint : mechanism_->joints())
    for (int k = 0; k < joint.rows(); ++k) {
      const int index = joint.firstRow + k;
      if (std::find(redundantRows.begin(), redundantRows.end(), index) == redundantRows.end())
        rows_.push_back({index, joint.first, joint.second, &joint.equations[static_cast<std::size_t>(k)]});
    }
  for (const auto& force : mechanism_->forces()) (force->conservative() ? springs_ : applied_).push_back(force.get());
}

// ---- motions and momenta ------------------------------------------------------------------------------------------------

VectorX QuaternionMechanism::position(const MechanismMotion& motion) const {
  VectorX q(coordinates());
  for (int i = 0; i < bodies_; ++i) {
    const Placement& p = motion[static_cast<std::size_t>(i)].at;
    q.segment<perBody>(at(i)) << p.x, QuaternionChart::fromDirectors(p.D);
  }
  return q;
}

VectorX QuaternionMechanism::velocity(const VectorX& q, const MechanismMotion& motion) const {
  VectorX v(coordinates());
  for (int i = 0; i < bodies_; ++i) {
    const MovingPlacement& m = motion[static_cast<std::size_t>(i)];
    v.segment<perBody>(at(i)) << m.rate.v, QuaternionChart::rate(quaternion(q, i), angularVelocity(body(i), m));
  }
  return v;
}

MechanismMotion QuaternionMechanism::motion(const VectorX& q, const VectorX& v) const {
  MechanismMotion motion;
  for (int i = 0; i < bodies_; ++i) motion.push_back({placement(q, i), rate(q, v, i)});
  return motion;
}

Vector3 QuaternionMechanism::linearMomentum(const VectorX& p) const {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < bodies_; ++i) sum += p.segment<3>(at(i));
  return sum;
}

Vector3 QuaternionMechanism::angularMomentum(const VectorX& q, const VectorX& p) const {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < bodies_; ++i) {
    const Vector3 x = q.segment<3>(at(i)), momentum = p.segment<3>(at(i));
    sum += x.cross(momentum) + 0.5 * spaceMatrix(quaternion(q, i)) * quaternion(p, i);
  }
  return sum;
}

double QuaternionMechanism::appliedPotential(const VectorX& q) const {
  double sum = 0.0;
  for (const ForceElement* force : applied_)
    sum += force->potential(placement(q, force->first()), placement(q, force->second()));
  return sum;
}

double QuaternionMechanism::lengthViolation(const VectorX& q) const {
  double largest = 0.0;
  for (int i = 0; i < bodies_; ++i) largest = std::max(largest, std::abs(0.5 * (quaternion(q, i).squaredNorm() - 1.0)));
  return largest;
}

double QuaternionMechanism::lengthRateViolation(const VectorX& q, const VectorX& v) const {
  double largest = 0.0;
  for (int i = 0; i < bodies_; ++i) largest = std::max(largest, std::abs(quaternion(q, i).dot(quaternion(v, i))));
  return largest;
}

VectorX QuaternionMechanism::jointMultipliers(const VectorX& multipliers) const {
  VectorX all = VectorX::Zero(mechanism_->rows());
  for (std::size_t k = 0; k < rows_.size(); ++k) all[rows_[k].index] = multipliers[static_cast<Eigen::Index>(k)];
  return all;
}

// ---- mass ---------------------------------------------------------------------------------------------------------------

/// G(p) a = -G(a) p, so that a^T M(p) b = 4 (G(a) p) . J (G(b) p).
Eigen::Matrix4d QuaternionMechanism::massForm(int i, const Quaternion& a, const Quaternion& b) const {
  const Eigen::Matrix4d product =
      4.0 * bodyMatrix(a).transpose() * inertia_[static_cast<std::size_t>(i)] * bodyMatrix(b);
  return product + product.transpose();
}

void QuaternionMechanism::mass(const VectorX& q, MatrixX& M) const {
  M.setZero();
  for (int i = 0; i < bodies_; ++i) {
    const Eigen::Matrix<double, 3, 4> G = bodyMatrix(quaternion(q, i));
    M.block<3, 3>(at(i), at(i)).diagonal().setConstant(body(i).mass);
    M.block<4, 4>(at(i) + 3, at(i) + 3) = 4.0 * G.transpose() * inertia_[static_cast<std::size_t>(i)] * G;
  }
}

void QuaternionMechanism::massDerivative(const VectorX& q, const VectorX& a, MatrixX& B) const {
  B.setZero();
  for (int i = 0; i < bodies_; ++i)
    for (int k = 0; k < 4; ++k)
      B.block<1, 4>(at(i) + 3 + k, at(i) + 3) =
          (massForm(i, quaternion(a, i), Quaternion::Unit(k)) * quaternion(q, i)).transpose();
}

void QuaternionMechanism::massCurvature(const VectorX& /*q*/, const VectorX& a, const VectorX& b, MatrixX& K) const {
  K.setZero();
  for (int i = 0; i < bodies_; ++i)
    K.block<4, 4>(at(i) + 3, at(i) + 3) = massForm(i, quaternion(a, i), quaternion(b, i));
}

/// M is quadratic in p, so that its derivative at the middle is exact.
void QuaternionMechanism::massIncrement(const VectorX& q0, const VectorX& q1, MatrixX& dM) const {
  const VectorX middle = 0.5 * (q0 + q1), step = q1 - q0;
  MatrixX B(coordinates(), coordinates());
  for (int k = 0; k < coordinates(); ++k) {
    massDerivative(middle, VectorX::Unit(coordinates(), k), B);
    dM.col(k).noalias() = B * step;
  }
}

void QuaternionMechanism::chainRuleMass(const VectorX& q0, const VectorX& q1, const VectorX& a, const VectorX& b,
                                        DiscreteMass& result) const {
  const VectorX middle = 0.5 * (q0 + q1);
  MatrixX work(coordinates(), coordinates());
  massCurvature(middle, a, b, work);
  result.gradient.noalias() = 0.5 * work * middle;
  result.byQ1 = 0.25 * work;
  massDerivative(middle, a, work);
  result.byB = 0.5 * work.transpose();
}

void QuaternionMechanism::chainRuleKinetic(const VectorX& q0, const VectorX& v0, const VectorX& q1, const VectorX& v1,
                                           DiscreteKinetic& result) const {
  using Matrix34 = Eigen::Matrix<double, 3, 4>;
  for (VectorX* vector : {&result.byPosition, &result.byVelocity}) vector->setZero();
  for (MatrixX* matrix : {&result.positionByQ1, &result.positionByV1, &result.velocityByQ1, &result.velocityByV1})
    matrix->setZero();
  for (int i = 0; i < bodies_; ++i) {
    const int x = at(i), p = at(i) + 3;
    result.byVelocity.segment<3>(x) = 0.5 * body(i).mass * (v0 + v1).segment<3>(x);
    result.velocityByV1.block<3, 3>(x, x).diagonal().setConstant(0.5 * body(i).mass);

    // (87), (88)
    const Matrix3& J = inertia_[static_cast<std::size_t>(i)];
    const Matrix34 Gq1 = bodyMatrix(quaternion(q1, i)), Gv1 = bodyMatrix(quaternion(v1, i));
    const Matrix34 Gqm = 0.5 * (bodyMatrix(quaternion(q0, i)) + Gq1), Gvm = 0.5 * (bodyMatrix(quaternion(v0, i)) + Gv1);
    const Vector3 moment = J * (bodyMatrix(quaternion(q0, i)) * quaternion(v0, i) + Gq1 * quaternion(v1, i));
    result.byVelocity.segment<4>(p) = 2.0 * Gqm.transpose() * moment;
    result.byPosition.segment<4>(p) = -2.0 * Gvm.transpose() * moment;

    // dmoment = J (G(q1) dv1 - G(v1) dq1); G(q)^T m = m- q
    const Eigen::Matrix4d byMatrix = rightVectorMatrix(moment);
    result.velocityByV1.block<4, 4>(p, p) = 2.0 * Gqm.transpose() * J * Gq1;
    result.velocityByQ1.block<4, 4>(p, p) = byMatrix - 2.0 * Gqm.transpose() * J * Gv1;
    result.positionByV1.block<4, 4>(p, p) = -byMatrix - 2.0 * Gvm.transpose() * J * Gq1;
    result.positionByQ1.block<4, 4>(p, p) = 2.0 * Gvm.transpose() * J * Gv1;
  }
}

// ---- joints -------------------------------------------------------------------------------------------------------------

void QuaternionMechanism::constraint(const VectorX& q, VectorX& g) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    g[static_cast<Eigen::Index>(k)] =
        row.equation->form.value(placement(q, row.first), placement(q, row.second)) - row.equation->offset;
  }
  for (int i = 0; i < bodies_; ++i) g[ownRow(i)] = 0.5 * (quaternion(q, i).squaredNorm() - 1.0);
}

void QuaternionMechanism::constraintJacobian(const VectorX& q, MatrixX& G) const {
  G.setZero();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const DirectorForces f = gradientOf(row.equation->form, placement(q, row.first), placement(q, row.second));
    auto target = G.row(static_cast<Eigen::Index>(k)).transpose();
    pullBack(q, row.first, f.first, 1.0, target);
    pullBack(q, row.second, f.second, 1.0, target);
  }
  for (int i = 0; i < bodies_; ++i) G.block<1, 4>(ownRow(i), at(i) + 3) = quaternion(q, i).transpose();
}

void QuaternionMechanism::constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const {
  MatrixX D(constraints(), coordinates());
  constraintVelocityDerivative(q, v, D);
  gII.noalias() = D * v;
}

void QuaternionMechanism::constraintVelocityDerivative(const VectorX& q, const VectorX& v, MatrixX& D) const {
  D.setZero();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const Form& form = row.equation->form;
    auto target = D.row(static_cast<Eigen::Index>(k)).transpose();
    DirectorForces curved;
    addCurvature(1.0, form, rate(q, v, row.first), rate(q, v, row.second), curved);
    pullBack(q, row.first, curved.first, 1.0, target);
    pullBack(q, row.second, curved.second, 1.0, target);
    const DirectorForces f = gradientOf(form, placement(q, row.first), placement(q, row.second));
    pullBack(v, row.first, f.first, 1.0, target, false);
    pullBack(v, row.second, f.second, 1.0, target, false);
  }
  for (int i = 0; i < bodies_; ++i) D.block<1, 4>(ownRow(i), at(i) + 3) = quaternion(v, i).transpose();
}

void QuaternionMechanism::addDirectorCurvature(const VectorX& lambda, const VectorX& atRows, bool movingRows,
                                               const VectorX& atColumns, bool movingColumns, double factor,
                                               MatrixX& K) const {
  VectorX unit = VectorX::Zero(coordinates());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    for (const int body : {row.first, row.second}) {
      if (body == groundIndex) continue;
      for (int column = at(body) + (movingColumns ? 0 : 3); column < at(body) + perBody; ++column) {
        unit[column] = 1.0;
        DirectorForces curved;
        addCurvature(lambda[static_cast<Eigen::Index>(k)], row.equation->form,
                     rate(atColumns, unit, row.first, movingColumns), rate(atColumns, unit, row.second, movingColumns),
                     curved);
        unit[column] = 0.0;
        pullBack(atRows, row.first, curved.first, factor, K.col(column), movingRows);
        pullBack(atRows, row.second, curved.second, factor, K.col(column), movingRows);
      }
    }
  }
}

void QuaternionMechanism::constraintHessian(const VectorX& q, const VectorX& lambda, MatrixX& hessian) const {
  hessian.setZero();
  addDirectorCurvature(lambda, q, true, q, true, 1.0, hessian);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const DirectorForces f = gradientOf(row.equation->form, placement(q, row.first), placement(q, row.second));
    addMapCurvature(row.first, f.first, lambda[static_cast<Eigen::Index>(k)], hessian);
    addMapCurvature(row.second, f.second, lambda[static_cast<Eigen::Index>(k)], hessian);
  }
  for (int i = 0; i < bodies_; ++i) hessian.block<4, 4>(at(i) + 3, at(i) + 3).diagonal().array() += lambda[ownRow(i)];
}

/// With z quadratic in q: d3(g o z)[v, ., .] = z'^T g'' z''[v, .] + z''[v, .]^T g'' z' + z''[., .]^T g'' z' v.
void QuaternionMechanism::constraintVelocityCurvature(const VectorX& q, const VectorX& v, const VectorX& lambda,
                                                      MatrixX& K) const {
  K.setZero();
  addDirectorCurvature(lambda, q, true, v, false, 1.0, K);
  addDirectorCurvature(lambda, v, false, q, true, 1.0, K);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    DirectorForces curved;
    addCurvature(lambda[static_cast<Eigen::Index>(k)], row.equation->form, rate(q, v, row.first),
                 rate(q, v, row.second), curved);
    addMapCurvature(row.first, curved.first, 1.0, K);
    addMapCurvature(row.second, curved.second, 1.0, K);
  }
}

void QuaternionMechanism::constraintIncrement(const VectorX& q0, const VectorX& q1, VectorX& dg) const {
  const VectorX middle = 0.5 * (q0 + q1), step = q1 - q0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const DirectorForces f = gradientOf(row.equation->form, mean(placement(q0, row.first), placement(q1, row.first)),
                                        mean(placement(q0, row.second), placement(q1, row.second)));
    dg[static_cast<Eigen::Index>(k)] =
        f.first.along(rate(middle, step, row.first)) + f.second.along(rate(middle, step, row.second));
  }
  for (int i = 0; i < bodies_; ++i) dg[ownRow(i)] = quaternion(middle, i).dot(quaternion(step, i));
}

void QuaternionMechanism::chainRuleConstraint(const VectorX& q0, const VectorX& q1, const VectorX& lambda,
                                              DiscreteConstraint& result) const {
  const VectorX middle = 0.5 * (q0 + q1);
  result.jacobian.setZero();
  result.forceByQ1.setZero();
  addDirectorCurvature(lambda, middle, true, q1, true, 0.5, result.forceByQ1);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const auto index = static_cast<Eigen::Index>(k);
    const DirectorForces f = gradientOf(row.equation->form, mean(placement(q0, row.first), placement(q1, row.first)),
                                        mean(placement(q0, row.second), placement(q1, row.second)));
    auto target = result.jacobian.row(index).transpose();
    pullBack(middle, row.first, f.first, 1.0, target);
    pullBack(middle, row.second, f.second, 1.0, target);
    addMapCurvature(row.first, f.first, 0.5 * lambda[index], result.forceByQ1);
    addMapCurvature(row.second, f.second, 0.5 * lambda[index], result.forceByQ1);
  }
  for (int i = 0; i < bodies_; ++i) {
    result.jacobian.block<1, 4>(ownRow(i), at(i) + 3) = quaternion(middle, i).transpose();
    result.forceByQ1.block<4, 4>(at(i) + 3, at(i) + 3).diagonal().array() += 0.5 * lambda[ownRow(i)];
  }
}

// ---- forces -------------------------------------------------------------------------------------------------------------

double QuaternionMechanism::potential(double, const VectorX& q) const {
  double energy = 0.0;
  for (int i = 0; i < bodies_; ++i) energy -= body(i).mass * mechanism_->gravity().dot(q.segment<3>(at(i)));
  const VectorX still = VectorX::Zero(q.size());
  for (const ForceElement* force : springs_)
    energy += force->potential(moving(q, still, force->first()).at, moving(q, still, force->second()).at);
  return energy;
}

void QuaternionMechanism::potentialGradient(double, const VectorX& q, VectorX& gradient) const {
  VectorX force = VectorX::Zero(coordinates());
  for (int i = 0; i < bodies_; ++i) force.segment<3>(at(i)) = body(i).mass * mechanism_->gravity();
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
  VectorX force = VectorX::Zero(coordinates());
  result.byQ1.setZero();
  for (int i = 0; i < bodies_; ++i) force.segment<3>(at(i)) = body(i).mass * mechanism_->gravity();
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
