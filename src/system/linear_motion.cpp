#include "system/linear_motion.h"

#include "math/rotation_maps.h"
#include "polhode/error.h"
#include "system/mechanism_extent.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr double steadyEnough = 3e-5;  // people write six digits

/// The same block of three rows for all bodies: each vector crossed by one of its own, a x (.).
template <class Turn>
MatrixX crossed(const MatrixX& columns, const Turn& turn) {
  MatrixX result(columns.rows(), columns.cols());
  for (Eigen::Index i = 0; i < columns.rows(); i += 3)
    result.middleRows<3>(i) = hat(turn(i)) * columns.middleRows<3>(i);
  return result;
}

}  // namespace

MatrixX LinearMotion::systemMatrix() const {
  const Eigen::Index f = freedoms();
  MatrixX A = MatrixX::Zero(2 * f, 2 * f);
  A.topRightCorner(f, f).setIdentity();
  const auto inverse = mass.ldlt();
  A.bottomLeftCorner(f, f) = -inverse.solve(stiffness);
  A.bottomRightCorner(f, f) = -inverse.solve(damping);
  return A;
}

MotionLineariser::MotionLineariser(std::shared_ptr<const Mechanism> mechanism, double reach)
    : mechanism_(std::move(mechanism)),
      redundancy_(*mechanism_),
      equations_(*mechanism_),
      size_(std::max(extentOf(*mechanism_).size, reach)) {}

LinearMotion MotionLineariser::inFrame(double t, const MechanismMotion& bodies, const Vector3& turning, bool isSteady) {
  redundancy_.review(t, bodies);
  const FreeMotions free(*mechanism_, redundancy_, t, bodies, size_);
  const MatrixX& N = free.basis();
  const Eigen::Index f = N.cols(), n = N.rows(), r = static_cast<Eigen::Index>(free.directions().rows().size());
  LinearMotion result;
  result.time = t;
  result.turning = turning;
  result.isSteady = isSteady;
  result.basis = N;
  result.mass = free.mass();
  result.weakest = free.directions().weakest();
  const VectorX u = velocitiesOf(bodies);
  result.bodies = movingBy(bodies, u);
  VectorX lambda;
  const VectorX a = equations_.accelerations(t, result.bodies, free, lambda);
  result.accelerations = a;

  // how what is left of all equations changes: of momentum, of the joints' rates, and of the changes of these
  const std::vector<int>& rows = free.directions().rows();
  const VectorX none = VectorX::Zero(n);
  const auto equations = [&](const VectorX& place, const VectorX& velocityChange) {
    const VariedMotion moving = variedMotion(bodies, place, u, velocityChange);
    VectorX all(n + 2 * r);
    all << changesIn(equations_.balance(t, moving, a, lambda)), changesIn(equations_.rates(t, moving, rows)),
        changesIn(equations_.rateChanges(t, moving, a, rows));
    return all;
  };
  MatrixX byPlace(n + 2 * r, f);
  for (Eigen::Index j = 0; j < f; ++j) byPlace.col(j) = equations(N.col(j), none);
  const MatrixX P = -free.directions().closing(byPlace.middleRows(n, r));
  const auto byVelocity = [&](const MatrixX& directions) {
    MatrixX columns(n + 2 * r, directions.cols());
    for (Eigen::Index j = 0; j < directions.cols(); ++j) columns.col(j) = equations(none, directions.col(j));
    return columns;
  };
  const MatrixX byN = byVelocity(N), byP = byVelocity(P);

  // w' = zetaY s + zetaW w, before the frame's turning
  const MatrixX acrossY = -free.directions().closing(byPlace.bottomRows(r) + byP.bottomRows(r)),
                acrossW = -free.directions().closing(byN.bottomRows(r));
  const auto inverse = free.mass().ldlt();
  const auto along = [&](const MatrixX& left, const MatrixX& across) {
    return MatrixX(inverse.solve(N.transpose() * (left - timesInertia(*mechanism_, bodies, across))));
  };
  MatrixX A21 = along(byPlace.topRows(n) + byP.topRows(n), acrossY), A22 = along(byN.topRows(n), acrossW);

  // seen from the frame
  const auto turn = [&](Eigen::Index) { return turning; };
  const auto relative = [&](Eigen::Index i) -> Vector3 {
    if (i % 6 < 3) return -turning;
    return u.segment<3>(i) - turning;
  };
  const MatrixX A11 = free.coordinates(crossed(N, relative));
  A21 -= free.coordinates(crossed(P, turn));
  A22 -= free.coordinates(crossed(N, turn));
  if (!isSteady && !u.isZero(0.0)) {  // the directions that are free turn as the mechanism moves
    MatrixX change(r, f);
    const MatrixX carried = crossed(N, turn);
    const auto along = [&](const VectorX& velocities, const VectorX& velocityChange) {
      return changesIn(equations_.rates(t, variedMotion(bodies, u, velocities, velocityChange), rows));
    };
    for (Eigen::Index j = 0; j < f; ++j) change.col(j) = along(N.col(j), carried.col(j)) - along(none, none);
    const auto scaled = free.directions().scale().cwiseInverse().asDiagonal();
    A21 += (scaled * MatrixX(-free.directions().closing(change))).transpose() * (scaled * P);
  }
  result.damping = -result.mass * (A11 + A22);
  result.stiffness = -result.mass * (A21 - A22 * A11);
  result.velocities = P - N * A11;
  if (!result.damping.allFinite() || !result.stiffness.allFinite())
    throw SimulationError(
        t,
        "a force is not finite, or changes without bounds, where the mechanism is; look at the laws of "
        "its springs, or choose another time");
  return result;
}

