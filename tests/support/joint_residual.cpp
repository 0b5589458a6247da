#include "support/joint_residual.h"

#include <algorithm>
#include <cmath>

namespace polhode::test {
namespace {

/// The rotation of a quaternion (w, x, y, z), by the textbook. How long it is is looked at elsewhere.
Matrix3 rotation(const Quaternion& given) {
  const Quaternion q = given.normalized();
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  Matrix3 R;
  R << 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),   //
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y);
  return R;
}

struct Frame {
  Vector3 origin = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();

  Vector3 point(const Vector3& local) const { return origin + axes * local; }
};

Frame frameOf(const std::vector<Body>& bodies, const std::string& name) {
  for (const Body& body : bodies)
    if (body.name == name) return {body.position, rotation(body.orientation)};
  return {};
}

/// One joint: its points and axes are carried from t = 0 to now by each of its two bodies.
class Carried {
 public:
  Carried(const Joint& joint, const Model& model, const std::vector<Body>& bodies)
      : firstThen_(frameOf(model.bodies, joint.first)),
        secondThen_(frameOf(model.bodies, joint.second)),
        first_(frameOf(bodies, joint.first)),
        second_(frameOf(bodies, joint.second)),
        p1(carry(firstThen_, first_, joint.point)),
        p2(carry(secondThen_, second_, joint.pointOfSecond())),
        a1(turn(firstThen_, first_, joint.axis.normalized())),
        a2(turn(secondThen_, second_, joint.axisOfSecond().normalized())) {}

 private:
  static Vector3 carry(const Frame& then, const Frame& now, const Vector3& point) {
    return now.point(then.axes.transpose() * (point - then.origin));
  }
  static Vector3 turn(const Frame& then, const Frame& now, const Vector3& axis) {
    return now.axes * (then.axes.transpose() * axis);
  }
  Frame firstThen_, secondThen_, first_, second_;

 public:
  const Vector3 p1, p2, a1, a2;

  /// How far the second body has turned against the first since t = 0, as a rotation in space.
  Matrix3 turned() const {
    return second_.axes * secondThen_.axes.transpose() * (first_.axes * firstThen_.axes.transpose()).transpose();
  }

  /// The angle of the second body against the first about the joint's axis.
  double angle() const {
    const Vector3 across = a1.unitOrthogonal();
    const Vector3 turnedAcross = turned() * across;
    return std::atan2(a1.dot(across.cross(turnedAcross)), across.dot(turnedAcross));
  }
};

double difference(double angle, double other) {
  return std::abs(std::remainder(angle - other, 2.0 * 3.14159265358979323846));
}

double gapOf(const Joint& joint, const Model& model, const std::vector<Body>& bodies, double time, double size) {
  const Carried c(joint, model, bodies);
  const Vector3 apart = (c.p2 - c.p1) / size;
  const Vector3 across = apart - c.a1 * c.a1.dot(apart);
  const double tilt = c.a1.cross(c.a2).norm(), turn = (c.turned() - Matrix3::Identity()).norm();
  double gap = 0.0;
  if (joint.type == "spherical") gap = apart.norm();
  if (joint.type == "revolute") gap = apart.norm() + tilt;
  if (joint.type == "prismatic") gap = across.norm() + turn;
  if (joint.type == "cylindrical") gap = across.norm() + tilt;
  if (joint.type == "planar") gap = std::abs(c.a1.dot(apart)) + tilt;
  if (joint.type == "universal")
    gap = apart.norm() + std::abs(c.a1.dot(c.a2) - joint.axis.normalized().dot(joint.axisOfSecond().normalized()));
  if (joint.type == "fixed") gap = apart.norm() + turn;
  if (joint.type == "distance") {
    const double length = joint.length ? joint.length->value(time) : (joint.pointOfSecond() - joint.point).norm();
    gap = std::abs(apart.norm() - length / size);
  }
  for (const CoordinateDrive& drive : joint.drives)
    if (drive.coordinate == "angle" && time <= drive.until) gap += difference(c.angle(), drive.follow.value(time));
  return gap;
}

}  // namespace

Residual residualOf(const Model& model, const std::vector<Body>& bodies, double time, double size) {
  Residual result;
  for (const Body& body : bodies) {
    const double off = std::abs(body.orientation.norm() - 1.0);
    if (!(off <= result.unitLength)) result.unitLength = off;
    const bool finite = body.position.allFinite() && body.orientation.allFinite() && body.velocity.allFinite() &&
                        body.angularVelocity.allFinite();
    if (!finite) return {std::nan(""), "none: body " + body.name + " is not finite", off};
  }
  for (const Joint& joint : model.joints) {
    const double gap = gapOf(joint, model, bodies, time, size);
    if (gap <= result.gap) continue;
    result.gap = gap;
    result.joint = joint.name;
    if (!std::isfinite(gap)) break;
  }
  return result;
}

double sizeOf(const Model& model) {
  Vector3 low = Vector3::Constant(1e300), high = -low;
  const auto see = [&](const Vector3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  };
  for (const Body& body : model.bodies) see(body.position);
  for (const Joint& joint : model.joints) {
    see(joint.point);
    see(joint.pointOfSecond());
  }
  return std::max((high - low).norm(), 1e-6);
}

}  // namespace polhode::test
