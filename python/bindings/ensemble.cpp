// Many members of one model, stepped together.

#include "ensemble/ensemble.h"

#include "bindings.h"
#include "polhode/error.h"

#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

namespace polhode::python {

namespace {

using ensemble::Ensemble;
using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// The values of a key: a number or a vector for each member.
struct Column {
  std::string key;
  const double* values;
  std::size_t components;
  bool isVector;

  /// "body.top.mass=2", "model.gravity=[0, 0, -9.81]".
  std::string words(std::size_t member) const {
    const std::span<const double> own(values + member * components, components);
    return isVector ? fmt::format("{}=[{}]", key, fmt::join(own, ", ")) : fmt::format("{}={}", key, own[0]);
  }
};

/// The model of every member: the file with these words instead.
std::unique_ptr<Ensemble> makeEnsemble(const std::string& text, const std::string& name,
                                       const std::vector<std::string>& overrides, std::size_t size,
                                       const std::vector<std::pair<std::string, Rows>>& varied,
                                       std::optional<double> step, unsigned threads, bool onGpu) {
  std::vector<Column> columns;
  for (const auto& [key, values] : varied) {
    const bool isVector = values.ndim() == 2;
    columns.push_back({key, values.data(), isVector ? static_cast<std::size_t>(values.shape(1)) : 1, isVector});
  }
  const py::gil_scoped_release unlocked;
  const ModelFile base = readModelText(text, name, overrides);
  const std::optional<double> length = step ? step : base.simulation.step;
  if (!length) throw InputError("an ensemble has steps of one length; give one, step=0.001");
  const auto common = std::make_shared<const Model>(base.model);
  const auto member = [&](std::size_t m) {
    if (columns.empty()) return common;
    std::vector<std::string> own = overrides;
    for (const Column& column : columns) own.push_back(column.words(m));
    try {
      return std::make_shared<const Model>(readModelText(text, name, own).model);
    } catch (const InputError& error) {
      throw InputError(fmt::format("member {}: {}", m, error.what()));
    }
  };
  using ensemble::Device;
  return std::make_unique<Ensemble>(
      size, member, ensemble::EnsembleOptions{*length, threads, onGpu ? Device::gpu : Device::processor});
}

py::array_t<double> observed(const Ensemble& self, const std::string& quantity) {
  std::vector<double> values;
  std::size_t components = 1;
  {
    const py::gil_scoped_release unlocked;
    components = self.observe(quantity, values);
  }
  if (components == 1) return toArray(values);
  return py::array_t<double>({self.size(), components}, values.data());
}

void apply(Ensemble& self, const std::string& body, const Rows& forces, const Rows& torques) {
  for (const Rows* each : {&forces, &torques})
    if (each->ndim() != 2 || each->shape(0) != static_cast<py::ssize_t>(self.size()) || each->shape(1) != 3)
      throw InputError(fmt::format("forces and torques are arrays of the shape ({}, 3)", self.size()));
  const std::size_t count = 3 * self.size();
  self.apply(body, {forces.data(), count}, {torques.data(), count});
}

std::vector<std::pair<std::size_t, std::string>> failures(const Ensemble& self) {
  std::vector<std::pair<std::size_t, std::string>> all;
  for (std::size_t m = 0; m < self.size(); ++m)
    if (!self.failure(m).empty()) all.emplace_back(m, self.failure(m));
  return all;
}

}  // namespace

void bindEnsemble(py::module_& module) {
  py::class_<Ensemble>(module, "Ensemble")
      .def(py::init(&makeEnsemble))
      .def("step", &Ensemble::step, py::call_guard<py::gil_scoped_release>())
      .def("observe", &observed)
      .def("apply", &apply)
      .def("reset", [](Ensemble& self, const std::vector<std::size_t>& members) { self.reset(members); })
      .def("failures", &failures)
      .def_property_readonly("in_lanes", &Ensemble::isInLanes)
      .def_property_readonly("steps", &Ensemble::steps);
}

}  // namespace polhode::python
