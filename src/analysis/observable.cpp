#include "polhode/analysis/observable.h"

#include "polhode/error.h"
#include "polhode/math/quaternion.h"
#include "polhode/model/suggestion.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace polhode {

namespace {

const char* const axisNames[] = {"x", "y", "z"};
const char* const quaternionNames[] = {"w", "x", "y", "z"};

void addBody(std::vector<Observable>& all, std::size_t index, const std::string& name) {
  const auto add = [&](const std::string& quantity, int component, auto member) {
    all.push_back({fmt::format("{}.{}.{}", name, quantity, axisNames[component]),
                   [index, component, member](const Observation& o) { return (o.bodies[index].*member)[component]; }});
  };
  for (int i = 0; i < 3; ++i) add("position", i, &Body::position);
  for (int i = 0; i < 4; ++i)
    all.push_back({fmt::format("{}.quaternion.{}", name, quaternionNames[i]),
                   [index, i](const Observation& o) { return withPositiveScalar(o.bodies[index].orientation)[i]; }});
  for (int i = 0; i < 3; ++i) add("velocity", i, &Body::velocity);
  for (int i = 0; i < 3; ++i) add("angular_velocity", i, &Body::angularVelocity);
}

void addJoint(std::vector<Observable>& all, std::size_t index, const JointObservation& joint) {
  for (std::size_t k = 0; k < joint.coordinates.size(); ++k) {
    const std::string name = fmt::format("joint.{}.{}", joint.name, joint.coordinates[k].name);
    all.push_back({name, [index, k](const Observation& o) { return o.joints[index].coordinates[k].value; }});
    all.push_back({name + "_rate", [index, k](const Observation& o) { return o.joints[index].coordinates[k].rate; }});
  }
  const auto add = [&](const char* quantity, auto member) {
    for (int i = 0; i < 3; ++i)
      all.push_back({fmt::format("joint.{}.{}.{}", joint.name, quantity, axisNames[i]),
                     [index, i, member](const Observation& o) { return (o.joints[index].*member)[i]; }});
  };
  add("force", &JointObservation::force);
  add("torque", &JointObservation::torque);
}

}  // namespace

std::vector<Observable> observables(const Observation& sample) {
  std::vector<Observable> all;
  for (std::size_t i = 0; i < sample.bodies.size(); ++i) addBody(all, i, sample.bodies[i].name);
  for (std::size_t i = 0; i < sample.joints.size(); ++i) addJoint(all, i, sample.joints[i]);
  all.push_back({"energy", [](const Observation& o) { return o.energy(); }});
  if (sample.nodeEnergy) all.push_back({"node_energy", [](const Observation& o) { return o.nodeEnergy.value(); }});
  for (int i = 0; i < 3; ++i)
    all.push_back(
        {fmt::format("linear_momentum.{}", axisNames[i]), [i](const Observation& o) { return o.linearMomentum[i]; }});
  for (int i = 0; i < 3; ++i)
    all.push_back(
        {fmt::format("angular_momentum.{}", axisNames[i]), [i](const Observation& o) { return o.angularMomentum[i]; }});
  all.push_back({"constraint.position", [](const Observation& o) { return o.positionViolation; }});
  all.push_back({"constraint.velocity", [](const Observation& o) { return o.velocityViolation; }});
  return all;
}

Condition parseCondition(const std::string& text, const Observation& sample) {
  const auto equals = text.find('=');
  if (equals == std::string::npos)
    throw InputError(fmt::format("the condition {} has no '='; write it like body.position.z=0", quoted(text)));
  const std::string name = text.substr(0, equals), number = text.substr(equals + 1);

  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !std::isfinite(value))
    throw InputError(
        fmt::format("the condition {} has no number behind '='; write it like body.position.z=0", quoted(text)));
  std::vector<std::string> names;
  for (Observable& observable : observables(sample)) {
    if (observable.name == name) return {std::move(observable), value};
    names.push_back(observable.name);
  }
  throw InputError(fmt::format("the condition {} speaks of {}, which cannot be observed; {}", quoted(text),
                               quoted(name), suggestion(name, names)));
}

}  // namespace polhode
