#include "polhode/model/assembly.h"

#include "polhode/math/euler_map.h"

namespace polhode {
namespace {

Vector3 angularVelocityInSpace(const Body& body) {
  return rotationMatrix(body.orientation) * body.angularVelocity;
}

}  // namespace

Vector3 velocityAbout(const Body& body, const Vector3& point) {
  return angularVelocityInSpace(body).cross(body.position - point);
}

Vector3 pointVelocity(const Body& body, const Vector3& point) {
  return body.velocity - velocityAbout(body, point);
}

double relativeGap(const Body& body, const Vector3& point) {
  const double size = body.velocity.norm() + body.angularVelocity.norm() * (body.position - point).norm();
  return size > 0.0 ? pointVelocity(body, point).norm() / size : 0.0;
}

const Body* findBody(const Model& model, const std::string& name) {
  for (const Body& body : model.bodies)
    if (body.name == name) return &body;
  return nullptr;
}

Body* findBody(Model& model, const std::string& name) {
  return const_cast<Body*>(findBody(static_cast<const Model&>(model), name));
}

}  // namespace polhode
