#pragma once

#include "polhode/system/force_type.h"
#include "polhode/system/forces/coordinate_force.h"

/// What several types of forces have in common.
namespace polhode::forces {

using Made = std::shared_ptr<const ForceElement>;

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

}  // namespace polhode::forces
