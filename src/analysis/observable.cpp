#include "analysis/observable.h"

#include "math/quaternion.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace polhode {

namespace {

const char* const quaternionNames[] = {"w", "x", "y", "z"};
constexpr double notTold = std::numeric_limits<double>::quiet_NaN();

/// Collects observables of one owner.
class Owner {
 public:
  Owner(std::vector<Observable>& all, ObservedKind kind, std::string name)
      : all_(all), kind_(kind), name_(std::move(name)) {}

  template <class Value>
  void number(const std::string& quantity, Detail detail, const Value& value) {
    add(quantity, "", detail, value);
  }

  /// `value(observation, i)` for the three components.
  template <class Value>
  void vector(const std::string& quantity, Detail detail, const Value& value) {
    for (int i = 0; i < 3; ++i)
      add(quantity, axisNames[i], detail, [i, value](const Observation& o) { return value(o, i); });
  }

  template <class Value>
  void quaternion(const std::string& quantity, const Value& value) {
    for (int i = 0; i < 4; ++i)
      add(quantity, quaternionNames[i], Detail::motion, [i, value](const Observation& o) { return value(o, i); });
  }

 private:
  void add(const std::string& quantity, const std::string& component, Detail detail,
           std::function<double(const Observation&)> value) {
    std::string name = kind_ == ObservedKind::joint ? "joint." + name_ + "." : name_.empty() ? "" : name_ + ".";
    name += component.empty() ? quantity : quantity + "." + component;
    all_.push_back({std::move(name), std::move(value), kind_, name_, quantity, component, detail});
  }

  std::vector<Observable>& all_;
  ObservedKind kind_;
  std::string name_;
};

void addBody(std::vector<Observable>& all, std::size_t index, const std::string& name) {
  Owner body(all, ObservedKind::body, name);
  const auto vector = [&](const std::string& quantity, auto member) {
    body.vector(quantity, Detail::motion,
                [index, member](const Observation& o, int i) { return (o.bodies[index].*member)[i]; });
  };
  vector("position", &Body::position);
  body.quaternion("quaternion",
                  [index](const Observation& o, int i) { return withPositiveScalar(o.bodies[index].orientation)[i]; });
  vector("velocity", &Body::velocity);
  vector("angular_velocity", &Body::angularVelocity);
}

void addAccelerations(std::vector<Observable>& all, std::size_t index, const std::string& name) {
  Owner body(all, ObservedKind::body, name);
  const auto vector = [&](const std::string& quantity, auto member) {
    body.vector(quantity, Detail::forces, [index, member](const Observation& o, int i) {
      return index < o.accelerations.size() ? (o.accelerations[index].*member)[i] : notTold;
    });
  };
  vector("acceleration", &BodyAcceleration::linear);
  vector("angular_acceleration", &BodyAcceleration::angular);
}

void addJoint(std::vector<Observable>& all, std::size_t index, const JointObservation& sample) {
  Owner joint(all, ObservedKind::joint, sample.name);
  for (std::size_t k = 0; k < sample.coordinates.size(); ++k) {
    const std::string& name = sample.coordinates[k].name;
    joint.number(name, Detail::motion,
                 [index, k](const Observation& o) { return o.joints[index].coordinates[k].value; });
    joint.number(name + "_rate", Detail::motion,
                 [index, k](const Observation& o) { return o.joints[index].coordinates[k].rate; });
  }
  const auto vector = [&](const std::string& quantity, auto member) {
    joint.vector(quantity, Detail::forces,
                 [index, member](const Observation& o, int i) { return (o.joints[index].*member)[i]; });
  };
  vector("force", &JointObservation::force);
  vector("torque", &JointObservation::torque);
}

void addForce(std::vector<Observable>& all, std::size_t index, const ForceObservation& sample) {
  Owner force(all, ObservedKind::force, sample.name);
  const auto vector = [&](const std::string& quantity, auto member) {
    force.vector(quantity, Detail::forces, [index, member](const Observation& o, int i) {
      return index < o.forces.size() ? (o.forces[index].*member)[i] : notTold;
    });
  };
  for (std::size_t k = 0; k < sample.quantities.size(); ++k)
    force.number(sample.quantities[k].name, Detail::forces, [index, k](const Observation& o) {
      return index < o.forces.size() ? o.forces[index].quantities[k].value : notTold;
    });
  vector("force", &ForceObservation::force);
  vector("torque", &ForceObservation::torque);
}

/// "sensor.tip.x", or "sensor.height" of a number.
void addSensor(std::vector<Observable>& all, std::size_t index, const SensorObservation& sample) {
  const bool isVector = sample.values.size() > 1;
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const std::string component = isVector ? axisNames[i] : "";
    all.push_back(
        {"sensor." + sample.name + (isVector ? "." : "") + component,
         [index, i](const Observation& o) { return index < o.sensors.size() ? o.sensors[index].values[i] : notTold; },
         ObservedKind::sensor, sample.name, "", component, sample.needs});
  }
}

