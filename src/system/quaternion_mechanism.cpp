#include "system/quaternion_mechanism.h"

#include "math/euler_map.h"
#include "math/largest.h"
#include "quaternion_differential.h"
#include "system/idle_turns.h"

#include <algorithm>
#include <cmath>

namespace polhode {

using namespace quaternion_coordinates;

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
        rows_.push_back({static_cast<int>(rows_.size()), index, joint.first, joint.second,
                         &joint.equations[static_cast<std::size_t>(k)]});
    }
  for (const auto& force : mechanism_->forces()) (force->conservative() ? springs_ : applied_).push_back(force.get());
}

VectorX QuaternionMechanism::position(const MechanismMotion& motion) const {
  VectorX q(coordinates());
  for (int i = 0; i < bodies_; ++i) {
    const Placement& p = motion[static_cast<std::size_t>(i)].at;
    q.segment<perBody>(atX(i)) << p.x, QuaternionChart::fromDirectors(p.D);
  }
  return q;
}

VectorX QuaternionMechanism::velocity(const VectorX& q, const MechanismMotion& motion) const {
  VectorX v(coordinates());
  for (int i = 0; i < bodies_; ++i) {
    const MovingPlacement& m = motion[static_cast<std::size_t>(i)];
    v.segment<perBody>(atX(i)) << m.rate.v, QuaternionChart::rate(pOf(q, i), angularVelocity(body(i), m));
  }
  return v;
}

MechanismMotion QuaternionMechanism::motion(const VectorX& q, const VectorX& v) const {
  MechanismMotion motion;
  for (int i = 0; i < bodies_; ++i) motion.push_back({placement(q, i), Differential::first(q).along(v, i)});
  return motion;
}

Vector3 QuaternionMechanism::linearMomentum(const VectorX& p) const {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < bodies_; ++i) sum += xOf(p, i);
  return sum;
}

Vector3 QuaternionMechanism::angularMomentum(const VectorX& q, const VectorX& p) const {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < bodies_; ++i) {
    const Vector3 x = xOf(q, i), momentum = xOf(p, i);
    sum += x.cross(momentum) + 0.5 * spaceMatrix(pOf(q, i)) * pOf(p, i);
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
  for (int i = 0; i < bodies_; ++i) largest = largestOrNaN(largest, std::abs(0.5 * (pOf(q, i).squaredNorm() - 1.0)));
  return largest;
}

double QuaternionMechanism::lengthRateViolation(const VectorX& q, const VectorX& v) const {
  double largest = 0.0;
  for (int i = 0; i < bodies_; ++i) largest = largestOrNaN(largest, std::abs(pOf(q, i).dot(pOf(v, i))));
  return largest;
}

VectorX QuaternionMechanism::jointMultipliers(const VectorX& multipliers) const {
  VectorX all = VectorX::Zero(mechanism_->rows());
  for (const Row& row : rows_) all[row.index] = multipliers[row.number];
  return all;
}

}  // namespace polhode
