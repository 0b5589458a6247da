#include "polhode/model/conservation.h"

#include "model/force_type.h"
#include "model/rigid_motions.h"
#include "polhode/model/joint_type.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

using Columns3 = Eigen::Matrix<double, 3, Eigen::Dynamic>;

constexpr double negligible = 1e-9;  // directions and points are written by people

Matrix3 cross(const Vector3& v) {
  Matrix3 m;
  m << 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0;
  return m;
}

template <class Connection>
bool isOnGround(const Connection& connection) {
  return connection.first == "ground" || connection.second == "ground";
}

/// Singular values that count.
Eigen::Index rank(const VectorX& singularValues) {
  return (singularValues.array() > negligible).count();
}

/// The rigid motions that no part of a model notices.
class UnnoticedMotions {
 public:
  /// Of all motions so far only those that lie in the space of these columns stay.
  void keep(const RigidMotions& columns) {
    if (columns.cols() == 0) basis_.resize(Eigen::NoChange, 0);
    if (basis_.cols() == 0) return;
    const Eigen::JacobiSVD<MatrixX> span(columns, Eigen::ComputeFullU);
    const MatrixX conditions = span.matrixU().rightCols(6 - rank(span.singularValues())).transpose();
    if (conditions.rows() == 0) return;
    const Eigen::JacobiSVD<MatrixX> kept(conditions * basis_, Eigen::ComputeFullV);
    basis_ = RigidMotions(basis_ * kept.matrixV().rightCols(basis_.cols() - rank(kept.singularValues())));
  }

  /// An orthonormal basis.
  const RigidMotions& basis() const { return basis_; }

 private:
  RigidMotions basis_ = RigidMotions::Identity(6, 6);
};

/// Whether a coordinate of a joint follows a signal.
bool isDrivenBy(const Joint& joint, const std::string& coordinate) {
  return std::any_of(joint.drives.begin(), joint.drives.end(),
                     [&](const CoordinateDrive& drive) { return drive.coordinate == coordinate; });
}

bool isDriven(const Joint& joint) {
  return !joint.drives.empty() || (joint.length && !joint.length->isConstant());
}

/// What a joint to the ground leaves free in the ground's own frame: the other motions change where the joint stands.
RigidMotions motionsOfGroundJoint(const Joint& joint) {
  const bool groundIsSecond = joint.second == "ground";
  const Vector3 point = groundIsSecond ? joint.pointOfSecond() : joint.point;
  const JointType& type = *typeOf(joint);
  if (type.needs == JointNeeds::twoPoints) return rotationsAbout(point);
  const Matrix3 axes = frameAlong((groundIsSecond ? joint.axisOfSecond() : joint.axis).normalized());
  std::vector<RigidMotions> motions;
  if (!joint.drives.empty() && type.motions.size() > 2) return together(motions);  // a puck that is led: none
  const auto isDriven = [&](const JointMotion& motion) {
    return std::any_of(type.coordinates.begin(), type.coordinates.end(), [&](const JointCoordinateInfo& coordinate) {
      return coordinate.kind == motion.kind && isDrivenBy(joint, coordinate.name);
    });
  };
  for (const JointMotion& motion : type.motions) {
    if (isDriven(motion)) continue;
    const Vector3 axis = axes.col(motion.axis);
    // of a universal joint, whose two axes differ, only the one on the ground's side
    if (type.needs == JointNeeds::pointAndTwoAxes && motion.fixedInSecond != groundIsSecond) continue;
    motions.push_back(motion.kind == MotionKind::rotation ? rotation(axis, point) : translation(axis));
  }
  return together(motions);
}

/// Without components that are rounding.
Vector3 cleaned(Vector3 v) {
  const double size = v.norm();
  for (double& x : v)
    if (std::abs(x) <= negligible * size) x = 0.0;
  return v;
}

/// Orthonormal columns that span the same space; none for a space of nothing.
Columns3 orthonormal(const Columns3& columns) {
  if (columns.cols() == 0) return columns;
  const Eigen::JacobiSVD<MatrixX> svd(columns, Eigen::ComputeFullU);
  return svd.matrixU().leftCols(rank(svd.singularValues()));
}

