#pragma once

#include "polhode/model/model.h"

/// Bodies whose point is held by a spherical joint to the ground:  v + omega x (point - x) = 0.
namespace polhode {

/// The velocity in space of that point of the body which is at `point`, v + omega x (point - x).
Vector3 pointVelocity(const Body& body, const Vector3& point);

/// The velocity of the centre of mass with which that point is at rest, omega x (x - point).
Vector3 velocityAbout(const Body& body, const Vector3& point);

/// The speed of that point, relative to the size of the two terms that ought to cancel; 0 for a body at rest.
double relativeGap(const Body& body, const Vector3& point);

/// The body of a model by its name; null for "ground" and for an unknown name.
const Body* findBody(const Model& model, const std::string& name);
Body* findBody(Model& model, const std::string& name);

/// The name of the body at the other end of a joint or spring to ground.
template <class Connection>
const std::string& bodyOf(const Connection& connection) {
  return connection.first == "ground" ? connection.second : connection.first;
}

}  // namespace polhode
