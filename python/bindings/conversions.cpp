#include "bindings.h"
#include "math/quaternion.h"
#include "model/usual_settings.h"
#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode::python {

Vector3 toVector(const py::handle& given, const char* what) {
  const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!numbers || numbers.size() != 3) {
    PyErr_Clear();
    throw InputError(fmt::format("{} is {}; give three numbers", what, py::repr(given).cast<std::string>()));
  }
  return Vector3(numbers.data());
}

py::dict toDict(const Observation& observation) {
  py::dict bodies, joints, forces;
  for (std::size_t b = 0; b < observation.bodies.size(); ++b) {
    const Body& body = observation.bodies[b];
    py::dict words;
    words["position"] = toArray(body.position);
    words["quaternion"] = toArray(withPositiveScalar(body.orientation));
    words["velocity"] = toArray(body.velocity);
    words["angular_velocity"] = toArray(body.angularVelocity);
    if (b < observation.accelerations.size()) {
      words["acceleration"] = toArray(observation.accelerations[b].linear);
      words["angular_acceleration"] = toArray(observation.accelerations[b].angular);
    }
    bodies[py::str(body.name)] = words;
  }
  for (const JointObservation& joint : observation.joints) {
    py::dict words;
    for (const auto& coordinate : joint.coordinates) {
      words[py::str(coordinate.name)] = coordinate.value;
      words[py::str(coordinate.name + "_rate")] = coordinate.rate;
    }
    words["force"] = toArray(joint.force);
    words["torque"] = toArray(joint.torque);
    joints[py::str(joint.name)] = words;
  }
  for (const ForceObservation& force : observation.forces) {
    py::dict words;
    for (const ForceQuantity& quantity : force.quantities) words[py::str(quantity.name)] = quantity.value;
    words["force"] = toArray(force.force);
    words["torque"] = toArray(force.torque);
    forces[py::str(force.name)] = words;
  }
  py::dict sensors;
  for (const SensorObservation& sensor : observation.sensors) {
    const py::str name(sensor.name);
    if (sensor.values.size() == 1)
      sensors[name] = sensor.values[0];
    else
      sensors[name] = toArray(Vector3(sensor.values[0], sensor.values[1], sensor.values[2]));
  }
  py::dict all;
  all["time"] = observation.time;
  all["kinetic_energy"] = observation.kineticEnergy;
  all["potential_energy"] = observation.potentialEnergy;
  all["energy"] = observation.energy();
  all["work"] = observation.work;
  all["linear_momentum"] = toArray(observation.linearMomentum);
  all["angular_momentum"] = toArray(observation.angularMomentum);
  all["centre_of_mass"] = toArray(observation.centreOfMass);
  all["position_violation"] = observation.positionViolation;
  all["velocity_violation"] = observation.velocityViolation;
  all["bodies"] = bodies;
  all["joints"] = joints;
  all["forces"] = forces;
  all["sensors"] = sensors;
  return all;
}

std::string whyIntegrator(const ModelFile& file, const py::dict& words) {
  const bool isNamed = words.contains("integrator") && !words["integrator"].is_none();
  return isNamed || file.places.contains("integrator") ? "" : usualIntegrator(file.model).reason;
}

SimulationSettings settingsWith(const ModelFile& file, const py::dict& words) {
  SimulationSettings settings = file.simulation;
  const auto given = [&](const char* name) { return words.contains(name) && !words[name].is_none(); };
  const auto word = [&](const char* name, std::string& setting) {
    if (given(name)) setting = py::str(words[name]).cast<std::string>();
  };
  const auto number = [&](const char* name, auto& setting) {
    if (!given(name)) return false;
    const double value = py::float_(words[name]);
    if (!(std::isfinite(value) && value > 0.0))
      throw InputError(fmt::format("{} is {}; give a positive number", name, value));
    setting = value;
    return true;
  };
  word("integrator", settings.integrator);
  word("coordinates", settings.coordinates);
  word("formulation", settings.formulation);
  word("projection", settings.projection);
  word("stop_when", settings.stopWhen);
  if (number("tolerance", settings.tolerance)) settings.step.reset();  // instead of the file's step
  number("step", settings.step);
  number("largest_step", settings.largestStep);
  number("end", settings.end);
  number("every", settings.outputEvery);
  if (given("threads")) {
    const double count = py::float_(words["threads"]);
    if (!(count >= 1.0 && count <= 1e6 && count == std::floor(count)))
      throw InputError(fmt::format("threads is {}; give a whole number, at least 1", count));
    settings.threads = static_cast<int>(count);
  }
  return settings;
}

}  // namespace polhode::python
