#include "support/joint_residual.h"

#include "polhode/math/euler_map.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode {

namespace {

struct Frame {
  Vector3 x = Vector3::Zero();
  Matrix3 R = Matrix3::Identity();
};

Frame frameOf(const std::vector<Body>& bodies, const std::string& name) {
  for (const Body& body : bodies)
    if (body.name == name) return {body.position, rotationMatrix(body.orientation)};
  return {};
}

/// A point or an axis of space at t = 0, carried along by a body.
Vector3 carriedPoint(const Frame& start, const Frame& now, const Vector3& point) {
  return now.x + now.R * (start.R.transpose() * (point - start.x));
}
Vector3 carriedAxis(const Frame& start, const Frame& now, const Vector3& axis) {
  return now.R * (start.R.transpose() * axis.normalized());
}

}  // namespace

double independentGap(const Model& model, const std::vector<Body>& bodies, double size) {
  double largest = 0.0;
  const auto note = [&](double gap) {
    if (!(std::abs(gap) <= largest)) largest = std::abs(gap);
  };
  for (const Body& body : bodies) note(body.orientation.norm() - 1.0);
  for (const Joint& joint : model.joints) {
    const Frame start1 = frameOf(model.bodies, joint.first), now1 = frameOf(bodies, joint.first);
    const Frame start2 = frameOf(model.bodies, joint.second), now2 = frameOf(bodies, joint.second);
    const Vector3 apart = carriedPoint(start2, now2, joint.pointOfSecond()) - carriedPoint(start1, now1, joint.point);
    const Vector3 axis1 = carriedAxis(start1, now1, joint.axis),
                  axis2 = carriedAxis(start2, now2, joint.axisOfSecond());
    const double turned = (now1.R.transpose() * now2.R - start1.R.transpose() * start2.R).norm();
    const auto& type = joint.type;
    const bool meets = type == "spherical" || type == "revolute" || type == "universal" || type == "fixed";
    const bool slides = type == "cylindrical" || type == "prismatic";
    if (meets) note(apart.norm() / size);
    if (slides) note(apart.cross(axis1).norm() / size);
    if (type == "planar") note(apart.dot(axis1) / size);
    if (type == "revolute" || type == "planar" || slides) note(axis1.cross(axis2).norm());
    if (type == "universal") note(axis1.dot(axis2) - joint.axis.normalized().dot(joint.axisOfSecond().normalized()));
    if (type == "fixed" || type == "prismatic") note(turned);
    if (type == "distance" && !(joint.length && !joint.length->isConstant())) {
      const double length = joint.length ? joint.length->value(0.0) : (joint.pointOfSecond() - joint.point).norm();
      note((apart.norm() - length) / size);
    }
    if (!meets && !slides && type != "planar" && type != "distance")
      throw std::logic_error("joint_residual.cpp knows no joint of type " + type);
  }
  return largest;
}

}  // namespace polhode
