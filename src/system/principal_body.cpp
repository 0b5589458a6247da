#include "system/principal_body.h"

#include "math/principal_axes.h"
#include "polhode/error.h"
#include "polhode/model/joint_type.h"

#include <fmt/format.h>

namespace polhode {

namespace {

/// Inertia about a point at -c from the centre of mass (Steiner).
Matrix3 inertiaAbout(const Body& body, const Vector3& c) {
  return body.inertia + body.mass * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
}

bool isToGround(const std::string& first, const std::string& second) {
  return first == "ground" || second == "ground";
}

const Body& onlyBody(const Model& model) {
  if (!PrincipalBody::fits(model))
    throw InputError(
        fmt::format("model '{}' is a mechanism; this simulates one body, free or on a spherical joint to ground, with "
                    "springs to ground",
                    model.name));
  return model.bodies.front();
}

}  // namespace

bool PrincipalBody::fits(const Model& model) {
  if (model.bodies.size() != 1 || model.joints.size() > 1) return false;
  for (const Joint& joint : model.joints)
    if (typeOf(joint) != findJointType("spherical") || !isToGround(joint.first, joint.second)) return false;
  for (const Force& force : model.forces)
    if (force.own || !force.joint.empty() || !force.law || !isToGround(force.first, force.second) ||
        !force.law->isLinear() || force.damping != 0.0)
      return false;
  return true;
}

PrincipalBody::PrincipalBody(const Model& model) : body_(onlyBody(model)), fieldStrength_(model.gravity) {
  const bool fixed = !model.joints.empty();
  const Matrix3 R = rotationMatrix(body_.orientation);

  // Centre of mass from the reference point, in body axes.
  const Vector3 offset =
      fixed ? Vector3(R.transpose() * (body_.position - model.joints.front().point)) : Vector3::Zero();
  const Matrix3 inertia = inertiaAbout(body_, offset);
  axes_ = principalAxes(inertia);
  axesQuaternion_ = unitQuaternionFromRotation(axes_);
  inertiaAlongAxes_ = axes_.transpose() * body_.inertia * axes_;

  parabola_ = !fixed && model.forces.empty();
  data_.mass = body_.mass;
  data_.inertia = (axes_.transpose() * inertia * axes_).diagonal();
  data_.centre = axes_.transpose() * offset;
  data_.translates = !fixed && !parabola_;
  data_.referencePosition = fixed ? model.joints.front().point : body_.position;
  gravity_ = UniformGravity(data_, fieldStrength_);

  // Springs from space to a point of the body, given in space at t = 0.
  auto springs = std::make_shared<ForceSum>();
  for (const Force& spring : model.forces) {
    const bool bodyIsFirst = spring.first == body_.name;
    const Vector3 anchor = bodyIsFirst ? spring.secondPoint : spring.firstPoint;
    const Vector3 onBody = bodyIsFirst ? spring.firstPoint : spring.secondPoint;
    const Vector3 attachment = axes_.transpose() * R.transpose() * (onBody - data_.referencePosition);
    springs->add(std::make_shared<AnchorSpring>(anchor, attachment, spring.law->stiffness(), spring.rest));
  }
  if (!springs->empty()) otherForces_ = springs;
}

std::shared_ptr<const BodyForces> PrincipalBody::allForces() const {
  auto all = std::make_shared<ForceSum>();
  all->add(std::make_shared<UniformGravity>(gravity_));
  if (otherForces_) all->add(otherForces_);
  return all;
}

BodyMotion PrincipalBody::initialMotion() const {
  BodyMotion motion;
  motion.position = data_.referencePosition;
  motion.orientation = multiply(body_.orientation, axesQuaternion_);
  motion.directors = rotationMatrix(motion.orientation);
  motion.angularVelocity = axes_.transpose() * body_.angularVelocity;
  if (data_.translates) motion.velocity = body_.velocity;
  return motion;
}

Body PrincipalBody::bodyAt(double t, const BodyMotion& motion) const {
  Body body = body_;
  body.position = centrePosition<double>(t, motion);
  body.velocity = centreVelocity<double>(t, motion);
  body.orientation = multiply(motion.orientation, conjugate(axesQuaternion_)).normalized();
  body.angularVelocity = axes_ * motion.angularVelocity;
  return body;
}

}  // namespace polhode