/// The axis about which a body can spin without anybody noticing: its inertia, joints and forces are as they were when it has
/// turned.
std::optional<Vector3> MotionLineariser::spinAxis(double t, const MechanismMotion& bodies, std::size_t body) const {
  const Vector3& J = mechanism_->bodies()[body].inertia;
  const Matrix3& D = bodies[body].at.D;
  const auto at = 6 * static_cast<Eigen::Index>(body);
  const VectorX u = velocitiesOf(bodies);
  std::vector<Vector3> axes;
  const double largest = J.maxCoeff();
  const auto same = [&](int i, int j) { return std::abs(J[i] - J[j]) <= 1e-9 * largest; };
  if (same(0, 1) && same(1, 2)) {  // any axis, as far as inertia goes
    const auto add = [&](const Vector3& axis) {
      if (axis.norm() > 0.0) axes.push_back(axis.normalized());
    };
    add(u.segment<3>(at + 3));
    for (const MechanismJoint& joint : mechanism_->joints())
      for (const auto& [end, frame] :
           {std::pair{joint.first, &joint.geometry.first}, {joint.second, &joint.geometry.second}})
        if (end == static_cast<int>(body)) add(D * frame->z()), add(D * frame->point);
  }
  for (int k = 0; k < 3; ++k)
    if (same((k + 1) % 3, (k + 2) % 3)) axes.push_back(D.col(k));
  const VectorX none = VectorX::Zero(mechanism_->rows());
  const VectorX before = wrenchesOn(*mechanism_, t, bodies, none);
  const VectorX free = VectorX::Zero(u.size());
  for (const Vector3& axis : axes) {
    VectorX change = free;
    change.segment<3>(at + 3) = axis;
    bool unnoticed = true;
    for (const double angle : {0.7, 2.1}) {
      const MechanismMotion turned = movingBy(displaced(bodies, change, angle), u);
      for (const JointRow& row : equations_.rows()) {
        const int b = static_cast<int>(body);
        if (row.joint().coupling) continue;  // wheels that turn together pull as they did
        if (!unnoticed || (row.joint().first != b && row.joint().second != b)) continue;
        if (row.equation().drive) unnoticed = false;
        const double apart = row.gap(t, motionsIn(turned)) - row.gap(t, motionsIn(bodies));
        unnoticed = unnoticed && std::abs(apart) <= 1e-7 * std::max(1.0, size_);
      }
      const VectorX after = wrenchesOn(*mechanism_, t, turned, none);
      unnoticed = unnoticed && (after - before).norm() <= 1e-7 * before.norm();
    }
    if (unnoticed) return axis;
  }
  return std::nullopt;
}

