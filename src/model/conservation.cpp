#include "polhode/model/conservation.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

using Columns3 = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Columns6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;

constexpr double negligible = 1e-9;  // directions and points are written by people

Matrix3 cross(const Vector3& v) {
  Matrix3 m;
  m << 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0;
  return m;
}

/// Gathers the conditions that parts of a model put on (a, b), one a row.
class RigidMotions {
 public:
  /// A uniform field of force along `direction`: a . direction = 0, b cross direction = 0.
  void keepField(const Vector3& direction) {
    const Vector3 d = direction.normalized();
    add(d.transpose(), Eigen::RowVector3d::Zero());
    add(Matrix3::Zero(), cross(d));
  }

  /// A point of space: a + b cross point = 0. Far points are measured in their own distance.
  void keepPoint(const Vector3& point) {
    const double scale = 1.0 / std::max(1.0, point.norm());
    add(scale * Matrix3::Identity(), -scale * cross(point));
  }

  /// A basis of what is allowed, a above b.
  Columns6 allowed() const {
    if (rows_.rows() == 0) return Columns6::Identity(6, 6);
    const Eigen::JacobiSVD<MatrixX> svd(rows_, Eigen::ComputeFullV);
    return svd.matrixV().rightCols(6 - rank(svd.singularValues()));
  }

  static Eigen::Index rank(const VectorX& singularValues) { return (singularValues.array() > negligible).count(); }

 private:
  template <class A, class B>
  void add(const A& a, const B& b) {
    rows_.conservativeResize(rows_.rows() + a.rows(), 6);
    rows_.bottomRows(a.rows()) << a, b;
  }

  MatrixX rows_{0, 6};
};

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
  return svd.matrixU().leftCols(RigidMotions::rank(svd.singularValues()));
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
Columns3 translations(const Columns6& motions) {
  const Eigen::JacobiSVD<MatrixX> svd(motions.bottomRows(3), Eigen::ComputeFullV);
  const Eigen::Index turning = RigidMotions::rank(svd.singularValues());
  return orthonormal(motions.topRows(3) * svd.matrixV().rightCols(motions.cols() - turning));
}

/// For each direction b the translation a that goes with it, as small as possible: orthogonal to the free translations.
Columns3 translationsOf(const std::vector<Vector3>& rotations, const Columns6& motions, const Columns3& free) {
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

/// What the parts of a model allow. A new kind of joint or force that knows of space has its line here.
RigidMotions unnoticedMotions(const Model& model) {
  RigidMotions motions;
  if (model.gravity.norm() > 0.0 && !model.bodies.empty()) motions.keepField(model.gravity);
  for (const Joint& joint : model.joints)
    if (joint.first == "ground" || joint.second == "ground") motions.keepPoint(joint.point);
  for (const Spring& spring : model.springs) {
    if (spring.stiffness == 0.0) continue;
    if (spring.first == "ground") motions.keepPoint(spring.firstPoint);
    if (spring.second == "ground") motions.keepPoint(spring.secondPoint);
  }
  return motions;
}

/// Whether gravity is all that comes from outside.
bool flies(const Model& model) {
  const auto toGround = [](const auto& part) { return part.first == "ground" || part.second == "ground"; };
  return std::none_of(model.joints.begin(), model.joints.end(), toGround) &&
         std::none_of(model.springs.begin(), model.springs.end(), toGround);
}

std::string directionName(const Vector3& direction) {
  for (int i = 0; i < 3; ++i)
    if (direction == Vector3::Unit(i)) return std::string(1, "xyz"[i]);
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", direction[0], direction[1], direction[2]);
}

}  // namespace

Vector3 ConservedMomentum::vector(const Vector3& linear, const Vector3& angular, const Vector3& centreOfMass) const {
  if (kind == MomentumKind::linear) return linear;
  return angular - (kind == MomentumKind::angular ? point : centreOfMass).cross(linear);
}

std::string ConservedMomentum::name() const {
  const std::string along = directionName(direction);
  if (kind == MomentumKind::linear) return "linear momentum along " + along;
  if (kind == MomentumKind::aboutCentre) return "angular momentum about the centre of mass along " + along;
  if (point.isZero()) return "angular momentum about " + along;
  return fmt::format("angular momentum about {} through ({:.6g}, {:.6g}, {:.6g})", along, point[0], point[1], point[2]);
}

Conservation conservationOf(const Model& model) {
  const Columns6 motions = unnoticedMotions(model).allowed();
  Conservation found;
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

Vector3 centreOfMass(const std::vector<Body>& bodies) {
  double mass = 0.0;
  Vector3 moment = Vector3::Zero();
  for (const Body& body : bodies) mass += body.mass, moment += body.mass * body.position;
  return mass > 0.0 ? Vector3(moment / mass) : moment;
}

}  // namespace polhode
