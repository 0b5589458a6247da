#pragma once

#include "analysis/observable.h"
#include "polhode/model/model.h"

#include <functional>
#include <vector>

/// The sensors of a model. Of a point rho, fixed in a body that moves with v and Omega (body axes) and accelerates with a and
/// Omega':
///
///     x + R rho,      v + R (Omega x rho),      a + R (Omega' x rho + Omega x (Omega x rho))
namespace polhode {

class SensorWatch {
 public:
  /// `sample` is any observation of the model that tells forces. Throws an InputError where a sensor names what is not
  /// there, with the nearest name.
  SensorWatch(const Model& model, const Observation& sample);

  /// Without any, to which `add` adds one after the other; what it measures is added to `sample` too, for those that follow.
  SensorWatch() = default;
  void add(const Sensor& sensor, const Model& model, Observation& sample);

  /// Adds what the sensors measure to an observation.
  void tell(Observation& observation) const;

  /// The same of changes: those of all else that is observed stand in `changes`, whose sensors are added, beside `at`, whose
  /// sensors are told.
  void tellChanges(const Observation& at, Observation& changes) const;

  /// What a sensor measures, and how that changes.
  struct Measure {
    std::function<void(const Observation& at, std::vector<double>& values)> value;
    std::function<void(const Observation& at, const Observation& changes, std::vector<double>& values)> change;
  };

 private:
  struct Reading {
    std::string name;
    Detail needs = Detail::motion;
    Measure measure;
  };
  static void tell(const Reading& reading, Observation& observation);
  Reading readingOf(const Sensor& sensor, const Model& model, const Observation& sample) const;

  std::vector<Reading> readings_;
};

}  // namespace polhode
