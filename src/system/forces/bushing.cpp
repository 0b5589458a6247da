#include "math/rotation_maps.h"
#include "parts.h"

namespace polhode::forces {

namespace {

/// A linear spring and a damper along a coordinate that is zero at t = 0; nothing where both are zero.
void add(const ScalarCoordinate& coordinate, double stiffness, double damping, std::vector<CoordinateTerm>& terms) {
  if (stiffness == 0.0 && damping == 0.0) return;
  CoordinateTerm term{coordinate};
  if (stiffness != 0.0) term.law = ForceLaw::polynomial({stiffness});
  term.damping = damping;
  terms.push_back(term);
}

}  // namespace

/// Displacements of the bushing's point along three axes of the first body, and angles about them: about the first axis the
/// angle from the second axis to that of the second body, seen along the first, and so on around. For small turns these
/// are the three components of the turn. It is relaxed as it is drawn; where its bodies start elsewhere the second one has
/// turned against the first by the rotation vector `force.vector` (in space).
ForceType bushing() {
  return {.name = "bushing",
          .summary = "A rubber block between two bodies: springs and dampers along and about three axes.",
          .actsOn = ActsOn::twoBodies,
          .keys = {bodies(),
                   {"point", [](Force& force, const Vector3& point) { force.firstPoint = force.secondPoint = point; },
                    "point = [0, 0, 1]"},
                   {"stiffness", [](Force& force, const OneOrThree& k) { force.stiffnesses = k.value; },
                    stiffness().example},
                   {"damping", [](Force& force, const OneOrThree& c) { force.dampings = c.value; }},
                   {"turning_stiffness", [](Force& force, const OneOrThree& k) { force.turningStiffnesses = k.value; }},
                   {"turning_damping", [](Force& force, const OneOrThree& c) { force.turningDampings = c.value; }},
                   {"orientation", [](Force& force, const Matrix3& axes) { force.axes = axes; }}},
          .make = [](const Force& force, const ForceSite& site) -> Made {
            const int first = site.body(force, force.first), second = site.body(force, force.second);
            const Matrix3 axes = site.axesInBody(first, force.axes),
                          others = site.axesInBody(second, expSO3(force.vector) * force.axes);
            const Vector3 point = site.pointInBody(first, force.firstPoint);
            const Vector3 other = site.pointInBody(second, force.secondPoint);
            std::vector<CoordinateTerm> terms;
            for (int k = 0; k < 3; ++k) {
              const int next = (k + 1) % 3, last = (k + 2) % 3;
              add(ScalarCoordinate::displacement(axes.col(k), point, other), force.stiffnesses[k], force.dampings[k],
                  terms);
              add(ScalarCoordinate::angle(axes.col(next), axes.col(last), others.col(next)),
                  force.turningStiffnesses[k], force.turningDampings[k], terms);
            }
            return std::make_shared<CoordinateForce>(force.name, first, second, std::move(terms),
                                                     CoordinateReading{other});
          },
          .remembersStart = true,
          .startElsewhere =
              [](Force& force, const ForceSite& site, const Placement& first, const Placement& second) {
                const auto turn = [&](const std::string& name, const Placement& now) {
                  return Matrix3(now.D * site.axesInBody(site.body(force, name), Matrix3::Identity()));
                };
                force.vector = logSO3(
                    Matrix3(turn(force.second, second) * expSO3(force.vector) * turn(force.first, first).transpose()));
              }};
}

}  // namespace polhode::forces