/// The part of the space that is orthogonal to a unit vector which lies in it.
Columns3 without(const Columns3& space, const Vector3& direction) {
  return orthonormal(space - direction * (direction.transpose() * space));
}

bool contains(const Columns3& space, const Vector3& unit) {
  return (unit - space * (space.transpose() * unit)).norm() < negligible;
}

/// Directions that people use: those coordinate axes that lie in the space, then what is left.
std::vector<Vector3> readableDirections(Columns3 space) {
  std::vector<Vector3> directions;
  for (int i = 0; i < 3; ++i) {
    if (!contains(space, Vector3::Unit(i))) continue;
    directions.push_back(Vector3::Unit(i));
    space = without(space, Vector3::Unit(i));
  }
  for (const Vector3 d : space.colwise()) {
    Eigen::Index largest;
    d.cwiseAbs().maxCoeff(&largest);
    directions.push_back(cleaned(d[largest] < 0.0 ? Vector3(-d) : d));
  }
  return directions;
}

/// All (a, b) with b = 0, as directions a.
Columns3 translations(const RigidMotions& motions) {
  const Eigen::JacobiSVD<MatrixX> svd(motions.bottomRows(3), Eigen::ComputeFullV);
  const Eigen::Index turning = rank(svd.singularValues());
  return orthonormal(motions.topRows(3) * svd.matrixV().rightCols(motions.cols() - turning));
}

/// For each direction b the translation a that goes with it, as small as possible: orthogonal to the free translations.
Columns3 translationsOf(const std::vector<Vector3>& rotations, const RigidMotions& motions, const Columns3& free) {
  Columns3 a(3, static_cast<Eigen::Index>(rotations.size()));
  const Eigen::JacobiSVD<MatrixX> svd(motions.bottomRows(3), Eigen::ComputeThinU | Eigen::ComputeThinV);
  for (Eigen::Index i = 0; i < a.cols(); ++i) {
    const Vector3 any = motions.topRows(3) * svd.solve(rotations[static_cast<std::size_t>(i)]);
    a.col(i) = any - free * (free.transpose() * any);
  }
  return a;
}

