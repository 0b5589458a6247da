#include "bindings.h"
#include "io/examples.h"
#include "polhode/io/load_model.h"

#include <memory>

#include <pybind11/stl.h>

namespace polhode::python {

namespace {

py::dict bodyWords(const Body& body) {
  py::dict words;
  words["name"] = body.name;
  words["mass"] = body.mass;
  words["inertia"] = toArray(body.inertia);
  words["position"] = toArray(body.position);
  words["quaternion"] = toArray(body.orientation);
  words["velocity"] = toArray(body.velocity);
  words["angular_velocity"] = toArray(body.angularVelocity);
  return words;
}

template <class Part>
py::list names(const std::vector<Part>& parts) {
  py::list list;
  for (const Part& part : parts) list.append(part.name);
  return list;
}

py::dict settingWords(const SimulationSettings& settings) {
  py::dict words;
  words["integrator"] = settings.integrator;
  words["coordinates"] = settings.coordinates;
  words["formulation"] = settings.formulation;
  words["projection"] = settings.projection;
  words["step"] = settings.step;
  words["largest_step"] = settings.largestStep;
  words["tolerance"] = settings.tolerance;
  words["threads"] = settings.threads;
  words["end"] = settings.end;
  words["every"] = settings.outputEvery;
  words["stop_when"] = settings.stopWhen;
  return words;
}

}  // namespace

void bindModel(py::module_& module) {
  py::class_<ModelFile, std::shared_ptr<ModelFile>>(module, "ModelFile")
      .def_static("load", &loadModel, py::arg("path_or_example"), py::arg("overrides"))
      .def_static(
          "read",
          [](const std::string& text, const std::string& name, const std::vector<std::string>& overrides) {
            return readModelText(text, name, overrides);
          },
          py::arg("text"), py::arg("name"), py::arg("overrides"))
      .def_property_readonly("name", [](const ModelFile& file) { return file.model.name; })
      .def_property_readonly("gravity", [](const ModelFile& file) { return toArray(file.model.gravity); })
      .def_readonly("text", &ModelFile::text)
      .def_readonly("left_out", &ModelFile::leftOut)
      .def_readonly("assembled", &ModelFile::assembled)
      .def_property_readonly("bodies",
                             [](const ModelFile& file) {
                               py::list list;
                               for (const Body& body : file.model.bodies) list.append(bodyWords(body));
                               return list;
                             })
      .def_property_readonly("joints", [](const ModelFile& file) { return names(file.model.joints); })
      .def_property_readonly("forces", [](const ModelFile& file) { return names(file.model.forces); })
      .def_property_readonly("actuators", [](const ModelFile& file) { return names(file.model.actuators); })
      .def("settings",
           [](const ModelFile& file, const py::dict& words) { return settingWords(settingsWith(file, words)); });

  module.def("examples", [] {
    py::dict texts;
    for (const Example& example : examples()) texts[py::str(example.name)] = example.text;
    return texts;
  });
}

}  // namespace polhode::python
