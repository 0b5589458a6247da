#include "control/pose.h"

#include "control/control_law.h"
#include "math/index.h"
#include "math/spurrier_klumpp.h"
#include "system/closing.h"
#include "system/free_motions.h"
#include "system/joint_opening.h"
#include "system/joint_row.h"
#include "system/joint_state.h"
#include "system/mechanism_extent.h"
#include "system/redundancy.h"
#include "system/scalar_coordinate.h"
#include "system/smallest_change.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace polhode {
namespace {

constexpr int mostRounds = 40;
constexpr double longestStride = 0.2;    // rad, or sizes of the mechanism
constexpr double shortestStride = 0.02;  // of what a round asks for
constexpr double damping = 1e-4;         // mu, of the mean of K
constexpr double nearEnough = 1e-9;      // m or rad

/// What is missing from where it is to go.
VectorX missing(const Mechanism& mechanism, const MechanismMotion& bodies, const Held& held, const Vector3& target) {
  if (held.joint >= 0) {
    const MechanismJoint& joint = mechanism.joints()[at(held.joint)];
    const JointCoordinateInfo& info = joint.type->coordinates[held.coordinate];
    const double value =
        jointCoordinate(joint, info, motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at);
    const double way = target[0] - value;
    return VectorX::Constant(1, info.kind == MotionKind::rotation ? std::remainder(way, 2.0 * std::numbers::pi) : way);
  }
  const Placement& body = bodies[at(held.body)].at;
  if (held.quantity == LedQuantity::point) return target - body.point(held.point);
  return Rotation::difference(Rotation::moved(held.start, target), unitQuaternionFromRotation(body.D));
}

/// J^T: a column for each component of what is held, six rows a body.
MatrixX pullsOf(const Mechanism& mechanism, const MechanismMotion& bodies, const Held& held) {
  const auto rows = static_cast<Eigen::Index>(6 * bodies.size());
  if (held.joint >= 0) {
    const MechanismJoint& joint = mechanism.joints()[at(held.joint)];
    const Pull gradient = ScalarCoordinate::ofJoint(joint.geometry, joint.type->coordinates[held.coordinate])
                              .gradient(motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at);
    MatrixX pulls = MatrixX::Zero(rows, 1);
    if (joint.first != groundIndex) pulls.col(0).segment<6>(6 * joint.first) += gradient.head<6>();
    if (joint.second != groundIndex) pulls.col(0).segment<6>(6 * joint.second) += gradient.tail<6>();
    return pulls;
  }
  MatrixX pulls = MatrixX::Zero(rows, 3);
  const bool isPoint = held.quantity == LedQuantity::point;
  if (isPoint) pulls.middleRows<3>(6 * held.body).setIdentity();
  const Vector3 arm = bodies[at(held.body)].at.D * held.point;
  pulls.middleRows<3>(6 * held.body + 3) = isPoint ? hat<double>(arm) : Matrix3(Matrix3::Identity());
  return pulls;
}

double worstGap(const Mechanism& mechanism, const MechanismMotion& bodies, double time) {
  double worst = 0.0;
  for (const JointOpening& gap : jointOpenings(mechanism, bodies, time)) worst = std::max(worst, gap.relativePosition);
  return worst;
}

double largest(const VectorX& change, double size) {
  double result = 0.0;
  for (Eigen::Index i = 0; i < change.size(); i += 6)
    result = std::max({result, change.segment<3>(i).norm() / size, change.segment<3>(i + 3).norm()});
  return result;
}

}  // namespace

MechanismMotion posed(const Mechanism& mechanism, MechanismMotion bodies, const Held& held, const Vector3& target,
                      double time) {
  for (MovingPlacement& body : bodies) body = movingPlacement(body.at, Vector3::Zero(), Vector3::Zero());
  const std::vector<bool> free(6 * bodies.size(), true);
  const double size = extentOf(mechanism).size;
  const double closed = std::max(1e-12, 10.0 * worstGap(mechanism, bodies, time));
  VectorX left = missing(mechanism, bodies, held, target);
  for (int round = 0; round < mostRounds && left.norm() > nearEnough; ++round) {
    const MatrixX pulls = pullsOf(mechanism, bodies, held);
    const SmallestChange joints(mechanism, bodies, free, 0.0, time);
    MatrixX responses(pulls.rows(), pulls.cols());
    for (Eigen::Index k = 0; k < pulls.cols(); ++k) responses.col(k) = joints.allowed(pulls.col(k));
    MatrixX mobility = pulls.transpose() * responses;
    mobility.diagonal().array() += damping * mobility.trace() / static_cast<double>(mobility.cols());
    VectorX change = responses * mobility.ldlt().solve(left);
    if (!change.allFinite()) return bodies;
    if (const double way = largest(change, size); way > longestStride) change *= longestStride / way;

    const double before = left.norm();
    bool isNearer = false;
    for (double stride = 1.0; stride > shortestStride && !isNearer; stride *= 0.5) {
      MechanismMotion next = closedMotion(mechanism, displaced(bodies, change, stride), 0.0, time);
      const VectorX then = missing(mechanism, next, held, target);
      isNearer = then.norm() < before && worstGap(mechanism, next, time) <= closed;
      if (!isNearer) continue;
      bodies = std::move(next);
      left = then;
    }
    if (!isNearer || before - left.norm() < 1e-6 * before) break;  // as near as it comes
  }
  return bodies;
}

MechanismMotion keepingJoints(const Mechanism& mechanism, MechanismMotion bodies, double time) {
  VectorX rates(mechanism.rows());
  forEachRow(mechanism, [&](const JointRow& row) { rates[row.number()] = row.rate(time, motionsIn(bodies)); });
  const std::vector<bool> free(6 * bodies.size(), true);
  const VectorX change = SmallestChange(mechanism, bodies, free, 0.0, time).solve(-rates);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Eigen::Index i = 6 * static_cast<Eigen::Index>(b);
    const Vector3 turning = change.segment<3>(i + 3);
    bodies[b].rate.v += change.segment<3>(i);
    bodies[b].rate.W += hat(turning) * bodies[b].at.D;
  }
  return bodies;
}

}  // namespace polhode
