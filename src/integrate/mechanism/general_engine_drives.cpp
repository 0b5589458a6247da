#include "integrate/mechanism/general_engine.h"
#include "math/rotation_maps.h"
#include "system/joint_row.h"

/// What the general engine does with velocities alone, along rows that follow a signal and others.
namespace polhode {

/// The smallest change of all velocities, in the metric of the masses, after which driven rows have the rates of their
/// signals and the rates of all others are as they were: an impulse of the drives alone,
///
///     M dv + G^T mu = 0,   G dv = -g' in driven rows, 0 in the others
///
/// at the placements as they are, so that momenta change only by what a drive against the ground brings. The drives'
/// work is the change of the kinetic energy.
void GeneralEngine::followDrives(MechanismState& state) {
  assembleRates(state.time, state.bodies, Lacking::ofDrives);
  system_.factorise();
  system_.solve();

  for (std::size_t b = 0; b < end_.size(); ++b) {
    const MechanismBody& body = mechanism_.bodies()[b];
    MovingPlacement& motion = state.bodies[b];
    const Vector6& change = nodeOf(static_cast<int>(b)).z;
    if (!change.allFinite()) continue;
    const Vector3 dv = change.head<3>();
    const Matrix3 dW = hat(Vector3(change.tail<3>())) * motion.at.D;
    state.work += body.mass * dv.dot(motion.rate.v + 0.5 * dv);
    for (int i = 0; i < 3; ++i)
      state.work += body.secondMoments[i] * dW.col(i).dot(motion.rate.W.col(i) + 0.5 * dW.col(i));
    motion.rate.v += dv;
    motion.rate.W += dW;
  }
}

/// The rates of directors become those of a rotation, whose moment of momentum lacks something of theirs.
MechanismMotion GeneralEngine::fitting(double t, MechanismMotion bodies) {
  std::vector<Vector3> lacking(bodies.size(), Vector3::Zero());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Matrix3 D = bodies[b].at.D, turned = hat(turnRate(bodies[b])) * D;
    for (int i = 0; i < 3; ++i)
      lacking[b] += mechanism_.bodies()[b].secondMoments[i] * D.col(i).cross(bodies[b].rate.W.col(i) - turned.col(i));
    bodies[b].rate.W = turned;
  }
  assembleRates(t, bodies, Lacking::ofAll);
  for (std::size_t b = 0; b < bodies.size(); ++b) nodeOf(static_cast<int>(b)).f.tail<3>() = lacking[b];
  system_.factorise();
  system_.solve();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Vector6& change = nodeOf(static_cast<int>(b)).z;
    if (!change.allFinite()) continue;
    bodies[b].rate.v += change.head<3>();
    bodies[b].rate.W += hat(Vector3(change.tail<3>())) * bodies[b].at.D;
  }
  return bodies;
}

void GeneralEngine::assembleRates(double t, std::span<const MovingPlacement> bodies, Lacking lacking) {
  system_.clear();
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const MechanismBody& body = mechanism_.bodies()[b];
    const Matrix3& D = bodies[b].at.D;
    Matrix6& A = nodeOf(static_cast<int>(b)).A;
    A.topLeftCorner<3, 3>().diagonal().setConstant(body.mass);
    for (int i = 0; i < 3; ++i)
      A.bottomRightCorner<3, 3>() +=
          body.secondMoments[i] * (D.col(i).squaredNorm() * Matrix3::Identity() - D.col(i) * D.col(i).transpose());
  }
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) addRates(t, bodies, j, lacking);
  for (const std::vector<int>* parts : {&border_.ofForce, &border_.ofCoupling})
    for (const int part : *parts)
      for (int i = 0; part >= 0 && i < 12; ++i) {
        const int unknown = system_.firstUnknown(part) + i;
        system_.border().entry(unknown, unknown) = -1.0;
      }
}

/// The gradients of a joint's rows, and what their rates lack.
void GeneralEngine::addRates(double t, std::span<const MovingPlacement> bodies, std::size_t j, Lacking which) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const MovingPlacement &first = motionOf(bodies, joint.first), &second = motionOf(bodies, joint.second);
  const int border = border_.ofJoint[j];
  for (int row = 0; row < joint.rows(); ++row) {
    const JointEquation& equation = joint.equations[static_cast<std::size_t>(row)];
    const JointRow equationRow(joint, row);
    const double lacking = equation.drive || which == Lacking::ofAll ? -equationRow.rate(t, motionsIn(bodies)) : 0.0;
    if (border >= 0) {
      const int unknown = system_.firstUnknown(border) + row;
      system_.border().right(unknown) = lacking;
      system_.border().present(unknown) = 0.0;
      equationRow.visitGradient(t, motionsIn(bodies), [&](int body, const EndGradient& end) {
        const int node = nodeOf_[static_cast<std::size_t>(body)];
        Vector6 gradient;
        gradient << end.onPosition, end.onRotation(motionOf(bodies, body).at.D);
        system_.borderRow(node, border, row) += gradient;
        system_.borderColumn(node, border, row) += gradient;
      });
      continue;
    }
    const FormGradient gradient = equation.gradient(t, first.at, second.at);
    Vector6 ofFirst, ofSecond;
    ofFirst << gradient.first.onPosition, gradient.first.onRotation(first.at.D);
    ofSecond << gradient.second.onPosition, gradient.second.onRotation(second.at.D);
    const int child = border_.childOf(mechanism_, j);
    TreeNode& node = nodeOf(child);
    node.g[row] = lacking;
    node.G.row(row) = node.H.row(row) = child == joint.second ? ofSecond : ofFirst;
    node.parentG.row(row) = node.parentH.row(row) = child == joint.second ? ofFirst : ofSecond;
  }
}

}  // namespace polhode
