#include "system/reduced_motion.h"

#include "math/largest.h"
#include "math/rotation_maps.h"
#include "polhode/error.h"
#include "system/joint_opening.h"
#include "system/mechanism_extent.h"
#include "system/smallest_change.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr double longestDifference = 0.01;  // rad, or sizes of the mechanism
constexpr int shorterDifferences = 5;       // where a law has a kink near by, or a spring is short; each an eighth
constexpr double sameDerivative = 1e-9;
constexpr std::array<double, 4> eighthOrder{4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
constexpr double noInertia = 1e-13;  // of the largest one
constexpr int mostClosingSteps = 25;
constexpr double longestClosingTurn = 0.5;  // rad, or sizes

/// Bodies that stand still, or move by these velocities.
MechanismMotion moving(MechanismMotion bodies, const VectorX& velocities, double fraction) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(6 * b);
    bodies[b].rate.v = fraction * velocities.segment<3>(at);
    bodies[b].rate.W = hat(Vector3(fraction * velocities.segment<3>(at + 3))) * bodies[b].at.D;
  }
  return bodies;
}

/// d f(x)/dx at zero.
template <class Function>
VectorX derivative(double differenceStep, const Function& f) {
  VectorX sum;
  for (std::size_t k = 0; k < eighthOrder.size(); ++k) {
    const double x = differenceStep * static_cast<double>(k + 1);
    const VectorX term = eighthOrder[k] / differenceStep * (f(x) - f(-x));
    sum = k == 0 ? term : VectorX(sum + term);
  }
  return sum;
}

}  // namespace

MechanismMotion displaced(MechanismMotion bodies, const VectorX& change, double fraction) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(6 * b);
    bodies[b].at.x += fraction * change.segment<3>(at);
    bodies[b].at.D = (expSO3(Vector3(fraction * change.segment<3>(at + 3))) * bodies[b].at.D).eval();
  }
  return bodies;
}

MotionReducer::MotionReducer(std::shared_ptr<const Mechanism> mechanism, double reach)
    : mechanism_(std::move(mechanism)), redundancy_(*mechanism_), size_(std::max(extentOf(*mechanism_).size, reach)) {
  openAtStart_ = worstOpening(initialMotion(*mechanism_));
}

double MotionReducer::worstOpening(const MechanismMotion& bodies) const {
  double worst = 0.0;
  for (const JointOpening& gap : jointOpenings(*mechanism_, bodies)) worst = largestOrNaN(worst, gap.relativePosition);
  return worst;
}

double MotionReducer::largest(const VectorX& change) const {
  double result = 0.0;
  for (Eigen::Index i = 0; i < change.size(); i += 6)
    result = largestOrNaN({result, change.segment<3>(i).norm() / size_, change.segment<3>(i + 3).norm()});
  return result;
}

/// What acts on each body at its centre of mass: elements, and joints by their multipliers. Weight, which is the same
/// everywhere, is not among it.
VectorX MotionReducer::wrenches(const MechanismMotion& bodies, const VectorX& multipliers) const {
  VectorX sum = VectorX::Zero(6 * static_cast<Eigen::Index>(bodies.size()));
  const auto add = [&](int body, const Vector3& force, const Vector3& torque) {
    if (body == groundIndex) return;
    sum.segment<3>(6 * body) += force;
    sum.segment<3>(6 * body + 3) += torque;
  };
  for (const auto& element : mechanism_->forces()) {
    const ElementWrenches both =
        element->wrenches(0.0, motionOf(bodies, element->first()), motionOf(bodies, element->second()));
    add(element->first(), both.first.force, both.first.torque);
    add(element->second(), both.second.force, both.second.torque);
  }
  for (const MechanismJoint& joint : mechanism_->joints())
    for (int k = 0; k < joint.rows(); ++k) {
      const double lambda = multipliers[joint.firstRow + k];
      if (lambda == 0.0) continue;
      const Placement &first = motionOf(bodies, joint.first).at, &second = motionOf(bodies, joint.second).at;
      const FormGradient g = joint.equations[static_cast<std::size_t>(k)].gradient(0.0, first, second);
      add(joint.first, lambda * g.first.onPosition, lambda * g.first.onRotation(first.D));
      add(joint.second, lambda * g.second.onPosition, lambda * g.second.onRotation(second.D));
    }
  return sum;
}

