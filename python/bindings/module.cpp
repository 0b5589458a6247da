#include "bindings.h"
#include "polhode/error.h"

namespace polhode::python {

void Interruptions::ask() {
  next_ = now() + 0.05;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace polhode::python

PYBIND11_MODULE(_core, module) {
  using namespace polhode::python;
  module.attr("__version__") = POLHODE_VERSION;
  module.doc() = "The C++ library behind the package polhode.";

  // the sentences of the library; the classes are kept as long as the interpreter
  static py::object* inputError = new py::object(
      py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc("polhode.InputError",
                                                                  "Something is wrong with what was given: a model, an "
                                                                  "option, a name. The text says what and what to do.",
                                                                  PyExc_ValueError, nullptr)));
  static py::object* simulationError = new py::object(
      py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc("polhode.SimulationError",
                                                                  "A simulation could not go on. `time` is when, in "
                                                                  "seconds; `run`, where a run ended early, is the Run "
                                                                  "as far as it came, otherwise None.",
                                                                  PyExc_RuntimeError, nullptr)));
  module.attr("InputError") = *inputError;
  module.attr("SimulationError") = *simulationError;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const polhode::InputError& error) {
      PyErr_SetString(inputError->ptr(), error.what());
    } catch (const polhode::SimulationError& error) {
      py::object raised = (*simulationError)(error.what());
      raised.attr("time") = error.time();
      raised.attr("run") = py::none();
      PyErr_SetObject(simulationError->ptr(), raised.ptr());
    }
  });

  bindModel(module);
  bindOwn(module);
  bindSimulation(module);
  bindRun(module);
  bindPages(module);
  bindAnalysis(module);
  bindInverse(module);
  bindEnsemble(module);
}
