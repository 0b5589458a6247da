#pragma once

#include "polhode/analysis/observation.h"
#include "polhode/io/model_file.h"
#include "polhode/model/signal.h"
#include "polhode/model/simulation.h"

#include <ctime>
#include <functional>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

/// The module polhode._core: the library's classes as Python sees them. What people use of it, with words about units and
/// frames, is python/polhode.
///
/// While the library works the interpreter's lock is released; what calls back (own.h) takes it again.
namespace polhode::python {

namespace py = pybind11;

// One function for each file of this folder.
void bindModel(py::module_& module);
void bindOwn(py::module_& module);
void bindSimulation(py::module_& module);
void bindRun(py::module_& module);
void bindPages(py::module_& module);
void bindAnalysis(py::module_& module);
void bindInverse(py::module_& module);
void bindEnsemble(py::module_& module);

/// Numbers of the library as an array of their own.
template <class Numbers>
py::array_t<double> toArray(const Numbers& v) {
  return py::array_t<double>(static_cast<py::ssize_t>(v.size()), v.data());
}
inline py::array_t<double> toArray(const Matrix3& matrix) {
  const Matrix3 rows = matrix.transpose();  // numpy goes row by row
  return py::array_t<double>({3, 3}, rows.data());
}

/// Three numbers, from a list, a tuple or an array. Throws InputError where `given` is something else.
Vector3 toVector(const py::handle& given, const char* what);

/// All that can be said of an instant, in the words of `polhode run --json`.
py::dict toDict(const Observation& observation);

/// Why the integrator is the one that it is, where neither the file nor the words name one; otherwise empty.
std::string whyIntegrator(const ModelFile& file, const py::dict& words);

/// The settings of a model file with those that `words` gives instead, as the flags of `polhode run` do.
SimulationSettings settingsWith(const ModelFile& file, const py::dict& words);

/// A function of time in Python and its derivatives, or a component of it; component -1 is a number itself.
Signal signalOf(const py::object& value, const py::object& rate, const py::object& acceleration, int component);

/// Lets Python see Ctrl-C now and then while the library works without the lock. Throws py::error_already_set then.
class Interruptions {
 public:
  /// Cheap: looks at a clock, and at Python twenty times a second.
  void look() {
    if (now() >= next_) ask();
  }

 private:
  static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  void ask();

  double next_ = now() + 0.05;
};

}  // namespace polhode::python