/// Of a system that is not made of bodies; its coordinates are counted from 1.
void addSystem(std::vector<Observable>& all, const Observation& sample) {
  Owner system(all, ObservedKind::whole, "");
  const auto numbers = [&](const char* quantity, auto member) {
    for (std::size_t i = 0; i < sample.q.size(); ++i)
      system.number(fmt::format("{}.{}", quantity, i + 1), Detail::motion,
                    [i, member](const Observation& o) { return (o.*member)[i]; });
  };
  numbers("q", &Observation::q);
  numbers("v", &Observation::v);
  numbers("p", &Observation::p);
  system.number("generalised_energy", Detail::motion, [](const Observation& o) { return o.energy(); });
  system.number("total_energy", Detail::motion, [](const Observation& o) { return o.nodeEnergy.value(); });
}

void addViolations(Owner& whole) {
  whole.number("constraint.position", Detail::motion, [](const Observation& o) { return o.positionViolation; });
  whole.number("constraint.velocity", Detail::motion, [](const Observation& o) { return o.velocityViolation; });
}

}  // namespace

/// All are read off the observation, or are sums of what is read; but a quaternion, whose sign is chosen, changes with its own.
double Observable::change(const Observation& at, const Observation& changes) const {
  if (quantity != "quaternion") return value(changes);
  const auto body =
      std::find_if(at.bodies.begin(), at.bodies.end(), [&](const Body& each) { return each.name == owner; });
  const auto number = static_cast<std::size_t>(body - at.bodies.begin());
  const auto part = std::find(std::begin(quaternionNames), std::end(quaternionNames), component);
  const double rate = changes.bodies[number].orientation[part - std::begin(quaternionNames)];
  return body->orientation[0] < 0.0 ? -rate : rate;
}

std::vector<Observable> observables(const Observation& sample) {
  std::vector<Observable> all;
  for (std::size_t i = 0; i < sample.bodies.size(); ++i) addBody(all, i, sample.bodies[i].name);
  for (std::size_t i = 0; i < sample.joints.size(); ++i) addJoint(all, i, sample.joints[i]);
  Owner whole(all, ObservedKind::whole, "");
  if (!sample.q.empty()) {
    addSystem(all, sample);
    addViolations(whole);
    return all;
  }
  whole.number("energy", Detail::motion, [](const Observation& o) { return o.energy(); });
  if (sample.nodeEnergy)
    whole.number("node_energy", Detail::motion, [](const Observation& o) { return o.nodeEnergy.value(); });
  whole.vector("linear_momentum", Detail::motion, [](const Observation& o, int i) { return o.linearMomentum[i]; });
  whole.vector("angular_momentum", Detail::motion, [](const Observation& o, int i) { return o.angularMomentum[i]; });
  addViolations(whole);
  // What was added later stands behind, so that the columns before it are where they were.
  for (std::size_t i = 0; i < sample.accelerations.size(); ++i) addAccelerations(all, i, sample.bodies[i].name);
  for (std::size_t i = 0; i < sample.forces.size(); ++i) addForce(all, i, sample.forces[i]);
  for (std::size_t i = 0; i < sample.sensors.size(); ++i) addSensor(all, i, sample.sensors[i]);
  Owner energies(all, ObservedKind::whole, "");
  energies.number("kinetic_energy", Detail::motion, [](const Observation& o) { return o.kineticEnergy; });
  energies.number("potential_energy", Detail::motion, [](const Observation& o) { return o.potentialEnergy; });
  energies.number("work", Detail::motion, [](const Observation& o) { return o.work; });
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
