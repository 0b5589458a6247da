#include "lang_cases.h"

#include "io/examples.h"
#include "polhode/io/model_file.h"

#include <fmt/format.h>

namespace polhode::lang {

namespace {

Model example(const std::string& name, const std::string& override) {
  return readModelText(findExample(name)->text, name + ".toml", {override}).model;
}

}  // namespace

const std::vector<Formulation>& formulations() {
  static const std::vector<Formulation> all = {
      {"quaternion null space (42)", "42", "quaternion", "null-space"},
      {"director null space (25)", "25", "director", "null-space"},
      {"quaternion absolute (40)", "40", "quaternion", "absolute"},
      {"director absolute (23)", "23", "director", "absolute"},
      {"Euler angles (66)", "66", "euler313", "null-space"},
  };
  return all;
}

Model exampleA(double spin) {
  return example("lang-a", fmt::format("body.top.angular_velocity.body=[0.0, 0.0, {:.17g}]", spin));
}

Model exampleB(double disturbance) {
  return example("lang-b", fmt::format("body.racket.angular_velocity.body=[50.0, {0:.17g}, {0:.17g}]", disturbance));
}

SimulationSettings settings(const Formulation& formulation, const std::string& integrator, double tolerance,
                            double end) {
  SimulationSettings s;
  s.coordinates = formulation.coordinates;
  s.formulation = formulation.formulation;
  s.integrator = integrator;
  s.tolerance = tolerance;
  s.end = end;
  return s;
}

}  // namespace polhode::lang
