#pragma once

#include "model/force_type.h"
#include "system/force_site.h"
#include "system/forces/coordinate_force.h"

#include <cmath>

/// What several types of forces have in common: keys, elements, symmetries.
namespace polhode::forces {

using Made = std::shared_ptr<const ForceElement>;

// Keys. Those with an example must be there.

inline ForceKey bodies() {
  return {"bodies", [](Force& force, const TwoNames& names) { force.first = names[0], force.second = names[1]; },
          "bodies = [\"ground\", \"top\"]"};
}

inline ForceKey points() {
  return {"points",
          [](Force& force, const TwoPoints& points) { force.firstPoint = points[0], force.secondPoint = points[1]; },
          "points = [[0, 0, 1], [0, 0, 0.1]]"};
}

inline ForceKey body() {
  return {"body", [](Force& force, const std::string& name) { force.second = name; }, "body = \"top\""};
}

inline ForceKey joint() {
  return {"joint", [](Force& force, const std::string& name) { force.joint = name; }, "joint = \"hip\""};
}

inline ForceKey coordinate() {
  return {"coordinate", [](Force& force, const std::string& name) { force.coordinate = name; }};
}

inline ForceKey stiffness() {
  return {"stiffness", [](Force& force, const double& number) { force.law = ForceLaw::polynomial({number}); },
          "stiffness = 1.0e4"};
}

inline ForceKey law() {
  return {"law", [](Force& force, const ForceLaw& law) { force.law = law; }};
}

/// A spring that is slack under pressure, as a rope, or under tension, as a stop; read behind its law.
inline ForceKey pullsOnly() {
  return {"pulls_only", [](Force& force, const bool& yes) {
            if (yes && force.law) force.law = force.law->pullsOnly();
          }};
}
inline ForceKey pushesOnly() {
  return {"pushes_only", [](Force& force, const bool& yes) {
            if (yes && force.law) force.law = force.law->pushesOnly();
          }};
}

inline ForceKey damping() {
  return {"damping", [](Force& force, const double& number) { force.damping = number; }};
}

inline ForceKey neededDamping() {
  return {"damping", damping().set, "damping = 10"};
}

inline ForceKey scale() {
  return {"scale", [](Force& force, const Signal& signal) { force.scale = signal; }};
}

inline ForceKey rest(const char* key) {
  return {key, [](Force& force, const RestOrInitial& rest) { force.rest = rest.value; }};
}

inline ForceKey vector(const std::string& key) {
  return {key, [](Force& force, const DirectedVector& v) { force.vector = v.value, force.inBody = v.inBody; },
          key + " = [0, 0, 1]"};
}

/// A force along the line between the two points of a Force.
inline Made alongLine(const Force& force, const ForceSite& site) {
  const int first = site.body(force, force.first), second = site.body(force, force.second);
  const Vector3 point = site.pointInBody(second, force.secondPoint);
  CoordinateTerm term{ScalarCoordinate::length(site.pointInBody(first, force.firstPoint), point)};
  term.law = force.law;
  term.rest = force.rest;
  term.damping = force.damping;
  return std::make_shared<CoordinateForce>(force.name, first, second, std::vector{term},
                                           CoordinateReading{point, "length", "tension"});
}

/// It does not notice rotations about the point of space that it pulls to.
inline RigidMotions unnoticedAlongLine(const Force& force) {
  return rotationsAbout(force.first == "ground" ? force.firstPoint : force.secondPoint);
}

inline std::optional<Problem> directionProblem(const Force& force) {
  if (force.firstPoint != force.secondPoint) return std::nullopt;
  return Problem{"points", "has two points that coincide, so that its direction is undefined; move one"};
}

/// A force along a coordinate of a joint. A motor has an effort as well.
inline Made alongJoint(const Force& force, const ForceSite& site, std::optional<Signal> scale = std::nullopt) {
  const MechanismJoint& joint = site.joint(force);
  CoordinateTerm term{ScalarCoordinate::ofJoint(joint.geometry, site.coordinate(force))};
  term.law = force.law;
  term.rest = force.rest;
  term.damping = force.damping;
  term.effort = force.effort;
  term.scale = std::move(scale);
  return std::make_shared<CoordinateForce>(force.name, joint.first, joint.second, std::vector{term},
                                           CoordinateReading{joint.geometry.second.point, "", "", "effort"});
}

/// The vector of a load or a torque, over time and in the axes that it is given in.
inline VectorSignal givenVector(const Force& force, int body, const ForceSite& site) {
  if (force.vectorOverTime) return *force.vectorOverTime;
  return force.inBody ? site.inPrincipalAxes(body, force.vector) : force.vector;
}

/// Whether that vector is other than zero and turns with the body or changes over time, so that no direction of space is left.
inline bool turns(const Force& force) {
  return force.vectorOverTime || (force.inBody && force.vector.norm() > 0.0);
}

}  // namespace polhode::forces
