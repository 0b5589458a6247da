#include "polhode/model/validation.h"

#include "polhode/error.h"
#include "polhode/model/assembly.h"
#include "polhode/model/suggestion.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

using MaybeProblem = std::optional<Problem>;

/// Names stand in overrides and in `stop_when`, between dots and before an equals sign.
template <class Part>
MaybeProblem nameProblem(const std::vector<Part>& parts, std::size_t index) {
  const std::string& name = parts[index].name;
  const auto isForbidden = [](unsigned char c) { return c == '.' || c == '=' || std::iscntrl(c); };
  if (name.empty()) return Problem{"name", "has an empty name; give it one"};
  if (std::any_of(name.begin(), name.end(), isForbidden) || name.front() == ' ' || name.back() == ' ')
    return Problem{"name",
                   "has a name with a dot, an equals sign, a control character or a space at an end; "
                   "leave it out"};
  for (std::size_t i = 0; i < index; ++i)
    if (parts[i].name == name) return Problem{"name", "has the name of an earlier one; give each its own name"};
  return std::nullopt;
}

MaybeProblem massProblem(double mass) {
  if (std::isfinite(mass) && mass > 0.0) return std::nullopt;
  return Problem{"mass", fmt::format("has the mass {}; a mass must be positive and finite", mass)};
}

MaybeProblem inertiaProblem(const Matrix3& inertia) {
  if (!inertia.allFinite()) return Problem{"inertia", "has an inertia that is not finite; give finite numbers"};
  const double largest = inertia.cwiseAbs().maxCoeff();
  const double asymmetry = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > writtenRounding * largest)
    return Problem{"inertia", fmt::format("has an inertia that is not symmetric (two entries differ by {:.3g}); "
                                          "make J[i][j] and J[j][i] equal",
                                          asymmetry)};

  const Vector3 principal = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const double roundOff = 1e-12 * largest;
  if (principal[0] < -roundOff)
    return Problem{"inertia", fmt::format("has a negative principal inertia, {:.6g}; all must be positive, or "
                                          "zero for a thin rod or a point mass",
                                          principal[0])};
  if (principal[0] + principal[1] < principal[2] - writtenRounding * largest)
    return Problem{"inertia", fmt::format("has principal inertias {:.6g}, {:.6g}, {:.6g} that violate the triangle "
                                          "inequality; no solid has one above the sum of the others",
                                          principal[0], principal[1], principal[2])};
  return std::nullopt;
}

MaybeProblem motionProblem(const Body& body) {
  const auto notFinite = [](const char* key) {
    return Problem{key, fmt::format("has a {} that is not finite; give finite numbers", key)};
  };
  if (!body.position.allFinite()) return notFinite("position");
  if (!body.velocity.allFinite()) return notFinite("velocity");
  if (!body.angularVelocity.allFinite()) return notFinite("angular_velocity");
  if (!(std::abs(body.orientation.norm() - 1.0) < 1e-9))
    return Problem{"orientation",
                   fmt::format("has a quaternion of length {:.9g}; normalise it", body.orientation.norm())};
  return std::nullopt;
}

/// Both ends exist, are different, and one is the ground.
MaybeProblem endsProblem(const Model& model, const std::string& first, const std::string& second,
                         const std::string& kind) {
  std::vector<std::string> known = {"ground"};
  for (const Body& body : model.bodies) known.push_back(body.name);
  for (const std::string& name : {first, second})
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Problem{"bodies", fmt::format("connects an unknown body {}; {}", quoted(name), suggestion(name, known))};
  if (first == second)
    return Problem{"bodies", fmt::format("connects {} to itself; give two different bodies", quoted(first))};
  if (first != "ground" && second != "ground")
    return Problem{"bodies", fmt::format("connects two bodies, but only a {} between 'ground' and a body is "
                                         "available in this version",
                                         kind)};
  return std::nullopt;
}

