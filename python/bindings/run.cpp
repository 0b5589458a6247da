#include "polhode/analysis/run.h"

#include "analysis/engine.h"
#include "analysis/engine_registry.h"
#include "bindings.h"
#include "io/recording_stream.h"
#include "io/run_attributes.h"
#include "polhode/system/checked_model.h"
#include "simulation.h"

#include <pybind11/stl.h>

namespace polhode::python {

namespace {

/// An array on the numbers of a recording, which it keeps alive; nobody may write them.
py::array view(const py::object& owner, const Recording& recording) {
  const auto rows = static_cast<py::ssize_t>(recording.rows()),
             columns = static_cast<py::ssize_t>(recording.columns.size());
  py::array_t<double> numbers({rows, columns}, recording.values.data(), owner);
  numbers.attr("setflags")(py::arg("write") = false);
  return numbers;
}

std::shared_ptr<Recording> recordingOf(std::vector<std::string> columns,
                                       const py::array_t<double, py::array::c_style | py::array::forcecast>& values) {
  auto recording = std::make_shared<Recording>();
  recording->columns = std::move(columns);
  recording->values.assign(values.data(), values.data() + values.size());
  return recording;
}

/// What came of a run besides its rows.
py::dict figures(const RunResult& result) {
  py::dict words;
  words["initial"] = toDict(result.initial);
  words["final"] = toDict(result.final);
  words["energy_drift"] = result.energyDrift;
  words["balance_error"] = result.balanceError;
  words["linear_momentum_drift"] = toArray(result.linearMomentumDrift);
  words["angular_momentum_drift"] = toArray(result.angularMomentumDrift);
  py::dict conserved;
  for (const auto& [momentum, drift] : result.conservedMomenta) conserved[py::str(momentum.name())] = drift;
  words["conserved"] = conserved;
  words["conserves_energy"] = result.conserved.energy;
  words["position_violation"] = result.positionViolation;
  words["velocity_violation"] = result.velocityViolation;
  py::dict work;
  work["steps"] = result.work.steps;
  work["rejected"] = result.work.rejected;
  work["rhs_evaluations"] = result.work.rhsEvaluations;
  work["jacobians"] = result.work.jacobians;
  work["newton_iterations"] = result.work.newtonIterations;
  words["work"] = work;
  words["wall_seconds"] = result.wallSeconds;
  words["stopped_by_event"] = result.stoppedByEvent;
  words["interrupted"] = result.interrupted;
  words["warning"] = result.warning;
  words["failure"] = result.failure;
  return words;
}

py::dict attributeWords(const Attributes& attributes) {
  py::dict words;
  for (const auto& [name, text] : attributes) words[py::str(name)] = text;
  return words;
}

Attributes attributesOf(const py::dict& words) {
  Attributes attributes;
  for (const auto& [name, text] : words) attributes.emplace_back(py::str(name), py::str(text));
  return attributes;
}

/// Runs without the lock; looks for Ctrl-C, which ends the run in order. Returns the rows, the figures and the attributes.
template <class Work>
py::tuple watched(RunOptions options, Attributes attributes, const std::string& whyIntegrator, const std::string& out,
                  bool record, const Work& work) {
  std::unique_ptr<RecordingStream> stream;
  if (!out.empty()) stream = std::make_unique<RecordingStream>(out, attributes);
  options.rows = stream.get();
  options.record = record;
  RunResult result;
  {
    const py::gil_scoped_release unlocked;
    Interruptions interruptions;
    options.interrupted = [&interruptions] {
      try {
        interruptions.look();
        return false;
      } catch (py::error_already_set& error) {
        const py::gil_scoped_acquire lock;
        if (!error.matches(PyExc_KeyboardInterrupt)) throw;
        return true;
      }
    };
    result = work(options);
    stream.reset();
  }
  auto rows = std::make_shared<Recording>(std::move(result.recording));
  py::dict words = figures(result);
  words["integrator_reason"] = whyIntegrator;
  return py::make_tuple(rows, words, attributeWords(attributes));
}

}  // namespace

void bindRun(py::module_& module) {
  py::class_<Recording, std::shared_ptr<Recording>>(module, "Recording")
      .def(py::init(&recordingOf), py::arg("columns"), py::arg("values"))
      .def_readonly("columns", &Recording::columns)
      .def_property_readonly(
          "address",
          [](const Recording& recording) { return reinterpret_cast<std::uintptr_t>(recording.values.data()); })
      .def_property_readonly("values", [](const py::object& self) { return view(self, self.cast<Recording&>()); });

  module.def("run_model", [](const ModelFile& file, const py::dict& words, const std::string& out, bool record) {
    const SimulationSettings settings = settingsWith(file, words);
    const Model model = checked(file.model);
    const auto engine = makeEngine(model, settings);
    return watched(runOptions(model, settings), runAttributes(file, settings), whyIntegrator(file, words), out, record,
                   [&](const RunOptions& options) { return run(*engine, options); });
  });
  module.def("run_simulation", [](PythonSimulation& self, const ModelFile& file, const py::dict& words,
                                  const std::string& out, bool record) {
    const Busy busy(self);
    SimulationSettings settings = self.simulation.settings();
    const SimulationSettings asked = settingsWith(file, words);
    settings.outputEvery = asked.outputEvery;
    settings.stopWhen = asked.stopWhen;
    return watched(runOptions(self.simulation.model(), settings), runAttributes(file, settings),
                   whyIntegrator(file, words), out, record,
                   [&](const RunOptions& options) { return run(self.simulation, options); });
  });

  module.def("write_recording", [](const std::string& path, const Recording& recording, const py::dict& attributes) {
    const Attributes words = attributesOf(attributes);
    const py::gil_scoped_release unlocked;
    writeRecording(path, recording, words);
  });
  module.def("read_recording", [](const std::string& path) {
    RecordingFile file = [&] {
      const py::gil_scoped_release unlocked;
      return readRecording(path);
    }();
    return py::make_tuple(std::make_shared<Recording>(std::move(file.recording)), attributeWords(file.attributes));
  });
}

}  // namespace polhode::python