/// The point nearest to the origin that all axes go through, or nearly so: c cross b = a.
Vector3 commonPoint(const std::vector<Vector3>& rotations, const Columns3& a) {
  MatrixX rows(3 * a.cols(), 3);
  VectorX right(3 * a.cols());
  for (Eigen::Index i = 0; i < a.cols(); ++i) {
    rows.middleRows(3 * i, 3) = -cross(rotations[static_cast<std::size_t>(i)]);
    right.segment(3 * i, 3) = a.col(i);
  }
  Eigen::JacobiSVD<MatrixX> svd(rows, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(negligible);
  return cleaned(svd.solve(right));
}

/// What acts along a coordinate of a joint notices space where the joint is on the ground.
RigidMotions motionsOfCoordinate(const std::string& name, const Model& model) {
  const auto joint =
      std::find_if(model.joints.begin(), model.joints.end(), [&](const Joint& each) { return each.name == name; });
  return joint != model.joints.end() && isOnGround(*joint) ? noMotions() : allMotions();
}

/// What a force does not notice; all motions where it acts between bodies.
RigidMotions motionsOfForce(const Force& force, const Model& model) {
  const ForceType* type = typeOf(force);
  if (!type) return noMotions();
  if (type->actsOn == ActsOn::joint) return motionsOfCoordinate(force.joint, model);
  if (type->actsOn == ActsOn::twoBodies && !isOnGround(force)) return allMotions();
  return type->unnoticed ? type->unnoticed(force) : noMotions();
}

/// What a hand does not notice: nothing where it leads a point, translations where it leads an orientation.
RigidMotions motionsOfActuator(const Actuator& actuator, const Model& model) {
  if (actuator.quantity == LedQuantity::orientation) return allTranslations();
  return actuator.quantity == LedQuantity::point ? noMotions() : motionsOfCoordinate(actuator.joint, model);
}

/// Whether a force brings or takes energy.
bool doesWork(const Force& force) {
  const ForceType* type = typeOf(force);
  return !type || type->bringsEnergy || force.damping != 0.0 || force.dampings.norm() != 0.0 ||
         force.turningDampings.norm() != 0.0;
}

/// Whatever knows of space keeps only some motions.
RigidMotions unnoticedMotions(const Model& model) {
  UnnoticedMotions motions;
  if (model.gravity.norm() > 0.0 && !model.bodies.empty()) motions.keep(motionsOfField(model.gravity));
  for (const Joint& joint : model.joints)
    if (isOnGround(joint)) motions.keep(motionsOfGroundJoint(joint));
  for (const Coupling& coupling : model.couplings)
    for (const std::string& joint : coupling.joints) motions.keep(motionsOfCoordinate(joint, model));
  for (const Force& force : model.forces) motions.keep(motionsOfForce(force, model));
  for (const Actuator& actuator : model.actuators) motions.keep(motionsOfActuator(actuator, model));
  return motions.basis();
}

/// Whether gravity is all that comes from outside.
bool flies(const Model& model) {
  return std::none_of(model.actuators.begin(), model.actuators.end(),
                      [](const Actuator& actuator) { return actuator.quantity != LedQuantity::coordinate; }) &&
         std::none_of(model.joints.begin(), model.joints.end(), isOnGround<Joint>) &&
         std::none_of(model.forces.begin(), model.forces.end(),
                      [](const Force& force) { return force.joint.empty() && isOnGround(force); });
}

std::string directionName(const Vector3& direction) {
  for (int i = 0; i < 3; ++i)
    if (direction == Vector3::Unit(i)) return std::string(1, "xyz"[i]);
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", direction[0], direction[1], direction[2]);
}

}  // namespace

std::string ConservedMomentum::name() const {
  const std::string along = directionName(direction);
  if (kind == MomentumKind::linear) return "linear momentum along " + along;
  if (kind == MomentumKind::aboutCentre) return "angular momentum about the centre of mass along " + along;
  if (point.isZero()) return "angular momentum about " + along;
  return fmt::format("angular momentum about {} through ({:.6g}, {:.6g}, {:.6g})", along, point[0], point[1], point[2]);
}

Conservation conservationOf(const Model& model) {
  const RigidMotions motions = unnoticedMotions(model);
  Conservation found;
  found.energy = model.actuators.empty() && std::none_of(model.forces.begin(), model.forces.end(), doesWork) &&
                 std::none_of(model.joints.begin(), model.joints.end(), isDriven);
  if (motions.cols() > 0) {
    const Columns3 free = translations(motions), rotations = orthonormal(motions.bottomRows(3));
    for (const Vector3& direction : readableDirections(free)) found.all.push_back({MomentumKind::linear, direction});

    const std::vector<Vector3> axes = readableDirections(rotations);
    const Columns3 a = translationsOf(axes, motions, free);
    const Vector3 point = axes.empty() ? Vector3(Vector3::Zero()) : commonPoint(axes, a);
    for (const Vector3& axis : axes) found.all.push_back({MomentumKind::angular, axis, point});

    for (int i = 0; i < 3; ++i) {
      const Vector3 unit = Vector3::Unit(i);
      found.linear[static_cast<std::size_t>(i)] = contains(free, unit);
      const Vector3 shift = point.cross(unit);  // what the axis through the origin needs on top
      found.angular[static_cast<std::size_t>(i)] =
          contains(rotations, unit) && (shift - free * (free.transpose() * shift)).norm() <= negligible * point.norm();
    }
  }
  if (flies(model) && model.gravity.norm() > 0.0)
    for (int i = 0; i < 3; ++i) found.all.push_back({MomentumKind::aboutCentre, Vector3::Unit(i)});
  return found;
}

}  // namespace polhode
