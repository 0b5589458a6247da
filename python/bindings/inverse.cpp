// What motors must do for a motion.

#include "analysis/inverse_dynamics.h"
#include "bindings.h"
#include "polhode/error.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace polhode::python {

namespace {

/// Entries are (name, formula) or (name, value, rate, acceleration, component).
std::vector<FollowedQuantity> followed(const py::list& motion) {
  std::vector<FollowedQuantity> quantities;
  for (const py::handle& entry : motion) {
    const auto words = entry.cast<py::tuple>();
    const auto name = words[0].cast<std::string>();
    quantities.push_back({name, words.size() == 2 ? Signal::formula(words[1].cast<std::string>())
                                                  : signalOf(words[1], words[2], words[3], words[4].cast<int>())});
  }
  return quantities;
}

std::vector<InverseMotor> motorsOf(const Model& model, const std::vector<std::string>& names,
                                   const std::vector<FollowedQuantity>& motion) {
  std::vector<InverseMotor> motors;
  for (const std::string& name : names)
    for (InverseMotor& motor : motorsNamed(model, name)) motors.push_back(std::move(motor));
  if (names.empty()) motors = usualMotors(model, motion);
  if (motors.empty())
    throw InputError(fmt::format("'{}' has no motors; name some, as in motors=[\"joint.crank.angle\"]", model.name));
  return motors;
}

/// The recording, and what the motors cannot do, relative to all that acts.
py::tuple toTuple(const InverseResult& result) {
  double missing = 0.0;
  for (const InverseRow& row : result.rows) missing = std::max(missing, row.missing);
  return py::make_tuple(std::make_shared<Recording>(result.recording()), missing);
}

}  // namespace

void bindInverse(py::module_& module) {
  module.def("inverse_along", [](const ModelFile& file, const py::list& motion, const std::vector<std::string>& motors,
                                 const std::vector<double>& times) {
    std::vector<FollowedQuantity> quantities = followed(motion);
    const std::vector<InverseMotor> theMotors = motorsOf(file.model, motors, quantities);
    if (quantities.empty()) quantities = motionOfModel(file.model, theMotors);
    InverseDynamics inverse(file.model, theMotors);
    return toTuple([&] {
      const py::gil_scoped_release unlocked;
      return inverse.along(quantities, times);
    }());
  });
  module.def("inverse_of_run", [](const ModelFile& file, const Recording& run, const std::vector<std::string>& motors) {
    InverseDynamics inverse(file.model, motorsOf(file.model, motors, {}));
    return toTuple([&] {
      const py::gil_scoped_release unlocked;
      return inverse.along(run);
    }());
  });
  module.def("take_efforts",
             [](ModelFile& file, const Recording& efforts) { file.model = withEfforts(file.model, efforts); });
}

}  // namespace polhode::python