MaybeProblem jointTypeProblem(const std::string& type) {
  const std::vector<std::string> known = {"spherical", "revolute",  "prismatic", "cylindrical",
                                          "planar",    "universal", "fixed",     "distance"};
  if (type == "spherical") return std::nullopt;
  if (std::find(known.begin(), known.end(), type) == known.end())
    return Problem{"type", fmt::format("has an unknown type {}; {}", quoted(type), suggestion(type, known))};
  return Problem{"type", fmt::format("has the type {}, but only a spherical joint to ground is available in this "
                                     "version",
                                     quoted(type))};
}

template <class Part>
void refuse(const char* kind, const Part& part, const MaybeProblem& problem) {
  if (problem) throw InputError(fmt::format("{} {} {}", kind, quoted(part.name), problem->sentence));
}

}  // namespace

MaybeProblem bodyProblem(const Model& model, std::size_t index) {
  const Body& body = model.bodies[index];
  if (auto problem = nameProblem(model.bodies, index)) return problem;
  if (body.name == "ground") return Problem{"name", "has a name that means space itself; choose another name"};
  if (auto problem = massProblem(body.mass)) return problem;
  if (auto problem = inertiaProblem(body.inertia)) return problem;
  return motionProblem(body);
}

MaybeProblem jointProblem(const Model& model, std::size_t index) {
  const Joint& joint = model.joints[index];
  if (auto problem = nameProblem(model.joints, index)) return problem;
  if (auto problem = jointTypeProblem(joint.type)) return problem;
  if (auto problem = endsProblem(model, joint.first, joint.second, "spherical joint")) return problem;
  if (!joint.point.allFinite()) return Problem{"point", "has a point that is not finite; give finite numbers"};
  for (std::size_t i = 0; i < index; ++i)
    if (bodyOf(model.joints[i]) == bodyOf(joint))
      return Problem{"bodies", fmt::format("holds {}, which joint {} holds already; only one joint a body is "
                                           "available in this version",
                                           quoted(bodyOf(joint)), quoted(model.joints[i].name))};
  return std::nullopt;
}

MaybeProblem springProblem(const Model& model, std::size_t index) {
  const Spring& spring = model.springs[index];
  if (auto problem = nameProblem(model.springs, index)) return problem;
  if (auto problem = endsProblem(model, spring.first, spring.second, "spring")) return problem;
  if (!spring.firstPoint.allFinite() || !spring.secondPoint.allFinite())
    return Problem{"points", "has a point that is not finite; give finite numbers"};
  if (!(std::isfinite(spring.stiffness) && spring.stiffness > 0.0))
    return Problem{"stiffness", fmt::format("has the stiffness {}; it must be positive and finite", spring.stiffness)};
  if (!(std::isfinite(spring.length) && spring.length >= 0.0))
    return Problem{"length", fmt::format("has the length {}; it must be finite and not negative", spring.length)};
  if (spring.length > 0.0 && spring.firstPoint == spring.secondPoint)
    return Problem{"points",
                   "has two points that coincide, so that its direction is undefined; move one, or set "
                   "length = 0"};
  return std::nullopt;
}

MaybeProblem velocityProblem(const Model& model, const Joint& joint) {
  const Body& body = *findBody(model, bodyOf(joint));
  if (relativeGap(body, joint.point) <= writtenRounding) return std::nullopt;
  return Problem{"point", fmt::format("is violated: its point of {} moves at {:.6g} m/s; correct or leave out the "
                                      "body's velocity, or set assemble = true",
                                      quoted(body.name), pointVelocity(body, joint.point).norm())};
}

void validate(const Model& model) {
  if (!model.gravity.allFinite()) throw InputError("the model's gravity is not finite; give finite numbers");
  if (model.bodies.empty()) throw InputError("the model has no body; add one");
  for (std::size_t i = 0; i < model.bodies.size(); ++i) refuse("body", model.bodies[i], bodyProblem(model, i));
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    refuse("joint", model.joints[i], jointProblem(model, i));
    refuse("joint", model.joints[i], velocityProblem(model, model.joints[i]));
  }
  for (std::size_t i = 0; i < model.springs.size(); ++i) refuse("force", model.springs[i], springProblem(model, i));
}

}  // namespace polhode
