#pragma once

#include "polhode/model/sensor.h"

namespace polhode {

/// The unit of what a sensor measures; empty for a formula, which may be of anything.
inline const char* unitOf(const Sensor& sensor) {
  switch (sensor.kind) {
    case SensorKind::position:
      return "m";
    case SensorKind::velocity:
      return "m/s";
    case SensorKind::acceleration:
      return "m/s^2";
    case SensorKind::force:
      return "N";
    case SensorKind::torque:
      return "N m";
    case SensorKind::formula:
      break;
  }
  return "";
}

}  // namespace polhode