VectorX MotionReducer::gaps(const MechanismMotion& bodies) const {
  VectorX result = VectorX::Zero(mechanism_->rows());
  for (const MechanismJoint& joint : mechanism_->joints())
    for (int k = 0; k < joint.rows(); ++k)
      if (!redundancy_.contains(joint.firstRow + k))
        result[joint.firstRow + k] = joint.equations[static_cast<std::size_t>(k)].gap(
            0.0, motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at);
  return result;
}

/// N, F and lambda from one decomposition of the joints' rows.
void MotionReducer::factorise(const MechanismMotion& bodies, ReducedMotion& result) {
  const auto unknowns = 6 * static_cast<Eigen::Index>(bodies.size());
  VectorX scale = VectorX::Ones(unknowns);
  for (Eigen::Index i = 0; i < unknowns; ++i)
    if (i % 6 < 3) scale[i] = size_;

  const auto kept = mechanism_->rows() - static_cast<Eigen::Index>(redundancy_.rows().size());
  MatrixX columns = MatrixX::Zero(unknowns, kept);  // G^T, scaled, rows of G of length one
  VectorX rowScale = VectorX::Zero(kept);
  std::vector<int> numbers;
  for (const MechanismJoint& joint : mechanism_->joints())
    for (int k = 0; k < joint.rows(); ++k) {
      if (redundancy_.contains(joint.firstRow + k)) continue;
      const auto column = static_cast<Eigen::Index>(numbers.size());
      numbers.push_back(joint.firstRow + k);
      const Placement &first = motionOf(bodies, joint.first).at, &second = motionOf(bodies, joint.second).at;
      const FormGradient g = joint.equations[static_cast<std::size_t>(k)].gradient(0.0, first, second);
      const auto add = [&](int body, const EndGradient& end, const Matrix3& D) {
        if (body == groundIndex) return;
        columns.col(column).segment<3>(6 * body) += size_ * end.onPosition;
        columns.col(column).segment<3>(6 * body + 3) += end.onRotation(D);
      };
      add(joint.first, g.first, first.D);
      add(joint.second, g.second, second.D);
      const double length = columns.col(column).norm();
      rowScale[column] = length > 0.0 ? 1.0 / length : 0.0;
      columns.col(column) *= rowScale[column];
    }

  VectorX loads = wrenches(moving(bodies, VectorX::Zero(unknowns), 0.0), VectorX::Zero(mechanism_->rows()));
  for (std::size_t b = 0; b < bodies.size(); ++b)
    loads.segment<3>(6 * static_cast<Eigen::Index>(b)) += mechanism_->bodies()[b].mass * mechanism_->gravity();
  const VectorX scaled = scale.cwiseProduct(loads);
  for (Eigen::Index i = 0; i < unknowns; i += 3) result.load += scaled.segment<3>(i).norm();

  result.multipliers = VectorX::Zero(mechanism_->rows());
  if (kept == 0) {
    result.basis = MatrixX(scale.asDiagonal());
    result.force = result.basis.transpose() * loads;
    return;
  }
  const Eigen::HouseholderQR<MatrixX> qr(columns);
  result.weakest = qr.matrixQR().diagonal().cwiseAbs().minCoeff();
  const VectorX turned = qr.householderQ().adjoint() * scaled;
  const VectorX lambda = -qr.matrixQR().topRows(kept).triangularView<Eigen::Upper>().solve(turned.head(kept));
  for (Eigen::Index c = 0; c < kept; ++c)
    result.multipliers[numbers[static_cast<std::size_t>(c)]] = lambda[c] * rowScale[c];
  const Eigen::Index freedoms = unknowns - kept;
  MatrixX last = MatrixX::Zero(unknowns, freedoms);
  last.bottomRows(freedoms).setIdentity();
  last.applyOnTheLeft(qr.householderQ());
  result.basis = scale.asDiagonal() * last;
  result.force = turned.tail(freedoms);
}

