#include "bindings.h"

namespace polhode::python {

void bindAnalysis(py::module_&) {}

}  // namespace polhode::python
