#include "system/mechanism_observation.h"

#include "math/quaternion.h"
#include "system/joint_row.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

/// sum_i E_i d_i cross w_i, in space.
Vector3 spin(const MechanismBody& body, const MovingPlacement& motion) {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < 3; ++i) sum += body.secondMoments[i] * motion.at.D.col(i).cross(motion.rate.W.col(i));
  return sum;
}

/// Looks at the rows of a joint one after the other. Those that compare two points along directions of space share their
/// points, and one look at these serves them all.
class Rows {
 public:
  Rows(double t, const MovingPlacement& first, const MovingPlacement& second) : t_(t), first_(first), second_(second) {}

 protected:
  static bool comparesPoints(const JointEquation& equation) {
    return equation.form.kind == FormKind::point && !equation.drive;
  }

  template <class Way>
  double along(const Form& form, Way way) {
    if (!last_ || form.firstPoint != last_->firstPoint || form.secondPoint != last_->secondPoint) between_ = way();
    last_ = &form;
    return form.a.dot(between_);
  }

  double t_;
  const MovingPlacement &first_, &second_;

 private:
  const Form* last_ = nullptr;
  Vector3 between_ = Vector3::Zero();
};

struct PositionRows : Rows {
  using Rows::Rows;
  static double ofCoupling(const JointRow& row, std::span<const MovingPlacement> bodies) {
    return row.gap(0.0, motionsIn(bodies));
  }
  double violation(const JointEquation& row) {
    if (!comparesPoints(row)) return row.gap(t_, first_.at, second_.at);
    const Form& form = row.form;
    return along(form, [&] { return Vector3(second_.at.point(form.secondPoint) - first_.at.point(form.firstPoint)); }) -
           row.offset;
  }
};

struct VelocityRows : Rows {
  using Rows::Rows;
  static double ofCoupling(const JointRow& row, std::span<const MovingPlacement> bodies) {
    return row.rate(0.0, motionsIn(bodies));
  }
  double violation(const JointEquation& row) {
    if (!comparesPoints(row)) return row.rate(t_, first_, second_);
    const Form& form = row.form;
    return along(form,
                 [&] { return Vector3(second_.rate.point(form.secondPoint) - first_.rate.point(form.firstPoint)); });
  }
};

/// The largest violation of all equations of all joints.
template <class Kind>
JointGap largestGap(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies) {
  JointGap gap;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism.joints()[j];
    if (joint.coupling) {
      if (const double size = std::abs(Kind::ofCoupling(JointRow(joint, 0), bodies)); !(size <= gap.size))
        gap = {size, static_cast<int>(j)};
      continue;
    }
    Kind rows(t, motionOf(bodies, joint.first), motionOf(bodies, joint.second));
    for (const JointEquation& equation : joint.equations) {
      double size = std::abs(rows.violation(equation));
      if (equation.form.kind == FormKind::squaredDistance) size /= 2.0 * std::sqrt(equation.offsetAt(t));
      if (!(size <= gap.size)) gap = {size, static_cast<int>(j)};
    }
  }
  return gap;
}

}  // namespace

const MovingPlacement& motionOf(std::span<const MovingPlacement> bodies, int index) {
  static const MovingPlacement ground;
  return index == groundIndex ? ground : bodies[static_cast<std::size_t>(index)];
}

MovingPlacement movingPlacement(const Placement& at, const Vector3& velocity, const Vector3& angularVelocity) {
  return {at, {velocity, at.D * hat(angularVelocity)}};
}

MechanismMotion initialMotion(const Mechanism& mechanism) {
  MechanismMotion motion;
  motion.reserve(mechanism.bodies().size());
  for (const MechanismBody& body : mechanism.bodies())
    motion.push_back(movingPlacement(body.placement, body.velocity, body.angularVelocity));
  return motion;
}

double kineticEnergy(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  double energy = 0.0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism.bodies()[b];
    const PlacementRate& rate = bodies[b].rate;
    energy += 0.5 * body.mass * rate.v.squaredNorm() +
              0.5 * body.secondMoments.dot(rate.W.colwise().squaredNorm().transpose());
  }
  return energy;
}

double potentialEnergy(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  double energy = 0.0;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    energy -= mechanism.bodies()[b].mass * mechanism.gravity().dot(bodies[b].at.x);
  for (const auto& force : mechanism.forces())
    energy += force->potential(motionOf(bodies, force->first()).at, motionOf(bodies, force->second()).at);
  return energy;
}

Vector3 linearMomentum(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t b = 0; b < bodies.size(); ++b) sum += mechanism.bodies()[b].mass * bodies[b].rate.v;
  return sum;
}

Vector3 centreOfMass(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  double mass = 0.0;
  Vector3 moment = Vector3::Zero();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    mass += mechanism.bodies()[b].mass;
    moment += mechanism.bodies()[b].mass * bodies[b].at.x;
  }
  return mass > 0.0 ? Vector3(moment / mass) : moment;
}

Vector3 angularMomentum(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism.bodies()[b];
    sum += body.mass * bodies[b].at.x.cross(bodies[b].rate.v) + spin(body, bodies[b]);
  }
  return sum;
}

Vector3 angularVelocity(const MechanismBody& body, const MovingPlacement& motion) {
  const Vector3 momentum = motion.at.D.transpose() * spin(body, motion);
  const Matrix3 W = motion.at.D.transpose() * motion.rate.W;
  Vector3 Omega(0.5 * (W(2, 1) - W(1, 2)), 0.5 * (W(0, 2) - W(2, 0)), 0.5 * (W(1, 0) - W(0, 1)));
  for (int i = 0; i < 3; ++i)
    if (body.inertia[i] > 1e-12 * body.inertia.maxCoeff()) Omega[i] = momentum[i] / body.inertia[i];
  return Omega;
}

JointGap positionGap(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies) {
  return largestGap<PositionRows>(mechanism, t, bodies);
}

JointGap velocityGap(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies) {
  return largestGap<VelocityRows>(mechanism, t, bodies);
}

double mechanismSize(const Mechanism& mechanism) {
  double size = 0.0;
  for (const MechanismBody& body : mechanism.bodies()) size = std::max(size, body.placement.x.norm());
  for (const MechanismJoint& joint : mechanism.joints())
    size = std::max({size, joint.geometry.first.point.norm(), joint.geometry.second.point.norm()});
  return size > 0.0 ? size : 1.0;
}

}  // namespace polhode