/// The common motion w + nu x (.) of the frame that fits best, and how well.
struct MotionLineariser::Steadiness {
  Vector3 drift = Vector3::Zero(), turning = Vector3::Zero();
  double miss = 0.0;
  double rate = 0.0;  // the fastest one

  /// The motion a time later.
  MechanismMotion later(const MechanismMotion& bodies, double time) const {
    MechanismMotion result = bodies;
    const Matrix3 R = expSO3(Vector3(time * turning));
    // x moves along the screw: the part of the drift across the axis is that of the axis' place
    const double square = turning.squaredNorm();
    const Vector3 along = square > 0.0 ? Vector3(turning.dot(drift) / square * turning) : drift;
    const Vector3 centre = square > 0.0 ? Vector3(turning.cross(drift) / square) : Vector3::Zero();
    const VectorX u = velocitiesOf(bodies);
    VectorX turned = u;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto at = 6 * static_cast<Eigen::Index>(b);
      const Vector3 spin = u.segment<3>(at + 3) - turning;
      result[b].at.x = centre + R * (bodies[b].at.x - centre) + time * along;
      result[b].at.D = R * expSO3(Vector3(time * spin)) * bodies[b].at.D;
      turned.segment<3>(at) = R * u.segment<3>(at);
      turned.segment<3>(at + 3) = R * u.segment<3>(at + 3);
    }
    return movingBy(std::move(result), turned);
  }
};

MotionLineariser::Steadiness MotionLineariser::steadiness(double t, const MechanismMotion& bodies) {
  redundancy_.review(t, bodies);
  const FreeMotions free(*mechanism_, redundancy_, t, bodies, size_);
  const VectorX u = velocitiesOf(bodies);
  VectorX lambda;
  const VectorX a = equations_.accelerations(t, bodies, free, lambda);
  Steadiness result;
  result.rate = u.cwiseQuotient(free.directions().scale()).cwiseAbs().maxCoeff();
  if (!(result.rate > 0.0)) {  // at rest: what accelerates must be little beside what acts
    const VectorX wrenches = wrenchesOn(*mechanism_, t, bodies, lambda);
    double all = free.directions().scale().cwiseProduct(wrenches).norm();
    for (const MechanismBody& body : mechanism_->bodies()) all += size_ * body.mass * mechanism_->gravity().norm();
    const VectorX left = timesInertia(*mechanism_, bodies, a);
    result.miss = all > 0.0 ? free.directions().scale().cwiseProduct(left).norm() / all : 0.0;
    return result;
  }
  const double rate = result.rate;

  // rows in 1/s, unknowns w / L and nu
  const auto count = static_cast<Eigen::Index>(bodies.size());
  MatrixX left = MatrixX::Zero(12 * count, 6);
  VectorX right = VectorX::Zero(12 * count);
  for (Eigen::Index b = 0; b < count; ++b) {
    const auto body = static_cast<std::size_t>(b);
    const Vector3 v = u.segment<3>(6 * b), omega = u.segment<3>(6 * b + 3);
    const Eigen::Index at = 12 * b;
    left.block<3, 3>(at, 0).setIdentity();
    left.block<3, 3>(at, 3) = -hat(bodies[body].at.x) / size_;
    right.segment<3>(at) = v / size_;
    left.block<3, 3>(at + 3, 3) = -hat(v) / (size_ * rate);
    right.segment<3>(at + 3) = a.segment<3>(6 * b) / (size_ * rate);
    if (mechanism_->bodies()[body].inertia.maxCoeff() > 0.0) {
      left.block<3, 3>(at + 6, 3) = -hat(omega) / rate;
      right.segment<3>(at + 6) = a.segment<3>(6 * b + 3) / rate;
    }
    const std::optional<Vector3> axis = spinAxis(t, bodies, body);
    left.block<3, 3>(at + 9, 3) = axis ? Matrix3(-hat(*axis)) : Matrix3::Identity();
    right.segment<3>(at + 9) = axis ? Vector3(omega.cross(*axis)) : omega;
  }
  Eigen::CompleteOrthogonalDecomposition<MatrixX> fit;
  fit.setThreshold(1e-8);
  fit.compute(left);
  const VectorX solution = fit.solve(right);
  result.drift = size_ * solution.head<3>();
  result.turning = solution.tail<3>();
  if (result.turning.norm() < 1e-9 * rate) result.turning.setZero();
  result.miss = (left * solution - right).cwiseAbs().maxCoeff() / rate;
  return result;
}

