#include "analysis/sensor_watch.h"

#include "math/euler_map.h"
#include "model/formula.h"
#include "model/number_of.h"
#include "polhode/error.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace polhode {

namespace {

using Measure = std::function<void(const Observation&, std::vector<double>&)>;

/// What is said of a sensor that is on something unknown.
std::string isOnUnknown(const Sensor& sensor, const char* kind) {
  return fmt::format("sensor {} is on the unknown {}", quoted(sensor.name), kind);
}

void put(const Vector3& vector, std::vector<double>& values) {
  values.assign(vector.begin(), vector.end());
}

Vector3 unknownVector() {
  return Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
}

/// How a point of a body moves.
Measure pointMeasure(const Sensor& sensor, const Model& model) {
  const std::size_t body = numberOf(model.bodies, sensor.body, isOnUnknown(sensor, "body"));
  const Body& start = model.bodies[body];
  const Vector3 rho = rotationMatrix(start.orientation).transpose() * (sensor.point - start.position);
  const SensorKind kind = sensor.kind;
  return [body, rho, kind](const Observation& o, std::vector<double>& values) {
    const Body& now = o.bodies[body];
    const Matrix3 R = rotationMatrix(now.orientation);
    if (kind == SensorKind::position) return put(now.position + R * rho, values);
    const Vector3& Omega = now.angularVelocity;
    if (kind == SensorKind::velocity) return put(now.velocity + R * Omega.cross(rho), values);
    if (body >= o.accelerations.size()) return put(unknownVector(), values);
    const BodyAcceleration& a = o.accelerations[body];
    put(a.linear + R * (a.angular.cross(rho) + Omega.cross(Omega.cross(rho))), values);
  };
}

/// What a joint or a force does to its second body.
Measure forceMeasure(const Sensor& sensor, const Model& model) {
  const bool turns = sensor.kind == SensorKind::torque;
  if (!sensor.joint.empty()) {
    const std::size_t joint = numberOf(model.joints, sensor.joint, isOnUnknown(sensor, "joint"));
    return [joint, turns](const Observation& o, std::vector<double>& values) {
      if (o.accelerations.empty()) return put(unknownVector(), values);
      put(turns ? o.joints[joint].torque : o.joints[joint].force, values);
    };
  }
  const std::size_t force = numberOf(model.forces, sensor.element, isOnUnknown(sensor, "force"));
  return [force, turns](const Observation& o, std::vector<double>& values) {
    if (force >= o.forces.size()) return put(unknownVector(), values);
    put(turns ? o.forces[force].torque : o.forces[force].force, values);
  };
}

}  // namespace

SensorWatch::SensorWatch(const Model& model, const Observation& sample) {
  Observation known = sample;
  known.sensors.clear();
  for (const Sensor& sensor : model.sensors) add(sensor, model, known);
}

void SensorWatch::add(const Sensor& sensor, const Model& model, Observation& sample) {
  readings_.push_back(readingOf(sensor, model, sample));
  tell(readings_.back(), sample);
}

SensorWatch::Reading SensorWatch::readingOf(const Sensor& sensor, const Model& model, const Observation& sample) const {
  switch (sensor.kind) {
    case SensorKind::position:
    case SensorKind::velocity:
      return {sensor.name, Detail::motion, pointMeasure(sensor, model)};
    case SensorKind::acceleration:
      return {sensor.name, Detail::forces, pointMeasure(sensor, model)};
    case SensorKind::force:
    case SensorKind::torque:
      return {sensor.name, Detail::forces, forceMeasure(sensor, model)};
    case SensorKind::formula:
      break;
  }
  // a formula of columns, those of sensors before it included
  const std::vector<Observable> all = observables(sample);
  std::vector<std::string> names, words;
  for (const Observable& each : all) names.push_back(each.name);
  std::vector<Observable> columns;
  Detail needs = Detail::motion;
  for (const auto& [word, column] : sensor.of) {
    const auto found = std::find(names.begin(), names.end(), column);
    if (found == names.end())
      throw InputError(fmt::format("sensor {} measures {}, which cannot be observed; {}", quoted(sensor.name),
                                   quoted(column), suggestion(column, names)));
    words.push_back(word);
    columns.push_back(all[static_cast<std::size_t>(found - names.begin())]);
    if (columns.back().detail == Detail::forces) needs = Detail::forces;
  }
  return {sensor.name, needs,
          [formula = Formula(sensor.formula, "t", sensor.parameters, words), columns](const Observation& o,
                                                                                      std::vector<double>& values) {
            std::vector<double> quantities;
            quantities.reserve(columns.size());
            for (const Observable& column : columns) quantities.push_back(column.value(o));
            values.assign(1, formula.value(o.time, quantities));
          }};
}

void SensorWatch::tell(Observation& observation) const {
  for (const Reading& reading : readings_) tell(reading, observation);
}

void SensorWatch::tell(const Reading& reading, Observation& observation) {
  SensorObservation measured{reading.name, {}, reading.needs};
  reading.measure(observation, measured.values);
  observation.sensors.push_back(std::move(measured));
}

}  // namespace polhode