/// Takes directions out of the basis that move no inertia.
void MotionReducer::removeIdleTurns(const MechanismMotion& bodies, ReducedMotion& result) const {
  MatrixX heavy = result.basis;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism_->bodies()[b];
    const auto at = 6 * static_cast<Eigen::Index>(b);
    const Matrix3& D = bodies[b].at.D;
    const Matrix3 inertia = D * body.inertia.cwiseMax(0.0).asDiagonal() * D.transpose();
    heavy.middleRows<3>(at) *= body.mass;
    heavy.middleRows<3>(at + 3) = (inertia * heavy.middleRows<3>(at + 3)).eval();
  }
  result.mass = result.basis.transpose() * heavy;
  result.mass = (0.5 * (result.mass + result.mass.transpose())).eval();
  if (result.freedoms() == 0) return;
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(result.mass);
  const VectorX& values = eigen.eigenvalues();  // ascending
  const double least = noInertia * values[values.size() - 1];
  while (result.idleTurns < values.size() && !(values[result.idleTurns] > least)) ++result.idleTurns;
  if (result.idleTurns == 0) return;
  const MatrixX rest = eigen.eigenvectors().rightCols(values.size() - result.idleTurns);
  result.basis = (result.basis * rest).eval();
  result.force = (rest.transpose() * result.force).eval();
  result.mass = (rest.transpose() * result.mass * rest).eval();
}

/// With steps that are short enough for two of them to agree.
MatrixX MotionReducer::stiffness(const MechanismMotion& resting, const ReducedMotion& reduced) const {
  const auto by = [&](double step) {
    MatrixX result(reduced.freedoms(), reduced.freedoms());
    for (Eigen::Index j = 0; j < reduced.freedoms(); ++j) {
      const VectorX direction = reduced.basis.col(j);
      result.col(j) = -reduced.basis.transpose() * derivative(step, [&](double x) {
        return wrenches(displaced(resting, direction, x), reduced.multipliers);
      });
    }
    return result;
  };
  double step = longestDifference, apart = std::numeric_limits<double>::infinity();
  MatrixX before = by(step), best = before;
  for (int k = 0; k < shorterDifferences; ++k) {
    const MatrixX next = by(step /= 8.0);
    const double now = (next - before).norm();
    if (now <= sameDerivative * std::max(next.norm(), reduced.load)) return before;
    if (now < apart) apart = now, best = next;
    before = next;
  }
  return best;
}

ReducedMotion MotionReducer::at(const MechanismMotion& bodies) {
  redundancy_.review(0.0, bodies);
  ReducedMotion result;
  factorise(bodies, result);
  removeIdleTurns(bodies, result);

  const Eigen::Index freedoms = result.freedoms();
  result.stiffness = stiffness(moving(bodies, VectorX::Zero(result.basis.rows()), 0.0), result);
  result.damping.resize(freedoms, freedoms);
  const VectorX none = VectorX::Zero(mechanism_->rows());
  for (Eigen::Index j = 0; j < freedoms; ++j) {
    const VectorX direction = result.basis.col(j);
    result.damping.col(j) = -result.basis.transpose() * derivative(longestDifference, [&](double x) {
      return wrenches(moving(bodies, direction, x), none);
    });
  }
  if (!result.force.allFinite() || !result.stiffness.allFinite() || !result.damping.allFinite())
    throw SimulationError(
        0.0,
        "a force is not finite, or changes without bounds, where the mechanism stands; look at the laws "
        "of its springs, or start elsewhere");
  return result;
}

std::optional<MechanismMotion> MotionReducer::moved(const MechanismMotion& bodies, const VectorX& change) const {
  const std::vector<bool> free(6 * bodies.size(), true);
  const double far = largest(change);
  MechanismMotion now = displaced(bodies, change, 1.0);
  if (mechanism_->rows() == 0) return now;
  double way = 0.0, before = longestClosingTurn;
  for (int step = 0; step < mostClosingSteps; ++step) {
    const VectorX closing = SmallestChange(*mechanism_, now, free, 0.0, 0.0, redundancy_.rows()).solve(-gaps(now));
    const double turn = largest(closing);
    if (!(turn <= longestClosingTurn) || !((way += turn) <= far)) {
      if (!(way <= 1e-9)) return std::nullopt;  // further away than the step itself: it would close elsewhere
    }
    if (step > 1 && turn > 0.5 * before) {  // at rounding
      if (turn > 1e-10) return std::nullopt;
      break;
    }
    now = displaced(std::move(now), closing, 1.0);
    if (turn < 1e-16) break;
    before = turn;
  }
  // rows that are left out ought to follow
  if (!(worstOpening(now) <= std::max(0.1 * jointAccuracy, 10.0 * openAtStart_))) return std::nullopt;
  return now;
}

}  // namespace polhode
