#include "analysis/model_warnings.h"

#include "model/suggestion.h"

#include <cmath>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

namespace polhode {

namespace {

using Warnings = std::vector<std::string>;

constexpr double strongestGravity = 30.0;  // m/s^2: that of Jupiter is 25
constexpr double lightest = 1e-3,
                 heaviest = 2e6;  // kg/m^3; shapes may be rough, millimetres for metres are a factor 1e9
constexpr double smallestRatio = 0.01, largestRatio = 30.0;  // radius of gyration against size
constexpr double stepsOfAPeriod = 4.0;

void warnOfGravity(const Model& model, Warnings& warnings) {
  const double g = model.gravity.norm();
  if (g > strongestGravity)
    warnings.push_back(fmt::format("gravity is {:.6g} m/s^2; lengths are metres here, so that on Earth it is 9.81", g));
}

/// The size of each body as far as its joints tell: the longest way from its centre of mass.
std::unordered_map<std::string, double> reaches(const Model& model) {
  std::unordered_map<std::string, Vector3> centres;
  std::unordered_map<std::string, double> result;
  for (const Body& body : model.bodies) centres.emplace(body.name, body.position);
  const auto reach = [&](const std::string& name, const Vector3& point) {
    const auto centre = centres.find(name);
    if (centre == centres.end()) return;
    double& longest = result[name];
    longest = std::max(longest, (point - centre->second).norm());
  };
  for (const Joint& joint : model.joints) {
    reach(joint.first, joint.point);
    reach(joint.second, joint.pointOfSecond());
  }
  return result;
}

void warnOfBody(const Body& body, double reach, Warnings& warnings) {
  if (body.mass <= 0.0) return;
  const double gyration = std::sqrt(body.inertia.trace() / (2.0 * body.mass));
  double size = reach;
  if (body.shape) {
    const MassProperties unit = massProperties(*body.shape, 1.0);
    const double density = body.mass / unit.mass;
    size = std::max(size, std::sqrt(unit.inertia.trace() / (2.0 * unit.mass)));
    if (density < lightest || density > heaviest)
      warnings.push_back(fmt::format("body {} would have a density of {:.3g} kg/m^3; check its mass and its shape",
                                     quoted(body.name), density));
  }
  if (size > 0.0 && gyration > 0.0 && (gyration < smallestRatio * size || gyration > largestRatio * size))
    warnings.push_back(
        fmt::format("body {} has an inertia as of mass {:.3g} m away from its centre, but is {:.3g} m large; check the "
                    "units of its inertia (kg m^2)",
                    quoted(body.name), gyration, size));
}

/// A spring and a mass swing with the period 2 pi sqrt(m/k); integrators of a fixed step must resolve it.
void warnOfSprings(const Model& model, const SimulationSettings& settings, Warnings& warnings) {
  if (!settings.step) return;
  std::unordered_map<std::string, double> masses;
  for (const Body& body : model.bodies) masses.emplace(body.name, body.mass);
  for (const Force& force : model.forces) {
    if (!force.joint.empty() || !force.law) continue;
    double inverse = 0.0;
    for (const std::string& end : {force.first, force.second})
      if (const auto mass = masses.find(end); mass != masses.end() && mass->second > 0.0) inverse += 1.0 / mass->second;
    const double stiffness = std::abs(force.law->stiffness());
    if (inverse == 0.0 || stiffness == 0.0 || !std::isfinite(stiffness)) continue;
    const double period = 2.0 * std::numbers::pi / std::sqrt(stiffness * inverse);
    if (period < stepsOfAPeriod * *settings.step)
      warnings.push_back(
          fmt::format("force {} makes its bodies swing with a period of about {:.2g} s, which a step of "
                      "{:.2g} s does not resolve; make the step smaller",
                      quoted(force.name), period, *settings.step));
  }
}

}  // namespace

std::vector<std::string> modelWarnings(const Model& model, const SimulationSettings& settings) {
  Warnings warnings;
  warnOfGravity(model, warnings);
  const auto reach = reaches(model);
  for (const Body& body : model.bodies) {
    const auto found = reach.find(body.name);
    warnOfBody(body, found == reach.end() ? 0.0 : found->second, warnings);
  }
  warnOfSprings(model, settings, warnings);
  return warnings;
}

}  // namespace polhode