LinearMotion MotionLineariser::about(double t, const MechanismMotion& given) {
  const MechanismMotion bodies = movingBy(given, velocitiesOf(given));
  const Steadiness now = steadiness(t, bodies);
  double miss = now.miss;
  if (miss <= steadyEnough && now.rate > 0.0) {
    // it must be so a while later as well, with the same equations for what is near by
    const double later = 0.9 / now.rate;
    const MechanismMotion there = now.later(bodies, later);
    const LinearMotion here = inFrame(t, bodies, now.turning, true);
    const LinearMotion then = inFrame(t + later, there, now.turning, true);
    const Matrix3 R = expSO3(Vector3(later * now.turning));
    VectorX scale = VectorX::Ones(here.basis.rows());
    for (Eigen::Index i = 0; i < scale.size(); ++i)
      if (i % 6 < 3) scale[i] = size_;
    const auto turned = [&](const MatrixX& columns) {
      MatrixX result = columns;
      for (Eigen::Index i = 0; i < result.rows(); i += 3) result.middleRows<3>(i) = R * columns.middleRows<3>(i);
      return result;
    };
    const auto part = [](double difference, double whole) { return whole > 0.0 ? difference / whole : 0.0; };
    const MatrixX unscaled = scale.cwiseInverse().asDiagonal() * turned(here.basis);
    const MatrixX other = scale.cwiseInverse().asDiagonal() * then.basis;
    const MatrixX T = other.transpose() * unscaled;  // here's coordinates as those of then
    // beside what accelerates there, or would without the joints; spins, which may be fast, are no measure
    const VectorX accelerated = VectorX(turned(here.accelerations)) - then.accelerations;
    const double turn = now.turning.norm(), weight = mechanism_->gravity().norm();
    double linear = std::max(weight, size_ * turn * turn), angular = std::max(weight / size_, turn * turn), apart = 0.0;
    for (Eigen::Index i = 0; i < scale.size(); i += 3)
      (i % 6 == 0 ? linear : angular) =
          std::max(i % 6 == 0 ? linear : angular, here.accelerations.segment<3>(i).norm());
    angular = std::max(angular, 1e-9 * now.rate * now.rate);
    linear = std::max(linear, 1e-9 * size_ * now.rate * now.rate);
    for (Eigen::Index i = 0; i < scale.size(); i += 3)
      if (mechanism_->bodies()[static_cast<std::size_t>(i / 6)].inertia.maxCoeff() > 0.0 || i % 6 == 0)
        apart = std::max(apart, part(accelerated.segment<3>(i).norm(), i % 6 == 0 ? linear : angular));
    const double square = now.rate * now.rate;
    miss = std::max({miss, apart, (unscaled - other * T).norm(),
                     part((then.stiffness - T * here.stiffness * T.transpose()).norm(),
                          here.stiffness.norm() + square * here.mass.norm()),
                     part((then.damping - T * here.damping * T.transpose()).norm(),
                          here.damping.norm() + now.rate * here.mass.norm())});
    if (miss <= steadyEnough) {
      LinearMotion result = here;
      result.unsteadiness = miss;
      return result;
    }
  }
  const bool rests = now.rate == 0.0 && miss <= 1e-9;
  LinearMotion result = inFrame(t, bodies, now.turning, rests);
  result.unsteadiness = miss;
  return result;
}

}  // namespace polhode
