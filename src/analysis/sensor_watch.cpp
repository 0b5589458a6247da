#include "analysis/sensor_watch.h"

#include "math/euler_map.h"
#include "model/formula.h"
#include "model/number_of.h"
#include "polhode/error.h"
#include "system/varied_motion.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace polhode {

namespace {

using Measure = SensorWatch::Measure;

/// Of what is read off the observation, so that its change is read off the changes.
Measure plainMeasure(std::function<void(const Observation&, std::vector<double>&)> value) {
  return {value, [value](const Observation&, const Observation& changes, std::vector<double>& values) {
            value(changes, values);
          }};
}

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
template <class Scalar>
Vector<Scalar, 3> pointReading(SensorKind kind, const Vector3& rho, const Vector<Scalar, 3>& x,
                               const Vector<Scalar, 4>& orientation, const Vector<Scalar, 3>& v,
                               const Vector<Scalar, 3>& Omega, const Vector<Scalar, 3>& a,
                               const Vector<Scalar, 3>& Alpha) {
  const Eigen::Matrix<Scalar, 3, 3> R = rotationMatrix(orientation);
  const Vector<Scalar, 3> arm = rho.cast<Scalar>();
  if (kind == SensorKind::position) return x + R * arm;
  if (kind == SensorKind::velocity) return v + R * Omega.cross(arm);
  return a + R * (Alpha.cross(arm) + Omega.cross(Omega.cross(arm)));
}

Measure pointMeasure(const Sensor& sensor, const Model& model) {
  const std::size_t body = numberOf(model.bodies, sensor.body, isOnUnknown(sensor, "body"));
  const Body& start = model.bodies[body];
  const Vector3 rho = rotationMatrix(start.orientation).transpose() * (sensor.point - start.position);
  const SensorKind kind = sensor.kind;
  const auto accelerationOf = [body](const Observation& o) {
    return body < o.accelerations.size() ? o.accelerations[body] : BodyAcceleration{unknownVector(), unknownVector()};
  };
  return {[=](const Observation& o, std::vector<double>& values) {
            const Body& now = o.bodies[body];
            const BodyAcceleration a = accelerationOf(o);
            put(pointReading(kind, rho, now.position, now.orientation, now.velocity, now.angularVelocity, a.linear,
                             a.angular),
                values);
          },
          [=](const Observation& at, const Observation& changes, std::vector<double>& values) {
            const Body &now = at.bodies[body], &change = changes.bodies[body];
            const BodyAcceleration a = accelerationOf(at), aChange = accelerationOf(changes);
            put(changesIn(pointReading<Varied>(
                    kind, rho, varied(now.position, change.position), varied(now.orientation, change.orientation),
                    varied(now.velocity, change.velocity), varied(now.angularVelocity, change.angularVelocity),
                    varied(a.linear, aChange.linear), varied(a.angular, aChange.angular))),
                values);
          }};
}

/// What a joint or a force does to its second body.
Measure forceMeasure(const Sensor& sensor, const Model& model) {
  const bool turns = sensor.kind == SensorKind::torque;
  if (!sensor.joint.empty()) {
    const std::size_t joint = numberOf(model.joints, sensor.joint, isOnUnknown(sensor, "joint"));
    return plainMeasure([joint, turns](const Observation& o, std::vector<double>& values) {
      if (o.accelerations.empty()) return put(unknownVector(), values);
      put(turns ? o.joints[joint].torque : o.joints[joint].force, values);
    });
  }
  const std::size_t force = numberOf(model.forces, sensor.element, isOnUnknown(sensor, "force"));
  return plainMeasure([force, turns](const Observation& o, std::vector<double>& values) {
    if (force >= o.forces.size()) return put(unknownVector(), values);
    put(turns ? o.forces[force].torque : o.forces[force].force, values);
  });
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
  const Formula formula(sensor.formula, "t", sensor.parameters, words);
  const auto numbers = [columns](const auto& read) {
    std::vector<double> all;
    all.reserve(columns.size());
    for (const Observable& column : columns) all.push_back(read(column));
    return all;
  };
  const auto valuesIn = [numbers](const Observation& o) {
    return numbers([&](const Observable& column) { return column.value(o); });
  };
  return {
      sensor.name,
      needs,
      {[=](const Observation& o, std::vector<double>& values) { values.assign(1, formula.value(o.time, valuesIn(o))); },
       [=](const Observation& at, const Observation& changes, std::vector<double>& values) {
         const auto rates = numbers([&](const Observable& column) { return column.change(at, changes); });
         values.assign(1, formula.change(at.time, valuesIn(at), rates));
       }}};
}

void SensorWatch::tell(Observation& observation) const {
  for (const Reading& reading : readings_) tell(reading, observation);
}

void SensorWatch::tell(const Reading& reading, Observation& observation) {
  SensorObservation measured{reading.name, {}, reading.needs};
  reading.measure.value(observation, measured.values);
  observation.sensors.push_back(std::move(measured));
}

void SensorWatch::tellChanges(const Observation& at, Observation& changes) const {
  for (const Reading& reading : readings_) {
    SensorObservation measured{reading.name, {}, reading.needs};
    reading.measure.change(at, changes, measured.values);
    changes.sensors.push_back(std::move(measured));
  }
}

}  // namespace polhode
